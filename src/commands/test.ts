import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm test`: everything. The check (types, lint, arrows, dead code, schema files), then unit, contract and server tests on the
 * embedded database (and once more on `TEST_DATABASE_URL` where it is set), then the journeys in a real browser.
 * `--unit` leaves out the check and the journeys. Ends with a line `N passed, N failed`.
 */

const root = path.resolve(import.meta.dirname, '../..')
const { values } = parseArgs({ options: { unit: { type: 'boolean' } } })
const folder = mkdtempSync(path.join(tmpdir(), 'formwork-test-'))
let passed = 0
let failed = 0

const external = process.env.TEST_DATABASE_URL
if (!values.unit) {
  count(spawnSync(process.execPath, ['--import', 'tsx', 'src/commands/check.ts'], { cwd: root, stdio: 'inherit' }).status === 0)
}
vitest('unit', ['--project', 'unit'], { TEST_DATABASE_URL: '' })
if (external) vitest('unit on TEST_DATABASE_URL', ['--project', 'unit', 'engine/server', 'src', 'tests'], { TEST_DATABASE_URL: external })
if (!values.unit) vitest('journeys', ['--project', 'journeys'], {})
rmSync(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

function count(success: boolean): void {
  if (success) passed++
  else failed++
}

function vitest(name: string, parameters: string[], env: Record<string, string>): void {
  console.log(`\n— ${name} —`)
  const report = path.join(folder, `${name.replace(/\W/g, '-')}.json`)
  const { status } = spawnSync(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...parameters, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], {
    cwd: root, stdio: 'inherit', env: { ...process.env, ...env },
  })
  try {
    const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    passed += numPassedTests
    failed += numFailedTests
    // A file that cannot even be loaded has no tests to fail.
    if (status !== 0 && numFailedTests === 0) failed++
    if (numTotalTests === 0) failed++
  } catch {
    failed++
  }
}
