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

/** What a formula of the contacts, and one of the customer over them, have stored. */
const stored = async () =>
  (
    await sql<{ operator: string | null; operators: string | null; revision: number; updatedAt: string }>`
  select operator, operators, customer.revision, customer."updatedAt" from customer join "customerContact" on customer = customer.id where customer.id = ${id}`.execute(
      house.database.kysely,
    )
  ).rows[0]

let edits = 0
/** Reads the files again, as they are with another formula of the contacts. */
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

it('is worked out in the records that are there when a formula comes, and when it changes, and nobody has edited them', async () => {
  await reload('mobile.substring(0, 3)')
  const first = await stored()
  expect(first).toMatchObject({ operator: '154', operators: '154', revision: 1 })
  await reload('mobile.substring(0, 2)')
  expect(await stored()).toEqual({ ...first, operator: '15', operators: '15' })
  expect((await house.admin.get('/customer/history', { id })).result.list).toHaveLength(1)
})

it('leaves alone what is known to be of the same formulas, and works out what is not known to be', async () => {
  await sql`update customer set operators = 'old' where id = ${id}`.execute(house.database.kysely)
  expect(await applyFormulas(house.runtime)).toBe(0)
  await sql`comment on column customer.operators is null`.execute(house.database.kysely)
  expect(await applyFormulas(house.runtime)).toBe(1)
  expect(await stored()).toMatchObject({ operators: '15' })
})

it('forgets a formula that goes, and works it out when it is back', async () => {
  await reload(undefined)
  await sql`update "customerContact" set operator = 'typed'`.execute(house.database.kysely)
  await reload('mobile.substring(0, 2)')
  expect(await stored()).toMatchObject({ operator: '15', operators: '15' })
})

it('is worked out for deleted records too: history shows them', async () => {
  await sql`update customer set "deletedAt" = now() where id = ${id}`.execute(house.database.kysely)
  await reload('mobile.substring(0, 1)')
  expect(await stored()).toMatchObject({ operators: '1' })
})
