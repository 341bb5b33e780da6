import { oneOf, optional, shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import {
  bounds,
  checkDecimal,
  groupThousands,
  longestNumber,
  normalizeDecimal,
  readNumberCell,
  roundedText,
  writeNumberCell,
} from '../decimal/decimal.ts'
import { currencyCodes, decimalsOf, homeCurrency, signOf, type Currency } from './currencies.ts'

const options = shape({
  ...bounds,
  currency: optional(
    oneOf(currencyCodes, {
      about: { cn: '币种，默认人民币', en: 'The currency of the amount; by default the yuan' },
    }),
  ),
})
export type MoneyOptions = Static<typeof options>

/** An amount of money: an exact decimal with the places that its currency has. */
export const money: Widget<MoneyOptions, string> = {
  type: 'money',
  alsoCalled: ['currency', 'amount', 'price'],
  label: { cn: '金额', en: 'Money' },
  options,
  prompt: 'enter',
  expression: 'decimal',
  column: ({ currency }) => `numeric(16,${decimalsOf(currency)})`,
  normalize: (value, { currency }) =>
    normalizeDecimal(typeof value === 'string' ? withoutSign(value, currency) : value, decimalsOf(currency)),
  check: (value, { negative, min, max, currency }, context) =>
    checkDecimal(value, { precision: 16, scale: decimalsOf(currency), negative, min, max }, context),
  // In an expression a number is exact.
  doubt: (written, key) =>
    typeof written === 'number' && key !== 'condition'
      ? { code: 'inexact-amount', suggestion: String(written) }
      : undefined,
  text: (value, { currency }) => formatAmount(value, currency),
  align: 'right',
  width: () => 140,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  summable: true,
  isAmount: true,
  unit: ({ currency = homeCurrency }) => currency,
  sheet: { format: sheetFormat, write: writeNumberCell, read: readNumberCell },
}

/** `-￥1,234.50`, `HK$12.00`; anything but a number (a mask) unchanged. */
export function formatAmount(value: string, currency?: Currency): string {
  const amount = groupThousands(roundedText(value, decimalsOf(currency)))
  return /^-?\d/.test(amount) ? amount.replace(/^-?/, (minus) => `${minus}${signOf(currency)}`) : amount
}

/** Yuan are plain numbers, as in the files of banks and bureaus. */
function sheetFormat({ currency }: MoneyOptions): string {
  const number = decimalsOf(currency) === 0 ? '#,##0' : '#,##0.00'
  return currency === undefined || currency === homeCurrency ? number : `"${signOf(currency)}"${number}`
}

/** `￥1,234.50`, `-￥5`, `￥-5`, `12元`, `HKD 12` → the number; only for the field's own currency. */
function withoutSign(text: string, currency: Currency = homeCurrency): string {
  if (text.length > longestNumber) return text
  const { sign, word } = marks[currency]
  return text.trim().replace(sign, '$1').replace(word, '')
}
const marks = Object.fromEntries(
  currencyCodes.map((currency) => {
    const isHome = currency === homeCurrency
    const signs = isHome ? '[￥¥]' : signOf(currency).trim().replaceAll('$', '\\$')
    return [
      currency,
      {
        sign: new RegExp(`^([+-]?)\\s*(?:${signs}|${currency})\\s*`, 'i'),
        word: new RegExp(`\\s*(?:${isHome ? '元|' : ''}${currency})$`, 'i'),
      },
    ]
  }),
) as Record<Currency, { sign: RegExp; word: RegExp }>
