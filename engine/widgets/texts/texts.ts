import { integer, shape } from '../../model/model.ts'
import { comma, textIn } from '../../model/language.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { asText, controls, halfWidth, lengthOf } from '../text/text.ts'

const options = shape({
  maxLength: integer({
    default: 60,
    minimum: 1,
    maximum: 500,
    about: { cn: '每项最多字符数', en: 'Maximum number of characters in each item' },
  }),
  maxItems: integer({
    default: 20,
    minimum: 1,
    maximum: 1000,
    about: { cn: '最多项数', en: 'Maximum number of items' },
  }),
})
export type TextsOptions = Static<typeof options>

/** What ends an item while typing, and in a cell. No item contains one. */
export const separators = ['\n', ';', '；']
const separator = /[\n\r;；]+/
const tooLong: Label = { cn: '“{item}”长度不能超过{n}个字符', en: '"{item}": at most {n} {n|character|characters}' }
const tooMany: Label = { cn: '最多{n}项', en: 'At most {n} {n|item|items}' }

/** A list of distinct short texts. */
export const texts: Widget<TextsOptions, string[]> = {
  type: 'texts',
  label: { cn: '文本列表', en: 'List of texts' },
  options,
  prompt: 'enter',
  expression: 'list<string>',
  column: () => 'jsonb',
  normalize(value) {
    const given = asText(value)
    if (given === null) return null
    const items: unknown[] = Array.isArray(given) ? given : [given]
    if (!items.every((item) => item === null || typeof item === 'string' || typeof item === 'number')) return given
    const parts = items
      .flatMap((item) => String(item ?? '').split(separator))
      .map((item) => item.replace(controls, '').replace(/\t/g, ' ').trim())
      .filter(Boolean)
    return parts.length > 0 ? [...new Set(parts)] : null
  },
  check(value: unknown, { maxLength, maxItems }, context) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return malformed(context)
    if (value.length > maxItems) return problem('maxItems', tooMany, context, { n: maxItems })
    const item = value.find((item) => lengthOf(item) > maxLength)
    return item === undefined
      ? undefined
      : problem('maxLength', tooLong, context, { item: `${item.slice(0, 20)}…`, n: maxLength })
  },
  text: (value, _options, _context, language) => value.join(textIn(comma, language)),
  width: () => 200,
  operators: ['contains', 'empty'],
  sortable: false,
  sheet: {
    write: (value) => value.join('\n'),
    read: (cell) => (typeof cell === 'string' ? halfWidth(cell) : cell),
    longest: ({ maxLength, maxItems }) => (maxLength + 1) * maxItems,
  },
}
