import { monthsBetween } from '../../../engine/expression/index.ts'
import { decimal, zero } from '../money/amounts.ts'

/** The percentage of the company's payments that is vested from this number of years of service on. */
export interface VestingStep {
  years: number
  percent: string
}

/** The percentage of the last step reached; before the first step nothing is vested. */
export function vestedPercent(steps: readonly VestingStep[], entryDate: string | null, leaveDate: string): string {
  const years = entryDate === null ? 0 : Math.floor((monthsBetween(entryDate, leaveDate) ?? 0) / 12)
  const reached = steps.filter((step) => step.years <= years).map(({ percent }) => decimal(percent))
  return reached.reduce((most, percent) => (percent.greaterThan(most) ? percent : most), zero).toFixed(4)
}
