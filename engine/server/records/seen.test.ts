import { afterAll, beforeAll, expect, it } from 'vitest'
import { receiptHouse, type ReceiptHouse } from '../../../tests/receipts.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { setReferences } from './setReferences.ts'
import { lockRecord } from './save.ts'
import { attemptWithin, inWork } from './Work.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

const post = (path: string, body: object) => house.admin.post(path, body)
const revisionOf = async (path: string, id: number): Promise<number> =>
  (await house.admin.get(`${path}/detail`, { id })).result.revision
const note = (id: number, remark: string, more: object = {}) =>
  post('/settlement/statement/note', { id, values: { remark }, ...more })

let months = 0
async function someStatements(count: number): Promise<number[]> {
  const customer = await desk.customer()
  // A contract has one statement a month.
  const statement = () => desk.statement(customer.id, '100.00', '2026-04-01', { billMonth: `20${10 + months++}-01` })
  return Promise.all(Array.from({ length: count }, statement))
}

it('an action on a record changed since is refused, and changes nothing', async () => {
  const [id] = await someStatements(1)
  const revision = await revisionOf('/settlement/statement', id)
  expect(await note(id, '先到的备注', { revision })).toMatchObject({ code: 1 })
  expect(await note(id, '后到的备注', { revision })).toMatchObject({
    status: 409,
    message: '数据已被他人修改，请刷新后重试',
  })
  expect(await desk.statementOf(id)).toMatchObject({ remark: '先到的备注' })
  expect(await note(id, '后到的备注', { revision: revision + 1 })).toMatchObject({ code: 1 })
})

it('reports each stale record of a batch, and acts on the others', async () => {
  const ids = await someStatements(3)
  const seen = { statement: Object.fromEntries(ids.map((id) => [id, 1])) }
  await note(ids[1], '别人的备注')
  expect(await post('/settlement/statement/note', { ids, seen, values: { remark: '批量备注' } })).toMatchObject({
    code: 1,
    result: { succeeded: 2, failed: [{ id: ids[1], message: '数据已被他人修改，请刷新后重试' }] },
  })
  expect(await Promise.all(ids.map(async (id) => (await desk.statementOf(id)).remark))).toEqual([
    '批量备注',
    '别人的备注',
    '批量备注',
  ])
})

it('transitions treat stale records in the same way', async () => {
  const user = await house.user('changed', ['support'])
  const seen = { user: { [user.id]: await revisionOf('/setting/user', user.id) } }
  expect(await post('/setting/user/disable', { ids: [user.id], seen })).toMatchObject({ result: { succeeded: 1 } })
  expect(await post('/setting/user/enable', { ids: [user.id], seen })).toMatchObject({
    result: { succeeded: 0, failed: [{ id: user.id }] },
  })
})

it('an action on all chosen records at once is refused, and names the stale ones', async () => {
  const customer = await desk.customer()
  await desk.statement(customer.id, '5000.00', '2026-04-01')
  const ids = [await desk.receipt({ customer: customer.id }), await desk.receipt({ customer: customer.id })]
  const seen = { receipt: Object.fromEntries(ids.map((id) => [id, 1])) }
  await house.database.pool.query('update receipt set revision = 2 where id = $1', [ids[1]])
  const { receiptNo } = await desk.of(ids[1])
  const refusal = { status: 409, message: `以下到账已被他人修改，请刷新后重试：${String(receiptNo)}` }
  expect(await post('/settlement/receipt/autoMatch/prepare', { ids, seen })).toMatchObject(refusal)
  const { values } = (await post('/settlement/receipt/autoMatch/prepare', { ids })).result
  expect(await post('/settlement/receipt/autoMatch', { ids, seen, values })).toMatchObject({
    ...refusal,
    result: { ids: [ids[1]] },
  })
  expect(await desk.matchesOf(ids[0])).toEqual([])
})

it('of two simultaneous refunds of one receipt, one is refused', async () => {
  const customer = await desk.customer()
  const id = await desk.receipt({ customer: customer.id })
  const { values } = (await post('/settlement/receipt/refund/prepare', { id, revision: 1 })).result
  const refund = (amount: string) =>
    post('/settlement/receipt/refund', { id, revision: 1, values: { ...values, amount, remark: '多付退回' } })
  const answers = await Promise.all([refund('100.00'), refund('200.00')])
  expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([1, 409])
  const taken = ['100.00', '200.00'][answers.findIndex(({ code }) => code === 1)]
  expect(await desk.of(id)).toMatchObject({ refundedAmount: taken, revision: 2 })
})

it("of two receipts matched to one statement at once, one is refused with that statement's name", async () => {
  const customer = await desk.customer()
  const statement = await desk.statement(customer.id, '900.00', '2026-03-20')
  const receipts = [await desk.receipt({ customer: customer.id }), await desk.receipt({ customer: customer.id })]
  const prepared = await Promise.all(
    receipts.map((id) => post('/settlement/receipt/match/prepare', { id, revision: 1 })),
  )
  expect(prepared[0].result.seen).toEqual({ receipt: { [receipts[0]]: 1 }, statement: { [statement]: 1 } })
  const answers = await Promise.all(
    prepared.map(({ result: { seen } }, index) =>
      post('/settlement/receipt/match', {
        id: receipts[index],
        revision: 1,
        seen,
        values: { matches: [{ statement, amount: '400.00' }] },
      }),
    ),
  )
  const { statementNo } = await desk.statementOf(statement)
  expect(answers.toSorted((a, b) => a.code - b.code)).toMatchObject([
    { code: 1 },
    { code: 409, message: `以下企业对账单已被他人修改，请刷新后重试：${String(statementNo)}` },
  ])
  expect(await desk.statementOf(statement)).toMatchObject({ outstandingAmount: '500.00', revision: 2 })
})

it('undoing a match raises the revisions of receipt and statement', async () => {
  const customer = await desk.customer()
  const statement = await desk.statement(customer.id, '900.00', '2026-03-20')
  const id = await desk.receipt({ customer: customer.id })
  await desk.match(id, [{ statement, amount: '900.00' }])
  const [match] = await desk.matchesOf(id)
  const seen = { receipt: { [id]: 2 }, statement: { [statement]: 2 } }
  const undo = { id: match.id, revision: match.revision, seen, values: { cancelReason: '核错账单' } }
  expect(await post('/settlement/receiptMatch/unmatch', undo)).toMatchObject({ code: 1 })
  expect(await desk.of(id)).toMatchObject({ revision: 3 })
  expect(await desk.statementOf(statement)).toMatchObject({ revision: 3 })
})

it('a record is not stale to the work that wrote it, and is as before after a rollback', async () => {
  const { id: customer } = await desk.customer()
  const { customer: entity } = house.runtime.derived.catalog.entities
  const revision = await revisionOf('/customer', customer)
  const seen = { entity: entity.name, revisions: new Map([[`${entity.name} ${customer}`, revision]]) }
  const support = await house.user('pointed', ['support'])
  await inWork({ ...house.context(), seen }, { cause: 'system' }, async (work) => {
    const { context, db } = work
    const point = () => setReferences(work, entity, 'supportStaff', [{ id: customer, at: support.id }])
    const refused = attemptWithin(work, async () => {
      await point()
      throw new Error('back')
    })
    await expect(refused).rejects.toThrow('back')
    expect(await lockRecord(context, db, entity, customer)).toMatchObject({ revision })
    await point()
    expect(await lockRecord(context, db, entity, customer)).toMatchObject({ revision: revision + 1 })
  })
})

it('redirected references are part of the work, with their former values', async () => {
  const { id: customer } = await desk.customer()
  const { customer: entity } = house.runtime.derived.catalog.entities
  const revision = await revisionOf('/customer', customer)
  const support = await house.user('pointedAt', ['support'])
  for (let time = 0; time < 2; time++)
    await inWork(house.context(), { cause: 'system' }, (work) =>
      setReferences(work, entity, 'supportStaff', [{ id: customer, at: support.id }]),
    )
  const {
    result: {
      list: [entry],
    },
  } = await house.admin.get('/customer/history', { id: customer })
  expect(entry).toMatchObject({ action: 'update', work: expect.any(Number) })
  const { result: work } = await house.admin.get(`/works/${entry.work}`)
  expect(work.entities).toMatchObject([{ entity: 'customer', count: 1, changes: [{ id: customer, action: 'update' }] }])
  // A user who had the form open meanwhile saves other fields without a conflict.
  const update = { id: customer, revision, values: { remark: '同时修改' } }
  expect(await post('/customer/update', update)).toMatchObject({ code: 1, result: { revision: revision + 2 } })
})
