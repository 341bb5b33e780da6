/** `npm run masks`: every surface as every preset role, in addition to the normal tests. */
import '../../src/commands/help.ts'
import { spawnSync } from 'node:child_process'

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', 'tests/masks', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, LONG: '1' },
})
process.exitCode = status ?? 1
