import './help.ts'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run screenshots`: pictures of every screen on the demo into `screenshots/`: in Chinese at 1440×900 and 390×844;
 * one of each kind in English and in the dark too. `-- --only statement` takes those with matching names; `-- --readme`
 * updates the README's pictures in `docs/images/`.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, readme: { type: 'boolean' } } })
const root = path.resolve(import.meta.dirname, '../..')
const child = spawn(
  path.join(root, 'node_modules/.bin/vitest'),
  [
    'run',
    '--project',
    'journeys',
    `tests/journeys/${values.readme ? 'readmePictures' : 'pictures'}.ts`,
    ...(values.only === undefined ? [] : ['--testNamePattern', values.only]),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, PICTURES: path.join(root, 'screenshots') } },
)
child.on('close', (code) => process.exit(code ?? 1))
