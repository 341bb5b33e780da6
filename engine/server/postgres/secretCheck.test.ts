import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { checkSecretKey } from './secretCheck.ts'
import { createSecrets, secretKey } from './secrets.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const check = (secrets = createSecrets(Buffer.alloc(32, 'another'))) => {
  const { database, derived, widgets } = house.runtime
  return checkSecretKey({ database, secrets, catalog: derived.catalog, widgets })
}

it("refuses a key other than the database's, and accepts the same key again", async () => {
  await check(house.runtime.secrets)
  await expect(check()).rejects.toThrow(/is not the key that the secrets of this database/)
})

it('checks the key of an older database by the values encrypted in it', async () => {
  const { entities, tables } = house.runtime.derived.catalog
  const [entity, field] = Object.values(entities)
    .flatMap((each) => Object.values(each.fields).map((two) => [each, two] as const))
    .find(([{ name }, { type }]) => house.runtime.widgets[type].protect === 'encrypt' && tables[name])!
  await sql`delete from system_secret`.execute(house.database.kysely)
  const { numAffectedRows } = await sql`update ${sql.table(tables[entity.name].name)}
    set ${sql.ref(field.name)} = ${house.runtime.secrets.encrypt('kept')}`.execute(house.database.kysely)
  expect(Number(numAffectedRows)).toBeGreaterThan(0)
  await expect(check()).rejects.toThrow(/is not the key that the secrets of this database/)
  await check(house.runtime.secrets)
})

it('accepts only a valid key from a setting', () => {
  const text = Buffer.alloc(32, 'given').toString('base64')
  expect(secretKey('/nowhere', text)).toEqual(Buffer.alloc(32, 'given'))
  expect(() => secretKey('/nowhere', 'short')).toThrow('SECRET_KEY is not a key of 32 bytes')
})
