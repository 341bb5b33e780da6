import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { readSchemas, schemasDirectory } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../lists.ts'
import { columns, formFields } from './fields.ts'
import { area, writeSchemas } from './schemas.ts'
import { isLong } from '../../../tests/long.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'formwork-bench-schemas-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(!isLong)('adds an area to the product that compiles, with every column, field and linkage', () => {
  const schemas = path.join(folder, 'schemas')
  writeSchemas(schemasDirectory(), schemas)
  const { catalog, issues } = compile(readSchemas(schemas), lists)
  expect(issues).toEqual([])
  expect(catalog!.routes[`/${area}/wide`]).toBe('wide.list')
  expect(catalog!.screens['wideAll.list'].body.columns).toHaveLength(columns.length)
  const fields = Object.values(catalog!.entities.form300.fields)
  const linked = formFields(300).filter(({ linkage }) => linkage)
  expect(linked).toHaveLength(90)
  expect(fields.filter(({ visibleWhen, requiredWhen }) => visibleWhen ?? requiredWhen).map(({ name }) => name)).toEqual(
    linked.map(({ name }) => name),
  )
})
