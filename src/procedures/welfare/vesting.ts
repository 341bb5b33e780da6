import { monthsBetween } from '../../../engine/expression/index.ts'
import { decimal, zero } from '../money/amounts.ts'

/** How much of what the company has paid belongs to the person from so many years of service on. */
export interface VestingStep {
  years: number
  percent: string
}

/** The percentage that the last step reached gives; before the first one nothing belongs to the person. */
export function vestedPercent(steps: readonly VestingStep[], entryDate: string | null, leaveDate: string): string {
  const years = entryDate === null ? 0 : Math.floor((monthsBetween(entryDate, leaveDate) ?? 0) / 12)
  const reached = steps.filter((step) => step.years <= years).map(({ percent }) => decimal(percent))
  return reached.reduce((most, percent) => (percent.greaterThan(most) ? percent : most), zero).toFixed(4)
}
