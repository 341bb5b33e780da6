import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoServer } from '../../../tests/demo.ts'
import type { TestServer } from '../../../tests/server.ts'
import { schemasDirectory } from '../../../engine/server/catalog/sources.ts'
import { edits } from './live.ts'
import { parts } from './parts.ts'
import type { Part, Sizes } from './parts.ts'
import { resultLine } from './result.ts'
import { surroundings } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'
import { isLong } from '../../../tests/long.ts'

/** The smallest sizes with which a part completes and reports results; the durations prove nothing here. */
const sizes: Sizes = { rows: 61, rounds: 1, seconds: 0.2, imported: 40, scrolled: 100, forms: [30] }
/**
 * Parts of one group run one after another, because they add rows to the same table; groups share none. Lists and
 * forms open a dozen pages and a saved file needs a development server: they take too long for a test.
 */
const together: Part[][] = [['compile'], ['imports', 'requests'], ['download']]
/** Parts without a yardstick written by hand. */
const alone: Part[] = ['compile']

it('finds each text of its live edits exactly once in the schema files', () => {
  for (const { file, found } of edits)
    expect(readFileSync(path.join(schemasDirectory(), file), 'utf8').split(found), file).toHaveLength(2)
})

describe.skipIf(!isLong).concurrent('a part of the benchmark', () => {
  let server: TestServer
  let around: Surroundings
  beforeAll(async () => {
    server = await createDemoServer()
    // The demo data are of that day, and the production build is what is measured.
    vi.stubEnv('BUSINESS_DATE', '2026-03-15')
    vi.stubEnv('NODE_ENV', 'production')
    // A server with another folder on the same database needs the same key.
    vi.stubEnv('SECRET_KEY', readFileSync(path.join(server.dataDir, 'secret.key'), 'utf8').trim())
    around = surroundings({ customers: 60, databaseUrl: server.database.url })
    await around.server()
  })
  afterAll(async () => {
    await around.close()
    await server.close()
  })

  it.each(together.map((names) => ({ names })))(
    'completes and reports what it measured: $names',
    async ({ names }) => {
      for (const name of names) {
        const lines = (await parts[name](around, sizes)).map(resultLine)
        for (const line of lines) {
          expect(line).toMatch(/^\S.* \d[\d.]* (ms|MB|KB|frames|requests)\b/)
          expect(line).not.toMatch(/NaN|Infinity/)
        }
        expect(lines.some((line) => line.includes('× '))).toBe(!alone.includes(name))
      }
    },
    180_000,
  )
})
