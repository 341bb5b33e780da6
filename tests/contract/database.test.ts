/**
 * Every widget against the running server: values return as they were sent, and the form and the server give the same
 * verdict.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import { declaredPermissions } from '../../engine/model/model.ts'
import { checkField } from '../../engine/expression/verdict.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { Catalog, Dictionary, Entity, Value } from '../../engine/model/model.ts'
import { lists } from '../../src/lists.ts'
import { isLong } from '../long.ts'
import { isRepeated } from '../repeated.ts'
import { createTestServer } from '../server.ts'
import type { TestServer } from '../server.ts'
import { cases, isElsewhere, label } from './widgets.ts'

/** The others are tested in elsewhere.test.ts. */
const own = cases.filter((each) => !isElsewhere(each))
const nameOf = (type: string) => `${type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Value`

function sampleCatalog(): Catalog {
  const field = ({ type, examples }: (typeof own)[number]) => ({ type, label, ...examples.options[0] })
  const dictionaries: Record<string, Dictionary> = Object.assign(
    {},
    ...own.map(({ examples }) => examples.dictionaries ?? {}),
  )
  const entity = {
    label,
    display: 'name',
    endpoint: '/sample',
    fields: {
      name: { type: 'text', label },
      ...Object.fromEntries(own.map((each) => [nameOf(each.type), field(each)])),
    },
  }
  const product = readSchemas('schemas')
  const missing = Object.entries(dictionaries).filter(
    ([name]) => name !== declaredPermissions && !product.some(({ path }) => path.endsWith(`/${name}.dictionary.json`)),
  )
  const { catalog, issues } = compile(
    [
      ...product,
      { path: 'schemas/setting/sample.entity.json', text: JSON.stringify(entity) },
      ...missing.map(([name, { choices }]) => ({
        path: `schemas/setting/${name}.dictionary.json`,
        text: JSON.stringify({
          label,
          choices: choices.map(({ value, label: text, tag }) => ({ value, label: text, tag })),
        }),
      })),
    ],
    lists,
  )
  if (!catalog) throw new Error(JSON.stringify(issues, null, 1))
  for (const [name, dictionary] of Object.entries(dictionaries))
    catalog.dictionaries[name] = { ...catalog.dictionaries[name], choices: dictionary.choices }
  return catalog
}

let server: TestServer
let entity: Entity
let catalog: Catalog
beforeAll(async () => {
  catalog = sampleCatalog()
  entity = catalog.entities.sample
  server = await createTestServer({ change: () => catalog })
})
afterAll(() => server.close())

describe.each(own)('$type', ({ type, widget, options, examples }) => {
  const name = nameOf(type)

  test('returns from the database as it was sent', async () => {
    for (const { given, canonical } of examples.good) {
      const { code, result, errors } = await server.admin.post('/sample/create', {
        values: { name: 'x', [name]: given as Value },
      })
      expect({ code, errors }, JSON.stringify(given)).toEqual({ code: 1, errors: undefined })
      const { result: record } = await server.admin.get('/sample/detail', { id: result.id })
      expect(widget.normalize(record[name], options[0])).toEqual(canonical)
    }
  })

  test.skipIf(isRepeated())('the form and the server give the same verdict', async () => {
    const given = [...examples.good, ...examples.bad].map((each) => each.given)
    const texts = given.filter((value): value is string => typeof value === 'string')
    // What an operator may type: an example, one with a character replaced by others, or anything at all.
    const arbitrary = fc.oneof(
      fc.constantFrom(...given, null, ''),
      fc
        .tuple(fc.constantFrom(...texts, '1'), fc.nat(8), fc.string({ maxLength: 3 }))
        .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1)),
      fc.string({ maxLength: 24 }).filter((text) => !text.includes('\0')),
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.boolean(),
    )
    const context = {
      widgets: lists.widgets,
      entities: catalog.entities,
      dictionary: (key: string) => catalog.dictionaries[key],
      now: () => server.runtime.clock.now(),
    }
    await fc.assert(
      fc.asyncProperty(arbitrary, async (value) => {
        const [verdict] = checkField(entity, entity.fields[name], { [name]: value as Value }, context)
        const { code, errors } = await server.admin.post('/sample/create', {
          values: { name: 'x', [name]: value as Value },
        })
        const found = errors?.find((error) => error.field === name)
        expect({ code, message: found?.message, problem: found?.code }).toEqual(
          verdict
            ? { code: 422, message: verdict.message.cn, problem: verdict.code }
            : { code: 1, message: undefined, problem: undefined },
        )
      }),
      { numRuns: isLong ? 25 : 10, seed: 20260301 },
    )
  })
})
