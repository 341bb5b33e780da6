import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { uscc } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { lists } from '../../../src/lists.ts'
import type { Catalog, Field, Value } from '../../model/model.ts'
import { createSecrets } from '../postgres/secrets.ts'

const field = (name: string, type: string, options: Record<string, unknown>, rest: Partial<Field> = {}): Field => ({
  name,
  type,
  options,
  label: { cn: name, en: name },
  required: false,
  readOnly: false,
  unique: false,
  sensitive: false,
  ...rest,
})

/** Agencies with one field of each kind that the server protects, and formulas that build on each other. */
function change(catalog: Catalog): Catalog {
  const extra = [
    field('apiKey', 'secret', { maxLength: 4000, multiline: false }),
    field('pin', 'password', {}),
    field('notice', 'rich-text', { max: 20000 }),
    field(
      'customers',
      'integer',
      {},
      { computed: { kind: 'aggregate', function: 'count', entity: 'customer', by: 'agency' } },
    ),
    field('fourfold', 'integer', {}, { computed: { kind: 'formula', formula: 'twofold * 2' } }),
    field('twofold', 'integer', {}, { computed: { kind: 'formula', formula: 'customers * 2' } }),
    field('title', 'text', { maxLength: 60 }, { computed: { kind: 'formula', formula: "code + ' ' + name" } }),
  ]
  for (const field of extra) {
    catalog.entities.agency.fields[field.name] = field
    const stored = !['customers', 'fourfold', 'twofold'].includes(field.name)
    if (stored)
      catalog.tables.agency.columns.push({
        name: field.name,
        type: lists.widgets[field.type].column(field.options)!,
        nullable: true,
      })
  }
  return catalog
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ change })
})
afterAll(() => house?.close())

let count = 0
const make = (values: Record<string, Value>) => {
  count++
  return house.create('/customer/agency', {
    code: `J10${count}`,
    name: `机构${count}`,
    kind: 'partner',
    uscc: uscc(count),
    cities: ['310100'],
    ...values,
  })
}
const read = async (id: number) => (await house.admin.get('/customer/agency/detail', { id })).result
const save = async (id: number, values: Record<string, Value>) =>
  house.admin.post('/customer/agency/update', { id, revision: (await read(id)).revision, values })
const stored = async (id: number, column: string) =>
  (
    await sql<{ value: string }>`select ${sql.ref(column)} as value from agency where id = ${id}`.execute(
      house.database.kysely,
    )
  ).rows[0].value

describe('a secret', () => {
  it('is stored encrypted, never leaves, and stays when left empty or sent back masked', async () => {
    const id = await make({ apiKey: 'sk-top-secret-1234' })
    expect((await read(id)).apiKey).toBe('******1234')
    const kept = await stored(id, 'apiKey')
    expect(kept).not.toContain('top-secret')
    for (const given of [null, '', '******1234'])
      expect((await save(id, { apiKey: given, address: String(given) })).code).toBe(1)
    expect(await stored(id, 'apiKey')).toBe(kept)
    expect(await save(id, { apiKey: 'sk-another-5678' })).toMatchObject({ code: 1 })
    expect((await read(id)).apiKey).toBe('******5678')
    const history = JSON.stringify((await house.admin.get('/customer/agency/history', { id })).result)
    expect(history).toContain('apiKey')
    for (const secret of ['top-secret', 'another', kept]) expect(history).not.toContain(secret)
    const { rows } = await sql<{ text: string }>`select changes::text as text from system_history`.execute(
      house.database.kysely,
    )
    for (const { text } of rows)
      for (const secret of ['top-secret', 'another-5678', kept]) expect(text).not.toContain(secret)
    expect((await house.admin.get('/customer/agency/list', { filters: { apiKey: { empty: false } } })).status).toBe(403)
  })

  it('cannot be read with another key, nor changed unnoticed', () => {
    const secrets = createSecrets(Buffer.alloc(32, 1))
    const encrypted = secrets.encrypt('内容')
    expect(secrets.decrypt(encrypted)).toBe('内容')
    expect(secrets.encrypt('内容')).not.toBe(encrypted)
    expect(() => createSecrets(Buffer.alloc(32, 2)).decrypt(encrypted)).toThrow()
    expect(() => secrets.decrypt(`${encrypted.slice(0, -4)}AAAA`)).toThrow()
  })
})

describe('a password field', () => {
  it('is stored as a hash and never sent', async () => {
    const id = await make({ pin: 'Secret-2026' })
    expect(await stored(id, 'pin')).toMatch(/^scrypt\$/)
    expect(await read(id)).not.toHaveProperty('pin')
    expect((await house.admin.get('/customer/agency/list', {})).result.list[0]).not.toHaveProperty('pin')
    const before = await stored(id, 'pin')
    await save(id, { pin: '', address: '演示路1号' })
    expect(await stored(id, 'pin')).toBe(before)
    await save(id, { pin: 'Another-2026' })
    expect(await stored(id, 'pin')).not.toBe(before)
  })
})

describe('rich text', () => {
  it('is stripped of everything executable', async () => {
    const id = await make({
      notice:
        '<p onclick="x()">你好<script>alert(1)</script><a href="javascript:x()">a</a><img src="https://elsewhere.example.com/a.png"><strong>粗</strong></p>',
    })
    expect((await read(id)).notice).toBe('<p>你好<a rel="noopener noreferrer">a</a><strong>粗</strong></p>')
  })
})

describe('formulas', () => {
  it('are recomputed on write with a column, and on read without', async () => {
    const id = await make({})
    const record = await read(id)
    expect(record).toMatchObject({ title: `${record.code} ${record.name}`, customers: 0, twofold: 0, fourfold: 0 })
    await save(id, { name: '改名机构' })
    expect((await read(id)).title).toBe(`${record.code} 改名机构`)
    const { list } = (
      await house.admin.get('/customer/agency/list', { fields: ['fourfold'], filters: { title: { contains: '改名' } } })
    ).result
    expect(list).toMatchObject([{ id, fourfold: 0 }])
  })
})
