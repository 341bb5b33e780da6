import { groupedBy } from '../welfare/groupedBy.ts'
import type { BilledContract, Cost } from './billableCosts.ts'
import { categoryOf } from './feeItems.ts'
import { type FeeRule, isInForceIn } from './fees.ts'
import { type FeeGrounds, formIn, stintsOf } from './heads.ts'
import { servicesOf } from './services.ts'
import type { StatementItem } from './StatementItem.ts'

/**
 * A statement may bill costs of months before somebody's form of employment changed: these are of the services that
 * they had then. Says nothing of the costs of anybody else.
 */
export function formThen(
  contract: Pick<BilledContract, 'id' | 'customer'>,
  rules: readonly FeeRule[],
  costs: readonly Cost[],
  { people, feeItems, months: { billMonth } }: Pick<FeeGrounds, 'people' | 'feeItems' | 'months'>,
): (rule: FeeRule, cost: StatementItem) => boolean | undefined {
  const types = new Set(rules.filter((rule) => isInForceIn(rule, billMonth)).map(({ serviceType }) => serviceType!))
  const ofPerson = groupedBy(costs, ({ person }) => person)
  const services = new Map<string, ReadonlySet<string>>()
  for (const [person, own] of ofPerson) {
    const served = people.get(person ?? 0)
    const stint = served && stintsOf(served, contract).at(-1)
    const formOf = ({ costMonth }: Pick<Cost, 'costMonth'>) => formIn(stint!, costMonth)
    if (!stint?.formSince || own.every((cost) => formOf(cost) === formIn(stint, billMonth))) continue
    for (const [month, then] of groupedBy(own, ({ costMonth }) => costMonth))
      services.set(
        `${person} ${month}`,
        servicesOf([...types], {
          employmentForm: formIn(stint, month),
          categories: new Set(then.map((cost) => categoryOf(cost, feeItems))),
          feeItems: new Set(then.map(({ feeItem }) => feeItem)),
          hasJoined: stint.entryDate.slice(0, 7) === month,
        }),
      )
  }
  return ({ serviceType }, { person, costMonth }) => services.get(`${person} ${costMonth}`)?.has(serviceType!)
}
