/**
 * `npm run breaks` shows which breaks the tests notice. It weaves the breaks of `breaks.json` into a copy of the
 * project, runs all tests once to learn which file reaches which break and how long it takes, then breaks one place
 * after the other and runs the test files that reach it, the fastest first, for three minutes at most.
 * `--reach` stops after the first part, `--only 3,7` breaks these alone, `--again` reuses what the last first part has
 * learned, `--unit` runs only the tests without a browser, and `--first` ends each break at the first test that notices
 * it. `--folder` is where the copy is made, `--out` where the results go.
 */
import '../../src/commands/help.ts'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { State } from './broken.ts'
import type { FileResult } from './FileReport.ts'
import { breaksOf, weave } from './weave.ts'

const { values } = parseArgs({
  options: {
    reach: { type: 'boolean' },
    again: { type: 'boolean' },
    unit: { type: 'boolean' },
    first: { type: 'boolean' },
    only: { type: 'string' },
    folder: { type: 'string', default: '/tmp/formwork-breaks' },
    out: { type: 'string', default: 'bench-results/breaks' },
  },
})
const { folder } = values
const out = path.resolve(values.out)
const limit = 180_000
/** Milliseconds that a run takes besides its tests. */
const around = 20_000
mkdirSync(out, { recursive: true })

interface Cost extends FileResult {
  reached: number[]
}
interface Noticed {
  id: number
  where: string
  /** Test file → the tests that failed. */
  by: Record<string, string[]>
  ran: string[]
  /** Files that reach the break but were not run for lack of time. */
  left: string[]
  seconds: number
}

const gone = weave(folder)
mkdirSync(path.join(folder, 'state/reached'), { recursive: true })
for (const id of gone) console.log(`break ${id} is gone from the sources`)

const costsFile = path.join(out, 'costs.json')
if (!values.again || !existsSync(costsFile)) writeFileSync(costsFile, JSON.stringify(await costs(), null, 1))
const known = JSON.parse(readFileSync(costsFile, 'utf8')) as Cost[]
if (!values.reach) await breakAll()
// The host of the journeys outlives each run; the first line of its file is its address, the second its process id.
const host = path.join(folder, 'state/host')
if (existsSync(host)) process.kill(Number(readFileSync(host, 'utf8').split('\n')[1]))

/** Runs all tests with nothing broken; the journeys one after the other, because one server serves them all. */
async function costs(): Promise<Cost[]> {
  const reached = path.join(folder, 'state/reached')
  const results = [
    ...(await vitest(['--project=unit*'], 0, 3_600_000)),
    ...(values.unit ? [] : await vitest(['--project=journeys', '--maxWorkers=1'], 0, 3_600_000)),
  ]
  const notes = readdirSync(reached)
  return results.map((result) => {
    const note = notes.find((name) => name.replaceAll('+', '/') === result.file)
    const ids = note ? readFileSync(path.join(reached, note), 'utf8').trim().split('\n').map(Number) : []
    return { ...result, reached: [...new Set(ids)] }
  })
}

async function breakAll(): Promise<void> {
  const file = path.join(out, 'noticed.json')
  const wanted = values.only?.split(',').map(Number)
  const results: Noticed[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  for (const { id, file: source, line } of breaksOf()) {
    if (gone.includes(id) || (wanted ? !wanted.includes(id) : results.some((each) => each.id === id))) continue
    const started = performance.now()
    // A file that fails with nothing broken cannot notice a break.
    const reaching = known
      .filter((cost) => cost.reached.includes(id) && cost.failed.length === 0)
      .toSorted((a, b) => a.milliseconds - b.milliseconds)
    let time = 0
    const chosen = reaching.filter((cost) => (time += cost.milliseconds) < limit)
    const files = chosen.map((cost) => cost.file)
    const failed =
      files.length === 0 ? [] : (await vitest(files, id, limit + around)).filter((result) => result.failed.length > 0)
    results.push({
      id,
      where: `${source}:${line}`,
      by: Object.fromEntries(failed.map((result) => [result.file, result.failed])),
      ran: files,
      left: reaching.slice(files.length).map((cost) => cost.file),
      seconds: Math.round((performance.now() - started) / 1000),
    })
    writeFileSync(file, JSON.stringify(results, null, 1))
    console.log(
      `${id} ${source}:${line}: ${failed.length} of ${files.length} files notice it${reaching.length > files.length ? `, ${reaching.length - files.length} not run` : ''}`,
    )
  }
  const noticed = results.filter(({ by }) => Object.keys(by).length > 0).length
  console.log(`${noticed} of ${results.length} breaks are noticed`)
}

/** One run in the woven copy. A run that hangs is ended and counts as failed. */
function vitest(files: string[], broken: number, milliseconds: number): Promise<FileResult[]> {
  const report = path.join(folder, 'state/report.json')
  const stateFile = path.join(folder, 'state/state.json')
  const state: State = { broken }
  writeFileSync(stateFile, JSON.stringify(state))
  rmSync(report, { force: true })
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--retry=0',
      '--passWithNoTests',
      ...(broken > 0 && values.first ? ['--bail=1'] : []),
      ...files,
      '--reporter=./tests/breaks/FileReport.ts',
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
      env: {
        ...process.env,
        BREAKS_STATE: stateFile,
        FILE_REPORT: report,
        TEST_DATABASE_URL: '',
        // One host for all runs, which makes the demo once, with nothing broken.
        JOURNEYS_HOME: path.join(folder, 'state'),
      },
    },
  )
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    process.kill(-child.pid!, 'SIGKILL')
  }, milliseconds)
  return new Promise((resolve) => {
    child.on('close', () => {
      clearTimeout(timer)
      const results = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as FileResult[]) : []
      const named = files.filter((file) => !file.startsWith('--'))
      const missing = isLate ? named.filter((file) => !results.some((result) => result.file === file)) : []
      resolve([
        ...results,
        ...missing.map((file) => ({ file, milliseconds, tests: 0, failed: ['(not at an end in time)'] })),
      ])
    })
  })
}
