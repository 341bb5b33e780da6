import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entity } from '../engine/model/model.ts'
import uses from '../src/procedures/uses.json' with { type: 'json' }
import { createTestServer, type TestServer } from './server.ts'
import { receiptHouse, type ReceiptHouse } from './receipts.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

/** As sent by a program that knows nothing of keys. */
const bare = { 'idempotency-key': '' }
const twice = async (path: string, body: object, headers: Record<string, string> = bare) => [
  (await house.admin.post(path, body, headers)).code,
  (await house.admin.post(path, body, headers)).code,
]
const receipts = async (payerName: string) =>
  (await house.admin.get('/settlement/receipt/list', { filters: { payerName: { equals: payerName } } })).result.total

describe('a request sent twice', () => {
  it('is executed once, with and without a key', async () => {
    const values = desk.values({ method: 'cash', bankSerialNo: null, payerName: '现金付款人' })
    expect(await twice('/settlement/receipt/create', { values })).toEqual([1, 409])
    expect(await receipts('现金付款人')).toBe(1)
    const { message } = await house.admin.post('/settlement/receipt/create', { values }, bare)
    expect(message).toContain('Idempotency-Key')
    expect(await twice('/settlement/receipt/create', { values }, { 'idempotency-key': 'cash' })).toEqual([1, 1])
    expect(await receipts('现金付款人')).toBe(2)
  })

  it('is executed once even if both arrive together', async () => {
    const values = desk.values({ method: 'cash', bankSerialNo: null, payerName: '同时付款人' })
    const send = () => house.admin.post('/settlement/receipt/create', { values }, bare)
    const codes = (await Promise.all([send(), send(), send()])).map(({ code }) => code)
    expect(codes.toSorted((a, b) => a - b)).toEqual([1, 409, 409])
    expect(await receipts('同时付款人')).toBe(1)
  })

  it('is executed again after a while, and after a refusal', async () => {
    const values = desk.values({ method: 'cash', bankSerialNo: null, payerName: '稍后付款人' })
    const send = (given: object = values) => house.admin.post('/settlement/receipt/create', { values: given }, bare)
    const wrong = { ...values, amount: '-1.00' }
    expect([(await send(wrong)).code, (await send(wrong)).code]).toEqual([422, 422])
    expect((await send()).code).toBe(1)
    await house.database.pool.query(`update system_request set at = at - interval '11 minutes'`)
    expect((await send()).code).toBe(1)
    expect((await send()).code).toBe(409)
    expect(await receipts('稍后付款人')).toBe(2)
  })

  it('that draws on a record is stale or recognised the second time', async () => {
    const customer = await desk.customer()
    const statement = await desk.statement(customer.id, '500.00', '2026-03-12')
    const id = await desk.receipt({ customer: customer.id, payerName: '退款客户' })
    const values = {
      amount: '100.00',
      receivedDate: '2026-03-11',
      companyAccount: desk.account,
      remark: '多付退回',
    }
    expect(await twice('/settlement/receipt/refund', { id, values })).toEqual([1, 409])
    expect(await desk.of(id)).toMatchObject({ refundedAmount: '100.00' })
    const match = { id, values: { matches: [{ statement, amount: '50.00' }] } }
    expect(await twice('/settlement/receipt/match', match)).toEqual([1, 409])
    const { revision } = await desk.of(id)
    expect(await twice('/settlement/receipt/match', { ...match, revision })).toEqual([1, 409])
    expect(await desk.of(id)).toMatchObject({ matchedAmount: '100.00' })
  })

  it('is declared as such wherever a record is created that draws on another', () => {
    const drawing = (entity: Entity) => Object.values(entity.fields).filter(({ draws }) => draws)
    const drawers = new Map(entities().map((entity) => [entity.name, drawing(entity).map(({ name }) => name)]))
    const undeclared = entities().flatMap((entity) => {
      const made = entity.allow.create === false || entity.rowOf ? [] : [entity, ...rowsOf(entity)]
      const creates = made.some(({ name, ...action }) =>
        Object.values(action.fields).some(({ draws, readOnly }) => draws && !readOnly),
      )
      const draws = Object.values(entity.actions).filter(({ run = '' }) =>
        Object.entries((uses as Record<string, Record<string, string[]>>)[run] ?? {}).some(([name, fields]) =>
          drawers.get(name)?.some((field) => fields.some((used) => used.replace(/\?$/, '') === field)),
        ),
      )
      return [...(creates ? ['create'] : []), ...draws.map(({ name }) => name)]
        .filter((name) => !entity.once?.includes(name))
        .map((name) => `${entity.name}.${name}`)
    })
    // These are refused the second time, because the first changes the state.
    expect(undeclared).toEqual(['payLine.reissue', 'receiptMatch.unmatch'])
  })
})

describe('the client', () => {
  it('sends requests through one HTTP client, which adds a key to each write', () => {
    const sources = ['src', 'engine/client', 'engine/widgets', 'engine/screens']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
      )
      .filter((path) => /(?<!\.test|\.d)\.tsx?$/.test(path) && !/^src\/(commands|procedures|demo)\//.test(path))
    const sending = sources.filter((path) =>
      /\bfetch\(|\baxios\b|XMLHttpRequest|sendBeacon|WebSocket/.test(readFileSync(path, 'utf8')),
    )
    expect(sending.toSorted()).toEqual([
      'engine/client/request.ts',
      // In development: opens a place in the editor.
      'src/desk/editor.ts',
      // Signs in and out: a key belongs to a user, and nobody is signed in here.
      'src/session/legacy.ts',
      // Reads the first data of a page before the client is loaded.
      'src/session/prefetchSession.ts',
      // Reads what the sign-in page shows.
      'src/session/useProductTitle.ts',
    ])
  })
})

const entities = () => Object.values(house.runtime.derived.catalog.entities)
const rowsOf = ({ name }: Entity) => entities().filter(({ rowOf }) => rowOf?.entity === name)
