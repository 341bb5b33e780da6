import { integer, oneOf, optional, shape } from '../../model/model.ts'
import { colon, semicolon, textIn } from '../../model/language.ts'
import type { ChangeText, Label, Static, Value, Widget } from '../../model/model.ts'
import { problem } from '../problem.ts'
import { asText } from '../text/text.ts'

const options = shape({
  of: optional(
    oneOf(['changes', 'messages'], {
      about: {
        cn: '字段的变更：字段名 → [原值, 新值]；或多语言消息',
        en: 'Changes of fields: field → [before, after]; or messages in every language',
      },
    }),
  ),
  maxLength: integer({
    default: 20_000,
    minimum: 2,
    maximum: 1_000_000,
    about: { cn: '最多字符数', en: 'Maximum length of its text, in characters' },
  }),
})
export type JsonOptions = Static<typeof options>
export type JsonValue = Value[] | { [key: string]: Value }

const noJson: Label = { cn: '请输入正确的JSON对象或数组', en: 'Please enter a JSON object or array' }
const tooLong: Label = { cn: '内容不能超过{n}个字符', en: 'At most {n} {n|character|characters}' }

export const json: Widget<JsonOptions, JsonValue> = {
  type: 'json',
  alsoCalled: ['object'],
  label: { cn: '结构数据', en: 'Structured data' },
  options,
  prompt: 'enter',
  expression: 'map',
  column: () => 'jsonb',
  normalize(value) {
    const given = asText(value)
    const read = typeof given === 'string' ? parsed(given) : given
    return (Array.isArray(read) && read.length === 0) || read === '' ? null : read
  },
  check(value: unknown, { maxLength }, context) {
    if (typeof value !== 'object') return problem('json', noJson, context)
    const text = JSON.stringify(value)
    // PostgreSQL cannot store NUL.
    if (text.includes('\\u0000')) return problem('json', noJson, context)
    return text.length > maxLength ? problem('maxLength', tooLong, context, { n: maxLength }) : undefined
  },
  changes: ({ of }) => of === 'changes',
  messages: ({ of }) => of === 'messages',
  text: (value, options, _context, language) => {
    const messages = messagesIn(value, options)
    if (messages) return messages.map((message) => textIn(message, language)).join(textIn(semicolon, language))
    const changes = changesIn(value, options)
    return changes
      ? changes.map((change) => changeLine(change, language)).join(textIn(semicolon, language))
      : JSON.stringify(value)
  },
  width: () => 240,
  operators: ['empty'],
  sortable: false,
  sheet: {
    write: (value, options, _context, language) =>
      messagesIn(value, options)
        ?.map((message) => textIn(message, language))
        .join('\n') ??
      changesIn(value, options)
        ?.map((change) => changeLine(change, language))
        .join('\n') ??
      cellJson(value),
    read: (cell) => cell,
    longest: ({ maxLength }) => maxLength,
  },
}

/** Characters that a cell would lose are escaped. */
const cellJson = (value: JsonValue): string =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The map or list in the text; any other text as it is. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : text.trim()
  } catch {
    return text.trim()
  }
}

/** Changes in words, as the server sends them. */
export function changesIn(
  value: JsonValue | null | undefined,
  { of }: Pick<JsonOptions, 'of'>,
): ChangeText[] | undefined {
  const isChange = (item: Value) =>
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    'label' in item &&
    'old' in item &&
    'new' in item
  return of === 'changes' && Array.isArray(value) && value.every(isChange)
    ? (value as unknown as ChangeText[])
    : undefined
}

/** Messages in the value: `[{ message: { cn, en } }]`. */
export function messagesIn(value: JsonValue | null | undefined, { of }: Pick<JsonOptions, 'of'>): Label[] | undefined {
  const messageOf = (item: Value) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && typeof item.message === 'object'
      ? (item.message as Label)
      : undefined
  const messages = of === 'messages' && Array.isArray(value) ? value.map(messageOf) : []
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined
}

/** A missing old or new value is a dash. */
const changeLine = ({ label, old, new: next }: ChangeText, language: string): string =>
  `${textIn(label, language)}${textIn(colon, language)}${old || '–'} → ${next || '–'}`

/** The text in the editor: invalid text as it was typed. */
export const typedJson = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** The rows of a small table: key and value, or number and item. */
export const jsonEntries = (value: JsonValue): [string, string][] =>
  Object.entries(value).map(([key, item]) => [
    Array.isArray(value) ? String(Number(key) + 1) : key,
    typeof item === 'object' && item !== null ? JSON.stringify(item) : String(item ?? ''),
  ])
