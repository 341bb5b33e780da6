import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptHouse } from '../../../tests/receipts.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server?.close())

type Entry = Record<'entity' | 'recordId' | 'message', unknown>

test('logs a suggestion like a list: once for each request that shows sensitive values', async () => {
  const desk = await receiptHouse(server)
  const id = await desk.receipt()
  let shown = false
  Object.assign(server.runtime.procedures, {
    suggestInvoice: async () => ({ values: shown ? { receiverMobile: '13800000001' } : {} }),
    suggestCustomer: async () => ({ values: shown ? { payerAccount: '9900880000000099' } : {} }),
  })
  const log = async (filters: object) =>
    (await server.admin.get('/setting/operationLog/list', { filters, size: 100, sort: '-id' })).result.list as Entry[]
  const looks = async () => {
    const suggested = await server.admin.post('/settlement/invoice/suggest', { values: {}, typed: [], parameters: {} })
    const prepared = await server.admin.post('/settlement/receipt/claim/prepare', { id })
    expect([suggested, prepared]).toMatchObject([{ code: 1 }, { code: 1 }])
    return (await log({ action: { in: ['viewSensitive'] }, entity: { in: ['invoice', 'receipt'] } })).map(
      ({ entity, recordId, message }) => ({ entity, recordId, message }),
    )
  }
  expect(await looks()).toEqual([])
  shown = true
  const logged = [
    { entity: 'receipt', recordId: null, message: `×1 id ${id}` },
    { entity: 'invoice', recordId: null, message: '×1' },
  ]
  expect(await looks()).toEqual(logged)
  expect(await looks()).toEqual([...logged, ...logged])
})
