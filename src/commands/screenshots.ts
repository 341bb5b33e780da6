import './help.ts'
import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * `npm run screenshots`: pictures of every screen on the demo into `screenshots/`: in Chinese at 1440×900 and 390×844; one
 * of each kind in English and in the dark too. `-- --only statement` takes those whose names say so; `-- --readme` makes
 * those of the README anew, into `docs/images/`.
 */
const root = path.resolve(import.meta.dirname, '../..')
const at = process.argv.indexOf('--only')
const only = at < 0 ? [] : ['--testNamePattern', process.argv[at + 1]]
const child = spawn(
  path.join(root, 'node_modules/.bin/vitest'),
  [
    'run',
    '--project',
    'journeys',
    `tests/journeys/${process.argv.includes('--readme') ? 'readmePictures' : 'pictures'}.ts`,
    ...only,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, PICTURES: path.join(root, 'screenshots') } },
)
child.on('close', (code) => process.exit(code ?? 1))
