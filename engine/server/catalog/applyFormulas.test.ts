import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog, Field } from '../../model/model.ts'
import { applyFormulas } from './applyFormulas.ts'
import { reloadSchemas } from '../http/reload.ts'

let house: TestServer
let id: number
beforeAll(async () => {
  house = await createTestServer()
  id = await house.create(
    '/customer',
    await customerValues(house, { contacts: [{ name: '周宁', mobile: '15411112222', kind: ['hr'], primary: true }] }),
  )
})
afterAll(() => house?.close())

/** The stored values of a formula of the contact, and of a formula of the customer over its contacts. */
const stored = async () =>
  (
    await sql<{ operator: string | null; operators: string | null; revision: number; updatedAt: string }>`
  select operator, operators, customer.revision, customer."updatedAt" from customer join "customerContact" on customer = customer.id where customer.id = ${id}`.execute(
      house.database.kysely,
    )
  ).rows[0]

let edits = 0
/** Reloads the files with another formula of the contact. */
async function reload(formula: string | undefined) {
  const catalog = structuredClone(house.runtime.derived.catalog)
  catalog.hash = `edit ${++edits}`
  const { customer, customerContact } = catalog.entities
  const add = (entity: Catalog['entities'][string], name: string, text: string | undefined) => {
    entity.fields[name] = {
      ...catalog.entities.agency.fields.address,
      name,
      required: false,
      computed: text === undefined ? undefined : { kind: 'formula', formula: text },
    } as Field
    const { columns } = catalog.tables[entity.name]
    if (!columns.some((column) => column.name === name)) columns.push({ name, type: 'text', nullable: true })
  }
  add(customerContact, 'operator', formula)
  add(customer, 'operators', "contacts.map(c, c.operator).join('')")
  expect(await reloadSchemas(house.runtime, () => ({ catalog, issues: [] }))).toEqual([])
}

it('computes a new or changed formula in existing records without counting as an edit', async () => {
  await reload('mobile.substring(0, 3)')
  const first = await stored()
  expect(first).toMatchObject({ operator: '154', operators: '154', revision: 1 })
  await reload('mobile.substring(0, 2)')
  expect(await stored()).toEqual({ ...first, operator: '15', operators: '15' })
  expect((await house.admin.get('/customer/history', { id })).result.list).toHaveLength(1)
})

it('skips entities whose formulas are recorded as current, and recomputes those without a record', async () => {
  await sql`update customer set operators = 'old' where id = ${id}`.execute(house.database.kysely)
  expect(await applyFormulas(house.runtime)).toBe(0)
  await sql`comment on column customer.operators is null`.execute(house.database.kysely)
  expect(await applyFormulas(house.runtime)).toBe(1)
  expect(await stored()).toMatchObject({ operators: '15' })
})

it('forgets a removed formula, and recomputes it when it returns', async () => {
  await reload(undefined)
  await sql`update "customerContact" set operator = 'typed'`.execute(house.database.kysely)
  await reload('mobile.substring(0, 2)')
  expect(await stored()).toMatchObject({ operator: '15', operators: '15' })
})

it('recomputes deleted records too, because history shows them', async () => {
  await sql`update customer set "deletedAt" = now() where id = ${id}`.execute(house.database.kysely)
  await reload('mobile.substring(0, 1)')
  expect(await stored()).toMatchObject({ operators: '1' })
})
