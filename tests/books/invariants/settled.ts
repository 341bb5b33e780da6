import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { Broken } from '../world.ts'
import { idOf, money, sum, type Books } from './Books.ts'

const fees = ['wage', 'social', 'medical', 'fund', 'supplement', 'otherBenefit', 'serviceFee', 'adjust', 'tax'].map(
  (name) => `${name}Amount`,
)
const same = (rule: string, number: string, is: Decimal, due: Decimal) => {
  if (!is.eq(due)) throw new Broken(rule, `${number} is ${is.toFixed(2)} and should be ${due.toFixed(2)}`)
}
const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

/** Each statement states the sum of its items, taxed as the contracts of stories are. */
export function settled(books: Books): void {
  addsUp(books)
  for (const statement of books.statements)
    if (statement.stage !== 'voided')
      amounts(
        String(statement.statementNo),
        statement,
        books.items.filter((item) => idOf(item.statement) === statement.id),
      )
}

/** Lines, matches and receipts add up, whatever the contract. */
export function addsUp({
  statements,
  lines,
  matches,
  customers,
  receipts,
}: Pick<Books, 'statements' | 'lines' | 'matches' | 'customers' | 'receipts'>): void {
  for (const statement of statements) {
    const { id, statementNo } = statement
    const number = String(statementNo)
    const own = (among: readonly RecordData[]) => among.filter((record) => idOf(record.statement) === id)
    if (statement.stage !== 'voided') {
      for (const field of [...fees, 'totalAmount'])
        same('sums', `${field} of ${number}`, money(statement[field]), sum(own(lines), field))
    }
    const active = own(matches).filter(({ cancelled, matchedAt }) => cancelled !== true && matchedAt !== null)
    same('received', number, money(statement.receivedAmount), sum(active, 'amount'))
    if (statement.stage === 'confirmed' && money(statement.totalAmount).gt(0)) {
      const rest = money(statement.totalAmount).minus(sum(active, 'amount')).minus(sum(active, 'writeOffAmount'))
      same('outstanding', number, money(statement.outstandingAmount), rest)
      if (rest.lt(0)) throw new Broken('outstanding', `${number} is overpaid by ${rest.neg().toFixed(2)}`)
    }
  }
  balances(customers, receipts, matches)
}

/**
 * Pass-through, fee and tax under simplified differential taxation: 5 % of the fee, and a surcharge of 12 % of that.
 */
function amounts(number: string, statement: RecordData, items: readonly RecordData[]): void {
  const billable = items.filter((item) => item.billable === true && item.feeItem !== 'tax')
  const passed = sum(
    billable.filter((item) => item.passThrough === true),
    'amount',
  )
  const own = sum(
    billable.filter((item) => item.passThrough !== true),
    'amount',
  )
  const vat = own.gt(0) ? cents(own.times('0.05')) : new Decimal(0)
  const tax = vat.plus(cents(vat.times('0.12')))
  same('pass-through', number, money(statement.passThroughAmount), passed)
  same('own revenue', number, money(statement.ownAmount), own)
  same('tax of a statement', number, money(statement.taxAmount), tax)
  same('total', number, money(statement.totalAmount), passed.plus(own).plus(tax))
}

function balances(
  customers: readonly RecordData[],
  receipts: readonly RecordData[],
  matches: readonly RecordData[],
): void {
  for (const receipt of receipts) {
    if (receipt.direction !== 'in' || receipt.voidReason !== null) continue
    const active = matches.filter((match) => idOf(match.receipt) === receipt.id && match.cancelled !== true)
    const back = receipts.filter((other) => idOf(other.refundOf) === receipt.id && other.voidReason === null)
    const rest = money(receipt.amount).minus(sum(active, 'amount')).minus(sum(back, 'amount'))
    same('receipt', String(receipt.receiptNo), money(receipt.unmatchedAmount), rest)
    if (rest.lt(0))
      throw new Broken('receipt', `${String(receipt.receiptNo)} is used up by ${rest.neg().toFixed(2)} too much`)
  }
  for (const { id, name, balance, openingBalance } of customers) {
    const own = receipts.filter((receipt) => idOf(receipt.customer) === id && receipt.voidReason === null)
    const matched = matches.filter(
      (match) => match.cancelled !== true && own.some((receipt) => receipt.id === idOf(match.receipt)),
    )
    const due = sum(
      own.filter(({ direction }) => direction === 'in'),
      'amount',
    )
      .minus(
        sum(
          own.filter(({ direction }) => direction === 'out'),
          'amount',
        ),
      )
      .minus(sum(matched, 'amount'))
      .plus(money(openingBalance))
    same('balance', String(name), money(balance), due)
  }
}
