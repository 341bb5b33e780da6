/** The subject of the benchmark: the same fields for our schema files and for the hand-written pages. */
export type BenchType = 'text' | 'integer' | 'money' | 'date' | 'choice' | 'phone' | 'reference'
export interface BenchField {
  name: string
  label: string
  type: BenchType
}

export const levels = [
  { value: 'draft', label: '草稿', tag: 'info' },
  { value: 'open', label: '进行中', tag: 'primary' },
  { value: 'done', label: '已完成', tag: 'success' },
  { value: 'late', label: '已逾期', tag: 'warning' },
  { value: 'void', label: '已作废', tag: 'danger' },
] as const

export const widths: Record<BenchType, number> = {
  text: 160,
  integer: 110,
  money: 140,
  date: 120,
  choice: 120,
  phone: 140,
  reference: 150,
}
const labels: Record<BenchType, string> = {
  text: '文本',
  integer: '数量',
  money: '金额',
  date: '日期',
  choice: '状态',
  phone: '电话',
  reference: '单位',
}

const numbered = (types: BenchType[], count: number): BenchField[] =>
  Array.from({ length: count }, (_, index) => {
    const type = types[index % types.length]
    return { name: `${type}${index + 1}`, label: `${labels[type]}${index + 1}`, type }
  })

/** Fifty columns; the first is a link, as in any list. */
export const columns = numbered(
  ['text', 'choice', 'money', 'date', 'reference', 'integer', 'text', 'phone', 'choice', 'money'],
  50,
)

/**
 * Ten related fields: the first, a choice, decides whether the third is visible; the second, a text, whether the fourth
 * is required; both together, whether the sixth is.
 */
const block: BenchType[] = ['choice', 'text', 'money', 'text', 'date', 'integer', 'phone', 'text', 'choice', 'text']
export interface BenchFormField extends BenchField {
  required: boolean
  linkage?: { effect: 'visible' | 'required'; choice?: string; text?: string }
}
export const formFields = (count: number): BenchFormField[] =>
  numbered(block, count).map((field, index) => {
    const start = index - (index % block.length)
    const choice = `choice${start + 1}`
    const text = `text${start + 2}`
    const place = index % block.length
    return {
      ...field,
      required: place === 0 || place === 1,
      ...(place === 2 && { linkage: { effect: 'visible' as const, choice } }),
      ...(place === 3 && { linkage: { effect: 'required' as const, text } }),
      ...(place === 5 && { linkage: { effect: 'required' as const, choice, text } }),
    }
  })
/** The choice that hides dependent fields, or makes them optional. */
export const without = 'void'
/** The text that makes dependent fields required. */
export const trigger = 'a'
