/** The server answers every random request properly; `npm run fuzz` sends more, with other seeds. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../customer.ts'
import { isLong } from '../long.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { fuzz } from './fuzz.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20261123)
const count = Number(process.env.FUZZ_COUNT ?? (isLong ? 800 : 250))

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  for (let number = 0; number < 4; number++) await house.create('/customer', await customerValues(house))
})
afterAll(() => house?.close())

test(
  `${count} random requests of seed ${seed} cause no internal error`,
  async () => {
    const { broken, statuses, uploads, signIns } = await fuzz(house, { seed, count })
    expect(broken.slice(0, 30)).toEqual([])
    // Some must succeed: if all were refused at once, the fuzzer would test nothing.
    expect(statuses.get(200), JSON.stringify([...statuses])).toBeGreaterThan(count / 20)
    expect(uploads.get(200), JSON.stringify([...uploads])).toBeGreaterThan(0)
    expect(signIns.size, JSON.stringify([...signIns])).toBeGreaterThan(0)
    if (process.env.FUZZ_COUNT)
      console.log(JSON.stringify({ statuses: [...statuses], uploads: [...uploads], signIns: [...signIns] }))
  },
  // A long run has no time limit.
  60_000 + count * 100,
)
