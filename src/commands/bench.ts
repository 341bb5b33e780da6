import './help.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compileOnce, compileOption } from './bench/compile.ts'
import { parts } from './bench/parts.ts'
import type { Part } from './bench/parts.ts'
import { isReached, ratioOf, resultLine } from './bench/result.ts'
import type { Result } from './bench/result.ts'
import { formSizes } from './bench/schemas.ts'
import { surroundings } from './bench/surroundings.ts'

/**
 * `npm run bench`: what takes time, as ratios to the same work done by hand in the same run, and
 * `bench-results/<date>.json`. `--rows 1000000` customers for the requests (default 100000), `--rounds 5` samples of
 * each click, `--seconds 5` for each kind of request, `--only compile,download,lists,forms,imports,requests,live`,
 * `--imported 100000` rows of the file that is imported, `--scrolled 10000` rows of the list that is scrolled,
 * `--database <address>` of a PostgreSQL that is empty or has demo data instead of the embedded one. It runs on folders
 * of its own. Exits with 0 even if a target is missed.
 */

const root = path.resolve(import.meta.dirname, '../..')
/** The most generated demo customers; further ones are copies of these. */
const mostMade = 5000
const names = Object.keys(parts) as Part[]
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    imported: { type: 'string', default: '100000' },
    scrolled: { type: 'string', default: '10000' },
    database: { type: 'string' },
    only: { type: 'string', default: names.join(',') },
    [compileOption]: { type: 'boolean', default: false },
  },
})
if (values[compileOption]) console.log(JSON.stringify(compileOnce()))
else await bench()

async function bench(): Promise<void> {
  const [rows, rounds, seconds, imported, scrolled] = [
    values.rows,
    values.rounds,
    values.seconds,
    values.imported,
    values.scrolled,
  ].map(Number)
  const wanted = values.only.split(',')
  const unknown = wanted.filter((part) => !(names as string[]).includes(part))
  if (unknown.length > 0 || [rows, rounds, seconds, imported, scrolled].some((value) => !(value >= 1))) {
    console.error(
      'Usage: npm run bench -- [--rows <customers>] [--rounds <samples>] [--seconds <of each kind of request>]',
    )
    console.error('                        [--imported <rows>] [--scrolled <rows>] [--database <address>]')
    console.error(`                        [--only ${names.join(',')}]`)
    process.exit(2)
  }
  const [busy] = loadavg()
  if (busy > 1)
    console.warn(
      `The machine has other work (load ${busy.toFixed(1)} on ${cpus().length} cores): times are longer than they are.\n`,
    )
  const around = surroundings({ customers: Math.min(rows, mostMade), databaseUrl: values.database })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void around.close().finally(() => process.exit(1)))
  const results: Result[] = []
  try {
    for (const name of names.filter((part) => wanted.includes(part))) {
      const found = await parts[name](around, { rows, rounds, seconds, imported, scrolled, forms: formSizes })
      for (const result of found) console.log(resultLine(result))
      results.push(...found)
    }
  } finally {
    await around.close()
  }
  const load = { before: busy, after: loadavg()[0] }
  const database = values.database ? 'external' : 'embedded'
  report(
    { rows, rounds, seconds, imported, scrolled, only: wanted, database, chromium: around.version(), load },
    results,
  )
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
