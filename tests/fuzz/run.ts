/**
 * `npm run fuzz -- --count 100000 --seed 7`: many more requests than the tests send. Exits with 1 if one is answered
 * with an unexpected error.
 */
import '../../src/commands/help.ts'
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string' } } })
const seed = values.seed ?? String(Date.now() % 1_000_000)
const count = values.count ?? '100000'
for (const [name, text] of Object.entries({ seed, count })) {
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`--${name} is "${text}": it must be a whole number.`)
    process.exit(2)
  }
}
console.log(`${count} requests of seed ${seed}`)
const run = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'tests/fuzz/fuzz.test.ts'],
  { stdio: 'inherit', env: { ...process.env, FUZZ_SEED: seed, FUZZ_COUNT: count } },
)
run.on('exit', (code) => process.exit(code ?? 1))
