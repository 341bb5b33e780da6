import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { editorFiles } from '../engine/schema/tools/editor.ts'
import type { ImportPlan } from '../engine/model/imports.ts'
import { printIssue } from '../engine/schema/issues/issue.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import { lists } from '../src/lists.ts'

const root = resolve(import.meta.dirname, '..')
const sources = readSchemas(resolve(root, 'schemas'))
const { catalog, issues } = compile(sources, lists)

test('the schema files compile to a catalog', () => {
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
  test('matches the shapes (npm run schemas -- docs)', () => {
    expect(readFileSync(resolve(root, path), 'utf8')).toBe(text)
  })
})

test('every daily rule that acts names who receives its refusals', () => {
  const silent = Object.values(catalog!.entities).flatMap(({ name, daily = {} }) =>
    Object.entries(daily)
      .filter(([, { transition, create, refused }]) => (transition ?? create) !== undefined && refused.length === 0)
      .map(([rule]) => `${name}.${rule}`),
  )
  expect(silent).toEqual([])
})

test('reading the files in another order makes the same catalog', () => {
  expect(compile([...sources].reverse(), lists).catalog?.hash).toBe(catalog?.hash)
})

test('an index finds the records that refer to a record', () => {
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

test('an index finds the record of an import row, and records that it names by code or name', () => {
  const plans = Object.values(catalog!.screens).flatMap(({ body }) => (body as { import?: ImportPlan }).import ?? [])
  expect(plans.length).toBeGreaterThan(10)
  const targets = plans.flatMap(({ into, columns }) =>
    columns.flatMap(({ field }) => {
      const { type, options } = catalog!.entities[into].fields[field]
      const target = lists.widgets[type].target?.(options)
      return target && !target.rows ? [catalog!.entities[target.entity]] : []
    }),
  )
  const lookups = [
    ...plans.map(({ into, key }) => ({ name: into, key })),
    ...targets.flatMap(({ name, code, display }) =>
      [display, ...(code === undefined ? [] : [code])].map((field) => ({ name, key: [field] })),
    ),
  ]
  const slow = lookups.filter(({ name, key }) => {
    const { columns, indexes, unique, view } = catalog!.tables[name]
    const found = [...indexes, ...unique].map((index) => index.columns)
    return (
      view !== true &&
      key.every((field) => columns.some((column) => column.name === field)) &&
      !found.some((index) => key.toSorted().join() === index.slice(0, key.length).toSorted().join()) &&
      !unique.some((index) => index.columns.length === 1 && key.includes(index.columns[0]))
    )
  })
  expect(slow).toEqual([])
})
