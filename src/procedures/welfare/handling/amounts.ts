import type { Value } from '../../../../engine/model/model.ts'
import { rowsIn, type Stored, textIn, type Values, valueIn } from '../../../../engine/server/procedure.ts'
import type { About } from '../about.ts'
import { contributions, nothing, totals, type Choice, type Contribution } from '../contribution.ts'
import type { AdditionName, EnrolmentName, Family, LineName } from './family.ts'

type PolicyItem = Stored<'policyItem'> & { tiers: Stored<'policyTier'>[] }
type Policy = Values<'policy'>
type Account = Values<'policyAccount'>
/** A record with a declared base and choices. */
type Chosen = Values<EnrolmentName> | Values<AdditionName> | Values<LineName>

/** A policy's rows of a family, in the form for the computation. */
export const policyItems = (policy: Policy, { key }: Family): PolicyItem[] =>
  rowsIn('policyItem', policy, `${key}Items`).map((row) => ({ ...row, tiers: row.tiers ?? [] }))
/** A policy's accounts of a family. */
export const policyAccounts = (policy: Policy, { key }: Family): Stored<'policyAccount'>[] =>
  rowsIn('policyAccount', policy, `${key}Accounts`)

/** Not checked by type, because no family of the product has a rate for the employee alone. */
export const rateName = (key: string, side: 'company' | 'personal'): string =>
  `${key}${side === 'company' ? 'Company' : 'Personal'}Rate`

/** A record's choices for each item: whether to take part, a rate, a tier. */
export const choicesIn = (record: Chosen, { items }: Family): Record<string, Choice> =>
  Object.fromEntries(
    items.map(({ key, mandatory }) => [
      key,
      {
        on: mandatory || valueIn(record, `${key}On`) === true,
        companyRate: textIn(record, rateName(key, 'company')),
        personalRate: textIn(record, rateName(key, 'personal')),
        tier: textIn(record, `${key}Tier`),
      },
    ]),
  )

/** The account's own rates, by item. */
export const ownRates = ({ rates }: Account): Record<string, string> =>
  Object.fromEntries((rates ?? []).map(({ item, companyRate }) => [String(item), String(companyRate)]))

/** Accounts only have one if a family's formulas need it, as none of the product does. */
const accountBaseName: string = 'base'
export const accountBase = (account: Account): string | null => textIn(account, accountBaseName)

/** The amounts of every item in a month by the policy and the account. */
export const monthly = (
  family: Family,
  policy: Policy,
  account: Account,
  record: Chosen,
  about: About,
): Record<string, Contribution> =>
  contributions(
    {
      items: family.items,
      baseMode: family.base.mode,
      rows: policyItems(policy, family),
      ownRates: ownRates(account),
      accountBase: accountBase(account),
    },
    { declaredBase: textIn(record, 'declaredBase'), choices: choicesIn(record, family), about },
  )

/** The monthly cost by the policy and the account, as fields of bases and amounts. */
export const amountFields = (
  family: Family,
  policy: Policy,
  account: Account,
  record: Chosen,
  about: About,
): Record<string, Value> => contributionFields(family, monthly(family, policy, account, record, about))

/** Item → its amounts, as the fields of a record; other items are zero. */
export function contributionFields(
  family: Family,
  given: Readonly<Record<string, Contribution>>,
): Record<string, Value> {
  const contributionOf = (key: string): Contribution => given[key] ?? nothing
  const base = family.items.map(({ key }) => contributionOf(key).base).find((amount) => amount !== null) ?? null
  return {
    ...(family.base.mode === 'shared' && { base }),
    ...Object.fromEntries(
      family.items.flatMap(({ key, hasCompany, hasPersonal }): [string, Value][] => [
        ...(family.base.mode === 'perItem' ? [[`${key}Base`, contributionOf(key).base] as [string, Value]] : []),
        ...(hasCompany ? [[`${key}Company`, contributionOf(key).company] as [string, Value]] : []),
        ...(hasPersonal ? [[`${key}Personal`, contributionOf(key).personal] as [string, Value]] : []),
      ]),
    ),
    ...totals(Object.values(given)),
  }
}

/**
 * Defaults for choices that a policy needs and nobody has made: the usual rate, if within the range, the default tier.
 */
export function proposedChoices(family: Family, policy: Policy, record: Chosen): Record<string, Value> {
  return Object.fromEntries(
    policyItems(policy, family).flatMap((row): [string, Value][] => {
      const item = family.items.find(({ key }) => key === row.item)
      const isTaken = row.enabled && item !== undefined && (item.mandatory || valueIn(record, `${item.key}On`) === true)
      if (!isTaken) return []
      const usual = (side: 'company' | 'personal') => {
        const [least, most] = [row[`${side}RateMin`], row[`${side}RateMax`]]
        const rate = item[`${side}Rate`] ?? least
        return rate === null || Number(rate) < Number(least) || Number(rate) > Number(most) ? least : rate
      }
      const empty = (name: string, value: Value): [string, Value][] =>
        valueIn(record, name) === null && value !== null ? [[name, value]] : []
      if (row.rateMode === 'range')
        return [
          ...empty(`${item.key}CompanyRate`, usual('company')),
          ...(item.sameRate ? [] : empty(`${item.key}PersonalRate`, usual('personal'))),
        ]
      return row.rateMode === 'tier'
        ? empty(`${item.key}Tier`, row.tiers.find(({ isDefault }) => isDefault)?.tierCode ?? null)
        : []
    }),
  )
}

/**
 * The fields with rates outside the policy's range or off its steps, tiers that it does not have, or items that it has
 * not enabled.
 */
export function wrongChoices(family: Family, policy: Policy, record: Chosen): string[] {
  const rows = policyItems(policy, family)
  return family.items.flatMap(({ key, mandatory, sameRate }) => {
    const row = rows.find(({ item }) => item === key)
    const isOn = valueIn(record, `${key}On`) === true
    if (!mandatory && isOn && row?.enabled !== true) return [`${key}On`]
    if (!row?.enabled || (!mandatory && !isOn)) return []
    const rate = (side: 'company' | 'personal'): string[] => {
      const name = rateName(key, side)
      const value = textIn(record, name)
      const [least, most, step] = [row[`${side}RateMin`], row[`${side}RateMax`], row.rateStep].map(Number)
      const given = Number(value)
      const isFitting =
        value !== null &&
        given >= least &&
        given <= most &&
        (step === 0 || Math.abs((given - least) / step - Math.round((given - least) / step)) < 1e-9)
      return isFitting ? [] : [name]
    }
    if (row.rateMode === 'range') return [...rate('company'), ...(sameRate ? [] : rate('personal'))]
    return row.rateMode === 'tier' && !row.tiers.some(({ tierCode }) => tierCode === textIn(record, `${key}Tier`))
      ? [`${key}Tier`]
      : []
  })
}

/** The nearest valid values for choices that the policy does not have: a rate at the limit of the range, no tier. */
export function keptChoices(family: Family, policy: Policy, record: Chosen): Record<string, Value> {
  const wrong = wrongChoices(family, policy, record)
  return Object.fromEntries(
    family.items.flatMap(({ key }): [string, Value][] => {
      const row = policyItems(policy, family).find(({ item }) => item === key)
      const rates = (['company', 'personal'] as const).flatMap((side): [string, Value][] => {
        const name = rateName(key, side)
        if (!row || !wrong.includes(name)) return []
        const [least, most] = [row[`${side}RateMin`], row[`${side}RateMax`]]
        const given = Number(textIn(record, name) ?? Number.NaN)
        return [[name, given < Number(least) ? least : given > Number(most) ? most : null]]
      })
      return [...rates, ...(wrong.includes(`${key}Tier`) ? [[`${key}Tier`, null] as [string, Value]] : [])]
    }),
  )
}

/** The choices that the policy allows, completed with those it needs. */
export function choicesUnder(family: Family, policy: Policy, record: Chosen): Record<string, Value> {
  const kept = keptChoices(family, policy, record)
  return { ...kept, ...proposedChoices(family, policy, { ...record, ...kept }) }
}
