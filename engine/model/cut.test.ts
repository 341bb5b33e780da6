import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cut } from './cut.ts'

it('ends with a whole character', () => {
  expect([cut('ab👍c', 3), cut('ab👍c', 4), cut('ab👍c', 2), cut('ab', 5), cut('👍', 1)]).toEqual([
    'ab',
    'ab👍',
    'ab',
    'ab',
    '',
  ])
  expect(cut('字'.repeat(9), 4)).toBe('字字字字')
})

it('is what all of the server shortens texts with', () => {
  const room = join(import.meta.dirname, '../server')
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const byUnits = /\.slice\(0, (\d{3,}|longest\w*)\)/
  expect(files.filter((name) => byUnits.test(readFileSync(join(room, name), 'utf8')))).toEqual([])
})
