import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerImport, customerRow, planOf, rows, write } from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog, ImportPlan, RecordData, Value } from '../../model/model.ts'
import { isLong } from '../../../tests/long.ts'

type User = Client & { id: number }
type Cells = Parameters<typeof check>[1][number]

/** Columns that are not in the customers' import, but in the one that selects a transition. */
const added: ImportPlan['columns'] = []
function withColumns(catalog: Catalog): Catalog {
  const { customer, customerImportRow: rowEntity } = catalog.entities
  for (const field of ['approvalStatus', 'rejectReason']) {
    const { label } = customer.fields[field]
    const name = `cell${field[0].toUpperCase()}${field.slice(1)}`
    added.push({ field, label, required: false, compared: false })
    rowEntity.fields[name] = { ...rowEntity.fields.cellRemark, name, label }
    catalog.tables.customerImportRow.columns.push({
      ...catalog.tables.customerImportRow.columns.find((column) => column.name === 'cellRemark')!,
      name,
    })
  }
  return catalog
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ change: withColumns })
})
afterAll(() => house?.close())

/** The customers' import has other options while the tests of the group run. */
function given(options: (plan: ImportPlan) => Partial<ImportPlan>): void {
  let former: ImportPlan
  const put = (plan: ImportPlan) =>
    void (house.runtime.derived.imports as Map<string, ImportPlan>).set(plan.batches, plan)
  beforeAll(() => {
    former = planOf(house)
    put({ ...former, ...options(former) })
  })
  afterAll(() => put(former))
}
const picked = (plan: ImportPlan, columns: Record<string, Partial<ImportPlan['columns'][number]>>) =>
  Object.entries(columns).map(([name, more]) => ({ ...plan.columns.find(({ field }) => field === name)!, ...more }))
const problemsOf = ({ errors }: RecordData) =>
  (
    errors as unknown as { column?: string; cell?: string; code: string; message: { cn: string; en: string } }[] | null
  )?.map(({ cell, code, message }) => [cell, code, message.cn, message.en])
const detail = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get('/customer/detail', { id })).result

describe('an import with a column that selects the transition', () => {
  given((plan) => ({
    columns: [...picked(plan, { uscc: { required: true } }), ...added],
    existing: 'update',
    missing: 'refuse',
    set: {},
    updateWhen: undefined,
    transition: { by: 'approvalStatus', of: { approved: 'agree', rejected: 'reject' } },
  }))
  let approver: User
  beforeAll(async () => {
    approver = await house.user('manager02', ['customerManager'])
  })

  it('applies the transition of each row, with the fields that it needs', async () => {
    const ids: number[] = []
    for (const name of ['甲客户', '乙客户', '丙客户'])
      ids.push(
        await house.create(
          '/customer',
          await customerValues(house, { name, corporateName: `${name}（演示）有限公司`, account: `a${ids.length}xyz` }),
        ),
      )
    const codes = await Promise.all(ids.map(async (id) => (await detail(house, id)).uscc))
    const file = await check(
      house,
      [
        { uscc: codes[0], approvalStatus: '已通过' },
        { uscc: codes[1], approvalStatus: '已驳回', rejectReason: '执照影像不清' },
        { uscc: codes[2], approvalStatus: '已驳回' },
      ] as Cells[],
      { as: approver },
    )
    expect(
      (await rows(house, file)).map((row) => [
        row.rowStatus,
        problemsOf(row)?.map(([cell, code]) => `${cell} ${code}`),
      ]),
    ).toEqual([
      ['toUpdate', undefined],
      ['toUpdate', undefined],
      ['failed', ['C4 required']],
    ])
    const short = await check(house, [{ uscc: codes[1], approvalStatus: '已驳回', rejectReason: '不清' }] as Cells[], {
      as: approver,
    })
    expect(
      (await rows(house, short)).map((row) => [
        row.rowStatus,
        problemsOf(row)?.map(([cell, code]) => `${cell} ${code}`),
      ]),
      'as the dialog would',
    ).toEqual([['failed', ['C2 minLength']]])
    await write(house, file, approver)
    expect(await detail(house, ids[0])).toMatchObject({ approvalStatus: 'approved', accountStatus: 'enabled' })
    expect(await detail(house, ids[1])).toMatchObject({ approvalStatus: 'rejected', rejectReason: '执照影像不清' })
    expect(await detail(house, ids[2])).toMatchObject({ approvalStatus: 'pending' })
    expect((await house.admin.get('/customer/history', { id: ids[1] })).result.list[0]).toMatchObject({
      action: 'reject',
    })
  })

  it('reports a record out of scope like one that does not exist', async () => {
    await house.create('/setting/role', {
      code: 'ownApprover',
      name: '审核本人客户',
      functionPermissions: ['customer:customer:view', 'customer:customer:approve', 'customer:import:*'],
      dataScope: 'self',
    })
    const support = await house.user('support02', ['ownApprover'])
    const { uscc } = await detail(
      house,
      await house.create('/customer', await customerValues(house, { name: '丁客户', account: 'a9xyz' })),
    )
    const none = customerRow(777).uscc
    const file = await check(
      house,
      [
        { uscc, approvalStatus: '已通过' },
        { uscc: none, approvalStatus: '已通过' },
        { uscc },
        { uscc: none },
      ] as Cells[],
      { as: support },
    )
    const found = await rows(house, file, support)
    // Without the key and the name of the row.
    const without = (row: RecordData, code: unknown) =>
      JSON.stringify(problemsOf(row))
        .replaceAll(String(code), '?')
        .replaceAll(/[A-Z]\d+/g, 'cell')
        .replaceAll(/(row|第)\s?\d/g, 'row')
    expect(problemsOf(found[0])).toEqual([
      ['A2', 'missing', `统一社会信用代码“${String(uscc)}”不存在`, expect.any(String)],
    ])
    expect(without(found[0], uscc)).toBe(without(found[1], none))
    expect(without(found[2], uscc)).toBe(without(found[3], none))
  })
})

describe('an import whose transition changes the column that selects it', () => {
  given((plan) => ({
    columns: picked(plan, { uscc: { required: true }, remark: {} }),
    existing: 'update',
    missing: 'refuse',
    set: {},
    updateWhen: undefined,
    transition: { by: 'remark', of: { 同意: 'agree' } },
  }))
  it.skipIf(!isLong)('names the chosen transition in history', async () => {
    const { set } = house.runtime.derived.catalog.entities.customer.states[0].transitions.agree
    set.remark = "'已阅'"
    try {
      const approver = await house.user('manager03', ['customerManager'])
      const id = await house.create('/customer', await customerValues(house))
      const { uscc } = await detail(house, id)
      await write(house, await check(house, [{ uscc, remark: '同意' }] as Cells[], { as: approver }), approver)
      expect(await detail(house, id)).toMatchObject({ approvalStatus: 'approved', remark: '已阅' })
      expect((await house.admin.get('/customer/history', { id })).result.list[0]).toMatchObject({ action: 'agree' })
    } finally {
      delete set.remark
    }
  })
})

describe('an import that applies a transition to existing records', () => {
  given((plan) => ({
    columns: picked(plan, { uscc: { required: true }, name: { compared: true, required: true }, remark: {} }),
    existing: 'update',
    missing: 'refuse',
    transition: 'agree',
    set: {},
    updateWhen: undefined,
  }))
  let submitter: User
  let approver: User
  beforeAll(async () => {
    submitter = await house.user('manager04', ['customerManager'])
    approver = await house.user('manager05', ['customerManager'])
  })

  async function pending(values: Record<string, Value> = {}) {
    const id = await house.create('/customer', await customerValues(house, values), submitter)
    const { uscc, name } = await detail(house, id)
    return { id, cells: { uscc, name } as Cells }
  }

  it('does what the transition does, and history names the transition', async () => {
    const { id, cells } = await pending()
    const before = await detail(house, id)
    const file = await check(house, [{ ...cells, remark: '批量通过' }], { as: approver })
    expect(await batch(house, file)).toMatchObject({ status: 'checked', updateCount: 1, createCount: 0, failCount: 0 })
    expect(await detail(house, id)).toEqual(before)
    await write(house, file, approver)
    expect(await detail(house, id)).toMatchObject({
      approvalStatus: 'approved',
      accountStatus: 'enabled',
      approvalTime: expect.any(String),
      approver: { id: approver.id },
      submitter: { id: submitter.id },
      submissionTime: before.submissionTime,
      remark: '批量通过',
      revision: before.revision! + 1,
      registrationMethod: 'backOffice',
    })
    expect((await house.admin.get('/customer/history', { id })).result.list).toMatchObject([
      { action: 'agree', label: { cn: '通过', en: 'Approve' }, by: { id: approver.id } },
      { action: 'create' },
    ])
    const { result } = await house.admin.get('/customer/customerApproval/list', {
      filters: { customer: { equals: id } },
      sort: 'round',
    })
    expect(result.list).toMatchObject([
      { action: 'submit', round: 1 },
      { action: 'agree', round: 2, operator: { id: approver.id } },
    ])
    expect(await batch(house, file)).toMatchObject({ status: 'completed', successCount: 1, updateCount: 1 })
  })

  it('checks the guards of the transition', async () => {
    const own = await pending()
    const file = await check(house, [own.cells], { as: submitter })
    const [row] = await rows(house, file)
    expect(row.rowStatus).toBe('failed')
    expect(problemsOf(row)).toEqual([
      [undefined, 'rule', '不能审核本人提交的客户', 'You cannot approve a customer that you submitted yourself'],
    ])
    expect(await detail(house, own.id)).toMatchObject({ approvalStatus: 'pending' })
  })

  it('checks the states that the transition starts from', async () => {
    const [approved, rejected] = [await pending(), await pending()]
    expect(await approver.post('/customer/agree', { id: approved.id })).toMatchObject({ code: 1 })
    expect(
      await approver.post('/customer/reject', { id: rejected.id, values: { rejectReason: '资料不完整，请补充' } }),
    ).toMatchObject({ code: 1 })
    const [first, second] = await rows(house, await check(house, [approved.cells, rejected.cells], { as: approver }))
    expect(problemsOf(first)).toEqual([
      ['A2', 'state', '当前状态“已通过”不允许导入修改', 'State "Approved" does not allow this change'],
    ])
    expect(problemsOf(second)?.map(([cell, code]) => [cell, code])).toEqual([['A3', 'state']])
  })

  it('compares compared columns without writing them', async () => {
    const { id, cells } = await pending()
    const wrong = await check(
      house,
      [{ ...cells, name: '另一个名字' }, customerRow(90, { name: '没有这家' }), { uscc: (await pending()).cells.uscc }],
      { as: approver },
    )
    const [differs, missing, empty] = await rows(house, wrong)
    expect(problemsOf(differs)).toEqual([
      [
        'B2',
        'differs',
        `客户名称与系统数据不一致（系统：${cells.name}）`,
        `Customer name does not match the system (${cells.name})`,
      ],
    ])
    expect(problemsOf(missing)).toEqual([
      [
        'A3',
        'missing',
        `统一社会信用代码“${customerRow(90).uscc}”不存在`,
        `Unified social credit code "${customerRow(90).uscc}" does not exist`,
      ],
    ])
    expect(problemsOf(empty)).toEqual([['B4', 'required', '客户名称不能为空', 'Customer name is required']])
    expect(await detail(house, id)).toMatchObject({ name: cells.name, approvalStatus: 'pending' })
    const [same] = await rows(house, await check(house, [{ ...cells, name: ` ${cells.name} ` }], { as: approver }))
    expect(same.rowStatus).toBe('toUpdate')
  })

  it.skipIf(!isLong)('reports all problems of a row', async () => {
    const { cells } = await pending()
    const [row] = await rows(
      house,
      await check(house, [{ ...cells, name: '不对', remark: 'x'.repeat(501) }], { as: submitter }),
    )
    expect(problemsOf(row)?.map(([cell, code]) => `${cell} ${code}`)).toEqual([
      'B2 differs',
      'C2 maxLength',
      'undefined rule',
    ])
  })

  it('skips records that were decided otherwise meanwhile', async () => {
    const [first, second] = [await pending(), await pending()]
    const file = await check(house, [first.cells, second.cells], { as: approver })
    expect(
      await approver.post('/customer/reject', { id: first.id, values: { rejectReason: '资料不完整，请补充' } }),
    ).toMatchObject({ code: 1 })
    await write(house, file, approver)
    expect((await rows(house, file)).map(({ rowStatus }) => rowStatus)).toEqual(['failed', 'updated'])
    expect(await detail(house, first.id)).toMatchObject({ approvalStatus: 'rejected' })
    expect(await detail(house, second.id)).toMatchObject({ approvalStatus: 'approved' })
  })

  it.skipIf(!isLong)('is undone like any other', async () => {
    const { id, cells } = await pending()
    const before = await detail(house, id)
    const file = await check(house, [{ ...cells, remark: '通过' }], { as: approver })
    await write(house, file, approver)
    expect(await approver.post(`${customerImport}/undo`, { id: file })).toMatchObject({ code: 1 })
    expect(await detail(house, id)).toMatchObject({
      approvalStatus: 'pending',
      accountStatus: 'disabled',
      approvalTime: null,
      approver: null,
      remark: before.remark,
      submitter: { id: submitter.id },
    })
  })
})

describe('an import that compares a sensitive field', () => {
  given((plan) => ({
    columns: picked(plan, { uscc: { required: true }, consigneeMobile: { compared: true }, remark: {} }),
    existing: 'update',
    missing: 'refuse',
    set: {},
    updateWhen: undefined,
  }))

  it('shows its stored value only masked', async () => {
    const id = await house.create('/customer', await customerValues(house, { consigneeMobile: '15400007777' }))
    const { uscc } = await detail(house, id)
    const [row] = await rows(house, await check(house, [{ uscc, consigneeMobile: '15400008888' } as Cells]))
    expect(problemsOf(row)).toEqual([
      [
        'B2',
        'differs',
        '收件人手机与系统数据不一致（系统：154****7777）',
        'Consignee mobile does not match the system (154****7777)',
      ],
    ])
  })
})

describe('an import that takes only new records', () => {
  given(() => ({ existing: 'refuse', key: ['type', 'uscc'] }))

  it('refuses existing ones, by all fields of its key', async () => {
    const id = await house.create('/customer', await customerValues(house))
    const uscc = String((await detail(house, id)).uscc)
    const [same, other] = await rows(
      house,
      await check(house, [customerRow(91, { uscc }), customerRow(92, { uscc, type: '分公司' })]),
    )
    expect(problemsOf(same)).toEqual([
      ['C2', 'taken', `客户类型“企业 ${uscc}”已存在`, `Customer type "企业 ${uscc}" already exists`],
    ])
    expect(problemsOf(other)).toEqual([
      ['D3', 'taken', `统一社会信用代码“${uscc}”已存在`, `Unified social credit code "${uscc}" already exists`],
    ])
  })
})

describe('an import into an entity that refuses some new records', () => {
  let former: object
  beforeAll(() => {
    const { customer } = house.runtime.derived.catalog.entities
    former = customer.allow
    customer.allow = { ...customer.allow, create: "name != '不收客户'" }
  })
  afterAll(() => Object.assign(house.runtime.derived.catalog.entities.customer, { allow: former }))

  it('refuses those rows, and accepts the others', async () => {
    await house.create('/customer', await customerValues(house))
    const [refused, taken] = await rows(
      house,
      await check(house, [customerRow(93, { name: '不收客户' }), customerRow(94)]),
    )
    expect([refused.rowStatus, problemsOf(refused)]).toEqual([
      'failed',
      [['D2', 'notAllowed', '不允许新增', 'Adding is not allowed']],
    ])
    expect([taken.rowStatus, taken.errors]).toEqual(['toCreate', null])
  })
})
