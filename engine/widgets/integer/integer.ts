import { integer as whole, optional, shape } from '../../model/model.ts'
import type { Label, Static, Unread, Widget } from '../../model/model.ts'
import { checkBounds, isEmpty, readNumber, readNumberCell, trimZeros } from '../decimal/decimal.ts'
import { problem } from '../problem.ts'

/** The range of the column. */
const least = -2_147_483_648
const greatest = 2_147_483_647

const options = shape({
  min: optional(whole({ minimum: least, maximum: greatest, atMost: 'max', about: { cn: '最小值', en: 'Minimum' } })),
  max: optional(whole({ minimum: least, maximum: greatest, about: { cn: '最大值', en: 'Maximum' } })),
})
export type IntegerOptions = Static<typeof options>

const noWhole: Label = { cn: '请输入整数', en: 'Please enter a whole number' }

export const integer: Widget<IntegerOptions, number> = {
  type: 'integer',
  alsoCalled: ['int'],
  label: { cn: '整数', en: 'Whole number' },
  options,
  prompt: 'enter',
  expression: 'decimal',
  column: () => 'integer',
  normalize(value): Unread {
    if (isEmpty(value)) return null
    const read = readNumber(value)
    if (read === undefined) return typeof value === 'string' ? value.trim() : value
    const digits = trimZeros(read)
    // Beyond the exact integers it stays text, for `check` to refuse. Adding 0 turns -0 into 0.
    return /^-?\d+$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) + 0 : digits
  },
  check(value: unknown, { min, max }, context) {
    if (typeof value !== 'number' && !(typeof value === 'string' && /^-?\d+$/.test(value)))
      return problem('integer', noWhole, context)
    return checkBounds(value, min, max, context) ?? checkBounds(value, least, greatest, context)
  },
  text: (value) => String(value),
  align: 'right',
  width: () => 100,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  summable: true,
  counts: true,
  sheet: { format: () => '0', write: (value) => value, read: readNumberCell },
}
