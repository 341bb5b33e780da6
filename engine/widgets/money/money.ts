import { shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import {
  bounds,
  checkDecimal,
  groupThousands,
  normalizeDecimal,
  readNumberCell,
  roundedText,
  writeNumberCell,
} from '../decimal/decimal.ts'

/** Specification, section 9. */
export const currencySymbol = '￥'

const options = shape({ ...bounds })
export type MoneyOptions = Static<typeof options>

/** An amount in yuan: an exact decimal with two places. */
export const money: Widget<MoneyOptions, string> = {
  type: 'money',
  label: { cn: '金额', en: 'Money' },
  options,
  prompt: 'enter',
  expression: 'decimal',
  column: () => 'numeric(16,2)',
  normalize: (value) => normalizeDecimal(typeof value === 'string' ? withoutSymbol(value) : value, 2),
  check: (value, { negative, min, max }, context) =>
    checkDecimal(value, { precision: 16, scale: 2, negative, min, max }, context),
  // In an expression a number is exact.
  doubt: (written, key) =>
    typeof written === 'number' && key !== 'condition'
      ? { code: 'inexact-amount', suggestion: String(written) }
      : undefined,
  text(value) {
    const amount = groupThousands(roundedText(value, 2))
    return /^-?\d/.test(amount) ? amount.replace(/^-?/, (sign) => `${sign}${currencySymbol}`) : amount
  },
  align: 'right',
  width: () => 140,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  summable: true,
  isAmount: true,
  sheet: { format: () => '#,##0.00', write: writeNumberCell, read: readNumberCell },
}

/** `￥1,234.50`, `-￥5`, `￥-5`, `12元` → the number. */
const withoutSymbol = (text: string) =>
  text
    .trim()
    .replace(/^([+-]?)\s*[￥¥]\s*/, '$1')
    .replace(/\s*元$/, '')
