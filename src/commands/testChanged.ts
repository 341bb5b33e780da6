import './help.ts'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { cruise } from 'dependency-cruiser'
import type { ICruiseResult, IModule } from 'dependency-cruiser'
import { runTests, testCosts } from './runTests.ts'

/**
 * `npm run test:changed`: the tests that the change reaches, nearest first, as many as fit into a minute according to
 * their last durations. What is left out is named. The change is what is not committed, or what has come since a
 * revision: `npm run test:changed -- main`.
 */

const budget = 40_000
/** The default for a test file that has never run here. */
const usual = 10_000
const root = path.resolve(import.meta.dirname, '../..')
const {
  positionals: [revision = 'HEAD'],
} = parseArgs({ allowPositionals: true })

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const changed = [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')]
const isTest = (file: string) => /\.test\.tsx?$/.test(file) && !file.startsWith('tests/journeys/')

const { output } = await cruise(['engine', 'src', 'tests'], { doNotFollow: { path: 'node_modules' }, cache: true })
const importers = new Map<string, string[]>()
for (const { source, dependencies } of (output as ICruiseResult).modules as IModule[]) {
  for (const { resolved } of dependencies) importers.set(resolved, [...(importers.get(resolved) ?? []), source])
}
/** Test file → how many imports lie between it and the change. */
const reached = new Map<string, number>()
let front = [...changed, ...(changed.some((file) => file.startsWith('schemas/')) ? ['tests/server.ts'] : [])]
const seen = new Set(front)
for (let distance = 0; front.length > 0; distance++) {
  for (const file of front) if (isTest(file)) reached.set(file, distance)
  front = front
    .flatMap((file) => importers.get(file) ?? [])
    .filter((file) => !seen.has(file) && Boolean(seen.add(file)))
}

const costs = testCosts()
const costOf = (file: string) => costs[file] ?? usual
/** A file in the same folder as a changed one, and named like it, is its own test. */
const isBeside = (file: string) => changed.some((other) => file.startsWith(other.replace(/\.\w+$/, '')))
const ranked = [...reached.keys()].sort(
  (a, b) => Number(isBeside(b)) - Number(isBeside(a)) || reached.get(a)! - reached.get(b)! || costOf(a) - costOf(b),
)
let time = 0
// Two at a time; the first runs however long it takes.
const chosen = ranked.filter((file, index) => (time += costOf(file) / 2) <= budget || index === 0)
const left = ranked.filter((file) => !chosen.includes(file))

if (ranked.length === 0) {
  console.log('No test is reached by what has changed.')
  process.exit(0)
}
const { passed, failed } = runTests(['--project', 'unit*', ...chosen])
if (left.length > 0) {
  console.log(`Reached too, and not run (npm test runs them): ${left.length} files, among them`)
  for (const file of left.slice(0, 10)) console.log(`  ${file}`)
}
console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
