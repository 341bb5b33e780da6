import type { Values } from '../../../engine/server/procedure.ts'
import { aboutNobody } from './about.ts'
import { monthly, policyAccounts, policyItems, proposedChoices } from './handling/amounts.ts'
import type { Family } from './handling/family.ts'

/** The amounts of an item in a month for a person with that base. */
export interface Trial {
  family: string
  item: string
  base: string | null
  company: string
  personal: string
}

/**
 * The result of an unsaved policy for a declared base (yuan), item by item of these families: for a person who takes
 * part in everything that it enables, with the usual rate of a range and the default tier, under the first account in
 * use.
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
        return { family: family.key, item: key, base: base === null ? null : String(base), company, personal }
      })
  })
}
