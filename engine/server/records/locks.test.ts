import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import { check, customerImport, customerRow, rows, worker } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const somebodyWaits = () =>
  expect
    .poll(
      async () =>
        (
          await house.database.pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rowCount,
    )
    .toBe(1)

/** Which of these records `act` has locked when it waits for the first of them, which another transaction holds. */
async function lockedBefore(table: string, [first, ...others]: number[], act: () => Promise<unknown>) {
  const { pool } = house.database
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from ${table} where id = $1 for update`, [first])
    const acting = act()
    await somebodyWaits()
    const { rows } = await pool.query(`select id from ${table} where id = any($1) for update skip locked`, [others])
    await holder.query('rollback')
    await acting
    const free = rows.map(({ id }) => Number(id))
    return others.filter((id) => !free.includes(id))
  } finally {
    holder.release()
  }
}

test('a moved node and its new neighbours are locked in the order of their ids', async () => {
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
  // Neither the order in the table nor that of the keys is the order of ids.
  await house.database.pool.query('update customer set remark = remark where id = $1', [customers[0]])
  const changed = cells.map((row, index) => ({ ...row, remark: `更新${index}` }))
  const id = await check(house, changed.toReversed(), { updateExisting: true })
  expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
  expect(await lockedBefore('customer', customers, () => worker(house).drain())).toEqual([])
  const { result } = await house.admin.get('/customer/detail', { id: customers[0] })
  expect(result.remark).toBe('更新4')
})

test('a row of a file is not written if the record that it refers to is deleted meanwhile', async () => {
  const agency = await house.create('/customer/agency', {
    code: 'J950',
    name: '将删除机构',
    kind: 'partner',
    uscc: uscc(90_950),
    cities: ['310100'],
  })
  const id = await check(house, [customerRow(910, { agency: 'J950' })])
  expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
  const deleting = await house.database.pool.connect()
  try {
    await deleting.query('begin')
    await deleting.query('select from agency where id = $1 for update', [agency])
    await deleting.query('update agency set "deletedAt" = now() where id = $1', [agency])
    const writing = worker(house).drain()
    await somebodyWaits()
    await deleting.query('commit')
    await writing
  } finally {
    deleting.release()
  }
  const [row] = await rows(house, id)
  expect(row).toMatchObject({ rowStatus: 'failed', target: null })
  expect(row.errors).toMatchObject([{ code: 'reference', message: { cn: '服务机构编号“J950”不存在或已停用' } }])
})
