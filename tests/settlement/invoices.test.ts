import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import {
  application,
  apply,
  confirmed,
  confirmedApril,
  invoiceFile,
  invoices,
  invoicesOf,
  issue,
  nextNumber,
  readInvoice,
  suggested,
} from '../invoice.ts'
import { upload } from '../customer.ts'
import { billedCustomer } from '../statement.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { read, statements } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const journal = async (invoice: number) =>
  (
    await house.admin.get('/settlement/settlementJournal/list', {
      filters: { invoice: { equals: invoice } },
      sort: 'occurredAt',
    })
  ).result.list as RecordData[]
const applied = async (ids: number[], values: Record<string, Value> = {}) => {
  const answer = await apply(house.admin, ids, values)
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
  return answer.result.id as number
}
const issued = async (ids: number[], values: Record<string, Value> = {}) => {
  const id = await applied(ids)
  expect(await issue(house, id, values)).toMatchObject({ code: 1 })
  return id
}

describe('the form of an application', () => {
  test.skipIf(!isLong)('accepts a disabled customer, whose statements stay open', async () => {
    const { id, customer } = await confirmed(house)
    await house.database.pool.query(`update customer set "accountStatus" = 'disabled' where id = $1`, [customer])
    expect(await applied([id])).toBeGreaterThan(0)
  })

  test('takes terms, items and taxes from the statements, and billing details from the customer', async () => {
    const account = {
      billingType: 'eNormal',
      invoiceEmail: 'bill@qilan.example.com',
      depositBank: '北辰示范银行北京演示支行',
      bankAccount: '99110000000012345',
    }
    const { id, customer, agency, name } = await confirmed(house, {
      values: {
        ...account,
        invoiceTitle: '启澜开票抬头',
        taxNumber: '91990101MADE1A2B93',
      },
    })
    const { result } = await suggested(house.admin, { statements: [id] })
    expect(result.values).toMatchObject({
      customer: { id: customer, name },
      invoiceType: 'eNormal',
      taxMethod: 'diffSimple',
      diffMode: 'single',
      title: '启澜开票抬头',
      taxNumber: '91990101MADE1A2B93',
      bankAndAccount: '北辰示范银行北京演示支行 99110000000012345',
      deliverMethod: 'email',
      email: 'bill@qilan.example.com',
      deductionAmount: '19343.00',
      amount: '19596.44',
      taxAmount: '12.07',
      netAmount: '19584.37',
      invoiceRemark: '2026-03 劳务派遣',
      allocations: [{ statement: { id }, billMonth: '2026-03', uninvoicedBefore: '19596.44', amount: '19596.44' }],
      items: [
        {
          itemName: 'dispatchService',
          amount: '19596.44',
          taxRate: '5.0000',
          taxAmount: '12.07',
          netAmount: '19584.37',
        },
      ],
    })
    expect(agency).toBeGreaterThan(0)
    // A customer chosen in the form itself gets all open statements.
    expect((await suggested(house.admin, { values: { customer }, typed: ['customer'] })).result.values).toMatchObject({
      allocations: [{ statement: { id }, amount: '19596.44' }],
    })
    expect((await suggested(house.admin, {})).result.values).toEqual({})
    // The account is not shown if there is nothing to invoice.
    const { customer: without } = await billedCustomer(house, { values: account })
    const { values: empty } = (await suggested(house.admin, { values: { customer: without } })).result
    expect(empty).toMatchObject({ allocations: [] })
    expect(JSON.stringify(empty)).not.toContain(account.bankAccount)
  })

  test.skipIf(!isLong)('recomputes when amounts, items or the tax method change, and keeps typed values', async () => {
    const { id, customer } = await confirmed(house)
    const half = await suggested(house.admin, {
      values: {
        customer,
        title: '另一抬头',
        allocations: [{ statement: id, amount: '9798.22' }],
        taxMethod: 'diffSimple',
        diffMode: 'single',
      },
      typed: ['customer', 'allocations', 'title'],
    })
    expect(half.result.values).toMatchObject({
      deductionAmount: '9671.50',
      amount: '9798.22',
      items: [{ amount: '9798.22' }],
    })
    expect(half.result.values.title).toBeUndefined()
    const apart = await suggested(house.admin, {
      values: {
        customer,
        allocations: [{ statement: id, amount: '19596.44' }],
        taxMethod: 'diffSimple',
        diffMode: 'split',
      },
      typed: ['diffMode'],
    })
    expect(apart.result.values).toMatchObject({
      deductionAmount: null,
      taxAmount: '12.07',
      items: [
        { itemName: 'dispatchService', amount: '253.44', taxAmount: '12.07' },
        { itemName: 'passThroughPay', amount: '19343.00', taxAmount: '0.00' },
      ],
    })
    const full = await suggested(house.admin, {
      values: {
        customer,
        allocations: [{ statement: id, amount: '19596.44' }],
        taxMethod: 'fullSimple',
        items: [{ itemName: 'serviceFee', amount: '103.00', taxRate: '3' }, { itemName: 'serviceFee' }],
      },
      typed: ['taxMethod', 'items'],
    })
    expect(full.result.values).toMatchObject({
      diffMode: null,
      deductionAmount: null,
      items: [
        { amount: '103.00', taxAmount: '3.00' },
        { taxAmount: null, netAmount: null },
      ],
    })
  })

  test('refuses statements of several customers, and statements with nothing open', async () => {
    const [statement, otherStatement] = [await confirmed(house), await confirmed(house)]
    expect(await suggested(house.admin, { statements: [statement.id, otherStatement.id] })).toMatchObject({
      code: 409,
      message: '请选择同一客户、同一服务机构的对账单',
    })
    await applied([statement.id])
    expect(await suggested(house.admin, { statements: [statement.id] })).toMatchObject({
      code: 409,
      message: '所选对账单未确认或没有未开票金额',
    })
  })
})

describe('applying', () => {
  test('for two statements sets pending amounts, seller, taxes, journal and a message to issuers', async () => {
    const clerk = await house.user('issuerone', ['invoiceClerk'])
    const first = await confirmed(house)
    const second = await confirmedApril(house, first)
    const id = await applied([first.id, second])
    const [march, april] = [await read(house, first.id), await read(house, second)]
    expect(await readInvoice(house, id)).toMatchObject({
      applyNo: expect.stringMatching(/^KP20260315\d{4}$/),
      kind: 'blue',
      status: 'applied',
      customer: { id: first.customer },
      agency: { id: first.agency },
      statements: [{ id: first.id }, { id: second }],
      amount: (Number(march.totalAmount) + Number(april.totalAmount)).toFixed(2),
      applicant: { name: expect.any(String) },
      appliedAt: expect.stringMatching(/^2026-03-15/),
      allocations: [{ uninvoicedBefore: '19596.44', amount: '19596.44' }, { amount: april.totalAmount }],
    })
    expect(march).toMatchObject({
      applyingAmount: '19596.44',
      invoicedAmount: '0.00',
      uninvoicedAmount: '0.00',
      status: 'confirmed',
      invoiceProgress: 'none',
    })
    expect(await journal(id)).toMatchObject([
      { subject: 'invoice', action: 'apply', amountBefore: '0.00', statusAfter: 'applied', ip: '127.0.0.1' },
    ])
    expect((await clerk.get('/messages')).result.list[0]).toMatchObject({
      type: '开票申请',
      title: `开票申请：${first.name}`,
    })
    expect((await house.admin.post(`${statements}/unconfirm`, { id: first.id })).code).toBe(409)
  })

  test('takes at most the open amount, of confirmed statements of this customer', async () => {
    const { id, customer } = await confirmed(house)
    const other = await confirmed(house)
    const refused = async (allocations: RecordData[], items?: RecordData[]) => {
      const values = await application(house.admin, [id], {
        allocations: allocations as Value,
        deductionAmount: '0',
        ...(items && { items: items as Value }),
      })
      return (await house.admin.post(`${invoices}/create`, { values })).errors?.map(
        ({ field, message }) => `${field}: ${message}`,
      )
    }
    const item = (amount: string) => [{ itemName: 'dispatchService', amount, taxRate: '5' }]
    expect(await refused([{ statement: id, amount: '19596.45' }], item('19596.45'))).toEqual([
      'allocations.0.amount: 超过未开票金额19596.44',
    ])
    expect(await refused([{ statement: id, amount: '0' }], item('1'))).toContain('allocations: 本次开票金额必须大于0')
    expect(await refused([{ statement: id, amount: '100' }], item('99'))).toEqual([
      'items: 明细金额合计须等于对账单分配金额合计',
    ])
    expect(
      await refused(
        [
          { statement: id, amount: '100' },
          { statement: other.id, amount: '1' },
        ],
        item('101'),
      ),
    ).toEqual(['allocations.1.statement: 对账单须属于该客户'])
    expect(
      await refused(
        [
          { statement: id, amount: '60' },
          { statement: id, amount: '40' },
        ],
        item('100'),
      ),
    ).toEqual(['allocations.1.statement: 与第1行重复'])
    expect(await refused([])).toEqual(['allocations: 请输入对账单分配'])
    expect((await suggested(house.admin, { values: { customer } })).result.values.allocations).toMatchObject([
      { amount: '19596.44' },
    ])
  })

  test.skipIf(!isLong)('twice at once for one statement reports the remaining amount to the second', async () => {
    const { id } = await confirmed(house)
    const values = await application(house.admin, [id])
    const answers = await Promise.all([1, 2, 3].map(() => house.admin.post(`${invoices}/create`, { values })))
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([1, 422, 422])
    expect(answers.find(({ code }) => code !== 1)!.errors).toMatchObject([
      { field: 'allocations.0.amount', message: '超过未开票金额0.00' },
    ])
    expect(await read(house, id)).toMatchObject({ applyingAmount: '19596.44', uninvoicedAmount: '0.00' })
  })

  test('raising two applications at once on one statement succeeds for one', async () => {
    const { id } = await confirmed(house)
    const deduction = (amount: string) => ({
      deductionAmount: '0',
      allocations: [{ statement: id, amount }],
      items: [{ itemName: 'dispatchService', amount, taxRate: '5' }],
    })
    const raised = async (invoice: number) => {
      const { revision, allocations } = await readInvoice(house, invoice)
      const [{ id: row }] = allocations as RecordData[]
      return {
        id: invoice,
        revision,
        values: { ...deduction('14000'), allocations: [{ id: row, statement: id, amount: '14000' }] },
      }
    }
    const requests = [
      await raised(await applied([id], deduction('5000'))),
      await raised(await applied([id], deduction('5000'))),
    ]
    const answers = await Promise.all(requests.map((request) => house.admin.post(`${invoices}/update`, request)))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([1, 422])
    expect(await read(house, id)).toMatchObject({ applyingAmount: '19000.00', uninvoicedAmount: '596.44' })
  })

  test.skipIf(!isLong)(
    'separately for fee and pass-through makes two applications, the second not special',
    async () => {
      const { id } = await confirmed(house, { terms: { diffInvoiceMode: 'split' } })
      await applied([id], {
        invoiceType: 'eSpecial',
        taxNumber: '91990101MADE1A2B93',
        addressPhone: '演示路1号 000-55500000',
        bankAndAccount: '北辰示范银行 990000000001',
      })
      const [fee, passThrough] = await invoicesOf(house, id)
      expect(fee).toMatchObject({
        invoiceType: 'eSpecial',
        amount: '253.44',
        taxAmount: '12.07',
        netAmount: '241.37',
        deductionAmount: null,
      })
      expect(passThrough).toMatchObject({
        invoiceType: 'eNormal',
        amount: '19343.00',
        taxAmount: '0.00',
        netAmount: '19343.00',
        status: 'applied',
      })
      expect(await read(house, id)).toMatchObject({ applyingAmount: '19596.44', uninvoicedAmount: '0.00' })
      expect(await journal(passThrough.id!)).toMatchObject([{ action: 'apply', amountAfter: '19343.00' }])
    },
  )

  test.skipIf(!isLong)('requires the fields of the invoice type and the delivery', async () => {
    const { id } = await confirmed(house)
    const wrong = async (values: Record<string, Value>) =>
      (await apply(house.admin, [id], values)).errors?.map(({ field }) => field)
    expect(await wrong({ invoiceType: 'none' })).toContain('invoiceType')
    expect(await wrong({ invoiceType: 'paperNormal', deliverMethod: 'email', email: 'a@b.example.com' })).toEqual([
      'deliverMethod',
    ])
    expect(await wrong({ invoiceType: 'eSpecial', taxNumber: null, addressPhone: null, bankAndAccount: null })).toEqual(
      ['taxNumber', 'addressPhone', 'bankAndAccount'],
    )
    expect(await wrong({ deliverMethod: 'email', email: null })).toEqual(['email'])
    expect(await wrong({ deductionAmount: '19596.45' })).toEqual(['deductionAmount'])
  })
})

describe('an application', () => {
  test.skipIf(!isLong)('can be changed by its creator, who may use the amount that it has taken', async () => {
    const support = await house.user('applicantone', ['support'])
    const { id } = await confirmed(house, { values: { supportStaff: support.id } })
    const { result } = await apply(support, [id])
    const before = await readInvoice(house, result.id)
    const values = {
      allocations: [{ id: (before.allocations as RecordData[])[0].id!, statement: id, amount: '9798.22' }],
      items: [{ itemName: 'dispatchService', amount: '9798.22', taxRate: '5' }],
    }
    expect(
      (
        await suggested(support, {
          id: result.id,
          values: { ...values, taxMethod: 'diffSimple', diffMode: 'single' },
          typed: ['allocations'],
        })
      ).result.values,
    ).toMatchObject({ allocations: [{ uninvoicedBefore: '19596.44', amount: '9798.22' }], deductionAmount: '9671.50' })
    expect(
      await support.post(`${invoices}/update`, {
        id: result.id,
        revision: before.revision,
        values: { ...values, deductionAmount: '9671.50' } as Record<string, Value>,
      }),
    ).toMatchObject({ code: 1 })
    expect(await readInvoice(house, result.id)).toMatchObject({
      amount: '9798.22',
      taxAmount: '6.03',
      allocations: [{ uninvoicedBefore: '19596.44' }],
    })
    expect(await read(house, id)).toMatchObject({ applyingAmount: '9798.22', uninvoicedAmount: '9798.22' })
    expect((await journal(result.id)).map(({ action, changeAmount }) => [action, changeAmount])).toEqual([
      ['apply', '19596.44'],
      ['edit', '-9798.22'],
    ])

    const other = await house.user('applicanttwo', ['customerManager', 'support'])
    const after = await readInvoice(house, result.id)
    expect(
      (
        await other.post(`${invoices}/update`, {
          id: result.id,
          revision: after.revision,
          values: { title: '他人修改' },
        })
      ).code,
    ).not.toBe(1)
    expect(
      (
        await support.post(`${invoices}/update`, {
          id: result.id,
          revision: after.revision,
          values: { title: '改后抬头' },
        })
      ).code,
    ).toBe(1)
  })

  test('is withdrawn by its creator or refused by the issuer with a message; its amount is open again', async () => {
    const [support, clerk] = [
      await house.user('applicantthree', ['support']),
      await house.user('issuertwo', ['invoiceClerk']),
    ]
    const { id } = await confirmed(house, { values: { supportStaff: support.id } })
    const [first] = [(await apply(support, [id])).result.id as number]
    expect((await clerk.post(`${invoices}/withdraw`, { id: first })).code).toBe(403)
    expect(await support.post(`${invoices}/withdraw`, { id: first })).toMatchObject({ code: 1 })
    expect(await readInvoice(house, first)).toMatchObject({ status: 'voided', reason: 'withdrawn' })
    expect(await read(house, id)).toMatchObject({ applyingAmount: '0.00', uninvoicedAmount: '19596.44' })

    const second = (await apply(support, [id])).result.id as number
    expect((await clerk.post(`${invoices}/void`, { id: second, values: {} })).errors).toMatchObject([
      { field: 'reason' },
    ])
    expect((await clerk.post(`${invoices}/void`, { id: second, values: { reason: 'other' } })).errors).toMatchObject([
      { field: 'reasonRemark' },
    ])
    expect((await support.post(`${invoices}/void`, { id: second, values: { reason: 'rejected' } })).code).toBe(403)
    expect(
      await clerk.post(`${invoices}/void`, {
        id: second,
        values: { reason: 'rejected', reasonRemark: '抬头与营业执照不符' },
      }),
    ).toMatchObject({ code: 1 })
    expect((await support.get('/messages')).result.list[0]).toMatchObject({
      type: '发票作废或退回',
      content: expect.stringContaining('抬头与营业执照不符'),
    })
    expect(
      (await journal(second)).map(({ action, changeAmount, statusAfter }) => [action, changeAmount, statusAfter]),
    ).toEqual([
      ['apply', '19596.44', 'applied'],
      ['void', '-19596.44', 'voided'],
    ])
  })
})

describe('issuing', () => {
  test('requires number, day and file of the invoice type, and marks the statement invoiced', async () => {
    const { id } = await confirmed(house)
    const invoice = await applied([id])
    const wrong = async (values: Record<string, Value>) =>
      (await issue(house, invoice, values)).errors?.map(({ field }) => field)
    expect(await wrong({ invoiceNo: '12345678' })).toEqual(['invoiceNo'])
    expect(await wrong({ invoiceNo: null })).toEqual(['invoiceNo'])
    expect(await wrong({ issueDate: '2026-03-16' })).toEqual(['issueDate'])
    expect(await wrong({ issueDate: '2026-03-14' })).toEqual(['issueDate'])
    expect(await wrong({ files: null })).toEqual(['files'])
    const number = nextNumber()
    expect(await issue(house, invoice, { invoiceNo: number })).toMatchObject({ code: 1 })
    expect(await readInvoice(house, invoice)).toMatchObject({
      status: 'issued',
      invoiceNo: number,
      invoiceCode: null,
      issueDate: '2026-03-15',
      issuer: { name: expect.any(String) },
    })
    expect(await read(house, id)).toMatchObject({
      status: 'invoiced',
      invoicedAmount: '19596.44',
      applyingAmount: '0.00',
      uninvoicedAmount: '0.00',
      invoiceProgress: 'full',
    })
    expect((await journal(invoice)).at(-1)).toMatchObject({
      action: 'issue',
      statusBefore: 'applied',
      statusAfter: 'issued',
      relatedNo: number,
    })
    expect((await issue(house, invoice)).code).toBe(409)

    const { applyNo } = await readInvoice(house, invoice)
    const again = await applied([(await confirmed(house)).id])
    expect((await issue(house, again, { invoiceNo: number })).errors).toMatchObject([
      { field: 'invoiceNo', message: `该发票号码已被使用：${applyNo}` },
    ])
  })

  test.skipIf(!isLong)('several at once numbers them consecutively; paper invoices need a code', async () => {
    const paper = { invoiceType: 'paperNormal', deliverMethod: 'pickup' }
    const ids = [
      await applied([(await confirmed(house)).id], paper),
      await applied([(await confirmed(house)).id], paper),
    ]
    const values = { invoiceNo: '00000099', issueDate: '2026-03-15' }
    expect((await house.admin.post(`${invoices}/issue`, { ids, values })).result).toMatchObject({
      succeeded: 0,
      failed: [{ message: '请输入发票代码' }, {}],
    })
    expect(
      (await house.admin.post(`${invoices}/issue`, { ids, values: { ...values, invoiceCode: '0990000000' } })).result,
    ).toMatchObject({ succeeded: 2 })
    expect(await Promise.all(ids.map(async (id) => (await readInvoice(house, id)).invoiceNo))).toEqual([
      '00000099',
      '00000100',
    ])
  })

  test.skipIf(!isLong)('several at once assigns files by number, and refuses a file without one', async () => {
    const ids = [await applied([(await confirmed(house)).id]), await applied([(await confirmed(house)).id])]
    const [first, second] = [nextNumber(), nextNumber()]
    const file = async (name: string) => ({
      ...(await upload(house, house.admin, name, Buffer.from('%PDF-1.4\n%%EOF\n'))).result,
      status: 'success',
    })
    const all = async (names: string[]) =>
      house.admin.post(`${invoices}/issue`, {
        ids,
        values: { invoiceNo: first, issueDate: '2026-03-15', files: await Promise.all(names.map(file)) },
      })
    expect(await all([`dzfp_${first}.pdf`, '发票.pdf'])).toMatchObject({
      code: 422,
      errors: [{ field: 'files', message: expect.stringContaining('发票.pdf') }],
    })
    expect((await all([`dzfp_${second}_某公司.pdf`])).result).toMatchObject({ succeeded: 1, failed: [{ id: ids[0] }] })
    expect(await readInvoice(house, ids[1])).toMatchObject({
      invoiceNo: second,
      files: [{ name: `dzfp_${second}_某公司.pdf` }],
    })
  })

  test('is not allowed to applicants and cashiers; delivery happens once', async () => {
    const [support, cashier, clerk] = [
      await house.user('applicantfour', ['support']),
      await house.user('cashiertwo', ['cashier']),
      await house.user('issuerthree', ['invoiceClerk']),
    ]
    const { id } = await confirmed(house, { values: { supportStaff: support.id } })
    const invoice = (await apply(support, [id])).result.id as number
    for (const each of [support, cashier])
      expect((await issue(house, invoice, { files: await invoiceFile(house, house.admin) }, each)).code).toBe(403)
    expect((await cashier.get(`${invoices}/list`)).code).toBe(403)
    expect((await suggested(clerk, { statements: [id] })).code).toBe(403)
    expect(
      (await clerk.post(`${invoices}/create`, { values: await application(support, [id]).catch(() => ({})) })).code,
    ).toBe(403)
    expect((await clerk.post(`${invoices}/deliver`, { id: invoice })).code).toBe(409)
    expect((await issue(house, invoice, {}, clerk)).code).toBe(1)
    expect(await clerk.post(`${invoices}/deliver`, { id: invoice })).toMatchObject({ code: 1 })
    expect(await readInvoice(house, invoice)).toMatchObject({ deliveredAt: expect.stringMatching(/^2026-03-15/) })
    expect((await clerk.post(`${invoices}/deliver`, { id: invoice })).code).toBe(409)
  })
})

describe('reversing an invoice', () => {
  const red = async (id: number, values: Record<string, Value> = {}) =>
    house.admin.post(`${invoices}/redFlush`, {
      id,
      values: {
        reason: 'wrongAmount',
        invoiceNo: nextNumber(),
        issueDate: '2026-03-15',
        files: await invoiceFile(house, house.admin),
        ...values,
      },
    })

  test.skipIf(!isLong)('by a red invoice over the whole amount opens the statement again', async () => {
    const { id } = await confirmed(house)
    const blue = await issued([id])
    expect((await house.admin.post(`${invoices}/redFlush/prepare`, { id: blue })).result.values).toMatchObject({
      invoiceNo: null,
      issueDate: '2026-03-15',
    })
    expect((await house.admin.post(`${invoices}/void`, { id: blue, values: { reason: 'wrongInfo' } })).code).toBe(409)
    expect((await red(blue, { reason: null })).errors).toMatchObject([{ field: 'reason' }])
    expect((await red(blue, { reason: 'rejected' })).errors).toMatchObject([{ field: 'reason' }])
    expect((await red(blue, { invoiceNo: String((await readInvoice(house, blue)).invoiceNo) })).errors).toMatchObject([
      { field: 'invoiceNo' },
    ])
    expect((await red(blue, { files: null })).errors).toMatchObject([{ field: 'files' }])
    expect(await red(blue)).toMatchObject({ code: 1 })
    const [old, made] = await invoicesOf(house, id)
    expect(old).toMatchObject({
      id: blue,
      status: 'redFlushed',
      amount: '19596.44',
      reason: 'wrongAmount',
      redInvoice: { id: made.id },
    })
    expect(made).toMatchObject({
      kind: 'red',
      status: 'issued',
      redOf: { id: blue },
      amount: '-19596.44',
      taxAmount: '-12.07',
      netAmount: '-19584.37',
      deductionAmount: '-19343.00',
    })
    expect(await read(house, id)).toMatchObject({
      status: 'confirmed',
      invoicedAmount: '0.00',
      uninvoicedAmount: '19596.44',
      invoiceProgress: 'none',
    })
    expect((await journal(blue)).at(-1)).toMatchObject({
      action: 'redFlush',
      changeAmount: '-19596.44',
      statusAfter: 'redFlushed',
      relatedNo: made.applyNo,
    })
    for (const operation of ['redFlush', 'void', 'deliver'])
      expect(
        (
          await house.admin.post(`${invoices}/${operation}`, {
            id: made.id,
            values: { reason: 'wrongInfo', invoiceNo: nextNumber(), issueDate: '2026-03-15' },
          })
        ).code,
        operation,
      ).toBe(409)
    expect((await apply(house.admin, [id])).code).toBe(1)
  })

  test.skipIf(!isLong)('on paper voids it within the month of issue', async () => {
    const { id } = await confirmed(house)
    const invoice = await applied([id], { invoiceType: 'paperNormal', deliverMethod: 'pickup' })
    expect(
      await issue(house, invoice, { invoiceCode: '099000000001', invoiceNo: nextNumber(8), files: null }),
    ).toMatchObject({ code: 1 })
    expect((await red(invoice, { invoiceCode: '099000000001', invoiceNo: nextNumber(8) })).code).toBe(409)
    expect(
      (await house.admin.post(`${invoices}/void`, { id: invoice, values: { reason: 'withdrawn' } })).errors,
    ).toMatchObject([{ field: 'reason' }])
    expect(await house.admin.post(`${invoices}/void`, { id: invoice, values: { reason: 'wrongInfo' } })).toMatchObject({
      code: 1,
    })
    expect(await read(house, id)).toMatchObject({ status: 'confirmed', uninvoicedAmount: '19596.44' })
  })
})

test.skipIf(!isLong)('users limited to their own customers see only invoices of those', async () => {
  const [support, other] = [
    await house.user('applicantfive', ['support']),
    await house.user('applicantsix', ['support']),
  ]
  const { id } = await confirmed(house, { values: { supportStaff: support.id } })
  const invoice = (await apply(support, [id])).result.id as number
  expect((await support.get(`${invoices}/list`)).result.total).toBe(1)
  expect((await other.get(`${invoices}/list`)).result.total).toBe(0)
  expect((await other.get(`${invoices}/detail`, { id: invoice })).code).toBe(403)
  expect((await suggested(other, { id: invoice })).code).toBe(403)
  expect(
    (await suggested(other, { statements: [id] })).result?.values ?? {},
    'what they may not see is not there',
  ).not.toHaveProperty('items')
  expect(
    (await other.post(`${invoices}/create`, { values: await application(support, [id]).catch(() => ({})) })).code,
  ).not.toBe(1)
})

test('an item has the tax class code used most often for its kind', async () => {
  for (const _ of [1, 2, 3]) await applied([(await confirmed(house)).id])
  const own = await confirmed(house)
  const wanted = { values: { customer: own.customer, allocations: [{ statement: own.id, amount: '100' }] }, typed: [] }
  const itemsOf = async () => (await suggested(house.admin, wanted)).result.values.items as RecordData[]
  const [{ itemName }] = await itemsOf()
  const code = (text: string, which: string) =>
    house.database.pool.query(
      `update "invoiceItem" set "taxClassCode" = $1 where "itemName" = $2 and id ${which} (select max(id) from "invoiceItem" where "itemName" = $2)`,
      [text, itemName],
    )
  await code('3040803000000000000', '<')
  await code('3040802000000000000', '=')
  expect(await itemsOf()).toMatchObject([{ itemName, taxClassCode: '3040803000000000000' }])
})

test('an application without tax class codes is named in the refusal of the export, in both languages', async () => {
  const own = await confirmed(house)
  const invoice = await applied([own.id])
  const { applyNo, title } = (await house.admin.get(`${invoices}/detail`, { id: invoice })).result
  const code = (text: string | null) =>
    house.database.pool.query('update "invoiceItem" set "taxClassCode" = $1 where invoice = $2', [text, invoice])
  const exported = (language: string) =>
    house.admin.get(`${invoices}/exportForTax`, { ids: String(invoice) }, { language })
  await code(null)
  expect(await exported('zh-CN')).toMatchObject({ code: 409, message: `${applyNo}（${title}）的明细缺少税收分类编码` })
  expect(await exported('en')).toMatchObject({
    code: 409,
    message: `${applyNo} (${title}) has an item without a tax class code`,
  })
  await code('3040803000000000000')
  expect((await exported('zh-CN')).status).toBe(200)
})
