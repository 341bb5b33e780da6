import type { Values } from '../../../engine/server/procedure.ts'
import { homeCurrency } from '../../../engine/widgets/money/currencies.ts'
import { formatAmount } from '../../../engine/widgets/money/money.ts'
import { aboutNobody } from './about.ts'
import { monthly, policyAccounts, policyItems, proposedChoices } from './handling/amounts.ts'
import type { Family } from './handling/family.ts'

/** The amounts of an item in a month for a person with that base. */
export interface Trial {
  family: string
  item: string
  base: string | null
  company: string | null
  personal: string | null
  /** The amounts in the currency of a family that is not in yuan. */
  foreign: string | null
}

/**
 * The result of an unsaved policy for a declared base (in the currency of each family), item by item of these families:
 * for a person who takes part in everything that it enables, with the usual rate of a range and the default tier, under
 * the first account in use.
 */
export function trialOf(families: readonly Family[], policy: Values<'policy'>, declaredBase: string): Trial[] {
  return families.flatMap((family) => {
    const enabled: string[] = policyItems(policy, family)
      .filter((row) => row.enabled)
      .map(({ item }) => item)
    const account = policyAccounts(policy, family).find(({ status }) => status === 'enabled')
    const taken = { declaredBase, ...Object.fromEntries(enabled.map((item) => [`${item}On`, true])) }
    const record = { ...taken, ...proposedChoices(family, policy, taken) }
    const amounts = monthly(family, policy, account ?? {}, record, aboutNobody)
    return family.items
      .filter(({ key }) => enabled.includes(key))
      .map(({ key }) => {
        const { base, company, personal } = amounts[key]
        const place = { family: family.key, item: key }
        const { currency } = family
        if (currency === homeCurrency)
          return { ...place, base: base === null ? null : String(base), company, personal, foreign: null }
        const amountText = (amount: string) => formatAmount(amount, currency)
        const foreign = `${base === null ? '' : `${amountText(base)}，`}${amountText(company)} / ${amountText(personal)}`
        return { ...place, base: null, company: null, personal: null, foreign }
      })
  })
}
