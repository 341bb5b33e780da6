import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { StatementItem } from './StatementItem.ts'

/** A negative statement, and the statements that have taken up the amount it carries over. */
export interface CarriedOver extends Pick<Stored<'statement'>, 'statementNo' | 'contract' | 'billMonth'> {
  carriedAmount: string
  takenBy: ReadonlySet<number>
}

/** The amounts that confirmed statements of these contracts carry over. */
export async function readCarriedOver(work: ProcedureWork, contracts: readonly number[]): Promise<CarriedOver[]> {
  const statements = await work.read('statement', {
    where: { contract: contracts, carriedAmount: { empty: false }, stage: 'confirmed' },
    fields: ['statementNo', 'contract', 'billMonth', 'carriedAmount'],
  })
  const taken = await work.read('statementItem', {
    where: {
      sourceType: 'carryOver',
      sourceId: statements.map(({ statementNo }) => statementNo),
      stage: { not: 'voided' },
    },
    fields: ['sourceId', 'statement'],
  })
  const takers = groupedBy(taken, ({ sourceId }) => sourceId!)
  return statements.map(({ statementNo, contract, billMonth, carriedAmount }) => ({
    statementNo,
    contract,
    billMonth,
    carriedAmount: carriedAmount!,
    takenBy: new Set(takers.get(statementNo)?.map(({ statement }) => statement)),
  }))
}

/** The amounts that a statement of the contract and month takes up: those that no statement but `own` has taken. */
export const carriedInto = (
  carriedOver: readonly CarriedOver[],
  { contract, billMonth }: Pick<Stored<'statement'>, 'contract' | 'billMonth'>,
  own: number | null = null,
): StatementItem[] =>
  carriedOver
    .filter(
      (one) =>
        one.contract === contract && one.billMonth < billMonth && [...one.takenBy].every((taker) => taker === own),
    )
    .map((one) => ({
      person: null,
      feeItem: 'carryOver',
      party: 'company',
      costMonth: one.billMonth,
      amount: one.carriedAmount,
      sourceType: 'carryOver',
      sourceId: one.statementNo,
    }))

/** After a statement was recomputed: it has taken these up, and no others. */
export const takenUp = (
  carriedOver: readonly CarriedOver[],
  { id }: Pick<Stored<'statement'>, 'id'>,
  items: readonly StatementItem[],
): CarriedOver[] => {
  const taken = new Set(items.map(({ sourceId }) => sourceId))
  return carriedOver.map((one) => {
    const others = [...one.takenBy].filter((taker) => taker !== id)
    return { ...one, takenBy: new Set(taken.has(one.statementNo) ? [...others, id] : others) }
  })
}
