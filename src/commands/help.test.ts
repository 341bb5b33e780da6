import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { headOf } from './help.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** `schemas` tells the help of each of its own commands, `demo` is `start`, and `dev` has no options. */
const commands = Object.entries(scripts)
  .filter(([name]) => !['schemas', 'demo', 'dev'].includes(name))
  .flatMap(([name, text]) => {
    const file = /--import tsx (\S+)/.exec(text)?.[1]
    return file === undefined ? [] : [{ name, source: readFileSync(path.join(root, file), 'utf8') }]
  })

test.each(commands)('npm run $name -- --help tells what the command does, before anything else', ({ name, source }) => {
  expect(source.split('\n').find((line) => line.startsWith('import'))).toMatch(
    /^import '.*commands\/help\.ts'$|^import '\.\/help\.ts'$/,
  )
  expect(headOf(source)).toMatch(new RegExp(`npm (run )?${name}\\b`))
})

test('it is told, and the command does not begin', () => {
  expect(commands.length).toBeGreaterThan(12)
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'src/commands/testChanged.ts', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^`npm run test:changed`: the tests that the change reaches, nearest first,/)
  expect(status).toBe(0)
})
