import { lastDay } from '../monthDays.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { BilledContract, Cost, People } from './billableCosts.ts'
import { itemsOf } from './billedItems.ts'
import type { FeeGrounds } from './heads.ts'

interface ContractMonth extends Pick<FeeGrounds, 'months'> {
  contract: Pick<BilledContract, 'id' | 'customer' | 'contractNo' | 'startDate' | 'lastDay' | 'feeRules' | 'renewalOf'>
  costs: readonly Cost[]
  charged: () => FeeGrounds['charged']
}

type Services = ReadonlySet<string | null>

/**
 * Several contracts of a customer may bill costs of a person who has moved between them. The person's current contract
 * charges the month if it has a per-head fee. Returns, for each statement, the people whom it leaves to another one, with
 * the services that this charges.
 */
export function leftToOwn(
  billed: readonly ContractMonth[],
  grounds: Pick<FeeGrounds, 'people' | 'feeItems'>,
): ReadonlyMap<number, Services>[] {
  const shared = billed.flatMap(({ contract, months: { billMonth }, costs }, index) =>
    [...new Set(costs.map(({ person }) => person))].flatMap((person) => {
      const own = person === null ? undefined : contractOf(person, billMonth, grounds.people)
      return own === undefined || own === contract.id ? [] : { index, person: person!, own: `${own} ${billMonth}` }
    }),
  )
  const sharedWith = groupedBy(shared, ({ own }) => own)
  const charging = new Map(
    billed.map((each) => {
      const key = `${each.contract.id} ${each.months.billMonth}`
      const people = new Set(sharedWith.get(key)?.map(({ person }) => person))
      return [key, people.size === 0 ? new Map<number, Services>() : chargedOf(each, people, grounds)]
    }),
  )
  const left = groupedBy(
    shared.filter(({ person, own }) => charging.get(own)?.has(person)),
    ({ index }) => index,
  )
  return billed.map(
    (_, index) => new Map(left.get(index)?.map(({ person, own }) => [person, charging.get(own)!.get(person)!])),
  )
}

/** Whom of these people a contract charges for the month, and for which services. */
function chargedOf(
  { contract, costs, months, charged }: ContractMonth,
  people: ReadonlySet<number>,
  grounds: Pick<FeeGrounds, 'people' | 'feeItems'>,
): Map<number, Services> {
  const theirs = costs.filter(({ person }) => person !== null && people.has(person))
  const fees = itemsOf(contract, theirs, { ...grounds, months, charged: charged() }).filter(
    ({ sourceType, costMonth }) => sourceType === 'contractFee' && costMonth === months.billMonth,
  )
  const ofPerson = groupedBy(
    fees.filter(({ person }) => person !== null),
    ({ person }) => person!,
  )
  return new Map(
    [...ofPerson].map(([person, own]) => [person, new Set(own.map(({ serviceType = null }) => serviceType))]),
  )
}

/** The contract that bills a person in a month, as far as is known. */
function contractOf(id: number, month: string, people: People): number | undefined {
  const person = people.get(id)
  const stints = person ? [...person.former, person] : []
  return stints.findLast(({ entryDate }) => entryDate <= lastDay(month))?.serviceContract
}
