import { integer, optional, shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { asText, checkLength, controls, readTextCell } from '../text/text.ts'

const options = shape({
  maxLength: integer({
    default: 500,
    minimum: 1,
    maximum: 20_000,
    about: { cn: '最多字符数', en: 'Maximum number of characters' },
  }),
  minLength: optional(
    integer({ minimum: 1, atMost: 'maxLength', about: { cn: '最少字符数', en: 'Minimum number of characters' } }),
  ),
  rows: integer({ default: 3, minimum: 2, maximum: 20, about: { cn: '显示行数', en: 'Rows shown' } }),
})
export type TextareaOptions = Static<typeof options>

export const textarea: Widget<TextareaOptions, string> = {
  type: 'textarea',
  alsoCalled: ['longtext', 'multiline'],
  label: { cn: '多行文本', en: 'Text of several lines' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize(value) {
    const text = asText(value)
    return typeof text === 'string' ? text.replace(/\r\n?/g, '\n').replace(controls, '').trim() || null : text
  },
  check: checkLength,
  text: (value) => value.replace(/(?<!\s)\s*\n\s*/g, ' '),
  width: () => 240,
  operators: ['contains', 'empty'],
  sortable: false,
  sheet: { write: (value) => value, read: readTextCell, longest: ({ maxLength }) => maxLength },
}
