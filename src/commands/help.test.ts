import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parserOf } from '../../tests/commandOptions.ts'
import { headOf } from './help.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** `schemas` prints the help of each of its own commands, and `demo` is `start`. */
const commands = Object.entries(scripts)
  .filter(([name]) => !['schemas', 'demo'].includes(name))
  .flatMap(([name, text]) => {
    const file = /^node (?:--import tsx )?(\S+)/.exec(text)?.[1]
    return file === undefined ? [] : [{ name, file, source: readFileSync(path.join(root, file), 'utf8') }]
  })

test.each(commands)('npm run $name -- --help prints what the command does before anything else', ({ name, source }) => {
  // A command that starts without TypeScript checks for --help first.
  const isPlain = source.includes("await inTypeScript(() => import('./help.ts'))")
  if (isPlain) expect(source.indexOf('--help')).toBeLessThan(source.indexOf('parseArgs({'))
  else
    expect(source.split('\n').find((line) => line.startsWith('import'))).toMatch(
      /^import '.*commands\/help\.ts'$|^import '\.\/help\.ts'$/,
    )
  expect(headOf(source)).toMatch(new RegExp(`npm (run )?${name}\\b`))
})

test.each(commands)('the help of $name names the options that it takes, and no others', ({ file, source }) => {
  const named = [...headOf(source).matchAll(/(?<=[\s`[(])--([a-z]+)/g)].map(([, option]) => option)
  const taken = Object.keys(parserOf(file).options ?? {})
  expect([...new Set(named)].sort()).toEqual(taken.sort())
})

test('prints the help without starting the command', () => {
  expect(commands.length).toBeGreaterThan(12)
  const helpOf = (...file: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [...file, '--help'], { cwd: root, encoding: 'utf8' })
    return { status, stdout }
  }
  expect(helpOf('--import', 'tsx', 'src/commands/testChanged.ts')).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^`npm run test:changed`: the tests that the change reaches, nearest first,/),
  })
  expect(helpOf('src/commands/start.js')).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^`npm start` and `npm run demo`: builds client and server/),
  })
})
