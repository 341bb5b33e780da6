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

test('what earlier statements carry over is taken up once, and stays with who has it', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', [20]), negative('C', '2026-03')]
  expect(into(all, '2026-03')).toEqual(['A'])
  expect(into(all, '2026-03', 20)).toEqual(['A', 'B'])
  expect(carriedInto(all, { contract: 2 as Id<'contract'>, billMonth: '2026-03' })).toEqual([])
})

test('made anew one after the other, the first takes it up, and what it lets go the next may take', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', [20])]
  const first = { id: 20 as Id<'statement'> }
  const taken = carriedInto(all, { contract, billMonth: '2026-02' }, 20)
  const then = takenUp(all, first, taken)
  expect(into(then, '2026-03', 30)).toEqual(['B'])
  expect(into(then, '2026-03', 20)).toEqual(['A', 'B'])
})
