import { Broken, type World } from '../world.ts'
import { idOf, type Books } from './Books.ts'

/** What a month showed when it was closed. */
export interface Closed {
  month: string
  was: string
}

/** The statements of a month and of all before it, with what they bill. Payments may still come. */
export function statedUntil({ statements, items, costs }: Books, month: string): string {
  const own = statements.filter(({ billMonth }) => String(billMonth) <= month)
  return own
    .flatMap(({ id, statementNo, stage, totalAmount, taxAmount, headcount }) => [
      [statementNo, stage, totalAmount, taxAmount, headcount].join(' '),
      ...items
        .filter(({ statement }) => idOf(statement) === id)
        .map(({ feeItem, party, costMonth, person, amount }) =>
          [statementNo, feeItem, party, costMonth, idOf(person), amount].join(' '),
        )
        .toSorted(),
      ...costs
        .filter(({ statement }) => idOf(statement) === id)
        .map((cost) => [statementNo, 'cost', cost.id, cost.amount].join(' ')),
    ])
    .join('\n')
}

/** A closed month never changes: later corrections are billed in an open month. */
export function closed(books: Books, { kept }: World): void {
  const before = kept.get('closed') as Closed | undefined
  if (!before) return
  const is = statedUntil(books, before.month)
  if (is !== before.was) throw new Broken('closed', `${before.month} was\n${before.was}\nand is\n${is}`)
}
