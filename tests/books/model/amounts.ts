import { Decimal } from 'decimal.js'

/** A policy's terms for one item; rates in percent. */
interface Item {
  key: string
  company: string
  personal: string
  round: 'cent' | 'yuan'
}
export interface Version {
  from: string
  floor: string
  ceiling: string
}
export interface Charge {
  company: Decimal
  personal: Decimal
}

export const families = ['socialsecurity', 'medicalinsurance', 'accumulationfund'] as const
export type Family = (typeof families)[number]

/** The mandatory items as in the trade dictionary. */
const items: Record<Family, Item[]> = {
  socialsecurity: [
    { key: 'pension', company: '16', personal: '8', round: 'cent' },
    { key: 'unemployment', company: '0.5', personal: '0.5', round: 'cent' },
    { key: 'workInjury', company: '0.4', personal: '0', round: 'cent' },
  ],
  medicalinsurance: [{ key: 'medical', company: '8', personal: '2', round: 'cent' }],
  accumulationfund: [{ key: 'fund', company: '7', personal: '7', round: 'yuan' }],
}
/** The kind of policy that governs a family. */
export const kindOf = (family: Family): 'social' | 'fund' => (family === 'accumulationfund' ? 'fund' : 'social')

export const nothing = (): Charge => ({ company: new Decimal(0), personal: new Decimal(0) })

/** The charge of one month under the policy version in force. */
export function chargeOf(family: Family, base: string, versions: readonly Version[], month: string): Charge {
  const version = versions.filter(({ from }) => from <= month).at(-1)
  if (!version) throw new Error(`no policy of ${family} in ${month}`)
  const declared = new Decimal(base)
  const within = declared.lt(version.floor)
    ? new Decimal(version.floor)
    : declared.gt(version.ceiling)
      ? new Decimal(version.ceiling)
      : declared.toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  const part = (rate: string, round: Item['round']) =>
    within
      .times(rate)
      .div(100)
      .toDecimalPlaces(round === 'cent' ? 2 : 0, Decimal.ROUND_HALF_UP)
  return items[family].reduce(
    (sum, { company, personal, round }) => ({
      company: sum.company.plus(part(company, round)),
      personal: sum.personal.plus(part(personal, round)),
    }),
    nothing(),
  )
}
