import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../engine/schema/issues/issue.ts'
import { warningCatalogue } from '../../engine/schema/warnings/catalogue.ts'
import { codes, printed } from './case.ts'

const expectedFile = (code: string) => join(import.meta.dirname, code, 'expected.txt')

test('every code of the catalogue has a case, and every case has a code of it', () => {
  expect([...codes].sort()).toEqual(Object.keys({ ...catalogue, ...warningCatalogue }).sort())
})

test('the sound tree has no issue', () => {
  expect(printed('sound')).toBe('')
})

describe.each(codes)('%s', (code) => {
  test('prints the expected text', () => {
    expect(existsSync(expectedFile(code))).toBe(true)
    const text = printed(code)
    expect(text).toBe(readFileSync(expectedFile(code), 'utf8'))
    expect(text).toContain(`  ${code}\n`)
  })
})
