import path from 'node:path'
import { measureCompile } from './compile.ts'
import { measureDownload } from './download.ts'
import { measureForms } from './forms.ts'
import { measureImports } from './imports.ts'
import { measureLists } from './lists.ts'
import { measureLive } from './live.ts'
import { multiplyCustomers } from './multiplyCustomers.ts'
import type { Result } from './result.ts'
import { fillWide } from './rows.ts'
import { measureSaves } from './saves.ts'
import type { FormSize } from './schemas.ts'
import { measureRequests } from './serving.ts'
import type { Surroundings } from './surroundings.ts'

export interface Sizes {
  /** The number of customers during requests. */
  rows: number
  /** Samples of each click and of each save. */
  rounds: number
  /** For each kind of request. */
  seconds: number
  /** Rows of the imported file. */
  imported: number
  /** Rows of the scrolled list. */
  scrolled: number
  /** Fields of the forms. */
  forms: readonly FormSize[]
}

const script = path.resolve(import.meta.dirname, '../bench.ts')

/** Imports run with as many customers as requests do, because in an empty table nothing has to be looked up. */
async function makeCustomers(pool: Awaited<ReturnType<Surroundings['pool']>>, rows: number): Promise<void> {
  const started = performance.now()
  await multiplyCustomers(pool, rows)
  console.log(`Customers were made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

/** In run order: parts that add rows come after those that are measured with few. */
export const parts = {
  compile: async (_, { rounds }) => measureCompile(script, rounds),
  download: ({ open }) => measureDownload(open),
  async lists({ open, pool }, { rounds, scrolled }) {
    await fillWide(await pool(), scrolled)
    return measureLists(await open(true), rounds, scrolled)
  },
  forms: async ({ open }, { rounds, forms }) => measureForms(await open(true), rounds, forms),
  async imports({ server, pool, folder }, { rows, imported }) {
    await makeCustomers(await pool(), rows)
    return measureImports(await server(), await pool(), folder, imported)
  },
  async requests({ server, pool }, { rows, seconds }) {
    await makeCustomers(await pool(), rows)
    const requests = await measureRequests(await server(), await pool(), seconds)
    return [...requests, ...(await measureSaves(await server(), await pool(), seconds))]
  },
  live: ({ schemas, folder }, { rounds }) => measureLive(schemas, folder, rounds),
} satisfies Record<string, (around: Surroundings, sizes: Sizes) => Promise<Result[]>>
export type Part = keyof typeof parts
