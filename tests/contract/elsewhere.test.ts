/**
 * The widgets whose value is stored in another table or in a file, or is never returned, against the running server.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import { checkField } from '../../engine/expression/verdict.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { Catalog, Entity, RecordData, Value } from '../../engine/model/model.ts'
import { lists } from '../../src/lists.ts'
import { picture, upload } from '../customer.ts'
import { createTestServer } from '../server.ts'
import type { TestServer } from '../server.ts'
import { cases, isElsewhere, label } from './widgets.ts'
import type { Case } from './widgets.ts'

const elsewhere = cases.filter(isElsewhere)
const nameOf = (type: string) => `${type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Value`

/** A field of that type with the first options of its examples, which refers to entities of this test. */
function fieldOf({ type, widget, options: [options], examples }: Case): object {
  const target = widget.target?.(options)
  return {
    type,
    label,
    ...examples.options[0],
    ...(target && (target.rows ? { entity: 'part', by: 'sample', columns: ['name', 'mobile'] } : { entity: 'target' })),
  }
}

function sampleCatalog(): Catalog {
  const named = { label, display: 'name', fields: { name: { type: 'text', label } } }
  const entities = {
    sample: {
      ...named,
      endpoint: '/sample',
      fields: { ...named.fields, ...Object.fromEntries(elsewhere.map((each) => [nameOf(each.type), fieldOf(each)])) },
    },
    target: {
      ...named,
      endpoint: '/target',
      tree: { parent: 'parent' },
      fields: { ...named.fields, parent: { type: 'tree', entity: 'target', label } },
    },
    part: {
      ...named,
      rowOf: 'sample',
      fields: {
        ...named.fields,
        mobile: { type: 'phone', label },
        sample: { type: 'reference', entity: 'sample', label },
      },
    },
  }
  const { catalog, issues } = compile(
    [
      ...readSchemas('schemas'),
      ...Object.entries(entities).map(([name, content]) => ({
        path: `schemas/setting/${name}.entity.json`,
        text: JSON.stringify(content),
      })),
    ],
    lists,
  )
  if (!catalog) throw new Error(JSON.stringify(issues, null, 1))
  return catalog
}

let server: TestServer
let entity: Entity
let catalog: Catalog
/** The ids of records to refer to. */
let targets: number[]
beforeAll(async () => {
  catalog = sampleCatalog()
  entity = catalog.entities.sample
  server = await createTestServer({ change: () => catalog })
  targets = []
  for (const name of ['甲', '乙']) targets.push(await server.create('/target', { name }))
})
afterAll(() => server.close())

async function kept(values: RecordData): Promise<RecordData> {
  const id = await server.create('/sample', { name: 'x', ...(values as Record<string, Value>) })
  return (await server.admin.get<RecordData>('/sample/detail', { id })).result
}

/** Sends a value, and expects in return as much of it as may be shown. */
async function roundTrip({ type, widget, options: [options], examples }: Case): Promise<void> {
  const name = nameOf(type)
  const target = widget.target?.(options)
  if (target?.rows) {
    const rows = [
      { name: '周演', mobile: '15400000018' },
      { name: '吴启', mobile: null },
    ]
    expect(
      ((await kept({ [name]: rows }))[name] as RecordData[]).map(({ name, mobile }) => ({ name, mobile })),
    ).toEqual(rows)
  } else if (target) {
    const ids = target.many ? targets : targets[0]
    const back = (await kept({ [name]: ids }))[name]
    expect([back].flat()).toMatchObject([ids].flat().map((id, index) => ({ id, name: ['甲', '乙'][index] })))
  } else if (widget.files) {
    const { extensions } = options as { extensions: string[] }
    const [fileName, content] = extensions.includes('.pdf')
      ? (['合同.pdf', Buffer.from('%PDF-1.4\n%%EOF\n')] as const)
      : (['营业执照.png', picture] as const)
    const {
      result: { url },
    } = await upload(server, server.admin, fileName, content)
    const value = [{ url, name: fileName, size: content.length, status: 'success' }]
    expect((await kept({ [name]: value }))[name]).toMatchObject(value)
  } else if (widget.series) {
    const refused = await server.admin.post('/sample/create', {
      values: { name: 'x', [name]: examples.good[0].given as Value },
    })
    expect(refused).toMatchObject({ code: 422, errors: [{ field: name }] })
    const [first, second] = [(await kept({}))[name], (await kept({}))[name]]
    for (const made of [first, second])
      expect(
        widget.check(made, options, {
          label,
          dictionary: () => {
            throw new Error('none')
          },
          now: () => '',
        }),
      ).toBeUndefined()
    expect(second).not.toBe(first)
  } else {
    for (const { given } of examples.good.filter(({ given: value }) => !String(value).startsWith('***'))) {
      const back = (await kept({ [name]: given as Value }))[name]
      const canonical = widget.normalize(given, options) as string
      if (widget.protect === 'hash') expect(back ?? null).toBeNull()
      else expect(back).toBe(`******${canonical.slice(-4)}`)
      expect(JSON.stringify(back ?? '')).not.toContain(canonical)
    }
  }
}

test('the widgets with a value stored elsewhere are exactly these', () => {
  expect(elsewhere.map(({ type }) => type).sort()).toEqual([
    'file',
    'image',
    'number-series',
    'password',
    'reference',
    'references',
    'rows',
    'secret',
    'tree',
  ])
})

describe.each(elsewhere)('$type', (each) => {
  test('returns from the database as it was sent, or as much of it as may be shown', () => roundTrip(each))

  test('the form and the server give the same verdict', async () => {
    const {
      type,
      widget,
      options: [options],
      examples,
    } = each
    const name = nameOf(type)
    const context = {
      widgets: lists.widgets,
      entities: catalog.entities,
      dictionary: (key: string) => catalog.dictionaries[key],
      now: () => server.runtime.clock.now(),
    }
    const bad = examples.bad.filter(({ with: index = 0 }) => index === 0)
    expect(bad.length).toBeGreaterThan(0)
    for (const { given } of bad) {
      const answer = await server.admin.post('/sample/create', { values: { name: 'x', [name]: given as Value } })
      const [verdict] = checkField(
        entity,
        entity.fields[name],
        { [name]: widget.normalize(given, options) as Value },
        context,
      )
      expect(answer, JSON.stringify(given)).toMatchObject({
        code: 422,
        errors: [{ field: expect.stringContaining(name) as string }],
      })
      // A number of a series is never accepted from a client.
      if (!widget.series)
        expect(answer.errors![0], JSON.stringify(given)).toMatchObject({
          code: verdict.code,
          message: verdict.message.cn,
        })
    }
  })
})
