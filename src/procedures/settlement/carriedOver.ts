import type { FieldName, Part, ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { decimal, money, zero } from '../money/amounts.ts'
import { firstDay } from '../monthDays.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { StatementItem } from './StatementItem.ts'
import { taxable, type TaxTerms } from './tax.ts'

const creditFields = [
  'statementNo',
  'customer',
  'contract',
  'contractLastDay',
  'agency',
  'billMonth',
  'carriedAmount',
  'carriedOwnAmount',
] as const satisfies readonly FieldName<'statement'>[]
type Credit = Part<'statement', (typeof creditFields)[number]>

/** A negative statement, and the statements that have taken up the amount it carries over. */
export type CarriedOver = Credit & { takenBy: ReadonlySet<number> }

/** What takes up amounts: a statement, or one to be made. */
export type Taker = Pick<Stored<'statement'>, 'customer' | 'contract' | 'agency' | 'billMonth'>

/**
 * What a negative statement carries over when it is confirmed. Fees that are given back were not taxed, so they stay own
 * revenue and reduce the next statement's tax; where fees were charged and taxed, what remains is other people's money.
 */
export function amountCarried({
  totalAmount,
  passThroughAmount,
  ownAmount,
  taxMethod,
  taxRate,
  surchargeRate,
  taxBorne,
}: Pick<Stored<'statement'>, 'totalAmount' | 'passThroughAmount' | 'ownAmount' | keyof TaxTerms>): Pick<
  Values<'statement'>,
  'carriedAmount' | 'carriedOwnAmount'
> {
  const [passThrough, own] = [decimal(passThroughAmount), decimal(ownAmount)]
  const terms = { taxMethod: taxMethod!, taxRate, surchargeRate, taxBorne: taxBorne! }
  const isTaxed = taxable(terms, { passThrough, own }).gt(0)
  return { carriedAmount: totalAmount, carriedOwnAmount: money(isTaxed ? zero : own) }
}

/**
 * The amounts that confirmed statements of these customers carry over, but for those added to the balance. Locked, so
 * that of two simultaneous statements only one takes an amount.
 */
export async function readCarriedOver(work: ProcedureWork, customers: readonly number[]): Promise<CarriedOver[]> {
  const negative = await work.read('statement', {
    where: { customer: [...new Set(customers)], carriedAmount: { empty: false }, stage: 'confirmed' },
    fields: [...creditFields, 'creditedAmount'],
    order: 'id',
    lock: true,
  })
  const statements = negative.filter(({ creditedAmount }) => decimal(creditedAmount).isZero())
  const taken = await work.read('statementItem', {
    where: {
      sourceType: 'carryOver',
      sourceId: statements.map(({ statementNo }) => statementNo),
      stage: { not: 'voided' },
    },
    fields: ['sourceId', 'statement'],
  })
  const takers = groupedBy(taken, ({ sourceId }) => sourceId!)
  return statements.map((each) => ({
    ...each,
    takenBy: new Set(takers.get(each.statementNo)?.map(({ statement }) => statement)),
  }))
}

/**
 * Whether a statement may take up the amount: a later one of the same contract or, once that has ended, of another
 * contract of the customer with the same agency.
 */
export const mayTake = (
  { customer, contract, agency, billMonth, contractLastDay }: Omit<Credit, 'statementNo'>,
  taker: Taker,
): boolean =>
  billMonth < taker.billMonth &&
  (contract === taker.contract ||
    (customer === taker.customer &&
      agency === taker.agency &&
      contractLastDay !== null &&
      contractLastDay < firstDay(taker.billMonth)))

/** The amounts that a statement takes up: those that no statement but `own` has taken. */
export const carriedInto = (
  carriedOver: readonly CarriedOver[],
  taker: Taker,
  own: number | null = null,
): StatementItem[] =>
  carriedOver
    .filter((over) => mayTake(over, taker) && [...over.takenBy].every((by) => by === own))
    .flatMap(carriedItems)

/** Collected and own amounts are taxed differently, so they stay apart. */
function carriedItems({ id, statementNo, billMonth, carriedAmount, carriedOwnAmount }: CarriedOver): StatementItem[] {
  const own = decimal(carriedOwnAmount)
  return [
    { amount: decimal(carriedAmount).minus(own), passThrough: true },
    { amount: own, passThrough: false },
  ]
    .filter(({ amount }) => !amount.isZero())
    .map(({ amount, passThrough }) => ({
      person: null,
      feeItem: 'carryOver',
      party: 'company',
      costMonth: billMonth,
      amount: money(amount),
      passThrough,
      sourceType: 'carryOver',
      sourceId: statementNo,
      carriedFrom: id,
    }))
}

/**
 * What the statements of these contracts take up, by contract. Contracts that end first choose first, so that each keeps
 * its own.
 */
export function carriedIntoEach(
  carriedOver: readonly CarriedOver[],
  contracts: readonly Pick<Stored<'contract'>, 'id' | 'customer' | 'agency' | 'lastDay'>[],
  billMonth: string,
): Map<number, StatementItem[]> {
  let free = carriedOver
  return new Map(
    contracts
      .toSorted((a, b) => (a.lastDay ?? '9999').localeCompare(b.lastDay ?? '9999'))
      .map(({ id, customer, agency }) => {
        const items = carriedInto(free, { customer: customer!, contract: id, agency, billMonth })
        const taken = new Set(items.map(({ sourceId }) => sourceId))
        free = free.filter(({ statementNo }) => !taken.has(statementNo))
        return [id, items]
      }),
  )
}

/** After a statement was recomputed: it has taken these up, and no others. */
export const takenUp = (
  carriedOver: readonly CarriedOver[],
  { id }: Pick<Stored<'statement'>, 'id'>,
  items: readonly StatementItem[],
): CarriedOver[] => {
  const taken = new Set(items.map(({ sourceId }) => sourceId))
  return carriedOver.map((over) => {
    const others = [...over.takenBy].filter((taker) => taker !== id)
    return { ...over, takenBy: new Set(taken.has(over.statementNo) ? [...others, id] : others) }
  })
}
