import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { TestResult } from './TestReport.ts'

/**
 * `npm test`: everything. The check (types, lint, arrows, dead code, schema files), then the journeys in a real
 * browser, then unit, contract and server tests on the embedded database (and once more on `TEST_DATABASE_URL` where it
 * is set). `--unit` leaves out the check and the journeys; paths behind it narrow it to some files. What failed, and
 * what needed a second try, is said once more at the end, before the last line `N passed, N failed`.
 */

const root = path.resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({ options: { unit: { type: 'boolean' } }, allowPositionals: true })
const folder = mkdtempSync(path.join(tmpdir(), 'formwork-test-'))
const total: TestResult = { passed: 0, failed: [], retried: [] }

const external = process.env.TEST_DATABASE_URL
if (!values.unit) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'src/commands/check.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  add('check', status === 0 ? { passed: 1, failed: [], retried: [] } : failure('npm run check', `exit code ${status}`))
}
if (!values.unit) vitest('journeys', ['--project', 'journeys'], {})
vitest('unit', ['--project', 'unit*', ...positionals], { TEST_DATABASE_URL: '' })
// What never sees a database is the same there, and so is what a process, a file or a plan does beside it.
const alike = [
  'sheets/**',
  'embedded',
  'files',
  'passwords',
  'plans',
  'server',
  'imports/killed',
  'imports/importHeader',
]
const excluded = alike.flatMap((name) => ['--exclude', `engine/server/${name}${name.endsWith('*') ? '' : '.test.ts'}`])
if (external)
  vitest(
    'unit on TEST_DATABASE_URL',
    [
      '--project',
      'unit*',
      'engine/server/',
      'src/demo/fill',
      'tests/settlement',
      'tests/contract/database',
      ...excluded,
    ],
    { TEST_DATABASE_URL: external },
  )
rmSync(folder, { recursive: true, force: true })

for (const name of total.retried) console.log(`second try: ${name}`)
for (const { name, message } of total.failed) console.log(`\nFAILED ${name}\n${message}`)
console.log(`${total.passed} passed, ${total.failed.length} failed`)
process.exit(total.failed.length > 0 || total.passed === 0 ? 1 : 0)

function add(run: string, { passed, failed, retried }: TestResult): void {
  total.passed += passed
  total.failed.push(...failed.map(({ name, message }) => ({ name: `[${run}] ${name}`, message })))
  total.retried.push(...retried.map((name) => `[${run}] ${name}`))
}

function failure(name: string, message: string): TestResult {
  return { passed: 0, failed: [{ name, message }], retried: [] }
}

function vitest(run: string, parameters: string[], env: Record<string, string>): void {
  console.log(`\n— ${run} —`)
  const report = path.join(folder, `${run.replace(/\W/g, '-')}.json`)
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...parameters,
      '--reporter=default',
      '--reporter=./src/commands/TestReport.ts',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env, TEST_REPORT: report },
    },
  )
  if (!existsSync(report)) return add(run, failure('the run', `ended with exit code ${status} and without a report`))
  const result = JSON.parse(readFileSync(report, 'utf8')) as TestResult
  add(run, result)
  // A run that says it failed, or that found no test, is never a success.
  if (status !== 0 && result.failed.length === 0) add(run, failure('the run', `ended with exit code ${status}`))
  if (result.passed + result.failed.length === 0) add(run, failure('the run', 'found no test'))
}
