import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { customerValues } from '../../../tests/customer.ts'
import { batch, customerRow, importFile, planOf, workbook, worker } from '../../../tests/importing.ts'
import { openDatabase } from './database.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ connections: 2 })
})
afterAll(() => house?.close())

describe('inside a transaction', () => {
  it('refuses a second connection', async () => {
    const { kysely, pool } = house.database
    const second = 'A transaction requested a second connection'
    await kysely.transaction().execute(async (db) => {
      await expect(sql`select 1`.execute(kysely)).rejects.toThrow(second)
      await expect(pool.query('select 1')).rejects.toThrow(second)
      await expect(kysely.transaction().execute(async () => undefined)).rejects.toThrow(second)
      await sql`select 1`.execute(db)
    })
    await sql`select 1`.execute(kysely)
  })

  it('grants a second connection where it is only reported, as in production', async () => {
    const onSecond = vi.fn<(error: Error) => void>()
    const database = await openDatabase({ databaseUrl: house.database.url, dataDir: '', onSecond })
    await database.kysely.transaction().execute(() => sql`select 1`.execute(database.kysely))
    await database.close()
    expect(onSecond).toHaveBeenCalledTimes(1)
  })
})

/** So few connections that a second one inside a transaction would be too many. */
describe('several at once on two connections', () => {
  const several = Array.from({ length: isLong ? 10 : 4 }, (_, index) => index)

  it('approve customers, who get a password each', async () => {
    const ids: number[] = []
    for (const _ of several) ids.push(await house.create('/customer', await customerValues(house)))
    const boss = await house.user('boss01', ['customerManager'])
    const answers = await Promise.all(ids.map((id) => boss.post('/customer/agree', { id })))
    expect(answers).toMatchObject(several.map(() => ({ code: 1, result: { succeeded: 1 } })))
    const again = await Promise.all(ids.map((id) => boss.post('/customer/resetPassword', { id })))
    expect(again).toMatchObject(several.map(() => ({ code: 1 })))
  })

  it('create users, and reset their passwords', async () => {
    const users = await Promise.all(several.map((index) => house.user(`many${index}`, ['sales'])))
    const answers = await Promise.all(users.map(({ id }) => house.admin.post('/setting/user/resetPassword', { id })))
    expect(answers).toMatchObject(several.map(() => ({ code: 1 })))
  })

  it('read files, each by a separate worker', async () => {
    const content = await workbook(planOf(house), [customerRow(1), customerRow(2)])
    const ids: number[] = []
    for (const index of several) ids.push(await importFile(house, content, { name: `${index}.xlsx` }))
    await Promise.all(several.map(() => worker(house).drain()))
    for (const id of ids) expect(await batch(house, id)).toMatchObject({ status: 'completed', totalCount: 2 })
  })
})
