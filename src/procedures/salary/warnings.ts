import type { Stored } from '../../../engine/server/procedure.ts'
import { type Amount, decimal } from '../money/amounts.ts'

type Warning = NonNullable<Stored<'payrollLine'>['warnings']>[number]

export interface Judged {
  isWage: boolean
  grossPay: Amount
  netPay: Amount
  hasCard: boolean
  minimumWage: Amount
  hasDeduction: boolean
  /** Undefined if there is none yet. */
  welfareOpen: boolean | undefined
  leaveDate: string | null
  payrollMonth: string
  previousGross: Amount
  changePercent: Amount
}

/** What a clerk should check before a line is paid: values of the dictionary `payrollWarning`. */
export function warningsOf(line: Judged): Warning[] {
  const gross = decimal(line.grossPay)
  const change = line.previousGross === null ? decimal(null) : gross.minus(decimal(line.previousGross)).abs()
  const checks: readonly (readonly [Warning, boolean])[] = [
    ['netNegative', decimal(line.netPay).lt(0)],
    ['noCard', !line.hasCard],
    ['belowMin', line.isWage && line.minimumWage !== null && gross.lt(decimal(line.minimumWage))],
    ['noDeduction', line.isWage && !line.hasDeduction],
    ['noWelfare', line.isWage && line.welfareOpen === undefined],
    ['welfareOpen', line.isWage && line.welfareOpen === true],
    ['leftPerson', line.leaveDate !== null && line.leaveDate < `${line.payrollMonth}-01`],
    [
      'bigChange',
      line.isWage &&
        line.previousGross !== null &&
        change.times(100).gt(decimal(line.previousGross).times(decimal(line.changePercent))),
    ],
  ]
  return checks.flatMap(([name, holds]) => (holds ? [name] : []))
}
