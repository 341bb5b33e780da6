import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { families } from '../model/amounts.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, sum, type Books } from './Books.ts'

const sources = {
  socialsecurity: 'socialExpense',
  medicalinsurance: 'medicalExpense',
  accumulationfund: 'fundExpense',
} as const

const add = (sums: Map<string, Decimal>, key: string, amount: Decimal) =>
  sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(amount))

function same(rule: string, is: Map<string, Decimal>, due: Map<string, Decimal>): void {
  for (const key of new Set([...is.keys(), ...due.keys()])) {
    const [has, should] = [is.get(key) ?? new Decimal(0), due.get(key) ?? new Decimal(0)]
    if (!has.eq(should)) throw new Broken(rule, `${key}: ${has.toFixed(2)}, and should be ${should.toFixed(2)}`)
  }
}

/** Wages and contributions are delivered as costs exactly once, and each cost is billed once or still unbilled. */
export function costed(books: Books, world: World): void {
  delivered(books)
  billed(books)
  if (!world.avoids('3.1')) lost(books, world)
}

function delivered({ costs, wages, expenses }: Books): void {
  const due = new Map<string, Decimal>()
  for (const line of wages) {
    if (!['approved', 'paying', 'paid'].includes(String(line.batchStatus)) || line.lineStatus === 'removed') continue
    const month = `person ${idOf(line.person)}, payroll of ${String(line.payrollMonth)}`
    add(due, month, money(line.grossPay).plus(money(line.currentTax)))
  }
  for (const family of families)
    for (const line of expenses[family])
      if (line.lineStatus !== 'void') add(due, keyOf(line.person, sources[family], line.belongMonth), money(line.total))
  const is = new Map<string, Decimal>()
  for (const { person, sourceType, costMonth, amount } of costs)
    if (sourceType !== 'otherBenefits') add(is, keyOf(person, String(sourceType), costMonth), money(amount))
  same('delivered', is, due)
}
const keyOf = (person: unknown, source: string, month: unknown) =>
  `person ${idOf(person)}, ${source} of ${String(month)}`

/**
 * Each cost is either billed once, on one statement that is not voided, or unbilled. So the costs of a voided statement
 * are unbilled or on its successor.
 */
function billed(books: Books): void {
  const { costs, unbilled, items, statements } = books
  const voided = new Set(statements.filter(({ stage }) => stage === 'voided').map(({ id }) => id))
  const sumsOf = (among: readonly RecordData[]) => {
    const sums = new Map<string, Decimal>()
    for (const record of among) {
      const { statement, sourceType, sourceId, person, feeItem, party, costMonth } = record
      const where = idOf(statement) > 0 ? `on statement ${idOf(statement)}` : 'unbilled'
      const source = `${String(sourceType)} ${String(sourceId)} of person ${idOf(person)}`
      add(
        sums,
        `${String(feeItem)} ${String(party)} of ${String(costMonth)}, ${source}, ${where}`,
        money(record.amount),
      )
    }
    return sums
  }
  const passed = items.filter(
    ({ statement, sourceType, feeItem }) =>
      !voided.has(idOf(statement)) &&
      !['contractFee', 'manual', 'carryOver'].includes(String(sourceType)) &&
      feeItem !== 'tax',
  )
  same('billed', sumsOf([...passed, ...unbilled]), sumsOf(costs))
  carriedOnce(books, voided)
}

/** The negative remainder of a statement is carried over whole, to at most one other statement or to the balance. */
function carriedOnce({ items, statements, receipts }: Books, voided: ReadonlySet<unknown>): void {
  const carried = items.filter(
    ({ statement, sourceType }) => sourceType === 'carryOver' && !voided.has(idOf(statement)),
  )
  for (const number of new Set(carried.map(({ sourceId }) => sourceId))) {
    const source = statements.find(({ statementNo }) => statementNo === number)
    const taken = carried.filter(({ sourceId }) => sourceId === number)
    const passed = taken.filter(({ passThrough }) => passThrough === true)
    const untaxed = source && money(source.ownAmount).lte(0)
    const isWhole =
      source &&
      money(source.carriedAmount).eq(sum(taken, 'amount')) &&
      (untaxed ? money(source.passThroughAmount) : money(source.totalAmount)).eq(sum(passed, 'amount'))
    if (!isWhole) throw new Broken('carried over', `${String(number)} left something else`)
    if (new Set(taken.map(({ statement }) => idOf(statement))).size > 1)
      throw new Broken('carried over', `${String(number)} twice`)
    if (receipts.some(({ creditOf, voidReason }) => idOf(creditOf) === source.id && voidReason === null))
      throw new Broken('carried over', `${String(number)} to a statement and to the balance`)
  }
}

/**
 * A cost that existed when a statement of its month or a later one was made is on a statement. A back-payment, a
 * difference and a refund are costs of the month in which they are paid, not of the month they are for.
 */
function lost({ costs, statements, expenses }: Books, world: World): void {
  const seen = (world.kept.get('seen') ?? new Map<number, number>()) as Map<number, number>
  world.kept.set('seen', seen)
  const paidIn = new Map<string, string>()
  for (const family of families)
    for (const line of expenses[family]) paidIn.set(`${sources[family]} ${line.id}`, String(line.feeMonth))
  for (const cost of costs) {
    seen.set(cost.id!, Math.max(seen.get(cost.id!) ?? world.model.acts, world.model.freed.get(cost.id!) ?? -1))
    if (idOf(cost.statement) > 0) continue
    const line = String(cost.sourceId).split('-').at(-1)
    const due = paidIn.get(`${String(cost.sourceType)} ${line}`) ?? String(cost.costMonth)
    const late = statements.find(
      ({ id, stage, customer, contract, wageMonth, insuranceMonth }) =>
        stage !== 'voided' &&
        (idOf(cost.contract) > 0 ? idOf(contract) === idOf(cost.contract) : idOf(customer) === idOf(cost.customer)) &&
        (world.model.billed.get(id!) ?? -1) >= seen.get(cost.id!)! &&
        String(cost.sourceType === 'payroll' ? wageMonth : insuranceMonth) >= due,
    )
    if (late)
      throw new Broken(
        'lost',
        `${String(cost.feeItem)} ${String(cost.amount)} of ${String(cost.costMonth)} is on no statement, not even ${String(late.statementNo)}`,
      )
  }
}
