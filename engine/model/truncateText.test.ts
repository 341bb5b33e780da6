import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { truncateText } from './truncateText.ts'

it('ends with a whole character', () => {
  expect([
    truncateText('ab👍c', 3),
    truncateText('ab👍c', 4),
    truncateText('ab👍c', 2),
    truncateText('ab', 5),
    truncateText('👍', 1),
  ]).toEqual(['ab', 'ab👍', 'ab', 'ab', ''])
  expect(truncateText('字'.repeat(9), 4)).toBe('字字字字')
})

it('is what all of the server shortens texts with', () => {
  const room = join(import.meta.dirname, '../server')
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const byUnits = /\.slice\(0, (\d{3,}|longest\w*)\)/
  expect(files.filter((name) => byUnits.test(readFileSync(join(room, name), 'utf8')))).toEqual([])
})
