import { shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import {
  bound,
  checkDecimal,
  longestNumber,
  normalizeDecimal,
  readNumberCell,
  roundedText,
  trimZeros,
} from '../decimal/decimal.ts'

const options = shape({
  min: { ...bound('最小值', 'Minimum'), default: 0, atMost: 'max' },
  max: { ...bound('最大值', 'Maximum'), default: 100 },
})
export type PercentOptions = Static<typeof options>

/** A rate in percent points: 6 means 6%. */
export const percent: Widget<PercentOptions, string> = {
  type: 'percent',
  alsoCalled: ['percentage'],
  label: { cn: '百分比', en: 'Percent' },
  options,
  prompt: 'enter',
  expression: 'decimal',
  column: (limits) => `numeric(${precisionOf(limits)},4)`,
  normalize: (value) => normalizeDecimal(typeof value === 'string' ? withoutSign(value) : value, 4),
  check: (value, { min, max }, context) =>
    checkDecimal(value, { precision: precisionOf({ min, max }), scale: 4, negative: true, min, max }, context),
  doubt(written, key, { max }) {
    const points = Math.abs(Number(written))
    // A bound below 1 % suggests that a fraction was meant.
    const isShare = key === 'max' ? points === 1 : key !== 'min' && points > 0 && points < 1 && Number(max) >= 1
    return isShare ? { code: 'share-for-percent', suggestion: String(Number((points * 100).toFixed(4))) } : undefined
  },
  text: percentText,
  align: 'right',
  width: () => 100,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  sheet: {
    // As text: a spreadsheet would turn a typed 6% into the number 0.06, indistinguishable from 0.06%.
    format: () => '@',
    write: percentText,
    read: readNumberCell,
  },
}

const withoutSign = (text: string) => (text.length > longestNumber ? text : text.replace(/\s*[%％]\s*$/, ''))

/** A share rarely has more than three digits before the point; a change of something small may have many. */
const precisionOf = ({ min, max }: PercentOptions): number =>
  [min, max].some((limit) => Math.abs(Number(limit)) >= 1000) ? 16 : 7

function percentText(value: string): string {
  const rate = trimZeros(roundedText(value, 4))
  return /\d$/.test(rate) ? `${rate}%` : rate
}
