import { families } from '../model/amounts.ts'
import { Broken, type World } from '../world.ts'
import { idOf, type Books } from './Books.ts'

/**
 * The customer that employed a person in a month bears its back-payments; the contract that bills the person now bills
 * their open months.
 */
export function owned({ expenses }: Books, world: World): void {
  const { people, tickets } = world.model
  const byNo = new Map(tickets.flatMap(({ asked, person }) => (asked ? [[asked.no, { ...asked, person }]] : [])))
  for (const family of families)
    for (const line of expenses[family]) {
      if (line.lineStatus === 'void') continue
      const asked = byNo.get(String(line.sourceNo))
      const person = people.findIndex(({ id }) => id === idOf(line.person))
      const who = `P${person}'s ${family} of ${String(line.belongMonth)}`
      const { stints } = people[person]
      if (asked && stints[asked.stint]) {
        const customer = world.customers[stints[asked.stint].customer]
        if (idOf(line.customer) !== customer.id) throw new Broken('owned', `${who} is borne by another customer`)
      }
      const { customer, contract, plans } = stints.at(-1)!
      const first = plans.find((plan) => plan.family === family)?.from ?? '9999-12'
      const { id, contracts } = world.customers[customer]
      if (line.expenseType !== 'normal' || line.lineStatus !== 'open') continue
      if (idOf(line.customer) !== id || String(line.belongMonth) < first) continue
      if (idOf(line.serviceContract) !== contracts[contract].id)
        throw new Broken('owned', `${who} is billed by another contract`)
    }
}
