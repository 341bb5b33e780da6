import { expect, test } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { lists } from '../../src/lists.ts'

test('an item that is charged at a rate and names none is refused at its amountModes', () => {
  const sources = readSchemas('schemas').map((source) => {
    if (!source.path.endsWith('/medicalinsurance.family.json')) return source
    const text = source.text.replace('"companyRate": "0.8",', '')
    expect(text).not.toBe(source.text)
    return { ...source, text }
  })
  expect(compile(sources, lists).issues.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringContaining('family-rule: maternity is charged at a rate, but names none'),
  ])
}, 240_000)
