import { Decimal } from 'decimal.js'
import { boolean, either, integer, number, optional, shape, string } from '../../model/model.ts'
import type { Label, Problem, Static, Unread, Widget, WidgetContext } from '../../model/model.ts'
import { problem } from '../problem.ts'

/** A bound in a schema file: `100` or `"0.01"`. */
export const bound = (cn: string, en: string) =>
  either<number | string>([number(), string({ pattern: '^-?[0-9]+([.][0-9]+)?$', like: '1234.50' })], {
    about: { cn, en },
  })

/** The options that decimals and money share. */
export const bounds = {
  negative: boolean({ default: false, about: { cn: '可为负数', en: 'May be negative' } }),
  min: optional({ ...bound('最小值', 'Minimum'), atMost: 'max' }),
  max: optional(bound('最大值', 'Maximum')),
}
const options = shape({
  precision: integer({ default: 16, minimum: 1, maximum: 38, about: { cn: '总位数', en: 'Total number of digits' } }),
  scale: integer({
    default: 2,
    minimum: 0,
    maximum: 4,
    atMost: 'precision',
    digits: true,
    about: { cn: '小数位数', en: 'Number of decimals' },
  }),
  ...bounds,
})
export type DecimalOptions = Static<typeof options>

/** An exact decimal: a string with exactly `scale` decimals, never a binary float. */
export const decimal: Widget<DecimalOptions, string> = {
  type: 'decimal',
  alsoCalled: ['number', 'float', 'double', 'numeric'],
  label: { cn: '小数', en: 'Decimal' },
  options,
  prompt: 'enter',
  expression: 'decimal',
  column: ({ precision, scale }) => `numeric(${precision},${scale})`,
  normalize: (value, { scale }) => normalizeDecimal(value, scale),
  check: checkDecimal,
  text: (value, { scale }) => groupThousands(trimZeros(roundedText(value, scale))),
  align: 'right',
  width: () => 120,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  summable: true,
  sheet: {
    format: ({ scale }) => (scale > 0 ? `#,##0.${'0'.repeat(scale)}` : '#,##0'),
    write: writeNumberCell,
    read: readNumberCell,
  },
}

export const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Longer texts are not numbers, and matching patterns against them would take seconds. */
export const longestNumber = 60

/** A number as people and spreadsheets write it (full-width, `1,234.5`, `+5`, `.5`) → plain digits, or undefined. */
export function readNumber(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Decimal(value).toFixed() : undefined
  if (typeof value !== 'string' || value.length > longestNumber) return undefined
  const text = value.normalize('NFKC').trim().replace(/^−/, '-').replace(/^\+/, '')
  if (/^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return text.replaceAll(',', '')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? text : undefined
}

const canonical = [0, 1, 2, 3, 4].map((scale) => new RegExp(`^(0|-?[1-9]\\d*)${scale > 0 ? `\\.\\d{${scale}}` : ''}$`))

/** Whether it is in stored form, because most values to normalise already are. */
const isCanonical = (value: unknown, scale: number): value is string =>
  typeof value === 'string' && canonical[scale].test(value)

/**
 * Exactly `scale` decimals; if there are more, all of them, for `check` to refuse. Anything but a number is passed on.
 */
export function normalizeDecimal(value: unknown, scale: number): Unread {
  if (isCanonical(value, scale)) return value
  if (isEmpty(value)) return null
  const read = readNumber(value)
  if (read === undefined) return typeof value === 'string' ? value.trim() : value
  const exact = new Decimal(read)
  if (exact.isZero()) return new Decimal(0).toFixed(scale)
  return exact.decimalPlaces() <= scale ? exact.toFixed(scale) : exact.toFixed()
}

const noNumber: Label = { cn: '请输入数字', en: 'Please enter a number' }
const tooFine: Label = { cn: '最多{places}位小数', en: 'At most {n} {n|decimal|decimals}' }
const tooLarge: Label = { cn: '整数部分最多{n}位', en: 'At most {n} {n|digit|digits} before the decimal point' }
const noFraction: Label = { cn: '请输入整数', en: 'Please enter a whole number' }

export function checkDecimal(
  value: unknown,
  { precision, scale, negative, min, max }: DecimalOptions,
  context: WidgetContext,
): Problem | undefined {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return problem('number', noNumber, context)
  const [whole, fraction = ''] = value.replace('-', '').split('.')
  if (fraction.length > scale) {
    return scale === 0
      ? problem('scale', noFraction, context)
      : problem('scale', tooFine, context, { places: '零一两三四'[scale], n: scale })
  }
  if (whole.length > precision - scale) return problem('precision', tooLarge, context, { n: precision - scale })
  return checkBounds(value, min ?? (negative ? undefined : 0), max, context)
}

const outside: Label = { cn: '{label}必须在{a}至{b}之间', en: '{label} must be between {a} and {b}' }
const below: Label = { cn: '{label}不能小于{a}', en: '{label} must be at least {a}' }
const above: Label = { cn: '{label}不能大于{b}', en: '{label} must be at most {b}' }

/** Both ends are inclusive. */
export function checkBounds(
  value: number | string,
  min: number | string | undefined,
  max: number | string | undefined,
  context: WidgetContext,
): Problem | undefined {
  const low = min !== undefined && new Decimal(value).lessThan(min)
  const high = max !== undefined && new Decimal(value).greaterThan(max)
  if (!low && !high) return undefined
  return problem('range', min === undefined ? above : max === undefined ? below : outside, context, {
    a: min ?? '',
    b: max ?? '',
  })
}

/**
 * Filters the input of a number: digits with at most one point and `scale` decimals, no leading zeros, a sign only if
 * it may be negative.
 */
export function filterNumber(typed: string, { scale, negative }: { scale: number; negative: boolean }): string {
  const text = typed.normalize('NFKC').replaceAll('。', '.').trimStart()
  const sign = negative && /^[-−]/.test(text) ? '-' : ''
  const [whole, ...rest] = text.replace(/[^\d.]/g, '').split('.')
  const digits = whole.replace(/^0+(?=\d)/, '')
  return rest.length > 0 && scale > 0 ? `${sign}${digits || '0'}.${rest.join('').slice(0, scale)}` : sign + digits
}

/** `1.5000` → `1.5`, `6.0000` → `6`. */
export const trimZeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** The text in an input: a canonical value without trailing zeros, incomplete input as it was typed. */
export function typedNumber(value: unknown, scale: number): string {
  const text = String(value)
  return scale > 0 && text.length - text.indexOf('.') === scale + 1 ? trimZeros(text) : text
}

/** Exactly `scale` decimals, rounding half up if a computed value has more; anything but a number (a mask) as it is. */
export function roundedText(value: unknown, scale: number): string {
  const read = readNumber(value)
  return read === undefined ? String(value) : new Decimal(read).toFixed(scale, Decimal.ROUND_HALF_UP)
}

/** `1234567.5` → `1,234,567.5`. */
export function groupThousands(text: string): string {
  const point = text.indexOf('.')
  const whole = point < 0 ? text : text.slice(0, point)
  return /^-?\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ',') + text.slice(whole.length) : text
}

/** A sheet's number is a double, exact up to 15 digits. Longer ones are written as text. */
export function writeNumberCell(value: string): number | string {
  return value.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(value) : value
}

/** A sheet has 15 digits of precision: digits beyond that are floating-point noise. */
export function readNumberCell(cell: unknown): unknown {
  return typeof cell === 'number' && Number.isFinite(cell) ? new Decimal(cell.toPrecision(15)).toFixed() : cell
}
