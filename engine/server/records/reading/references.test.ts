import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../../tests/server.ts'
import { statementsOf } from '../../../../tests/statementsOf.ts'
import { systemUser } from '../../identity/access.ts'
import { createContext } from '../../identity/session.ts'
import { readReferences, type ReferenceValues } from './references.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('reads referenced records in one query, with the names above a node of a tree', async () => {
  const { pool, kysely } = house.database
  const {
    rows: [place],
  } = await pool.query(`select r.id, r.code, r.name, p.name as parent, g.name as grandparent
    from region r join region p on p.id = r.parent join region g on g.id = p.parent order by r.id limit 1`)
  const {
    rows: [user],
  } = await pool.query('select id, "realName" as name from "user" order by id limit 1')
  const wanted = new Map([
    ['region', new Set([place.id, -1])],
    ['user', new Set([user.id])],
    ['agency', new Set<number>()],
  ])
  let values: ReferenceValues
  const statements = await statementsOf(async () => {
    values = await readReferences(createContext(house.runtime, systemUser, 'cn'), kysely, wanted)
  })
  expect(statements).toBe(1)
  expect([...values!.get('region')!.values()]).toEqual([
    { id: place.id, code: place.code, name: place.name, path: [place.grandparent, place.parent, place.name] },
  ])
  expect(values!.get('user')!.get(user.id)).toMatchObject({ id: user.id, name: user.name })
  expect(values!.get('agency')).toBeUndefined()
})
