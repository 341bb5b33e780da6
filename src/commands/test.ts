import './help.ts'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { runTests } from './runTests.ts'

/**
 * `npm test`: everything. The check (types, lint, arrows, dead code, schema files), then all tests in one run: unit and
 * contract tests, servers on the embedded database, journeys in a real browser, and, where TEST_DATABASE_URL is set,
 * what another database may do otherwise. `--unit` leaves out the check, the journeys and the other database; paths
 * behind it narrow it to some files. What failed is said once more at the end, before the last line `N passed, N failed`.
 */

const { values, positionals } = parseArgs({ options: { unit: { type: 'boolean' } }, allowPositionals: true })
let passed = 0
const failed: { name: string; message: string }[] = []

if (!values.unit) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'src/commands/check.ts'], { stdio: 'inherit' })
  if (status === 0) passed++
  else failed.push({ name: 'npm run check', message: `exit code ${status}` })
}
const result = runTests(values.unit ? ['--project', 'unit*', ...positionals] : [])
passed += result.passed
failed.push(...result.failed)

for (const { name, message } of failed) console.log(`\nFAILED ${name}\n${message}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length > 0 || passed === 0 ? 1 : 0)
