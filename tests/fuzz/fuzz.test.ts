/**
 * The server answers every random request properly. `npm run fuzz` sends more: to one house after another, because in
 * one that lives long most requests meet what earlier ones have broken.
 */
import { expect, test } from 'vitest'
import { customerValues } from '../customer.ts'
import { isLong } from '../long.ts'
import { createTestServer } from '../server.ts'
import { createSmallDemo } from '../smallDemo.ts'
import { fuzz } from './fuzz.ts'

const first = Number(process.env.FUZZ_SEED ?? 20261123)
const count = Number(process.env.FUZZ_COUNT ?? (isLong ? 800 : 250))
const lanes = Number(process.env.FUZZ_LANES ?? 1)
const isLongRun = process.env.FUZZ_COUNT !== undefined

const mostOfAHouse = 5000
const houses = Array.from({ length: Math.ceil(count / mostOfAHouse) }, (_, index) => ({
  seed: first + index,
  share: Math.min(mostOfAHouse, count - index * mostOfAHouse),
  // The records of the demo let requests get further.
  kind: isLongRun && index % 5 !== 4 ? 'demo' : 'empty',
}))

test.for(houses)(
  '$share random requests of seed $seed cause no internal error',
  { timeout: 60_000 + mostOfAHouse * 100 },
  async ({ seed, share, kind }) => {
    const begun = performance.now()
    const house = await (kind === 'demo' ? createSmallDemo() : createTestServer())
    try {
      if (kind === 'empty')
        for (let number = 0; number < 4; number++) await house.create('/customer', await customerValues(house))
      const found = await fuzz(house, { seed, count: share, lanes })
      if (isLongRun) report({ seed, kind, share, seconds: (performance.now() - begun) / 1000 }, found)
      expect(found.broken.slice(0, 30)).toEqual([])
      expect(found.background.slice(0, 5)).toEqual([])
      const { statuses, uploads, signIns } = found
      // Some must succeed: if all were refused at once, the fuzzer would test nothing.
      expect(statuses.get(200), JSON.stringify([...statuses])).toBeGreaterThan(share / 10)
      expect(uploads.get(200), JSON.stringify([...uploads])).toBeGreaterThan(0)
      expect(signIns.size, JSON.stringify([...signIns])).toBeGreaterThan(0)
    } finally {
      await house.close()
    }
  },
)

/** One line a house, after what it was found to break. */
function report(
  run: { seed: number; kind: string; share: number; seconds: number },
  found: Awaited<ReturnType<typeof fuzz>>,
): void {
  const { broken, background, slow, ...counts } = found
  for (const item of [...broken, ...background, ...slow]) console.log(JSON.stringify(item))
  const named = Object.entries({ statuses: counts.statuses, uploads: counts.uploads, signIns: counts.signIns })
  const megabytes = Math.round(process.memoryUsage().rss / 1024 / 1024)
  const each = Object.fromEntries(named.map(([name, counted]) => [name, Object.fromEntries(counted)]))
  const seconds = Math.round(run.seconds)
  console.log(
    JSON.stringify({
      ...run,
      seconds,
      broken: broken.length,
      background: background.length,
      slow: slow.length,
      megabytes,
      ...each,
    }),
  )
}
