import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { editorFiles } from '../engine/schema/editor.ts'
import { printIssue } from '../engine/schema/issue.ts'
import { readSchemas } from '../engine/server/sources.ts'
import { lists } from '../src/lists.ts'

const root = resolve(import.meta.dirname, '..')
const sources = readSchemas(resolve(root, 'schemas'))
const { catalog, issues } = compile(sources, lists)

test('the schema files make a catalog', () => {
  expect(sources.length).toBeGreaterThan(0)
  expect(issues.map(printIssue)).toEqual([])
  expect(catalog).toBeDefined()
})

describe.each(sources.map(({ path }) => path))('%s', (path) => {
  test('has no issue', () => {
    expect(issues.filter(({ file }) => file === path).map(printIssue)).toEqual([])
  })
})

describe.each(Object.entries(editorFiles(lists.widgets, lists.kinds)))('%s', (path, text) => {
  test('is what the shapes say (npm run schemas -- docs)', () => {
    expect(readFileSync(resolve(root, path), 'utf8')).toBe(text)
  })
})

test('reading the files in another order makes the same catalog', () => {
  expect(compile([...sources].reverse(), lists).catalog?.hash).toBe(catalog?.hash)
})

test('the records that refer to one are found by an index, however many there are', () => {
  const slow = Object.values(catalog!.tables).flatMap(({ name, columns, unique, indexes }) =>
    columns
      .filter(
        ({ name: column, references }) => references !== undefined && !['createdBy', 'updatedBy'].includes(column),
      )
      .filter(
        ({ name: column }) =>
          ![...indexes, ...unique.filter(({ columns: { length } }) => length === 1)].some(
            (index) => index.columns[0] === column,
          ),
      )
      .map(({ name: column }) => `${name}.${column}`),
  )
  expect(slow).toEqual([])
})
