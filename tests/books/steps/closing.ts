import * as fc from 'fast-check'
import { read } from '../invariants/Books.ts'
import { closed, type Closed, statedUntil } from '../invariants/closed.ts'
import { addMonths, monthsBetween } from '../model/months.ts'
import { Broken, type World } from '../world.ts'
import { kind, describeStep } from './Kind.ts'
import { bill, confirm, payFor, statementsOf } from './settlement.ts'

const closedMonth = ({ kept }: World): string => (kept.get('closed') as Closed | undefined)?.month ?? '2025-12'

export const closing = {
  /** All that is due is billed and confirmed, and the month is closed. */
  close: kind({
    weight: 2,
    values: fc.record({ back: fc.constantFrom(1, 1, 2) }),
    async run(world, { back }) {
      const month = addMonths(world.month, -back)
      const first = addMonths(closedMonth(world), 1)
      if (month < first) return undefined
      const entries: string[] = []
      for (const billMonth of monthsBetween(first, month)) entries.push(await bill(world, billMonth))
      for (const statement of await statementsOf(world))
        if (statement.stage === 'generated' && String(statement.billMonth) <= month)
          entries.push(await confirm(world, statement))
      const { id, revision } = await world.get('/setting/parameter/detail')
      const answer = await world.post('/setting/parameter/update', { id, revision, values: { closedMonth: month } })
      entries.push(describeStep(`${month} is closed`, answer))
      if (answer.code === 1) {
        const books = await read(world)
        closed(books, world)
        world.kept.set('closed', { month, was: statedUntil(books, month) } satisfies Closed)
        entries.push(...(await paidLate(world, month)))
      }
      return entries.join('; ')
    },
  }),
}

/** A customer who owes for a closed month may pay for it. @throws Broken */
export async function paidLate(world: World, month: string): Promise<string[]> {
  const owed = (await statementsOf(world)).find(
    ({ stage, billMonth, outstandingAmount }) =>
      stage === 'confirmed' && String(billMonth) <= month && Number(outstandingAmount) > 0,
  )
  if (!owed) return []
  const entry = await payFor(world, owed)
  if (entry.includes('refused:')) throw new Broken('paid late', entry)
  return [entry]
}
