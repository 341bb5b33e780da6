import { monthOf } from '../model/months.ts'
import { Broken, lastDay, type Contract, type Customer, type World } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

/**
 * A fee by the head is of a month in which the contract was in force, once for each person of a customer. Costs of
 * people who work or stay insured after the end of their contract are billed, and nothing is charged for it.
 */
export function served({ items, statements }: Books, world: World): void {
  const charged = new Set<string>()
  for (const statement of statements) {
    if (statement.stage === 'voided') continue
    const customer = world.customers.find(({ id }) => id === idOf(statement.customer))!
    const contract = customer.contracts.find(({ id }) => id === idOf(statement.contract))!
    const until = lastMonth(contract, world.model.billed.get(statement.id!))
    for (const item of items) {
      if (idOf(item.statement) !== statement.id || item.sourceType !== 'contractFee') continue
      const [person, month] = [idOf(item.person), String(item.costMonth)]
      const subject = `the fee ${String(item.amount)} of ${month} in ${String(statement.statementNo)}`
      if (month > until && (person > 0 || !isPercentage(customer, contract)))
        throw new Broken('served', `${subject}: the contract ended in ${until}`)
      if (person === 0 || money(item.amount).isZero()) continue
      const key = `${customer.id} ${person} ${month}`
      if (charged.has(key)) throw new Broken('served twice', `${subject} for person ${person}`)
      charged.add(key)
    }
  }
}

/** As it was known when the statement was made. */
const lastMonth = ({ act, before, end }: Contract, made = 0): string =>
  monthOf((act !== undefined && act > made ? before : end) ?? lastDay)

/** Percentages of the costs stay due. */
const isPercentage = ({ contracts, current, fee }: Customer, contract: Contract): boolean =>
  fee.mode === 'percentage' && contract !== contracts[current[1]]
