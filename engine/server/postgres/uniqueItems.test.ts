import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { applyTables, LossyChangesError, planChanges } from './tables.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const make = async (payerNames: string[]) => house.create('/customer', await customerValues(house, { payerNames }))
const update = (id: number, payerNames: string[] | null, revision = 1) =>
  house.admin.post('/customer/update', { id, revision, values: { payerNames } })

describe('unique items of a list', () => {
  it('belong to one record alone, and the message is at the field', async () => {
    const id = await make(['启澜控股', '启澜投资'])
    const answer = await house.admin.post('/customer/create', {
      values: await customerValues(house, { payerNames: ['若谷控股', '启澜投资'] }),
    })
    expect(answer).toMatchObject({
      status: 422,
      errors: [{ field: 'payerNames', code: 'unique', message: '付款户名别名“启澜投资”已存在' }],
    })
    const other = await make(['若谷控股'])
    expect(await update(other, ['若谷控股', '启澜控股'])).toMatchObject({
      status: 422,
      errors: [{ field: 'payerNames', message: '付款户名别名“启澜控股”已存在' }],
    })
    expect(await update(id, ['启澜投资', '启澜实业'])).toMatchObject({ code: 1 })
    expect(await update(other, ['若谷控股', '启澜控股'])).toMatchObject({ code: 1 })
  })

  it.skipIf(!isLong)('are free again when their record is deleted or gives them up', async () => {
    const id = await make(['沐禾控股', '沐禾投资'])
    expect(await update(id, ['沐禾投资'])).toMatchObject({ code: 1 })
    const second = await make(['沐禾控股'])
    expect(await house.admin.post('/customer/delete', { ids: [id, second] })).toMatchObject({
      result: { succeeded: 2 },
    })
    await make(['沐禾控股', '沐禾投资'])
  })

  it('stay unique however many write at once', async () => {
    for (let round = 0; round < 6; round++) {
      const values = await Promise.all(
        Array.from({ length: 5 }, (_, each) =>
          customerValues(house, { payerNames: [`同时${round}`, `各自${round}-${each}`] }),
        ),
      )
      const answers = await Promise.all(values.map((each) => house.admin.post('/customer/create', { values: each })))
      expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([1, 422, 422, 422, 422])
      expect(answers.find(({ code }) => code === 422)!.errors).toMatchObject([{ field: 'payerNames', code: 'unique' }])
    }
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from (select item from customer, jsonb_array_elements_text("payerNames") as item
      where "deletedAt" is null group by item having count(*) > 1) as double`.execute(house.database.kysely)
    expect(rows[0].n).toBe(0)
  })

  it('are checked while they are typed', async () => {
    const id = await make(['朗浔控股'])
    const free = async (value: unknown, query = {}) =>
      (await house.admin.get('/customer/unique', { field: 'payerNames', value, ...query })).result.unique
    expect([await free(['朗浔实业', '朗浔控股']), await free(['朗浔实业']), await free(['朗浔控股'], { id })]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('existing records', () => {
  const tables = () => house.runtime.derived.catalog.tables

  it('are included when a field becomes unique, and nothing is done a second time', async () => {
    const id = await make(['铭野控股'])
    await sql`drop table system_unique_item`.execute(house.database.kysely)
    await applyTables(house.database, tables())
    expect((await planChanges(house.database, tables())).additive).toEqual([])
    expect(
      await house.admin.post('/customer/create', { values: await customerValues(house, { payerNames: ['铭野控股'] }) }),
    ).toMatchObject({ status: 422 })
    expect(await update(id, ['铭野控股', '铭野投资'])).toMatchObject({ code: 1 })
    await make(['驰野控股'])
  })

  it('prevent the change if they share an item', async () => {
    const [first, second] = [await make(['霁川控股']), await make(['沃町控股'])]
    await sql`update customer set "payerNames" = '["霁川控股"]' where id = ${second}`.execute(house.database.kysely)
    const refused = await applyTables(house.database, tables()).catch((error: unknown) => error)
    expect((refused as LossyChangesError).changes).toMatchObject([
      { table: 'customer', column: 'payerNames', rows: 2, why: 'the values are to be unique and are not' },
    ])
    await sql`update customer set "payerNames" = null where id = ${first}`.execute(house.database.kysely)
    await applyTables(house.database, tables())
    expect(
      (await house.admin.get('/customer/unique', { field: 'payerNames', value: ['霁川控股'], id: second })).result,
    ).toEqual({ unique: true })
  })
})
