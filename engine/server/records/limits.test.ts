import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { type SentQuery, queriesBy, fill, scans } from '../../../tests/plans.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { RecordData } from '../../model/model.ts'
import { systemUser } from '../identity/access.ts'
import { createContext } from '../identity/session.ts'
import type { Context } from '../runtime.ts'
import type { SessionUser } from '../SessionUser.ts'
import { limitMessage } from './limitMessage.ts'
import { keepLimits } from './limits.ts'
import type { Work } from './Work.ts'

let house: TestServer
let context: Context
beforeAll(async () => {
  house = await createTestServer({ indexed: true })
  context = createContext(house.runtime, systemUser, 'cn')
})
afterAll(() => house?.close())

const isOfLimit = (statement: string) => statement.includes(' as own')

test('finds records that share a limit by an index, however many records there are', async () => {
  const queries: { table: string; proposal: SentQuery }[] = []
  for (const entity of Object.values(context.derived.catalog.entities)) {
    // A limit over all records has nothing to look up.
    const limits = entity.limits.filter(({ within }) => within.length > 0)
    const change = { entity: { ...entity, limits }, record: { id: 1 } as RecordData, old: null }
    const found = await queriesBy(
      house,
      (db) => keepLimits({ context, db } as unknown as Work, [change]),
      ({ sql }) => (isOfLimit(sql) ? [] : [{ id: 1, empty: [false, false, false] }]),
    )
    queries.push(...found.filter(({ sql }) => isOfLimit(sql)).map((each) => ({ table: entity.name, proposal: each })))
  }
  expect(queries.length).toBeGreaterThan(30)
  const client = await house.database.pool.connect()
  const found: string[] = []
  try {
    await client.query('begin')
    for (const table of new Set(queries.map((each) => each.table))) await fill(context, client, table)
    for (const { table, proposal } of queries) found.push(...(await scans(client, table, proposal)))
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(found).toEqual([])
})

test('names the records in the way, but none that the user does not see', async () => {
  const entity = context.derived.catalog.entities.customer
  const message = { cn: '已有{name}', en: 'It exists: {name}' }
  const limit = { where: {}, max: 2, within: [], at: 'name', message }
  for (const name of ['青禾', '白露', '霜降']) await house.create('/customer', await customerValues(house, { name }))
  const messageFor = (user: SessionUser) =>
    limitMessage(
      { context: createContext(house.runtime, user), db: house.database.kysely },
      entity,
      limit,
      sql<boolean>`t.name in ('白露', '霜降')`,
    )
  expect(await messageFor({ ...systemUser, id: 1 })).toEqual({ cn: '已有白露、霜降', en: 'It exists: 白露, 霜降' })
  expect(await messageFor(systemUser), 'whose reasons many read').toEqual({ cn: '已有', en: 'It exists' })
  const stranger = { ...systemUser, id: 999_999, roles: [], dataScope: 'self' as const }
  expect(await messageFor(stranger)).toEqual({ cn: '已有', en: 'It exists' })
  const seller = { ...systemUser, id: 999_999, roles: [], permissions: ['customer:customer:add'] }
  expect(await messageFor(seller), 'without the permission to see them').toEqual({ cn: '已有', en: 'It exists' })
})
