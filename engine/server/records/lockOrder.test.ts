import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog, Update } from '../../model/model.ts'
import { check, customerImport, customerRow, write } from '../../../tests/importing.ts'
import { lockWait } from '../../../tests/lockWait.ts'
import { receiptHouse, type ReceiptHouse } from '../../../tests/receipts.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { apply } from './apply.ts'
import { inWork } from './Work.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer({ change: inOtherOrder })
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

/** A catalog whose files declare updates in the reverse order of names. */
function inOtherOrder(catalog: Catalog): Catalog {
  const { receipt, receiptMatch } = catalog.entities
  const set = { remark: "'changed'" }
  const updates: Update[] = [
    { by: 'customer', entity: 'customer', set },
    { by: 'companyAccount', entity: 'companyAccount', set },
  ]
  receipt.saves.push({ on: 'update', changed: ['summary'], set: {}, append: [], updates, notify: [] })
  receiptMatch.fields = Object.fromEntries(Object.entries(receiptMatch.fields).reverse())
  return catalog
}

interface Stored {
  table: string
  id: number
}

/**
 * Another work holds the first of these records when `act` comes to it, and then wants the others: `act` may hold none
 * of them, or the two would deadlock.
 */
async function expectNoCrossing([first, ...others]: Stored[], act: () => Promise<unknown>) {
  const { pool } = house.database
  const other = await pool.connect()
  const lock = ({ table, id }: Stored) => other.query(`select from ${table} where id = $1 for update nowait`, [id])
  try {
    await other.query('begin')
    await lock(first)
    const acting = act()
    await lockWait(house)
    const crossed: Stored[] = []
    for (const each of others) {
      await other.query('savepoint one')
      await lock(each).catch(async (error: { code: string }) => {
        expect(error.code).toBe('55P03')
        crossed.push(each)
        await other.query('rollback to savepoint one')
      })
    }
    await other.query('rollback')
    await acting
    expect(crossed).toEqual([])
  } finally {
    other.release()
  }
}

async function fund() {
  const customer = await desk.customer()
  const statement = await desk.statement(customer.id, '500.00', '2026-03-12')
  const receipt = await desk.receipt({ customer: customer.id, payerName: '付款客户' })
  return { customer, statement, receipt }
}

test('a receipt and a statement are matched in the same order from both sides', async () => {
  const { statement, receipt } = await fund()
  const fromStatement = async () => {
    const values = { matches: [{ receipt, amount: '50.00' }] }
    expect(await house.admin.post('/settlement/statement/match', { id: statement, values })).toMatchObject({ code: 1 })
  }
  const both = [
    { table: 'receipt', id: receipt },
    { table: 'statement', id: statement },
  ]
  await expectNoCrossing(both, fromStatement)
  const fromReceipt = async () => {
    const values = { matches: [{ statement, amount: '50.00' }] }
    expect(await house.admin.post('/settlement/receipt/match', { id: receipt, values })).toMatchObject({ code: 1 })
  }
  await expectNoCrossing(both, fromReceipt)
})

test("records that a save updates are locked in the order of their entities' names", async () => {
  const { customer, receipt } = await fund()
  const save = async () => {
    const { revision } = await desk.of(receipt)
    const request = { id: receipt, revision, values: { summary: '货款' } }
    expect(await house.admin.post('/settlement/receipt/update', request)).toMatchObject({ code: 1 })
  }
  await expectNoCrossing(
    [
      { table: '"companyAccount"', id: desk.account },
      { table: 'customer', id: customer.id },
    ],
    save,
  )
})

test("records that a new record draws on are locked in the order of their entities' names", async () => {
  const { customer, statement, receipt } = await fund()
  const entity = house.runtime.derived.catalog.entities.receiptMatch
  const record = { receipt, statement, customer: customer.id, amount: '10.00', cancelled: false }
  const change = { entity, record, old: null, action: 'create', effects: [], changed: [] }
  await expectNoCrossing(
    [
      { table: 'receipt', id: receipt },
      { table: 'statement', id: statement },
    ],
    () => inWork(house.context(), { cause: 'system' }, (work) => apply(work, [change])),
  )
})

test('an import is undone in the order of names and ids, not of its rows', async () => {
  const id = await check(
    house,
    [921, 922, 923].map((number) => customerRow(number)),
  )
  await write(house, id)
  const { rows } = await house.database.pool.query<{ table: string; id: number }>(
    `select distinct entity as table, record_id as id from system_history
      where work in (select work from system_history where entity = 'customer' and action = 'import') order by 1, 2`,
  )
  const written = rows.map((row) => ({ table: `"${row.table}"`, id: Number(row.id) }))
  expect(written.map(({ table }) => table)).toEqual([
    ...Array.from({ length: 3 }, () => '"customer"'),
    ...Array.from({ length: 3 }, () => '"customerApproval"'),
  ])
  await expectNoCrossing(written, async () =>
    expect(await house.admin.post(`${customerImport}/undo`, { id })).toMatchObject({ code: 1 }),
  )
})
