import { expect, it } from 'vitest'
import type { Db } from '../runtime.ts'
import { together } from './together.ts'

/** The greatest number of reads in progress at once. */
async function mostAtOnce(db: { isTransaction: boolean }): Promise<number> {
  let [running, most] = [0, 0]
  const read = (answer: number) => async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    return answer
  }
  expect(await together(db as Db, read(1), () => undefined, read(2))).toEqual([1, undefined, 2])
  return most
}

it('reads in parallel from the pool, and one after another in a transaction', async () => {
  expect(await mostAtOnce({ isTransaction: false })).toBe(2)
  expect(await mostAtOnce({ isTransaction: true })).toBe(1)
})
