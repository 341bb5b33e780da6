import { lastDay } from '../months.ts'
import { type BilledContract, type Cost, isIn, type People } from './billableCosts.ts'
import { rulesOf } from './billedItems.ts'
import { isByHead } from './fees.ts'

interface Billing {
  contract: Pick<BilledContract, 'id' | 'startDate' | 'lastDay' | 'feeRules'>
  billMonth: string
  costs: readonly Pick<Cost, 'person'>[]
}

/**
 * Several contracts of a customer may bill costs of a person who has moved between them, and the one that the person is
 * under charges the month: whom each statement leaves to another of these.
 */
export function leftToOwn(billed: readonly Billing[], people: People): ReadonlySet<number>[] {
  const charging = new Map(
    billed
      .filter(({ contract, billMonth }) => isIn(contract, billMonth) && rulesOf(contract, billMonth).some(isByHead))
      .map(({ contract, billMonth, costs }) => [
        `${contract.id} ${billMonth}`,
        new Set(costs.map(({ person }) => person)),
      ]),
  )
  return billed.map(({ contract, billMonth, costs }) => {
    const isLeft = (id: number) => {
      const own = contractOf(id, billMonth, people)
      return own !== contract.id && charging.get(`${own} ${billMonth}`)?.has(id)
    }
    return new Set(costs.flatMap(({ person }) => (person !== null && isLeft(person) ? person : [])))
  })
}

/** The contract that bills a person in a month, as far as is known. */
function contractOf(id: number, month: string, people: People): number | undefined {
  const person = people.get(id)
  const stints = person ? [...person.former, person] : []
  return stints.findLast(({ entryDate }) => entryDate <= lastDay(month))?.serviceContract
}
