import { expect, test } from 'vitest'
import type { Id } from '../../../engine/server/procedure.ts'
import { carriedInto, type CarriedOver, takenUp } from './carriedOver.ts'

const contract = 1 as Id<'contract'>
const negative = (statementNo: string, billMonth: string, takenBy: number[] = []): CarriedOver => ({
  statementNo,
  contract,
  billMonth,
  carriedAmount: '-10.00',
  takenBy: new Set(takenBy),
})
const into = (all: CarriedOver[], billMonth: string, own?: number) =>
  carriedInto(all, { contract, billMonth }, own).map(({ sourceId }) => sourceId)

test('an amount carried over is taken up once, and stays with its statement', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', [20]), negative('C', '2026-03')]
  expect(into(all, '2026-03')).toEqual(['A'])
  expect(into(all, '2026-03', 20)).toEqual(['A', 'B'])
  expect(carriedInto(all, { contract: 2 as Id<'contract'>, billMonth: '2026-03' })).toEqual([])
})

test('when statements are generated again, the first takes the amount up, and the next what it releases', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', [20])]
  const first = { id: 20 as Id<'statement'> }
  const taken = carriedInto(all, { contract, billMonth: '2026-02' }, 20)
  const then = takenUp(all, first, taken)
  expect(into(then, '2026-03', 30)).toEqual(['B'])
  expect(into(then, '2026-03', 20)).toEqual(['A', 'B'])
})
