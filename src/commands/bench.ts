import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../engine/server/database.ts'
import { schemasDirectory } from '../../engine/server/sources.ts'
import { openBrowser } from './bench/browser.ts'
import { compileOnce, compileOption, measureCompile } from './bench/compile.ts'
import { measureDownload } from './bench/download.ts'
import { measureForms } from './bench/forms.ts'
import { measureImports } from './bench/imports.ts'
import { measureLive } from './bench/live.ts'
import { allRows, measureLists } from './bench/lists.ts'
import { buildPages, serveBoth } from './bench/pages.ts'
import { isReached, ratioOf, resultLine } from './bench/result.ts'
import type { Result } from './bench/result.ts'
import { fillWide, multiplyCustomers } from './bench/rows.ts'
import { writeSchemas } from './bench/schemas.ts'
import { startServer } from './bench/server.ts'
import { measureRequests } from './bench/serving.ts'

/**
 * `npm run bench`: what takes time, as ratios to the same work done by hand in the same run, and
 * `bench-results/<date>.json`. `--rows 1000000` customers for the requests (default 100000), `--rounds 5` samples of
 * each click, `--seconds 5` for each kind of request, `--only compile,download,lists,forms,imports,requests,live`,
 * `--imported 100000` rows of the file that is imported, `--database <address>` of an empty PostgreSQL instead of the
 * embedded one. It runs on folders of its own. Ends with 0 also where an aim is missed.
 */

const root = path.resolve(import.meta.dirname, '../..')
const parts = ['compile', 'download', 'lists', 'forms', 'imports', 'requests', 'live'] as const
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    imported: { type: 'string', default: '100000' },
    database: { type: 'string' },
    only: { type: 'string', default: parts.join(',') },
    [compileOption]: { type: 'boolean', default: false },
  },
})
if (values[compileOption]) console.log(JSON.stringify(compileOnce()))
else await bench()

async function bench(): Promise<void> {
  const [rows, rounds, seconds] = [values.rows, values.rounds, values.seconds].map(Number)
  const wanted = values.only.split(',')
  const unknown = wanted.filter((part) => !(parts as readonly string[]).includes(part))
  if (unknown.length > 0 || [rows, rounds, seconds].some((value) => !(value >= 1))) {
    console.error(
      'Usage: npm run bench -- [--rows <customers>] [--rounds <samples>] [--seconds <of each kind of request>]',
    )
    console.error(`                        [--only ${parts.join(',')}]`)
    process.exit(2)
  }
  const has = (part: (typeof parts)[number]) => wanted.includes(part)
  const [busy] = loadavg()
  if (busy > 1)
    console.warn(
      `The machine has other work (load ${busy.toFixed(1)} on ${cpus().length} cores): times are longer than they are.\n`,
    )
  const results: Result[] = []
  const note = (found: Result[]) => {
    for (const result of found) console.log(resultLine(result))
    results.push(...found)
  }
  if (has('compile')) note(measureCompile(import.meta.filename, rounds))
  const chromium = wanted.some((part) => part !== 'compile' && part !== 'live') ? await served() : undefined
  if (has('live')) note(await live())
  report(
    {
      rows,
      rounds,
      seconds,
      only: wanted,
      database: values.database ? 'external' : 'embedded',
      chromium,
      load: { before: busy, after: loadavg()[0] },
    },
    results,
  )

  async function live(): Promise<Result[]> {
    const folder = mkdtempSync(path.join(tmpdir(), 'formwork-bench-'))
    try {
      return await measureLive(schemasDirectory(), folder, rounds)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** All that needs a running server. Gives the version of the browser. */
  async function served(): Promise<string> {
    const folder = mkdtempSync(path.join(tmpdir(), 'formwork-bench-'))
    const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
    const close = async () => {
      for (const each of closing.splice(0).reverse()) await each()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void close().finally(() => process.exit(1)))
    try {
      const schemas = path.join(folder, 'schemas')
      const dataDir = path.join(folder, 'data')
      writeSchemas(schemasDirectory(), schemas)
      const start = () => startServer(schemas, dataDir, Math.min(rows, 5000), values.database)
      // What making the demo data left behind in memory is not the work that is measured.
      await (await start()).stop()
      const server = await start()
      closing.push(() => server.stop())
      const database = await openDatabase({
        dataDir,
        share: true,
        connections: 20,
        ...(values.database && { databaseUrl: values.database }),
      })
      closing.push(() => database.close())
      const { pool } = database
      const browser = await openBrowser(server.token)
      closing.push(() => browser.close())
      if (has('download') || has('lists') || has('forms')) {
        const pages = path.join(folder, 'pages')
        await buildPages(pages)
        const both = await serveBoth(pages, server.url)
        closing.push(() => both.close())
        const open = (signedIn: boolean) => browser.context(both.url, signedIn)
        if (has('download')) note(await measureDownload(open))
        if (has('lists')) {
          await fillWide(pool, allRows)
          note(await measureLists(await open(true), rounds))
        }
        if (has('forms')) note(await measureForms(await open(true), rounds))
      }
      if (has('imports')) note(await measureImports(server, pool, folder, Number(values.imported)))
      if (has('requests')) {
        const started = performance.now()
        await multiplyCustomers(pool, rows)
        console.log(`Customers were made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
        note(await measureRequests(server, pool, seconds))
      }
      return browser.version
    } finally {
      await close()
    }
  }
}

function report(options: object, results: Result[]): void {
  const missed = results.filter((result) => isReached(result) === false)
  const reached = results.filter((result) => isReached(result) === true)
  console.log(`\n${reached.length} aims reached, ${missed.length} missed${missed.length > 0 ? ':' : '.'}`)
  for (const { name } of missed) console.log(`  ${name}`)
  const folder = path.join(root, 'bench-results')
  const date = new Date().toISOString()
  const file = path.join(folder, `${date.slice(0, 19).replaceAll(':', '-')}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    JSON.stringify(
      {
        date,
        options,
        machine: {
          cpu: cpus()[0].model,
          cores: cpus().length,
          memory: totalmem(),
          node: process.version,
          platform: process.platform,
        },
        results: results.map((result) => ({ ...result, ratio: ratioOf(result), reached: isReached(result) })),
      },
      null,
      2,
    ),
  )
  console.log(`Written to ${path.relative(process.cwd(), file)}`)
}
