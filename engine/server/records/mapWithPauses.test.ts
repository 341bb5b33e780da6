import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapWithPauses } from './mapWithPauses.ts'

/** How often others get their turn while these items are processed. */
async function turnsIn(all: readonly number[], weigh?: (item: number) => number): Promise<number> {
  let turns = 0
  let isDone = false
  const mapped = mapWithPauses(all, (item) => item, weigh).finally(() => (isDone = true))
  for (; !isDone; turns++) await turn()
  expect(await mapped).toEqual(all)
  return turns
}
const many = (count: number, item = 1) => Array.from({ length: count }, () => item)

it('lets others have their turn after some items, or fewer if they are heavy', async () => {
  expect(await turnsIn(many(40))).toBeLessThanOrEqual(1)
  expect(await turnsIn(many(500))).toBeGreaterThanOrEqual(10)
  expect(await turnsIn(many(40, 30), (weight) => weight)).toBeGreaterThanOrEqual(20)
})
