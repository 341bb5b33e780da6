import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outlook } from '../../../engine/model/model.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { receiptHouse, type ReceiptHouse } from '../../../tests/receipts.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

const post = (action: string, id: number, values: object = {}) =>
  house.admin.post(`/settlement/receipt/${action}`, { id, values })

describe('a receipt', () => {
  it('of a known payer is claimed at once, by an alias or the company name', async () => {
    const customer = await desk.customer({ payerNames: ['启澜集团（演示）有限公司'] })
    const admin = await house.findId('/setting/user', 'admin')
    for (const payerName of ['启澜集团（演示）有限公司', customer.corporateName]) {
      const id = await desk.receipt({ payerName })
      expect(await desk.of(id)).toMatchObject({
        customer: { id: customer.id },
        claimStatus: 'claimed',
        claimedBy: { id: admin },
        claimedAt: expect.any(String),
        status: 'registered',
        unmatchedAmount: '1000.00',
      })
      expect(await desk.journal({ receipt: { equals: id } })).toMatchObject([
        {
          action: 'register',
          customer: { id: customer.id },
          amountAfter: '1000.00',
          changeAmount: '1000.00',
          statusAfter: 'registered',
        },
      ])
    }
    expect((await desk.of(await desk.receipt())).claimStatus).toBe('unclaimed')
  })

  it('has a unique serial number in its account, which voiding frees', async () => {
    const id = await desk.receipt({ bankSerialNo: 'SERIAL1' })
    const { receiptNo } = await desk.of(id)
    const again = () =>
      house.admin.post('/settlement/receipt/create', { values: desk.values({ bankSerialNo: 'SERIAL1' }) })
    expect((await again()).errors).toMatchObject([
      { field: 'bankSerialNo', message: `该账户已登记此银行流水号：${receiptNo}` },
    ])
    expect((await post('void', id, {})).errors).toMatchObject([{ field: 'voidReason' }])
    expect(await post('void', id, { voidReason: '银行退票重入' })).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ status: 'voided', unmatchedAmount: '0.00' })
    expect(await again()).toMatchObject({ code: 1 })
    expect(await post('void', id, { voidReason: '银行退票重入' })).toMatchObject({ code: 409 })
  })

  it('has a date up to today, a serial number unless in cash, and an account for receipts', async () => {
    const problems = async (values: object) =>
      (await house.admin.post('/settlement/receipt/create', { values: desk.values({ ...values }) })).errors?.map(
        ({ field }) => field,
      )
    expect(await problems({ receivedDate: '2026-03-16' })).toEqual(['receivedDate'])
    expect(await problems({ bankSerialNo: null })).toEqual(['bankSerialNo'])
    expect(await problems({ bankSerialNo: null, method: 'cash' })).toBeUndefined()
    expect(await problems({ amount: '0' })).toEqual(['amount'])
    expect(await problems({ direction: 'out' })).toEqual(['direction'])
  })

  it('can be edited while nothing is matched, with a journal entry', async () => {
    const id = await desk.receipt()
    const { revision } = await desk.of(id)
    const other = await desk.customer()
    const save = (values: object) => house.admin.post('/settlement/receipt/update', { id, revision, values })
    expect((await save({ customer: other.id })).errors).toMatchObject([{ field: 'customer', code: 'read-only' }])
    expect(await save({ amount: '1200.00' })).toMatchObject({ code: 1 })
    expect((await desk.journal({ receipt: { equals: id } })).at(-1)).toMatchObject({
      action: 'edit',
      amountBefore: '1000.00',
      amountAfter: '1200.00',
      changeAmount: '200.00',
    })
  })
})

describe('claiming', () => {
  it('remembers the payer, so that the next receipt is claimed automatically, and can be undone', async () => {
    const customer = await desk.customer()
    const id = await desk.receipt({ payerName: '付款集团甲' })
    expect((await post('claim', id)).errors).toMatchObject([{ field: 'customer', code: 'required' }])
    expect(await post('claim', id, { customer: { id: customer.id } })).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ customer: { id: customer.id }, claimStatus: 'claimed', revision: 2 })
    expect((await desk.customerOf(customer.id)).payerNames).toEqual(['付款集团甲'])
    expect((await desk.of(await desk.receipt({ payerName: '付款集团甲' }))).customer).toMatchObject({ id: customer.id })
    expect((await house.admin.get('/settlement/receipt/history', { id })).result.list[0]).toMatchObject({
      action: 'claim',
    })

    expect(await post('claim', id, { customer: customer.id })).toMatchObject({ code: 409 })
    expect(await post('unclaim', id)).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ customer: null, claimStatus: 'unclaimed', claimedBy: null })
    // The name no longer claims receipts for this customer.
    expect((await desk.customerOf(customer.id)).payerNames ?? []).toEqual([])
    expect((await desk.journal({ receipt: { equals: id } })).map(({ action }) => action)).toEqual([
      'register',
      'claim',
      'unclaim',
    ])
  })

  it.skipIf(!isLong)('removes on undo only the payer name that it added', async () => {
    const customer = await desk.customer({ payerNames: ['老付款人有限公司'] })
    const names = async () => (await desk.customerOf(customer.id)).payerNames
    const byItself = await desk.receipt({ payerName: '老付款人有限公司' })
    expect(await post('unclaim', byItself)).toMatchObject({ code: 1 })
    expect(await names(), 'known from the customer').toEqual(['老付款人有限公司'])
    const [first, second] = [
      await desk.receipt({ payerName: '新付款人有限公司' }),
      await desk.receipt({ payerName: '新付款人有限公司' }),
    ]
    for (const id of [first, second])
      expect(await post('claim', id, { customer: customer.id })).toMatchObject({ code: 1 })
    expect(await post('unclaim', second)).toMatchObject({ code: 1 })
    expect(await names(), 'the first claim taught it').toEqual(['老付款人有限公司', '新付款人有限公司'])
    expect(await post('unclaim', first)).toMatchObject({ code: 1 })
    expect(await names()).toEqual(['老付款人有限公司'])
  })

  it('accepts disabled customers, whose statements are still open, but no unapproved ones', async () => {
    const [customer, pending] = [await desk.customer(), await desk.customer()]
    const set = (name: string, value: string, { id }: { id: number }) =>
      house.database.pool.query(`update customer set "${name}" = $1 where id = $2`, [value, id])
    await set('accountStatus', 'disabled', customer)
    await set('approvalStatus', 'pending', pending)
    const offered = async (more: object = {}) =>
      (await house.admin.get('/customer/options', { search: customer.corporateName, ...more })).result.list?.map(
        ({ id }: { id: number }) => id,
      )
    const filters = { approvalStatus: { equals: 'approved' } }
    expect(await offered()).toEqual([])
    expect(await offered({ filters, all: true })).toEqual([customer.id])
    // Only a reference that declares it may list all records.
    expect(await house.admin.get('/customer/options', { all: true })).toMatchObject({ code: 422 })
    const id = await desk.receipt({ payerName: '停用客户的付款人' })
    expect((await post('claim', id, { customer: pending.id })).errors).toMatchObject([
      { field: 'customer', message: '客户不存在或未通过审核' },
    ])
    expect(await post('claim', id, { customer: customer.id })).toMatchObject({ code: 1 })
    expect(await desk.of(await desk.receipt({ customer: customer.id }))).toMatchObject({
      customer: { id: customer.id },
    })
    expect((await desk.customerOf(customer.id)).payerNames).toEqual(['停用客户的付款人'])
  })

  it('suggests the customer that owes exactly this amount', async () => {
    const customer = await desk.customer()
    await desk.statement(customer.id, '4321.09', '2026-03-12')
    const id = await desk.receipt({ amount: '4321.09' })
    expect(await house.admin.post('/settlement/receipt/claim/prepare', { id })).toMatchObject({
      code: 1,
      result: { values: { customer: { id: customer.id } } },
    })
  })
})

describe('matching', () => {
  it('proposes the oldest due statements first, with the write-off', async () => {
    const customer = await desk.customer()
    const [later, sooner, third] = [
      await desk.statement(customer.id, '500.37', '2026-03-20'),
      await desk.statement(customer.id, '500.00', '2026-03-01'),
      await desk.statement(customer.id, '70.00', '2026-04-01'),
    ]
    const id = await desk.receipt({ customer: customer.id })
    const {
      result: { values },
    } = await house.admin.post('/settlement/receipt/match/prepare', { id })
    expect(values).toMatchObject({
      unmatchedAmount: '1000.00',
      matches: [
        {
          statement: { id: sooner },
          dueDate: '2026-03-01',
          billMonth: '2026-02',
          outstandingBefore: '500.00',
          amount: '500.00',
          writeOffAmount: '0.00',
        },
        { statement: { id: later }, outstandingBefore: '500.37', amount: '500.00', writeOffAmount: '0.37' },
        { statement: { id: third }, outstandingBefore: '70.00', amount: null },
      ],
    })
    // The values as the dialog sends them.
    expect(await house.admin.post('/settlement/receipt/match', { id, values })).toMatchObject({
      code: 1,
      result: { matches: 2 },
    })
    expect(await desk.of(id)).toMatchObject({ status: 'matched', matchedAmount: '1000.00', unmatchedAmount: '0.00' })
    expect(await desk.statementOf(later)).toMatchObject({
      status: 'settled',
      receivedAmount: '500.00',
      writeOffAmount: '0.37',
      outstandingAmount: '0.00',
      receiptProgress: 'full',
    })
    expect(await desk.statementOf(third)).toMatchObject({
      status: 'confirmed',
      outstandingAmount: '70.00',
      receiptProgress: 'none',
    })
    expect(await desk.journal({ receipt: { equals: id }, action: { in: ['match'] } })).toMatchObject([
      { amountBefore: '1000.00', amountAfter: '500.00', statusBefore: 'registered', statusAfter: 'partMatched' },
      {
        amountBefore: '500.00',
        amountAfter: '0.00',
        statusBefore: 'partMatched',
        statusAfter: 'matched',
        writeOffAmount: '0.37',
        detail: null,
      },
    ])
    expect(await desk.journal({ statement: { equals: later } })).toMatchObject([
      {
        action: 'match',
        amountBefore: '500.37',
        amountAfter: '0.00',
        statusBefore: 'confirmed',
        statusAfter: 'settled',
      },
    ])
  })

  it.skipIf(!isLong)("from a statement proposes its customer's unmatched receipts, the oldest first", async () => {
    const [customer, other] = [await desk.customer(), await desk.customer()]
    const statement = await desk.statement(customer.id, '1500.00', '2026-03-20')
    await desk.receipt({ customer: other.id })
    const [late, early, unused] = [
      await desk.receipt({ customer: customer.id, receivedDate: '2026-03-12' }),
      await desk.receipt({ customer: customer.id, receivedDate: '2026-03-02', amount: '800.00' }),
      await desk.receipt({ customer: customer.id, receivedDate: '2026-03-14', amount: '5.00' }),
    ]
    const {
      result: { values },
    } = await house.admin.post('/settlement/statement/match/prepare', { id: statement })
    expect(values.matches).toMatchObject([
      { receipt: { id: early }, receivedDate: '2026-03-02', receiptRest: '800.00', amount: '800.00' },
      { receipt: { id: late }, amount: '700.00' },
      { receipt: { id: unused }, amount: null },
    ])
    expect(await house.admin.post('/settlement/statement/match', { id: statement, values })).toMatchObject({
      code: 1,
      result: { matches: 2 },
    })
    expect(await desk.statementOf(statement)).toMatchObject({
      status: 'settled',
      outstandingAmount: '0.00',
      receivedAmount: '1500.00',
    })
    expect([
      (await desk.of(early)).unmatchedAmount,
      (await desk.of(late)).unmatchedAmount,
      (await desk.of(unused)).unmatchedAmount,
    ]).toEqual(['0.00', '300.00', '5.00'])
    const another = await desk.statement(customer.id, '100.00', '2026-03-20')
    const foreign = await desk.receipt({ customer: other.id })
    const refused = async (amount: string, receipt = late) =>
      await house.admin.post('/settlement/statement/match', {
        id: another,
        values: { matches: [{ receipt, amount, writeOffAmount: '0.00' }] },
      })
    expect((await refused('100.01')).errors).toMatchObject([{ field: 'matches.0.amount' }])
    expect((await refused('10.00', foreign)).code).not.toBe(1)
    expect(
      (await house.admin.post('/settlement/statement/match', { id: another, values: { matches: [] } })).errors,
    ).toMatchObject([{ field: 'matches' }])
    expect(await desk.statementOf(another)).toMatchObject({ outstandingAmount: '100.00' })
  })

  it('is refused line by line, and then nothing is written', async () => {
    const [customer, other] = [await desk.customer(), await desk.customer()]
    const [own, foreign, open] = [
      await desk.statement(customer.id, '600.00', '2026-03-01'),
      await desk.statement(other.id, '600.00', '2026-03-01'),
      await desk.statement(customer.id, '600.00', '2026-03-01', { stage: 'generated' }),
    ]
    const id = await desk.receipt({ customer: customer.id })
    const refused = async (...lines: Parameters<ReceiptHouse['match']>[1]) =>
      (await desk.match(id, lines)).errors?.map(({ field, message }) => [field, message])
    expect(await refused({ statement: foreign, amount: '1' })).toEqual([
      ['matches.0.statement', '第1行：对账单不属于该客户'],
    ])
    expect(await refused({ statement: own, amount: '1' }, { statement: open, amount: '1' })).toEqual([
      ['matches.1.statement', '第2行：只能核销已确认、未结清的对账单'],
    ])
    expect(await refused({ statement: own, amount: '600.01' })).toEqual([
      ['matches.0.amount', '第1行：核销金额不能超过账单未收金额600.00'],
    ])
    expect(await refused({ statement: own, amount: '400' }, { statement: own, amount: '200.01' })).toEqual([
      ['matches.1.amount', '第2行：核销金额不能超过账单未收金额200.00'],
    ])
    expect(await refused({ statement: own, amount: '598.99', writeOffAmount: '1.01' })).toEqual([
      ['matches.0.writeOffAmount', '第1行：尾差金额不能超过1.00'],
    ])
    expect(await refused({ statement: own, amount: '-5' })).toEqual([
      ['matches.0.amount', expect.stringContaining('第1行')],
    ])
    expect(await refused({ statement: own, amount: '0' })).toEqual([['matches', '请填写核销金额']])
    expect(await desk.matchesOf(id)).toEqual([])
    expect(await desk.match(await desk.receipt(), [{ statement: own, amount: '1' }])).toMatchObject({ code: 409 })
  })

  it('distributes several receipts over several statements', async () => {
    const customer = await desk.customer()
    const statements = [
      await desk.statement(customer.id, '1500.00', '2026-03-01'),
      await desk.statement(customer.id, '800.00', '2026-03-02'),
    ]
    const ids = [await desk.receipt({ customer: customer.id }), await desk.receipt({ customer: customer.id })]
    const {
      result: { values },
    } = await house.admin.post('/settlement/receipt/autoMatch/prepare', { ids })
    expect(values.unmatchedAmount).toBe('2000.00')
    expect(
      values.matches.map((row: { receipt: { id: number }; statement: { id: number }; amount: string }) => [
        row.receipt.id,
        row.statement.id,
        row.amount,
      ]),
    ).toEqual([
      [ids[0], statements[0], '1000.00'],
      [ids[1], statements[0], '500.00'],
      [ids[1], statements[1], '500.00'],
    ])
    const { result: outlook } = await house.admin.post('/settlement/receipt/autoMatch/foresee', { ids, values })
    expect(outlook.facts).toContainEqual(
      expect.objectContaining({ label: { cn: '新增核销记录：尾差金额', en: 'Match: new, Difference written off' } }),
    )
    const [made] = outlook.lists.filter(({ label }: Outlook['lists'][number]) => label.cn === '新增核销记录')
    expect(made.items).toHaveLength(3)
    expect(made.items[0].name).toMatch(/^SK/)
    expect(await house.admin.post('/settlement/receipt/autoMatch', { ids, values })).toMatchObject({
      code: 1,
      result: { succeeded: 2 },
    })
    expect(await desk.statementOf(statements[1])).toMatchObject({
      outstandingAmount: '300.00',
      receiptProgress: 'part',
    })
  })

  it('twice at once never takes more than a receipt or statement has', async () => {
    const customer = await desk.customer()
    for (const round of [0, 1, 2]) {
      const statements = [
        await desk.statement(customer.id, '900.00', '2026-03-01'),
        await desk.statement(customer.id, '900.00', '2026-03-01'),
      ]
      const receipts = [await desk.receipt({ customer: customer.id }), await desk.receipt({ customer: customer.id })]
      const ofReceipt = await Promise.all(
        statements.map((statement) => desk.match(receipts[0], [{ statement, amount: '900.00' }])),
      )
      expect(
        ofReceipt.map(({ code }) => code).sort((a, b) => a - b),
        `round ${round}`,
      ).toEqual([1, 422])
      const owed = statements[ofReceipt.findIndex(({ code }) => code !== 1)]
      const more = await desk.receipt({ customer: customer.id })
      const ofStatement = await Promise.all(
        [receipts[1], more].map((id) => desk.match(id, [{ statement: owed, amount: '900.00' }])),
      )
      expect(
        ofStatement.map(({ code }) => code).sort((a, b) => a - b),
        `round ${round}`,
      ).toEqual([1, 422])
      for (const id of statements) expect(await desk.statementOf(id)).toMatchObject({ outstandingAmount: '0.00' })
    }
  })

  it('at the same time as voiding the receipt, refuses one of the two', async () => {
    const customer = await desk.customer()
    for (const round of [0, 1, 2]) {
      const statement = await desk.statement(customer.id, '900.00', '2026-03-01')
      const id = await desk.receipt({ customer: customer.id })
      const [matched, voided] = await Promise.all([
        desk.match(id, [{ statement, amount: '900.00' }]),
        post('void', id, { voidReason: '重复登记作废' }),
      ])
      expect(
        [matched.code, voided.code].filter((code) => code === 1),
        `round ${round}`,
      ).toHaveLength(1)
    }
  })

  it('is undone with a reason, and its row stays', async () => {
    const customer = await desk.customer()
    const statement = await desk.statement(customer.id, '900.00', '2026-03-01')
    const id = await desk.receipt({ customer: customer.id })
    await desk.match(id, [{ statement, amount: '900.00' }])
    const [match] = await desk.matchesOf(id)
    const undo = (values: object) => house.admin.post('/settlement/receiptMatch/unmatch', { id: match.id, values })
    expect((await undo({})).errors).toMatchObject([{ field: 'cancelReason' }])
    expect(await undo({ cancelReason: '核错账单' })).toMatchObject({ code: 1 })
    expect(await undo({ cancelReason: '核错账单' })).toMatchObject({ code: 409 })
    expect(await desk.matchesOf(id)).toMatchObject([
      { cancelled: true, cancelReason: '核错账单', cancelledAt: expect.any(String) },
    ])
    expect(await desk.of(id)).toMatchObject({ status: 'registered', unmatchedAmount: '1000.00' })
    expect(await desk.statementOf(statement)).toMatchObject({
      status: 'confirmed',
      outstandingAmount: '900.00',
      receiptProgress: 'none',
    })
    expect((await desk.journal({ receipt: { equals: id } })).at(-1)).toMatchObject({
      action: 'unmatch',
      amountBefore: '100.00',
      amountAfter: '1000.00',
      statusBefore: 'partMatched',
      statusAfter: 'registered',
      detail: '核错账单',
    })
  })

  it('cannot be undone once its month is closed', async () => {
    const customer = await desk.customer()
    const statement = await desk.statement(customer.id, '900.00', '2026-03-01')
    const id = await desk.receipt({ customer: customer.id })
    await desk.match(id, [{ statement, amount: '900.00' }])
    const [match] = await desk.matchesOf(id)
    const close = async (closedMonth: string | null) =>
      house.database.pool.query('update parameter set "closedMonth" = $1', [closedMonth])
    await close('2026-03')
    await house.database.pool.query('update system_overlay set version = version + 1')
    expect(
      await house.admin.post('/settlement/receiptMatch/unmatch', {
        id: match.id,
        values: { cancelReason: '核错账单' },
      }),
    ).toMatchObject({ code: 409, message: '2026-03及以前已关账，不能撤销核销' })
    await close(null)
    await house.database.pool.query('update system_overlay set version = version + 1')
  })
})

describe('a refund', () => {
  it('is paid from an account for refunds, which takes no receipts', async () => {
    const { id: customer } = await desk.customer()
    const { bank } = (await house.admin.get('/bank/companyAccount/detail', { id: desk.account })).result
    const companyAccount = await house.create('/bank/companyAccount', {
      agency: desk.agency,
      accountNo: '9900880000000014',
      bank: bank.id,
      accountKind: 'special',
      purpose: ['refund'],
    })
    const taken = { customer, companyAccount }
    expect((await house.admin.post('/settlement/receipt/create', { values: desk.values(taken) })).errors).toMatchObject(
      [{ field: 'companyAccount', message: '该账户的用途不含收款' }],
    )
    const id = await desk.receipt({ customer })
    const values = { amount: '100.00', receivedDate: '2026-03-15', companyAccount, remark: '多付退回' }
    expect(await post('refund', id, values)).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ refundedAmount: '100.00', unmatchedAmount: '900.00' })
  })

  it('is a receipt in the other direction, up to the unmatched amount', async () => {
    const customer = await desk.customer()
    const statement = await desk.statement(customer.id, '700.00', '2026-03-01')
    const id = await desk.receipt({ customer: customer.id })
    await desk.match(id, [{ statement, amount: '700.00' }])
    const {
      result: { values },
    } = await house.admin.post('/settlement/receipt/refund/prepare', { id })
    expect(values).toMatchObject({ amount: '300.00', receivedDate: '2026-03-15', companyAccount: { id: desk.account } })
    const refund = (more: object) => post('refund', id, { ...values, remark: '多付退回', ...more })
    expect((await refund({ amount: '300.01' })).errors).toMatchObject([
      { field: 'amount', message: '退款金额不能超过未核销金额300.00' },
    ])
    expect((await refund({ companyAccount: desk.wages })).errors).toMatchObject([{ field: 'companyAccount' }])
    const { result } = await refund({ amount: '120.00' })
    expect(await desk.of(result.refund)).toMatchObject({
      direction: 'out',
      refundOf: { id },
      customer: { id: customer.id },
      amount: '120.00',
      unmatchedAmount: '0.00',
      status: 'matched',
      remark: '多付退回',
    })
    expect(await desk.of(id)).toMatchObject({
      refundedAmount: '120.00',
      unmatchedAmount: '180.00',
      status: 'partMatched',
    })
    expect(await refund({ amount: '180.00' })).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ status: 'matched', unmatchedAmount: '0.00' })
    expect((await desk.journal({ receipt: { equals: id } })).at(-1)).toMatchObject({
      action: 'refund',
      amountBefore: '180.00',
      amountAfter: '0.00',
      statusAfter: 'matched',
    })
  })

  it.skipIf(!isLong)('of the whole amount leaves nothing to void', async () => {
    const customer = await desk.customer()
    const id = await desk.receipt({ customer: customer.id })
    expect(
      await post('refund', id, {
        amount: '1000.00',
        receivedDate: '2026-03-15',
        companyAccount: desk.account,
        remark: '错付退回',
      }),
    ).toMatchObject({ code: 1 })
    expect(await desk.of(id)).toMatchObject({ status: 'refunded' })
    expect(await post('void', id, { voidReason: '重复登记作废' })).toMatchObject({ code: 409 })
  })
})

it("a customer's balance is the unmatched amount, and its receivable the outstanding amount", async () => {
  const customer = await desk.customer({ openingBalance: '50.00', creditLimit: '300.00' })
  await desk.statement(customer.id, '900.00', '2026-03-01', { stage: 'generated' })
  const statement = await desk.statement(customer.id, '800.00', '2026-03-01')
  const id = await desk.receipt({ customer: customer.id })
  await desk.receipt({ customer: customer.id, amount: '30.00' })
  expect(await desk.customerOf(customer.id)).toMatchObject({ receivable: '800.00', overLimit: true })
  await desk.match(id, [{ statement, amount: '600.00' }])
  await post('refund', id, {
    amount: '100.00',
    receivedDate: '2026-03-15',
    companyAccount: desk.account,
    remark: '多付退回',
  })
  // 50 + 1000 + 30 − 100 − 600; 800 − 600.
  expect(await desk.customerOf(customer.id)).toMatchObject({
    balance: '380.00',
    receivable: '200.00',
    overLimit: false,
  })
  const { result } = await house.admin.get('/customer/list', {
    filters: { balance: { between: ['380', '380'] } },
    sums: ['balance', 'receivable'],
    sort: '-receivable',
  })
  expect(result).toMatchObject({ total: 1, sums: { balance: '380.00', receivable: '200.00' } })
  const saved = await house.admin.post('/customer/update', {
    id: customer.id,
    revision: (await desk.customerOf(customer.id)).revision,
    values: { openingBalance: '60.00' },
  })
  expect(saved.errors).toMatchObject([{ field: 'openingBalance', code: 'read-only' }])
})

it('a customer is over the credit limit once it owes more, and 0 means no limit', async () => {
  const limited = async (creditLimit: string, total: string) => {
    const customer = await desk.customer({ creditLimit })
    const statement = await desk.statement(customer.id, total, '2026-03-01')
    return { ...customer, statement }
  }
  const [above, at, none] = [
    await limited('300.00', '300.01'),
    await limited('300.00', '300.00'),
    await limited('0.00', '900.00'),
  ]
  const warned = async () => {
    const { list } = (await house.admin.get('/customer/list', { filters: { overLimit: { equals: true } }, size: 100 }))
      .result
    const ids = list.map(({ id }: { id: number }) => id)
    return [above, at, none].map(({ id }) => id).filter((id) => ids.includes(id))
  }
  expect(await warned()).toEqual([above.id])
  // An advance payment settles nothing by itself, but a match does.
  const id = await desk.receipt({ customer: above.id })
  expect(await warned()).toEqual([above.id])
  await desk.match(id, [{ statement: above.statement, amount: '0.01' }])
  expect(await warned()).toEqual([])
  // Another limit takes effect at once.
  const { revision } = await desk.customerOf(at.id)
  const changed = await house.admin.post('/customer/update', {
    id: at.id,
    revision,
    values: { creditLimit: '299.99' },
  })
  expect(changed).toMatchObject({ code: 1 })
  expect(await warned()).toEqual([at.id])
})
