import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestResult } from './TestReport.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The duration of each test file when it last ran on this machine. */
const costsFile = path.join(root, 'node_modules/.cache/formwork/testCosts.json')

/** Runs vitest with these parameters. A run that ends abnormally, or that found no test, has failed. */
export function runTests(parameters: string[], environment: Record<string, string> = {}): TestResult {
  const folder = mkdtempSync(path.join(tmpdir(), 'formwork-test-'))
  const report = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=./src/commands/TestReport.ts']
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...parameters, ...reporters],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment, TEST_REPORT: report } },
  )
  const result: TestResult = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { passed: 0, failed: [], costs: {} }
  rmSync(folder, { recursive: true, force: true })
  const fail = (message: string) => result.failed.push({ name: 'the run', message })
  if (result.passed + result.failed.length === 0) fail(`ended with exit code ${status} and found no test`)
  else if (status !== 0 && result.failed.length === 0) fail(`ended with exit code ${status}`)
  mkdirSync(path.dirname(costsFile), { recursive: true })
  writeFileSync(costsFile, JSON.stringify({ ...testCosts(), ...result.costs }, null, 1))
  return result
}

/** Test file → milliseconds. */
export function testCosts(): Record<string, number> {
  return existsSync(costsFile) ? JSON.parse(readFileSync(costsFile, 'utf8')) : {}
}
