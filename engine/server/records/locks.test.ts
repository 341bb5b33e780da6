import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerImport, customerRow, worker } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

/** Which of these records `act` has locked when it comes to the first of them, which somebody else holds. */
async function lockedBefore(table: string, [first, ...others]: number[], act: () => Promise<unknown>) {
  const { pool } = house.database
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from ${table} where id = $1 for update`, [first])
    const acting = act()
    await expect
      .poll(
        async () =>
          (
            await pool.query(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rowCount,
        { timeout: 60_000 },
      )
      .toBe(1)
    const { rows } = await pool.query(`select id from ${table} where id = any($1) for update skip locked`, [others])
    await holder.query('rollback')
    await acting
    const free = rows.map(({ id }) => Number(id))
    return others.filter((id) => !free.includes(id))
  } finally {
    holder.release()
  }
}

test('a node that is moved, and its new neighbours, are locked in the order of their ids', async () => {
  const above = await house.create('/setting/department', { name: '移动部' })
  const make = (name: string) => house.create('/setting/department', { name, parent: above })
  const nodes = [await make('甲组'), await make('乙组'), await make('丙组')]
  const move = async () =>
    expect(
      await house.admin.post('/setting/department/order', { id: nodes[2], parent: above, before: nodes[0] }),
    ).toMatchObject({ code: 1 })
  expect(await lockedBefore('department', nodes, move)).toEqual([])
})

test('records that an import updates are locked in the order of their ids', async () => {
  const cells = [901, 902, 903, 904, 905].map((number) => customerRow(number))
  const customers = []
  for (const { uscc } of cells.toReversed())
    customers.push(await house.create('/customer', await customerValues(house, { uscc: uscc as string })))
  // Neither where they lie in the table nor their keys are in the order of their ids.
  await house.database.pool.query('update customer set remark = remark where id = $1', [customers[0]])
  const changed = cells.map((row, index) => ({ ...row, remark: `更新${index}` }))
  const id = await check(house, changed.toReversed(), { updateExisting: true })
  expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
  expect(await lockedBefore('customer', customers, () => worker(house).drain())).toEqual([])
  const { result } = await house.admin.get('/customer/detail', { id: customers[0] })
  expect(result.remark).toBe('更新4')
})
