/** A number that is computed from large ones may have more digits than any field stores. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('work injuries are listed, whatever their fees add up to', async () => {
  const { pool } = house.database
  const { rows } = await pool.query(`insert into "workInjury" ("injuryNo") values ('GS1') returning id`)
  await pool.query(`insert into "workInjuryFee" ("workInjury", amount) values ($1, '99999999999999.99'), ($1, '5')`, [
    rows[0].id,
  ])
  const { code, message, result } = await house.admin.get('/staff/workInjury/list', { sort: 'feeTotal' })
  expect({ code, message }).toEqual({ code: 1, message: '' })
  expect(result.list.map((row: Record<string, unknown>) => row.feeTotal)).toEqual(['100000000000004.99'])
})
