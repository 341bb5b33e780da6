import { Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, total, zero, type Amount } from '../money/amounts.ts'
import { holds, worked, type Earlier } from './formulas.ts'
import type { About } from './about.ts'
import { roundBy } from './rounding.ts'
import { nothingSoFar, type SoFar } from './soFar.ts'

/** The parameters of an item in a family that amounts depend on. */
export interface Item {
  key: string
  mandatory: boolean
  sameRate: boolean
  hasCompany: boolean
  hasPersonal: boolean
  /** Formulas for the limits of its base, and for what each side pays: they replace the policy's own. */
  floor?: string | null
  cap?: string | null
  company?: string | null
  personal?: string | null
  /** These two may be negative. */
  negative?: boolean
  /** A formula that is false for people whom the item does not charge. */
  eligible?: string | null
  /** A formula for the refund of a payment for several months. */
  refund?: string | null
  /** A formula for the number that selects a band of the policy's table. */
  bandBy?: string | null
}

/** A policy's row for an item. */
export interface PolicyItem {
  item: string
  enabled: boolean
  baseFloor: Amount
  baseCeiling: Amount
  baseRound: string | null
  amountMode: string
  rateMode: string | null
  companyRate: Amount
  personalRate: Amount
  companyFixed: Amount
  personalFixed: Amount
  companyRound: string | null
  personalRound: string | null
  tiers: readonly PolicyTier[]
}
export interface PolicyTier {
  tierCode: string
  companyRate: Amount
  personalRate: Amount
  companyFixed: Amount
  personalFixed: Amount
  isDefault: boolean
  /** Where a band begins; absent for tiers to choose from. */
  from?: Amount
}

/**
 * A person's choices for an item: whether to take part if that is optional, a rate inside the policy's range, a tier.
 */
export interface Choice {
  on: boolean
  companyRate?: Amount
  personalRate?: Amount
  tier?: string | null
}

/** The amounts of an item in a month; `base` is null if it has none or is not taken. */
export interface Contribution {
  base: Amount
  company: string
  personal: string
}

/** What is in force for a person in a month. */
export interface InForce {
  items: readonly Item[]
  /**
   * `base.mode` of the family: `perItem` and `shared` clamp by the limits of each row; with a shared base these are all
   * the same.
   */
  baseMode: string
  rows: readonly PolicyItem[]
  /** The provider account's own company rates, by item. */
  ownRates: Readonly<Record<string, string>>
  /** The base that the provider account sets for all its people. */
  accountBase?: Amount
}
export interface Participation {
  declaredBase: Amount
  choices: Readonly<Record<string, Choice>>
  about: About
}

/** For an item that is not taken or not charged. */
export const nothing: Contribution = { base: null, company: '0.00', personal: '0.00' }

/** The amounts of every item of the family in a month, by key; a formula may use the items before its own. */
export function contributions(
  { items, baseMode, rows, ownRates, accountBase = null }: InForce,
  { declaredBase, choices, about }: Participation,
): Record<string, Contribution> {
  const given: Record<string, Contribution> = {}
  let earlier: Earlier = {}
  for (const item of items) {
    const row = rows.find(({ item: key }) => key === item.key)
    const choice = choices[item.key]
    const base = baseMode === 'none' ? null : declaredBase
    const then = { ...about, ...(about.soFar[item.key] ?? nothingSoFar), accountBase }
    const isTaken =
      row?.enabled === true &&
      (item.mandatory || choice?.on === true) &&
      ((item.eligible ?? null) === null || holds(item.eligible!, { ...then, declaredBase: base }, earlier))
    const taken = { declaredBase: base, choice, ownRate: ownRates[item.key], about: then, earlier }
    const amounts = isTaken ? contribution(item, row, taken) : nothing
    given[item.key] = amounts
    earlier = { ...earlier, ...named(item.key, amounts) }
  }
  return given
}

const named = (key: string, { base, company, personal }: Contribution): Earlier => ({
  [`${key}Base`]: base,
  [`${key}Company`]: company,
  [`${key}Personal`]: personal,
})

interface Taken {
  declaredBase: Amount
  choice: Choice | undefined
  ownRate: string | undefined
  about: About & SoFar & { accountBase: Amount }
  earlier: Earlier
}

function contribution(item: Item, row: PolicyItem, taken: Taken): Contribution {
  const { declaredBase, choice, ownRate, about, earlier } = taken
  const base =
    declaredBase === null || row.amountMode === 'fixed'
      ? null
      : clamped(limitsOf(item, row, declaredBase, about), declaredBase)
  const tier =
    row.rateMode === 'tier'
      ? tierOf(row, choice?.tier)
      : row.rateMode === 'band'
        ? bandOf(row, worked(item.bandBy!, { ...about, declaredBase }))
        : undefined
  const chosen = row.rateMode === 'range' ? choice : undefined
  // A band without a rate uses the policy's; a chosen tier defines everything.
  const usual = (side: 'companyRate' | 'personalRate') =>
    row.rateMode === 'band' ? (tier?.[side] ?? row[side]) : (tier ?? row)[side]
  const companyRate = ownRate ?? chosen?.companyRate ?? usual('companyRate')
  const personalRate =
    chosen?.personalRate ?? (item.sameRate ? chosen?.companyRate : undefined) ?? usual('personalRate')
  const { baseFloor, baseCeiling } = row
  const { companyFixed, personalFixed } = tier ?? row
  const rates = { companyRate: companyRate ?? null, personalRate: personalRate ?? null }
  const over = { ...about, declaredBase, baseFloor, baseCeiling, base: base && base.toFixed(), ...rates }
  const amount = (side: 'company' | 'personal', paid: { personal?: string } = {}): string => {
    const rule = row[`${side}Round`]
    const formula = item[side] ?? null
    if (formula !== null) {
      const result = worked(formula, { ...over, companyFixed, personalFixed, ...paid }, earlier)
      const lowest = item.negative ? -Infinity : 0
      return money(roundBy(rule, Decimal.max(lowest, result ?? 0)))
    }
    const [rate, fixed] = side === 'company' ? [companyRate, companyFixed] : [personalRate, personalFixed]
    if (row.amountMode === 'fixed') return money(decimal(fixed))
    const byRate = (base ?? zero).times(decimal(rate)).dividedBy(100)
    return money(roundBy(rule, row.amountMode === 'both' ? byRate.plus(decimal(fixed)) : byRate))
  }
  const personal = item.hasPersonal ? amount('personal') : '0.00'
  return {
    base: base && money(base),
    company: item.hasCompany ? amount('company', { personal }) : '0.00',
    personal,
  }
}

/** A policy's row with the limits from the family's formulas; a limit of zero is none. */
export function limitsOf<R extends Pick<PolicyItem, 'baseFloor' | 'baseCeiling'>>(
  { floor, cap }: Pick<Item, 'floor' | 'cap'>,
  row: R,
  declaredBase: string,
  about: About & { accountBase?: Amount },
): R {
  const { baseFloor, baseCeiling } = row
  const limit = (formula: string | null, own: Amount): Amount =>
    formula === null
      ? own
      : (worked(formula, { ...nothingSoFar, ...about, declaredBase, baseFloor, baseCeiling })?.toFixed() ?? null)
  return { ...row, baseFloor: limit(floor ?? null, baseFloor), baseCeiling: limit(cap ?? null, baseCeiling) }
}

/** The base in force: a floor and a ceiling are used as they are, values in between are rounded. */
export function clamped(
  { baseFloor, baseCeiling, baseRound }: Pick<PolicyItem, 'baseFloor' | 'baseCeiling' | 'baseRound'>,
  declared: string,
): Decimal {
  const base = new Decimal(declared)
  if (baseFloor !== null && base.lessThan(baseFloor)) return new Decimal(baseFloor)
  if (baseCeiling !== null && base.greaterThan(baseCeiling)) return new Decimal(baseCeiling)
  return roundBy(baseRound ?? 'halfUp0', base)
}

const tierOf = ({ tiers }: PolicyItem, chosen: string | null | undefined): PolicyTier | undefined =>
  tiers.find(({ tierCode }) => tierCode === chosen) ?? tiers.find(({ isDefault }) => isDefault)

/** The last band that begins at or below a number; the default band if the number is unknown. */
const bandOf = ({ tiers }: PolicyItem, measure: Decimal | null): PolicyTier | undefined =>
  measure === null
    ? tiers.find(({ isDefault }) => isDefault)
    : [...tiers]
        .sort((a, b) => decimal(a.from).comparedTo(decimal(b.from)))
        .findLast(({ from }) => decimal(from).lessThanOrEqualTo(measure))

/** The sums over items: `companyTotal`, `personalTotal` and their total. */
export function totals(amounts: readonly Pick<Contribution, 'company' | 'personal'>[]): {
  companyTotal: string
  personalTotal: string
  total: string
} {
  const company = total(amounts.map((amount) => decimal(amount.company)))
  const personal = total(amounts.map((amount) => decimal(amount.personal)))
  return { companyTotal: money(company), personalTotal: money(personal), total: money(company.plus(personal)) }
}
