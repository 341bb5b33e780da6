import { Decimal } from 'decimal.js'
import { families, type Family } from '../model/amounts.ts'
import { isOpen, type Stint } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

/**
 * The customer that employed a person in a month bears its costs, back-payments too; the contract that bills the person
 * now bills their open months.
 */
export function owned({ expenses }: Books, world: World): void {
  const { people, tickets } = world.model
  const byNo = new Map(
    tickets.flatMap(({ backPayment, person }) => (backPayment ? [[backPayment.no, { ...backPayment, person }]] : [])),
  )
  for (const family of families) {
    /** By person, month and customer: what others than the employer of the month are charged. */
    const strange = new Map<string, Decimal>()
    for (const line of expenses[family]) {
      if (line.lineStatus === 'void') continue
      const backPayment = byNo.get(String(line.sourceNo))
      const person = people.findIndex(({ id }) => id === idOf(line.person))
      const who = `P${person}'s ${family} of ${String(line.belongMonth)}`
      const { stints } = people[person]
      if (backPayment && stints[backPayment.stint]) {
        const customer = world.customers[stints[backPayment.stint].customer]
        if (idOf(line.customer) !== customer.id) throw new Broken('owned', `${who} is borne by another customer`)
        continue
      }
      const employer = employerIn(stints, family, String(line.belongMonth))
      const { id, contracts } = world.customers[employer.customer]
      if (idOf(line.customer) !== id) {
        const key = `${who} is borne by customer ${idOf(line.customer)}`
        const isEnding = isOpen(world.model, person, family, ['Reduction'])
        if (!isEnding) strange.set(key, (strange.get(key) ?? new Decimal(0)).plus(money(line.total)))
      } else if (line.expenseType === 'normal' && line.lineStatus === 'open' && employer === stints.at(-1))
        if (idOf(line.serviceContract) !== contracts[employer.contract].id)
          throw new Broken('owned', `${who} is billed by another contract`)
    }
    for (const [text, charged] of strange) if (!charged.isZero()) throw new Broken('borne', text)
  }
}

/** The stint whose agreed insurance has begun last by the month. */
function employerIn(stints: readonly Stint[], family: Family, month: string): Stint {
  const begun = stints.filter(({ plans }) => plans.some((plan) => plan.family === family && plan.from <= month))
  return begun.at(-1) ?? stints[0]
}
