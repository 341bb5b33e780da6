import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordData } from '../../../engine/model/model.ts'
import { batch, importFile, planOf, rows, workbook, worker } from '../../../tests/importing.ts'
import { receiptHouse, type ReceiptHouse } from '../../../tests/receipts.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

const [path, rowPath] = ['/settlement/receiptImport', '/settlement/receiptImportRow']
let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

let serial = 0
const row = (cells: Record<string, string | number | null> = {}) => ({
  receivedDate: '2026-03-11',
  companyAccount: '9900880000000012',
  payerName: '陌生付款人',
  amount: '100.00',
  bankSerialNo: `FLOW${++serial}`,
  ...cells,
})
async function check(cells: ReturnType<typeof row>[], as: Client = house.admin): Promise<number> {
  const id = await importFile(house, await workbook(planOf(house, 'receiptImport'), cells), { path, as })
  await worker(house).drain()
  return id
}
async function write(id: number): Promise<RecordData[]> {
  expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
  await worker(house).drain()
  return rows(house, id, house.admin, rowPath)
}
const outcomesOf = async (id: number) =>
  (await rows(house, id, house.admin, rowPath)).map(({ rowStatus, errors }) => [
    rowStatus,
    ...((errors ?? []) as unknown as { code: string; message: { cn: string } }[]).map(({ message }) => message.cn),
  ])

describe('a bank flow', () => {
  it('has eleven columns', () => {
    expect(
      planOf(house, 'receiptImport').columns.map(({ label, required }) => label.cn + (required ? '*' : '')),
    ).toEqual([
      '到账日期*',
      '收款账号*',
      '付款方名称*',
      '付款账号',
      '付款银行',
      '到账金额*',
      '收款方式',
      '银行流水号*',
      '摘要',
      '客户编号',
      '备注',
    ])
  })

  it('is claimed by customer code or by a known payer, and its journal says that it was imported', async () => {
    const customer = await desk.customer({ payerNames: ['沐禾集团（演示）有限公司'] })
    const id = await check([
      row({ customer: customer.code }),
      row({ payerName: '沐禾集团（演示）有限公司' }),
      row({ payerName: customer.corporateName }),
      row(),
    ])
    const written = await write(id)
    expect(await batch(house, id, house.admin, path)).toMatchObject({ status: 'completed', successCount: 4 })
    expect(written.map(({ targetClaimStatus }) => targetClaimStatus)).toEqual([
      'claimed',
      'claimed',
      'claimed',
      'unclaimed',
    ])
    const target = (written[1].target as { id: number }).id
    expect(await desk.of(target)).toMatchObject({
      customer: { id: customer.id },
      entryMode: 'import',
      method: 'bankTransfer',
      claimedAt: expect.any(String),
      importBatch: { id },
    })
    expect(await desk.journal({ receipt: { equals: target } })).toMatchObject([
      { action: 'import', amountAfter: '100.00' },
    ])
    const { revision } = await desk.of(target)
    const { errors } = await house.admin.post('/settlement/receipt/update', {
      id: target,
      revision,
      values: { amount: '5.00', bankSerialNo: 'X', companyAccount: desk.wages },
    })
    expect(
      errors!
        .filter(({ code }) => code === 'read-only')
        .map(({ field }) => field)
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['amount', 'bankSerialNo', 'companyAccount'])
  })

  it('is written once: existing flows are skipped, and voided ones may be imported again', async () => {
    const [first, second] = [row({ bankSerialNo: 'ONCE1' }), row({ bankSerialNo: 'ONCE2' })]
    const [written] = await write(await check([first, second]))
    const again = await check([first, { ...second, amount: '999.00' }])
    expect(await outcomesOf(again)).toEqual([
      ['skipped', '收款账号“****** ONCE1”已存在，已跳过'],
      ['skipped', '收款账号“****** ONCE2”已存在，已跳过'],
    ])
    await house.admin.post('/settlement/receipt/void', {
      id: (written.target as { id: number }).id,
      values: { voidReason: '银行退票重入' },
    })
    expect(await outcomesOf(await check([first, second]))).toEqual([['toCreate'], ['skipped', expect.any(String)]])
  })

  it('reports the problems of each row', async () => {
    const customer = await desk.customer()
    const other = await desk.customer()
    const same = row()
    const id = await check([
      row({ payerName: null }),
      row({ amount: '0' }),
      row({ amount: '1.234' }),
      row({ payerAccount: '12' }),
      row({ method: '支票' }),
      row({ companyAccount: '9900880000000099' }),
      row({ customer: 'C999999' }),
      row({ receivedDate: '昨天' }),
      row({ receivedDate: '2026-03-16' }),
      same,
      same,
      row({ companyAccount: '9900880000000013' }),
      row({ customer: customer.code, payerName: other.corporateName }),
    ])
    expect(await outcomesOf(id)).toEqual([
      ['failed', '付款方名称不能为空'],
      ['failed', expect.stringContaining('到账金额')],
      ['failed', expect.stringContaining('到账金额')],
      ['failed', expect.stringContaining('付款账号')],
      ['failed', '收款方式“支票”不在可选范围内'],
      ['failed', '收款账号不存在或已停用'],
      ['failed', '客户编号不存在或已停用'],
      ['failed', '到账日期格式不正确'],
      ['failed', '到账日期不能晚于今天'],
      ['toCreate'],
      ['failed', '与第11行重复'],
      ['failed', expect.stringContaining('收款账号')],
      ['toCreate', '客户编号与付款方名称对应的客户不一致（提示）'],
    ])
  })

  it('can be undone while it is unused, although the journal mentions it', async () => {
    const id = await check([row(), row()])
    await write(id)
    expect(await house.admin.post(`${path}/undo`, { id })).toMatchObject({ code: 1 })
    const customer = await desk.customer()
    const used = await check([row({ customer: customer.code })])
    const [{ target }] = await write(used)
    await desk.match((target as { id: number }).id, [
      { statement: await desk.statement(customer.id, '50.00', '2026-03-01'), amount: '50.00' },
    ])
    expect((await house.admin.post(`${path}/undo`, { id: used })).code).not.toBe(1)
  })
})

describe('users', () => {
  it("who register others' money assign it to the payer's customer, but do not see it if out of scope", async () => {
    const every = house.runtime.derived.catalog.permissions.map(({ value }) => value)
    const role = { code: 'narrowdesk', name: '只见本人', functionPermissions: every, dataScope: 'self' }
    await house.create('/setting/role', role)
    const narrow = await house.user('narrowdeskuser', ['narrowdesk'])
    const theirs = await desk.customer()
    const claims = async (make: (as: Client) => Promise<number>) => {
      const id = await make(narrow)
      return { ...(await desk.of(id)), seen: (await narrow.get('/settlement/receipt/detail', { id })).code }
    }
    const claimed = { customer: { id: theirs.id }, claimedBy: { id: narrow.id }, seen: 403 }
    expect(await claims((as) => desk.receipt({ payerName: theirs.corporateName }, as))).toMatchObject(claimed)
    const byFile = async (as: Client) => {
      const id = await check([row({ payerName: theirs.corporateName })], as)
      return ((await write(id))[0].target as { id: number }).id
    }
    expect(await claims(byFile)).toMatchObject(claimed)
    // An unclaimed receipt neither reveals nor proposes its former customer to users who may not view that customer.
    const open = await desk.receipt({ payerName: theirs.corporateName })
    expect(await house.admin.post('/settlement/receipt/unclaim', { id: open })).toMatchObject({ code: 1 })
    const known = async (as: Client) => [
      (await as.get('/settlement/receipt/detail', { id: open })).result.payerCustomer?.id ?? null,
      (await as.post('/settlement/receipt/claim/prepare', { id: open })).result.values.customer?.id ?? null,
    ]
    expect(await known(house.admin)).toEqual([theirs.id, theirs.id])
    expect(await known(narrow)).toEqual([null, null])
  })

  it('have a receipt claimed for a disabled customer, whose statements are still open', async () => {
    const { id, corporateName } = await desk.customer()
    expect(await house.admin.post('/customer/disable', { id })).toMatchObject({ code: 1 })
    expect(await desk.of(await desk.receipt({ payerName: corporateName }))).toMatchObject({ customer: { id } })
    const [{ target }] = await write(await check([row({ payerName: corporateName })]))
    expect(await desk.of((target as { id: number }).id)).toMatchObject({ customer: { id } })
  })

  it('see the receipts of their own customers, and unclaimed ones', async () => {
    const support = await house.user('support01', ['support'])
    const [own, other] = [await desk.customer({ supportStaff: support.id }), await desk.customer()]
    const [mine, theirs, open] = [
      await desk.receipt({ customer: own.id }),
      await desk.receipt({ customer: other.id }),
      await desk.receipt(),
    ]
    const code = async (id: number) => (await support.get('/settlement/receipt/detail', { id })).code
    expect([await code(mine), await code(theirs), await code(open)]).toEqual([1, 403, 1])
    expect(await support.post('/settlement/receipt/claim', { id: open, values: { customer: own.id } })).toMatchObject({
      code: 1,
    })
    expect(
      await support.post('/settlement/receipt/claim', {
        id: await desk.receipt({ payerName: '另一付款人' }),
        values: { customer: other.id },
      }),
    ).toMatchObject({ code: 422, errors: [{ field: 'customer' }] })
    const statement = await desk.statement(own.id, '10.00', '2026-03-01')
    for (const [action, values] of [
      ['match', { matches: [{ statement, amount: '1' }] }],
      ['void', { voidReason: '重复登记作废' }],
      ['refund', {}],
    ] as const) {
      expect(await support.post(`/settlement/receipt/${action}`, { id: mine, values }), action).toMatchObject({
        code: 403,
      })
    }
    expect(await support.post('/settlement/receipt/match/prepare', { id: mine })).toMatchObject({ code: 403 })
    expect(
      (await support.get('/messages', { size: 20 })).result.list.map(({ type }: { type: string }) => type),
    ).toContain('到账待认领')
    await desk.match(theirs, [{ statement: await desk.statement(other.id, '10.00', '2026-03-01'), amount: '1' }])
    expect(
      (await support.get('/settlement/receiptMatch/list', { filters: { receipt: { equals: theirs } } })).result.total,
    ).toBe(0)
  })

  it('see the journal of receipts or of statements by their permissions', async () => {
    const cashier = await house.user('cashier01', ['cashier'])
    const sales = await house.user('sales01', ['sales'])
    const customer = await desk.customer({ salesman: sales.id })
    const id = await desk.receipt({ customer: customer.id })
    await desk.match(id, [{ statement: await desk.statement(customer.id, '10.00', '2026-03-01'), amount: '10.00' }])
    const subjects = async (as: Client) => {
      const { code, result } = await as.get('/settlement/settlementJournal/list', {
        filters: { customer: { equals: customer.id } },
        size: 50,
      })
      return code === 1
        ? [...new Set(result.list.map(({ subject }: { subject: string }) => subject))].toSorted((a, b) =>
            String(a).localeCompare(String(b)),
          )
        : code
    }
    expect(await subjects(house.admin)).toEqual(['receipt', 'statement'])
    expect(await subjects(cashier)).toEqual(['receipt'])
    expect(await subjects(sales)).toEqual(['statement'])
    expect(await subjects(await house.user('publisher01', ['publisher']))).toBe(403)
    expect((await cashier.get('/settlement/settlementJournal/export')).status).toBe(200)
  })
})

it('an import is not undone once its month is closed', async () => {
  const id = await check([row({ receivedDate: '2026-02-11' })])
  const [written] = await write(id)
  const close = async (month: string | null) => {
    await house.database.pool.query('update parameter set "closedMonth" = $1', [month])
    await house.database.pool.query('update system_overlay set version = version + 1')
  }
  await close('2026-02')
  expect(await house.admin.post(`${path}/undo`, { id })).toMatchObject({
    code: 409,
    message: '不能撤销此导入：到账日期所在月份已关账',
  })
  await worker(house).drain()
  expect(await desk.of((written.target as { id: number }).id)).toMatchObject({ amount: '100.00' })
  await close(null)
})
