import type { RecordData } from '../../../engine/model/model.ts'
import { headIn } from '../model/fees.ts'
import { addMonths, monthOf } from '../model/months.ts'
import { isDuring, type Person, type Stint } from '../model/tables.ts'
import { Broken, isInForce, type Contract, type Customer, type World } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

/** A statement that is not voided, of a contract that charges by the head. */
interface BilledStatement {
  id: number
  no: string
  month: string
  customer: Customer
  contract: Contract
  /** The act that made it last. */ made: number
  costs: RecordData[]
  fees: RecordData[]
}
/** A month for which a person is a head of a customer. */
interface Due {
  person: Person
  month: string
  stints: Stint[]
  /** The last act that changed whether it is due. */ known: number
}

/**
 * A person whose costs a statement bills is a head of its month, and of earlier ones whose costs came late: of months
 * in which they were employed and the contract was in force, unless another system may have billed them: those before the
 * first statement of the customer, of which only wages are left. Each has a fee, at the latest in the next statement that
 * bills costs of theirs and could charge it.
 */
export function headed(books: Books, world: World): void {
  const statements = billedBy(books, world)
  for (const statement of statements)
    for (const person of world.model.people) {
      if (person.state === 'cancelled') continue
      for (const month of monthsWith(person, statement)) {
        const isDue = (candidate: BilledStatement) => dueIn(month, person, candidate, statements, world)
        const due = isDue(statement)
        if (due) feeOf(due, statement, { statements, isDue, world })
      }
    }
}

interface Among {
  statements: readonly BilledStatement[]
  /** Whether the person is a head of the statement's contract in the month. */
  isDue: (statement: BilledStatement) => unknown
  world: World
}

function feeOf(
  { person, month, known, stints }: Due,
  { customer }: BilledStatement,
  { statements, isDue, world }: Among,
) {
  const own = statements.filter((statement) => statement.customer === customer)
  const isTheirs = (record: RecordData) => idOf(record.person) === person.id
  const charging = own.find(({ fees }) => fees.some((fee) => isTheirs(fee) && fee.costMonth === month))
  const who = `P${world.model.people.indexOf(person)}`
  if (!charging) {
    const able = own.find(
      (each) => each.made >= known && each.month >= month && isDue(each) && each.costs.some(isTheirs),
    )
    if (able) throw new Broken('fee missing', `${who} for ${month}, not even in ${able.no} of ${able.month}`)
    return
  }
  if (stints.length > 1 || charging.made < known) return
  const amount = money(charging.fees.find((fee) => isTheirs(fee) && fee.costMonth === month)!.amount)
  const part = charging.contract.place === 0 ? (customer.fee.part ?? 'fullMonth') : 'fullMonth'
  const price = priceOf(charging)
  const should = headIn(part, month, stints[0]).times(price)
  // The last person of a statement takes the rounding differences of all.
  if (
    amount
      .minus(should)
      .abs()
      .gt(charging.fees.length / 100)
  )
    throw new Broken('fee', `${who} for ${month} in ${charging.no}: ${amount.toFixed(2)}, not ${should.toFixed(2)}`)
}

/** One price for everybody, or that of the tier of the headcount. */
const priceOf = ({ customer: { fee }, contract, fees }: BilledStatement): number =>
  contract.place === 1 || fee.mode === 'perHead'
    ? 120
    : new Set(fees.map(({ person }) => idOf(person))).size > 3
      ? 100
      : 150

function dueIn(
  month: string,
  person: Person,
  { customer, contract, costs }: BilledStatement,
  all: readonly BilledStatement[],
  { customers }: World,
): Due | undefined {
  const where = customers.indexOf(customer)
  // Who has come back under another contract of the customer has left this one.
  const own = person.stints.filter((stint) => stint.customer === where)
  const here = own.filter((stint) => customer.contracts[stint.contract] === contract)
  const stints = (here.length > 0 ? here : own).filter((stint) => isDuring(stint, month))
  const isBilled = all.some((each) => each.customer === customer && each.month <= month)
  const late = costs.filter(isLate)
  const begun = monthOf(contract.start)
  const isOurs =
    isBilled ||
    stints.some(({ from }) => monthOf(from) === month) ||
    late.some((cost) => idOf(cost.person) === person.id && cost.sourceType !== 'payroll' && cost.costMonth === month) ||
    late.some((cost) => [String(cost.costMonth), statementMonth(cost)].includes(begun))
  if (stints.length === 0 || !isOurs || !isInForce(contract, month)) return undefined
  return { person, month, stints, known: Math.max(contract.changed ?? 0, ...stints.map(({ changed }) => changed)) }
}

/** The month of a statement, and the months whose wages or contributions it bills late. */
function monthsWith({ id }: Person, { costs, month }: BilledStatement): string[] {
  const own = costs.filter(({ person }) => idOf(person) === id)
  const late = own.filter(isLate).flatMap((cost) => [String(cost.costMonth), statementMonth(cost)])
  return own.length === 0 ? [] : [...new Set([month, ...late.filter((earlier) => earlier < month)])]
}

const isLate = ({ amount, feeItem }: RecordData): boolean =>
  money(amount).gt(0) && !['backPayment', 'lateFee'].includes(String(feeItem))

/** The month whose statement bills a cost in time: wages a month later. */
const statementMonth = ({ sourceType, costMonth }: RecordData): string =>
  sourceType === 'payroll' ? addMonths(String(costMonth), 1) : String(costMonth)

function billedBy({ statements, items }: Books, { customers, model }: World): BilledStatement[] {
  return statements
    .filter(({ stage }) => stage !== 'voided')
    .map(({ id, statementNo, billMonth, customer: owner, contract: under }): BilledStatement => {
      const customer = customers.find((each) => each.id === idOf(owner))!
      const own = items.filter(({ statement, person }) => idOf(statement) === id && idOf(person) > 0)
      const isFee = ({ sourceType }: RecordData) => sourceType === 'contractFee'
      return {
        id: id!,
        no: String(statementNo),
        month: String(billMonth),
        customer,
        contract: customer.contracts.find((each) => each.id === idOf(under))!,
        made: model.billed.get(id!) ?? 0,
        costs: own.filter((item) => !isFee(item) && !['manual', 'carryOver'].includes(String(item.sourceType))),
        fees: own.filter(isFee),
      }
    })
    .filter(({ customer, contract }) => contract.place === 1 || ['perHead', 'tiered'].includes(customer.fee.mode))
}
