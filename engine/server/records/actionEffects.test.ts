import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog } from '../../model/model.ts'
import { receiptHouse, type ReceiptHouse } from '../../../tests/receipts.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer({ change })
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

/** Another field that the claim of a receipt sets, and an action that changes only its customer. */
function change(catalog: Catalog): Catalog {
  const { actions } = catalog.entities.receipt
  actions.claim.set = { summary: "'claimed'" }
  actions.markCustomer = {
    ...actions.claim,
    name: 'markCustomer',
    run: undefined,
    prepare: undefined,
    when: undefined,
    form: [],
    set: {},
    append: [],
    notify: [],
    updates: [{ by: 'customer', entity: 'customer', set: { remark: "'marked'" } }],
  }
  return catalog
}

test('an action sets its fields even if its procedure acts', async () => {
  const { id: customer } = await desk.customer()
  const receipt = await desk.receipt({ payerName: '未知付款人' })
  expect(await house.admin.post('/settlement/receipt/claim', { id: receipt, values: { customer } })).toMatchObject({
    code: 1,
  })
  expect(await desk.of(receipt)).toMatchObject({
    customer: { id: customer },
    summary: 'claimed',
  })
})

test('an action that only changes other records changes them', async () => {
  const { id: customer } = await desk.customer()
  const receipt = await desk.receipt({ customer })
  expect(await house.admin.post('/settlement/receipt/markCustomer', { id: receipt })).toMatchObject({ code: 1 })
  const { rows } = await house.database.pool.query('select remark from customer where id = $1', [customer])
  expect(rows).toEqual([{ remark: 'marked' }])
})
