import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptHouse, type ReceiptHouse } from '../../tests/receipts.ts'
import { createTestServer, type TestServer } from '../../tests/server.ts'
import { ProcedureWork, type Stored, type Values, type Where } from './procedure.ts'
import { operationLabel } from './records/reading/readHistory.ts'
import { inWork } from './records/Work.ts'

let house: TestServer
let money: ReceiptHouse
let customer: number
let other: number
beforeAll(async () => {
  house = await createTestServer()
  money = await receiptHouse(house)
  const contacts = [
    { name: '赵文', kind: ['settlement'], mobile: '15400000009', email: 'zhaowen@qilan.example.com', primary: true },
  ]
  customer = (await money.customer({ contacts })).id
  other = (await money.customer()).id
})
afterAll(() => house.close())

const within = <T>(act: (work: ProcedureWork) => Promise<T>): Promise<T> =>
  inWork(house.context(), { cause: 'procedure' }, ({ context, db }) => act(new ProcedureWork(context, db)))
const historyOf = async (entity: string, id: number) =>
  (
    await house.database.pool.query(
      `select h.action, h.changes, w.cause from system_history h join system_work w on w.id = h.work
       where h.entity = $1 and h.record_id = $2 order by h.id`,
      [entity, id],
    )
  ).rows
const entry = (values: Values<'settlementJournal'>): Values<'settlementJournal'> => ({
  occurredAt: '2026-03-15 09:00:00',
  subject: 'receipt',
  action: 'match',
  customer,
  ...values,
})

describe('reading', () => {
  beforeAll(() =>
    within((work) =>
      work.insert('settlementJournal', [
        entry({ documentNo: 'A1', amountBefore: '10.00', amountAfter: '4.50' }),
        entry({ documentNo: 'A2', amountAfter: '7.00', detail: '说明' }),
        entry({ documentNo: 'A3', amountBefore: '1.00', subject: 'invoice', customer: other }),
        entry({ documentNo: 'A4', subject: 'budget', customer: null }),
      ]),
    ),
  )
  const found = async (where: Where<Stored<'settlementJournal'>>) =>
    (
      await within((work) =>
        work.read('settlementJournal', {
          where: { documentNo: ['A1', 'A2', 'A3', 'A4'], ...where },
          fields: ['documentNo'],
        }),
      )
    ).map(({ documentNo }) => documentNo)

  test('finds by value, one of several, none, exclusion, range and alternatives', async () => {
    expect(await found({ customer })).toEqual(['A1', 'A2'])
    expect(await found({ customer: [customer, other] })).toEqual(['A1', 'A2', 'A3'])
    expect(await found({ customer: [] })).toEqual([])
    expect(await found({ customer: null })).toEqual(['A4'])
    expect(await found({ customer: { not: customer } })).toEqual(['A3', 'A4'])
    expect(await found({ customer: { empty: false }, subject: { not: ['invoice'] } })).toEqual(['A1', 'A2'])
    expect(await found({ amountAfter: { between: ['5', null] } })).toEqual(['A2'])
    expect(await found({ anyOf: [{ subject: 'budget' }, { amountBefore: '10' }, { customer: [] }] })).toEqual([
      'A1',
      'A4',
    ])
    expect(await found({ anyOf: [{ customer: [] }] })).toEqual([])
    const either = [
      { anyOf: [{ customer }, { customer: null }] },
      { anyOf: [{ amountBefore: '10' }, { detail: '说明' }] },
    ]
    expect(await found({ allOf: either })).toEqual(['A1', 'A2'])
    expect(await found({ allOf: [{ customer }, { subject: [] }] })).toEqual([])
  })

  test('limited to what the user may view, finds nothing by a masked value', async () => {
    const context = house.context()
    const seenBy = async (permissions: string[], where: Where<Stored<'customer'>>, seen = true) => {
      const user = { ...context.user, roles: [], permissions }
      const found = await inWork({ ...context, user }, { cause: 'procedure' }, (work) =>
        new ProcedureWork(work.context, work.db).read('customer', { where, fields: ['account'], seen }),
      )
      return found.map(({ id }) => id as number)
    }
    const { account } = (await within((work) => work.one('customer', customer)))!
    const blind = ['customer:customer:view']
    expect(await seenBy([...blind, 'customer:customer:viewSensitive'], { account })).toEqual([customer])
    expect(await seenBy(blind, { account }, false)).toEqual([customer])
    expect(await seenBy(blind, { account })).toEqual([])
    expect(await seenBy(blind, { account: { not: account } })).toEqual([])
    expect(await seenBy(blind, { anyOf: [{ account }, { allOf: [{ id: other }, { account }] }] })).toEqual([])
    expect(await seenBy(blind, { anyOf: [{ account }, { id: other }] })).toEqual([other])
  })

  test('locks records in any revision, but names no stale record outside the scope', async () => {
    const context = house.context()
    const user = { ...context.user, id: 987_654, roles: [], permissions: ['customer:customer:view'] }
    const staleTo = (dataScope: 'all' | 'self') => {
      const seen = {
        entity: 'receipt',
        revisions: new Map([`customer ${customer}`, `customer ${other}`].map((key) => [key, 99])),
      }
      return inWork({ ...context, user: { ...user, dataScope }, seen }, { cause: 'procedure' }, (work) =>
        new ProcedureWork(work.context, work.db).read('customer', { where: { id: [customer, other] }, lock: true }),
      )
    }
    const name = (await money.customerOf(customer)).name as string
    await expect(staleTo('all')).rejects.toMatchObject({
      code: 'staleRecords',
      text: { cn: expect.stringContaining(name) },
      result: { ids: [customer, other] },
    })
    await expect(staleTo('self')).rejects.toMatchObject({
      code: 'stale',
      text: { cn: expect.not.stringContaining(name) },
      result: { ids: [] },
    })
  })

  test('refuses an undefined condition, which would match all records', async () => {
    await expect(found({ customer: undefined })).rejects.toThrow('settlementJournal: the condition on customer')
  })

  test('returns records in order, with a limit and the requested fields', async () => {
    const [first, ...more] = await within((work) =>
      work.read('settlementJournal', {
        where: { documentNo: ['A1', 'A2', 'A3'] },
        fields: ['documentNo', 'changeAmount'],
        order: '-changeAmount',
        limit: 2,
      }),
    )
    expect(first).toMatchObject({ documentNo: 'A2', changeAmount: '7.00' })
    expect(more).toMatchObject([{ documentNo: 'A3', changeAmount: '-1.00' }])
    expect(Object.keys(first)).not.toContain('customer')
  })

  test('finds by ids, by one id and with a lock, and answers that a missing record is unknown', async () => {
    await within(async (work) => {
      const [{ id }] = await work.read('settlementJournal', { where: { documentNo: 'A1' } })
      const found = await work.byId('settlementJournal', [id, null, 0], { fields: ['documentNo'] })
      expect([...found.values()]).toMatchObject([{ documentNo: 'A1' }])
      expect(await work.one('settlementJournal', id)).toMatchObject({ documentNo: 'A1', changeAmount: '-5.50' })
      expect(await work.one('settlementJournal', null)).toBeUndefined()
      expect(await work.lock('settlementJournal', id)).toMatchObject({ documentNo: 'A1' })
      await expect(work.lock('settlementJournal', 999_999)).rejects.toMatchObject({ code: 'unknownRecord' })
    })
  })

  test('a whole record has its rows', async () => {
    const [read] = await within((work) => work.read('customer', { where: { id: customer } }))
    expect(read.contacts).toMatchObject([{ name: '赵文', customer }])
  })

  test('groups have count, sum, minimum and maximum', async () => {
    const where = { documentNo: ['A1', 'A2', 'A3', 'A4'] }
    const [groups, [all], [none]] = await within((work) =>
      Promise.all([
        work.groups('settlementJournal', { where, by: ['customer'], sum: ['amountAfter'], max: ['documentNo'] }),
        work.groups('settlementJournal', { where, by: [], sum: ['amountBefore'], min: ['amountBefore'] }),
        work.groups('settlementJournal', { where: { documentNo: [] }, by: [], sum: ['amountBefore'] }),
      ]),
    )
    expect(groups).toMatchObject([
      { by: { customer }, count: 2, sum: { amountAfter: '11.50' }, max: { documentNo: 'A2' } },
      { by: { customer: other }, count: 1, sum: { amountAfter: '0.00' } },
      { by: { customer: null }, count: 1 },
    ])
    expect(all).toMatchObject({ count: 4, sum: { amountBefore: '11.00' }, min: { amountBefore: '1.00' } })
    expect(none).toMatchObject({ count: 0, sum: { amountBefore: '0.00' } })
  })

  test('is limited to what the user may view, if requested', async () => {
    const nobody = await house.user('seesnone', ['support'])
    const context = {
      ...house.context(),
      user: { ...house.context().user, id: nobody.id, roles: [], dataScope: 'self' as const },
    }
    await inWork(context, { cause: 'procedure' }, async ({ db }) => {
      const work = new ProcedureWork(context, db)
      expect(await work.read('customer', { where: { id: customer }, fields: ['name'] })).toHaveLength(1)
      expect(await work.read('customer', { where: { id: customer }, fields: ['name'], seen: true })).toEqual([])
      await expect(work.lock('customer', customer, { seen: true })).rejects.toMatchObject({ code: 'outOfScope' })
    })
  })

  test('is limited to what the user who asked may view, while a record is created with more rights', async () => {
    const context = house.context()
    const user = { ...context.user, id: 987_654, roles: [] }
    const asker = { ...user, dataScope: 'self' as const, permissions: ['customer:customer:view'] }
    const seen = { entity: 'receipt', revisions: new Map([[`customer ${customer}`, 99]]) }
    const { account } = (await within((work) => work.one('customer', customer)))!
    await inWork({ ...context, user, asker }, { cause: 'procedure' }, async (raised) => {
      const work = new ProcedureWork(raised.context, raised.db)
      const where = { id: customer }
      expect(await work.read('customer', { where, fields: ['name'] })).toHaveLength(1)
      expect(await work.read('customer', { where, fields: ['name'], seen: true })).toEqual([])
      await expect(work.lock('customer', customer, { seen: true })).rejects.toMatchObject({ code: 'outOfScope' })
      expect(await work.isOffered('receipt', 'customer', customer)).toBe(false)
      expect([work.mayView('customer'), work.mayView('bank')]).toEqual([true, false])
      expect(() => work.demandView('bank')).toThrow(expect.objectContaining({ code: 'permission' }))
      expect(() => work.demandWhole('customer', ['account'])).toThrow(expect.objectContaining({ code: 'permission' }))
      const stale = new ProcedureWork({ ...raised.context, seen }, raised.db)
      await expect(stale.read('customer', { where, lock: true })).rejects.toMatchObject({ result: { ids: [] } })
    })
    const wide = { ...asker, dataScope: 'all' as const }
    await inWork({ ...context, user, asker: wide }, { cause: 'procedure' }, async (raised) => {
      const work = new ProcedureWork(raised.context, raised.db)
      expect(await work.read('customer', { where: { account }, fields: ['name'] })).toHaveLength(1)
      expect(await work.read('customer', { where: { account }, fields: ['name'], seen: true })).toEqual([])
    })
  })
})

describe('writing', () => {
  test('an inserted record is complete with its formulas, and recorded in history', async () => {
    const [made] = await within((work) =>
      work.insert('settlementJournal', [entry({ documentNo: 'B1', amountAfter: '3.00' })]),
    )
    expect(made).toMatchObject({ revision: 1, documentNo: 'B1', changeAmount: '3.00', relatedNo: null })
    expect(await historyOf('settlementJournal', made.id)).toMatchObject([{ action: 'append', cause: 'procedure' }])
  })

  test('a change raises the revision, recomputes formulas and is named in history', async () => {
    const [made] = await within((work) => work.insert('settlementJournal', [entry({ documentNo: 'B2' })]))
    await within(async (work) => {
      const record = await work.lock('settlementJournal', made.id)
      await work.change('settlementJournal', record, { amountAfter: '8.00' }, { action: 'adjust' })
      expect(record).toMatchObject({ revision: 2, amountAfter: '8.00', changeAmount: '8.00' })
      // Without a difference nothing is recorded, unless the change has a name.
      await work.change('settlementJournal', record, { amountAfter: '8.00' })
      await work.note('settlementJournal', [record], 'send')
    })
    const history = await historyOf('settlementJournal', made.id)
    expect(history.map(({ action }) => action)).toEqual(['append', 'adjust', 'send'])
    const { settlementJournal, receiptMatch } = house.runtime.derived.catalog.entities
    const label = (action: string) => operationLabel(house.context(), settlementJournal, action)
    expect(label('unmatch'), 'of another entity').toEqual(receiptMatch.actions.unmatch.label)
    expect(label('append')).toEqual({ cn: '随同生成', en: 'Added by another change' })
    expect(history[1].changes).toMatchObject({
      fields: { amountAfter: [null, '8.00'], changeAmount: ['0.00', '8.00'] },
    })
  })

  test('a deleted record is gone, and stays in history', async () => {
    const [made] = await within((work) => work.insert('settlementJournal', [entry({ documentNo: 'B3' })]))
    await within(async (work) => {
      await work.delete('settlementJournal', [made])
      expect(await work.one('settlementJournal', made.id)).toBeUndefined()
    })
    expect((await historyOf('settlementJournal', made.id)).map(({ action }) => action)).toEqual(['append', 'delete'])
  })

  test("a record just saved has one entry in history, including the procedure's changes", async () => {
    const bank = await house.create('/bank/bank', {
      bankName: '东港示范银行',
      branchName: '东港示范银行演示支行',
      cnapsCode: '990200000017',
      kind: 'city',
      city: '310100',
    })
    const before = await house.admin.get('/bank/bank/detail', { id: bank })
    expect(before.result).toMatchObject({ status: 'enabled' })
    const changed = await house.runtime.database.kysely.transaction().execute(async (db) => {
      const context = { ...house.context(), work: { cause: 'procedure' as const, open: new Set([`bank ${bank}`]) } }
      const work = new ProcedureWork(context, db)
      const record = await work.lock('bank', bank)
      await work.change('bank', record, { remark: '继续' })
      return record
    })
    expect(changed).toMatchObject({ remark: '继续', revision: 2 })
    expect((await historyOf('bank', bank)).filter(({ cause }) => cause === 'procedure')).toEqual([])
  })

  test('a transition acts as the user, and its conditions hold', async () => {
    const bank = await house.create('/bank/bank', {
      bankName: '西岭示范银行',
      branchName: '西岭示范银行演示支行',
      cnapsCode: '990300000016',
      kind: 'city',
      city: '310100',
    })
    await within((work) => work.transition('bank', 'disable', { id: bank }))
    expect((await house.admin.get('/bank/bank/detail', { id: bank })).result).toMatchObject({ status: 'disabled' })
    await expect(within((work) => work.transition('bank', 'disable', { id: bank }))).rejects.toMatchObject({
      code: 'notAllowed',
    })
  })

  test('a record created as by its form is checked and has its defaults, whoever the user is', async () => {
    await expect(within((work) => work.create('bank', { bankName: '无' }))).rejects.toMatchObject({ code: 'invalid' })
    const id = await within((work) =>
      work.create('bank', {
        bankName: '北川示范银行',
        branchName: '北川示范银行演示支行',
        cnapsCode: '990400000015',
        kind: 'city',
        city: '310100',
      }),
    )
    expect((await house.admin.get('/bank/bank/detail', { id })).result).toMatchObject({ wageSupported: true })
  })

  test('a refusal names fields, and nothing of the work stays', async () => {
    const message = { cn: '不行', en: 'No' }
    const refused = within(async (work) => {
      await work.insert('settlementJournal', [entry({ documentNo: 'B4' })])
      work.refuse('settlementJournal', [{ field: 'amountAfter', code: 'rule', message }])
    })
    await expect(refused).rejects.toMatchObject({ code: 'invalid', problems: [{ field: 'amountAfter', message }] })
    await expect(within(async (work) => work.refuseCall(message))).rejects.toMatchObject({
      code: 'notAllowed',
      text: message,
    })
    expect(await within((work) => work.read('settlementJournal', { where: { documentNo: 'B4' } }))).toEqual([])
  })
})
