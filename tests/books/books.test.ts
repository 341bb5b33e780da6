/** Short years of made-up companies; `npm run books` plays more and longer ones. */
import { afterAll, expect, test } from 'vitest'
import { longRun } from './longRun.ts'
import { isLong } from '../long.ts'
import { Stage } from './Stage.ts'

const years = Number(process.env.BOOKS_YEARS ?? (isLong ? 2 : 1))
const seed = Number(process.env.BOOKS_SEED ?? 20261123)
const steps = Number(process.env.BOOKS_STEPS ?? 40)

afterAll(() => Stage.end())

test(
  `the books balance over ${years} years, starting from seed ${seed}`,
  async () => {
    const { found, ...sums } = await longRun({ years, seed, steps })
    console.log(sums, found.map(({ rule, times }) => `${rule} (${times})`).join(', '))
    expect(found.map(({ log, message }) => [...log, message])).toEqual([])
  },
  60_000 + years * steps * 5_000,
)
