/**
 * `npm run books -- --years 200 --seed 7 --steps 150` plays many more and longer years than the tests. Prints the
 * numbers of years and steps and, for each broken rule, the shortest story found; exits with 1 if there is any. With
 * `--all`, stories do not avoid known faults. `--schemes 40` instead plays a year of 40 people in the schemes of
 * `tests/schemes/world`.
 */
import '../../src/commands/help.ts'
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    years: { type: 'string' },
    seed: { type: 'string' },
    steps: { type: 'string' },
    all: { type: 'boolean' },
    schemes: { type: 'string' },
  },
})
const { years = '200', seed = String(Date.now() % 1_000_000), steps = '150', schemes } = values
for (const [name, text] of Object.entries({ years, seed, steps, schemes: schemes ?? '0' })) {
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`--${name} is "${text}": it must be a whole number.`)
    process.exit(2)
  }
}
if (Number(steps) > 600) {
  console.error('--steps may be 600 at most.')
  process.exit(2)
}
console.log(
  schemes === undefined
    ? `${years} years of about ${steps} steps, from seed ${seed} on`
    : `A year of ${schemes} people in the schemes, seed ${seed}`,
)
const test = schemes === undefined ? 'tests/books/books.test.ts' : 'tests/schemes/world/twelveMonths.test.ts'
const run = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', test], {
  stdio: 'inherit',
  env: {
    ...process.env,
    BOOKS_YEARS: years,
    BOOKS_SEED: seed,
    BOOKS_STEPS: steps,
    ...(schemes !== undefined && { BOOKS_SCHEMES: schemes }),
    ...(values.all && { BOOKS_ALL: 'yes' }),
  },
})
run.on('exit', (code) => process.exit(code ?? 1))
