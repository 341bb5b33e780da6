import { textIn } from '../../model/language.ts'
import type { Label } from '../../model/model.ts'
import { fill } from '../errors.ts'
import type { SheetColumn } from './sheetColumn.ts'

const words = {
  instructions: { cn: '填写说明', en: 'Instructions' },
  column: { cn: '列名', en: 'Column' },
  required: { cn: '必填', en: 'Required' },
  optional: { cn: '选填', en: 'Optional' },
  format: { cn: '格式', en: 'Format' },
  allowed: { cn: '可选值', en: 'Allowed values' },
  note: { cn: '说明', en: 'Note' },
  yes: { cn: '是', en: 'Yes' },
  no: { cn: '否', en: 'No' },
  text: { cn: '文本', en: 'Text' },
  date: { cn: '日期 {format}', en: 'Date {format}' },
  number: { cn: '数字 {format}', en: 'Number {format}' },
  more: { cn: '{values} 等{count}项', en: '{values} and so on, {count} in all' },
  comma: { cn: '、', en: ', ' },
  colon: { cn: '：', en: ': ' },
  semicolon: { cn: '；', en: '; ' },
  row: { cn: '第{number}行：', en: 'Row {number}: ' },
  choose: { cn: '请从列表中选择', en: 'Please choose from the list' },
} satisfies Record<string, Label>

type Word = keyof typeof words

/** A text of the template in one language, with its parameters filled in. */
export const word = (name: Word, language: string, parameters: Record<string, string | number> = {}): string =>
  textIn(fill(words[name], parameters), language)

/** A number format in words. */
export function formatWords({ format }: SheetColumn, language: string): string {
  if (!format) return ''
  if (format === '@') return word('text', language)
  return word(/[yd]/i.test(format) ? 'date' : 'number', language, { format })
}

/** The options of a drop-down, no more than `most`. */
export function choiceWords({ choices = [] }: SheetColumn, language: string, most: number): string {
  const values = choices.slice(0, most).join(word('comma', language))
  return choices.length > most ? word('more', language, { values, count: choices.length }) : values
}

/** All rules of a column, a line each. */
export function ruleWords(column: SheetColumn, language: string): string {
  const line = (name: Word, text: string | undefined) =>
    text ? [`${word(name, language)}${word('colon', language)}${text}`] : []
  return [
    word(column.required ? 'required' : 'optional', language),
    ...line('format', formatWords(column, language)),
    ...line('allowed', choiceWords(column, language, 10)),
    ...line('note', column.note && textIn(column.note, language)),
  ].join('\n')
}
