import { colon, composed } from '../../model/language.ts'
import type { FieldProblem, ImportColumn, ImportProblem, Label } from '../../model/model.ts'
import { hidden } from '../../expression/worded.ts'
import { fill } from '../errors.ts'

/** Problems that the import itself finds in a row; all others are messages of widgets, rules and guards. */
export const importProblems = {
  required: { cn: '{column}不能为空', en: '{column} is required' },
  format: { cn: '{column}格式不正确', en: '{column} has an invalid format' },
  choice: { cn: '{column}“{value}”不在可选范围内', en: '{column} "{value}" is not an allowed value' },
  checkDigit: { cn: '{column}校验位错误', en: '{column} check digit is wrong' },
  date: { cn: '{column}格式不正确', en: '{column} is not a valid date' },
  maxLength: {
    cn: '{column}：长度不能超过{n}个字符',
    en: '{column}: At most {n} {n|character|characters}',
  },
  reference: { cn: '{column}“{value}”不存在或已停用', en: '{column} "{value}" does not exist or is disabled' },
  ambiguous: {
    cn: '{column}“{value}”匹配到多条记录，请填写{fill}',
    en: '{column} "{value}" matches several records; please fill in {fill}',
  },
  indistinct: {
    cn: '{column}“{value}”匹配到多条记录，模板中没有可以区分的列，请在系统中逐条处理',
    en: '{column} "{value}" matches several records, and no column distinguishes them; please handle them individually in the system',
  },
  duplicate: { cn: '与第{n}行重复', en: 'Duplicate of row {n}' },
  taken: { cn: '{column}“{value}”已存在', en: '{column} "{value}" already exists' },
  skipped: { cn: '{column}“{value}”已存在，已跳过', en: '{column} "{value}" already exists, skipped' },
  unchanged: { cn: '与系统数据一致，无需更新', en: 'The record already has these values' },
  state: { cn: '当前状态“{state}”不允许导入修改', en: 'State "{state}" does not allow this change' },
  scope: { cn: '无权操作该数据', en: 'You have no access to this record' },
  missing: { cn: '{column}“{value}”不存在', en: '{column} "{value}" does not exist' },
  differs: { cn: '{column}与系统数据不一致（系统：{value}）', en: '{column} does not match the system ({value})' },
  masked: {
    cn: '您只能看到部分{column}，无法比对，请由可查看完整内容的人员导入',
    en: '{column} is masked for you and cannot be compared. Ask a user who sees it unmasked to import the file',
  },
  given: { cn: '{column}与导入参数不一致', en: '{column} differs from the value chosen in the dialog' },
  notAllowed: { cn: '不允许新增', en: 'Adding is not allowed' },
  corrector: {
    cn: '更正人已没有导入权限，请由有权限的人重新导入该行',
    en: 'The user who corrected this row no longer has permission to import. Ask someone who does to import it again',
  },
} satisfies Record<string, Label>
export type ImportProblemName = keyof typeof importProblems

/** The kind of problem behind a code, across all columns. */
const kinds: Record<string, Label> = {
  required: { cn: '必填项为空', en: 'Required, but empty' },
  reference: { cn: '不存在或已停用', en: 'Does not exist or is disabled' },
  ambiguous: { cn: '匹配到多条记录，须补充填写', en: 'Several records match; fill in more columns' },
  indistinct: { cn: '匹配到多条记录，无法区分', en: 'Several records match and cannot be told apart' },
  duplicate: { cn: '文件内重复', en: 'Twice in the file' },
  taken: { cn: '系统中已存在', en: 'Already exists' },
  skipped: { cn: '已存在，跳过', en: 'Already exists, skipped' },
  unchanged: { cn: '无需更新', en: 'Nothing to update' },
  state: { cn: '状态不允许修改', en: 'State does not allow it' },
  scope: { cn: '无权操作', en: 'No access' },
  missing: { cn: '系统中不存在', en: 'Does not exist' },
  differs: { cn: '与系统数据不一致', en: 'Does not match the system' },
  masked: { cn: '无权比对', en: 'Comparison not permitted' },
  given: { cn: '与导入参数不一致', en: 'Differs from what was chosen' },
  corrector: { cn: '更正人已无权限', en: 'Corrector has no permission' },
  choice: { cn: '不在可选范围内', en: 'Not an allowed value' },
  format: { cn: '格式不正确', en: 'Invalid format' },
  pattern: { cn: '格式不正确', en: 'Invalid format' },
  date: { cn: '日期不正确', en: 'Not a date' },
  maxLength: { cn: '超出长度', en: 'Too long' },
  minLength: { cn: '长度不足', en: 'Too short' },
  range: { cn: '超出范围', en: 'Out of range' },
  min: { cn: '超出范围', en: 'Out of range' },
  max: { cn: '超出范围', en: 'Out of range' },
  checkDigit: { cn: '校验位错误', en: 'Wrong check digit' },
  number: { cn: '不是数字', en: 'Not a number' },
  integer: { cn: '不是整数', en: 'Not a whole number' },
  precision: { cn: '位数过多', en: 'Too many digits' },
  scale: { cn: '小数位数过多', en: 'Too many decimals' },
  length: { cn: '超出长度', en: 'Too long' },
  limit: { cn: '数量超出上限', en: 'Too many' },
  maxItems: { cn: '数量超出上限', en: 'Too many' },
  size: { cn: '文件过大', en: 'The file is too large' },
  extension: { cn: '不支持该文件类型', en: 'This file type is not accepted' },
  unique: { cn: '系统中已存在', en: 'Already exists' },
  rule: { cn: '不符合规则', en: 'Breaks a rule' },
  hint: { cn: '提示（不阻止）', en: 'Hint (does not prevent writing)' },
}

/** A problem that only a product's own widget reports is named as in a form. */
export const kindOf = (code: string, message: Label): Label => (Object.hasOwn(kinds, code) ? kinds[code] : message)

/** Kinds whose messages may quote records; so may those of other codes, which rules and procedures report. */
const quoting = new Set(['state', 'differs', 'limit', 'unique', 'rule', 'hint'])

/** Whether the message says nothing but what the file says. */
export const quotesFileOnly = ({ code }: Pick<ImportProblem, 'code'>): boolean =>
  Object.hasOwn(kinds, code) && !quoting.has(code)

const neutral = {
  kind: { cn: '{kind}，涉及您无权查看的数据', en: '{kind}, concerning data that you may not view' },
  other: { cn: '不符合要求', en: 'Not accepted' },
} satisfies Record<string, Label>

/** What those read who may not see what the message quotes. */
export function neutralOf({ column: name, code }: ImportProblem, columns: readonly ImportColumn[]): Label {
  const column = columns.find(({ field }) => field === name)
  const message = fill(neutral.kind, { kind: kindOf(code, neutral.other) })
  return column ? naming(column.label, message) : message
}

export const problemOf = (
  name: ImportProblemName,
  parameters: Record<string, string | number | Label> = {},
  column?: ImportColumn,
): ImportProblem => ({
  ...(column && { column: column.field }),
  code: name,
  message: fill(parameters.value === hidden ? withoutQuote(importProblems[name]) : importProblems[name], {
    ...(column && { column: column.label }),
    ...parameters,
  }),
})

/** Stars between quotation marks would say less than the cell, which shows what was written. */
const withoutQuote = (message: Label): Label =>
  Object.fromEntries(
    Object.entries(message).map(([language, text]) => [language, text.replace(/ ?[“"]\{value\}[”"]/, '')]),
  ) as Label

/** Problems of a field that are reworded for a cell. */
const reworded = ['required', 'format', 'choice', 'checkDigit', 'date'] as const

/**
 * A problem of the record → of the row: at its column, in spreadsheet terms. Without a column it concerns the whole
 * row.
 */
export function rowProblem(
  { field, code, message }: FieldProblem,
  columns: readonly ImportColumn[],
  quote: (field: string) => string,
): ImportProblem {
  const column = columns.find((each) => each.field === field.split('.')[0])
  if (!column) return { code, message }
  const name = reworded.find((each) => each === code)
  if (name) return problemOf(name, { value: quote(column.field) }, column)
  return { column: column.field, code, message: naming(column.label, message) }
}

/** Reasons in a row name their column, because nothing else does. */
const naming = (label: Label, message: Label): Label =>
  composed([message, label], (read) =>
    read(message).includes(read(label)) ? read(message) : `${read(label)}${read(colon)}${read(message)}`,
  )

/** Hints about a written row are marked as such everywhere. */
export const asHint = ({ message, ...problem }: ImportProblem): ImportProblem => ({
  ...problem,
  code: 'hint',
  message: fill({ cn: '{message}（提示）', en: '{message} (hint)' }, { message }),
})
