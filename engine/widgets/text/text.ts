import { boolean, integer, label, optional, shape, string } from '../../model/model.ts'
import type { Label, Problem, Static, Unread, Widget, WidgetContext } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'

const options = shape({
  maxLength: integer({
    default: 60,
    minimum: 1,
    maximum: 4000,
    about: { cn: '最多字符数', en: 'Maximum number of characters' },
  }),
  minLength: optional(
    integer({ minimum: 1, atMost: 'maxLength', about: { cn: '最少字符数', en: 'Minimum number of characters' } }),
  ),
  pattern: optional(
    string({ names: 'pattern', atMost: 'maxLength', about: { cn: '正则表达式', en: 'A regular expression' } }),
  ),
  patternMessage: optional(
    label({
      fills: { words: ['label'] },
      about: { cn: '不符合正则表达式时的提示', en: 'The message if the pattern does not match' },
    }),
  ),
  noSpaces: boolean({ default: false, about: { cn: '去除所有空格', en: 'Removes every space' } }),
  stripTwelveDigits: boolean({
    default: false,
    about: { cn: '去除12位数字', en: 'Removes any 12-digit number; not for codes' },
  }),
  upperCase: boolean({ default: false, about: { cn: '转为大写', en: 'Converts letters to capitals' } }),
  trim: boolean({ default: true, about: { cn: '去除首尾空格', en: 'Removes spaces at both ends' } }),
})
export type TextOptions = Static<typeof options>

export const text: Widget<TextOptions, string> = {
  type: 'text',
  alsoCalled: ['string', 'str', 'varchar'],
  label: { cn: '文本', en: 'Text' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize(value, options) {
    const given = asText(value)
    if (typeof given !== 'string') return given
    let line = filterText(given.replace(/[\r\n\t]+/g, ' ').replace(controls, ''), options)
    if (options.stripTwelveDigits) line = line.replace(/(?<!\d)\d{12}(?!\d)/g, '')
    return (options.trim ? line.trim() : line) || null
  },
  check(value, options, context) {
    return checkLength(value, options, context) ?? checkPattern(value, options.pattern, options.patternMessage, context)
  },
  text: (value) => value,
  width: ({ maxLength }) => (maxLength <= 12 ? 110 : maxLength <= 30 ? 140 : 200),
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: {
    // Text cells preserve leading zeros and long digits; beyond 255 characters Excel shows them as ####.
    format: ({ maxLength }) => (maxLength <= 255 ? '@' : undefined),
    write: (value) => value,
    read: readTextCell,
    longest: ({ maxLength }) => maxLength,
  },
}

/** Filters input as it is typed. Trimming and stripping wait for the blur, because they would interfere with typing. */
export function filterText(
  typed: string,
  { noSpaces, upperCase }: Pick<TextOptions, 'noSpaces' | 'upperCase'>,
): string {
  const text = noSpaces ? typed.replace(/\s/g, '') : typed
  return upperCase ? text.toUpperCase() : text
}

/**
 * Characters to remove: PostgreSQL cannot store NUL or unpaired surrogates, sheets cannot store noncharacters, and
 * control characters have no meaning. Tabs and line ends are allowed.
 */
export const controls = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** A text, null if empty; anything but texts and numbers is passed on. */
export function asText(value: unknown): Unread {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null
  return typeof value === 'number' ? String(value) : value
}

/** A code as people write it (full-width characters, spaces or hyphens between groups) → the bare code in capitals. */
export function asCode(value: unknown): Unread {
  const text = asText(value)
  return typeof text === 'string'
    ? text.normalize('NFKC').replace(controls, '').replace(/[\s-]/g, '').toUpperCase() || null
    : text
}

/** Full-width digits and letters become half-width; punctuation is unchanged. */
export const halfWidth = (text: string) =>
  text.replace(/[０-９Ａ-Ｚａ-ｚ]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))

export function readTextCell(cell: unknown): unknown {
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T', ' ')
      .replace(/(?: 00:00:00)?\.\d+Z$/, '')
  if (typeof cell === 'boolean') return String(cell)
  return typeof cell === 'string' ? halfWidth(cell).trim() : readCodeCell(cell)
}

/**
 * A sheet's number is exact up to 15 digits. A longer one has lost digits, so it is read as programs show it, and wrong
 * digits are not taken for right ones.
 */
export function readCodeCell(cell: unknown): unknown {
  return typeof cell === 'number' && Math.abs(cell) >= 1e15 ? cell.toExponential() : cell
}

/** In characters as people count them: a rare character beyond the basic plane is one. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const tooLong: Label = { cn: '长度不能超过{n}个字符', en: 'At most {n} {n|character|characters}' }
const tooShort: Label = { cn: '长度不能少于{n}个字符', en: 'At least {n} {n|character|characters}' }

export function checkLength(
  value: unknown,
  { maxLength, minLength = 0 }: { maxLength: number; minLength?: number },
  context: WidgetContext,
): Problem | undefined {
  if (typeof value !== 'string') return malformed(context)
  const length = lengthOf(value)
  if (length > maxLength) return problem('maxLength', tooLong, context, { n: maxLength })
  if (length < minLength) return problem('minLength', tooShort, context, { n: minLength })
  return undefined
}

const patterns = new Map<string, RegExp>()

/** Only runs after the length check, so that a careless pattern never meets a long text. */
function checkPattern(
  value: string,
  source: string | undefined,
  message: Label | undefined,
  context: WidgetContext,
): Problem | undefined {
  if (source === undefined) return undefined
  let pattern = patterns.get(source)
  if (!pattern) patterns.set(source, (pattern = new RegExp(source, 'u')))
  return pattern.test(value) ? undefined : { ...malformed(context, message), code: 'pattern' }
}
