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

/** As a program sends it that knows nothing of keys. */
const bare = { 'idempotency-key': '' }
const twice = async (path: string, body: object, headers: Record<string, string> = bare) => [
  (await house.admin.post(path, body, headers)).code,
  (await house.admin.post(path, body, headers)).code,
]
const receipts = async (payerName: string) =>
  (await house.admin.get('/settlement/receipt/list', { filters: { payerName: { equals: payerName } } })).result.total

describe('what would be done twice if it came twice', () => {
  it('is refused without a key, and done once with it', async () => {
    const values = desk.values({ method: 'cash', bankSerialNo: null, payerName: '现金付款人' })
    expect(await twice('/settlement/receipt/create', { values })).toEqual([428, 428])
    expect(await receipts('现金付款人')).toBe(0)
    expect(await twice('/settlement/receipt/create', { values }, { 'idempotency-key': 'cash' })).toEqual([1, 1])
    expect(await receipts('现金付款人')).toBe(1)
    expect((await house.admin.post('/settlement/receipt/create', { values }, bare)).message).toContain(
      'Idempotency-Key',
    )
  })

  it('or is known by the revision of what it draws on, which it moves', async () => {
    const customer = await desk.customer()
    const statement = await desk.statement(customer.id, '500.00', '2026-03-12')
    const id = await desk.receipt({ customer: customer.id, payerName: '退款客户' })
    const values = {
      amount: '100.00',
      receivedDate: '2026-03-11',
      companyAccount: desk.account,
      remark: '多付退回',
    }
    const refund = { id, values }
    expect(await twice('/settlement/receipt/refund', refund)).toEqual([428, 428])
    let { revision } = await desk.of(id)
    expect(await twice('/settlement/receipt/refund', { ...refund, revision })).toEqual([1, 409])
    expect(await desk.of(id)).toMatchObject({ refundedAmount: '100.00' })

    const match = { id, values: { matches: [{ statement, amount: '50.00' }] } }
    expect(await twice('/settlement/receipt/match', match)).toEqual([428, 428])
    ;({ revision } = await desk.of(id))
    expect(await twice('/settlement/receipt/match', { ...match, revision })).toEqual([1, 409])
    const owed = { id: statement, values: { matches: [{ receipt: id, amount: '50.00' }] } }
    expect(await twice('/settlement/statement/match', owed)).toEqual([428, 428])
    ;({ revision } = await desk.statementOf(statement))
    expect(await twice('/settlement/statement/match', { ...owed, revision })).toEqual([1, 409])
    expect(await desk.of(id)).toMatchObject({ matchedAmount: '100.00' })
    // Of several, each is to be known.
    const many = { ids: [id, id + 1], values: match.values, seen: { receipt: { [id]: 1 } } }
    expect(await twice('/settlement/receipt/autoMatch', many)).toEqual([428, 428])
  })

  it('is every operation that says so, whoever calls it with whatever', async () => {
    const said = entities().flatMap((entity) =>
      (entity.once ?? []).map((name) => [`${entity.endpoint}/${name}`, name] as const),
    )
    expect(said.length).toBeGreaterThan(9)
    for (const [path, name] of said) {
      const body = name === 'create' ? { values: {} } : { id: 999_999, values: {} }
      expect(await house.admin.post(path, body, bare), path).toMatchObject({ status: 428, code: 428 })
      expect(await house.admin.post(path, body, { 'idempotency-key': path }), path).not.toMatchObject({ code: 428 })
    }
  })

  it('says so wherever a record that draws on another is made', () => {
    const drawing = (entity: Entity) => Object.values(entity.fields).filter(({ draws }) => draws)
    const drawers = new Map(entities().map((entity) => [entity.name, drawing(entity).map(({ name }) => name)]))
    const unsaid = entities().flatMap((entity) => {
      const made = entity.allow.create === false || entity.rowOf ? [] : [entity, ...rowsOf(entity)]
      const creates = made.some(({ name, ...one }) =>
        Object.values(one.fields).some(({ draws, readOnly }) => draws && !readOnly),
      )
      const draws = Object.values(entity.actions).filter(({ run = '' }) =>
        Object.entries((uses as Record<string, Record<string, string[]>>)[run] ?? {}).some(([name, fields]) =>
          drawers.get(name)?.some((field) => fields.includes(field)),
        ),
      )
      return [...(creates ? ['create'] : []), ...draws.map(({ name }) => name)]
        .filter((name) => !entity.once?.includes(name))
        .map((name) => `${entity.name}.${name}`)
    })
    // These are refused the second time by the state that the first has left.
    expect(unsaid).toEqual(['payLine.reissue', 'receiptMatch.unmatch'])
  })
})

const entities = () => Object.values(house.runtime.derived.catalog.entities)
const rowsOf = ({ name }: Entity) => entities().filter(({ rowOf }) => rowOf?.entity === name)
