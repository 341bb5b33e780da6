/**
 * `npm run fuzz -- --count 100000 --seed 7`: many more requests than the tests send, each 5,000 to a house of their own
 * with the next seed, four at a time (`--lanes 1`: one by one, the same at each run). Exits with 1 if one is answered
 * with an unexpected error.
 */
import '../../src/commands/help.ts'
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string' }, lanes: { type: 'string' } },
})
const seed = values.seed ?? String(Date.now() % 1_000_000)
const count = values.count ?? '100000'
const lanes = values.lanes ?? '4'
for (const [name, text] of Object.entries({ seed, count, lanes })) {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    console.error(`--${name} is "${text}": it must be a whole number above 0.`)
    process.exit(2)
  }
}
console.log(`${count} requests of seed ${seed}`)
const run = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'tests/fuzz/fuzz.test.ts'],
  { stdio: 'inherit', env: { ...process.env, FUZZ_SEED: seed, FUZZ_COUNT: count, FUZZ_LANES: lanes } },
)
run.on('exit', (code) => process.exit(code ?? 1))
