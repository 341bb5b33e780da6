import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { customerValues } from '../../../tests/customer.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import type { RecordData, Value } from '../../model/model.ts'

let house: TestServer
let admin: Client
beforeAll(async () => {
  house = await createTestServer()
  admin = house.admin
})
afterAll(() => house?.close())

const make = async (values: Record<string, Value> = {}) =>
  house.create('/customer', await customerValues(house, values))
const read = async (id: number): Promise<RecordData> => (await admin.get('/customer/detail', { id })).result
const refused = async (values: Record<string, Value>) => {
  const { status, code, errors } = await admin.post('/customer/create', { values: await customerValues(house, values) })
  expect([status, code]).toEqual([422, 422])
  return Object.fromEntries(errors!.map((problem) => [problem.field, problem.message]))
}
const update = async (id: number, values: Record<string, Value>, as = admin) =>
  as.post('/customer/update', { id, revision: (await read(id)).revision, values })

describe('creating', () => {
  it('stores what was sent in canonical form, and what follows from it', async () => {
    const values = await customerValues(house, {
      name: '  沐禾科技 ',
      creditLimit: '1,000',
      consigneeMobile: '154 1234 5678',
      openingBalance: '-5',
    })
    const answer = await admin.post('/customer/create', { values })
    expect(answer).toMatchObject({ code: 1, result: { id: expect.any(Number), revision: 1 } })
    const record = await read(answer.result.id)
    expect(record).toMatchObject({
      id: answer.result.id,
      revision: 1,
      name: '沐禾科技',
      creditLimit: '1000.00',
      consigneeMobile: '15412345678',
      openingBalance: '-5.00',
      balance: '-5.00',
      approvalStatus: 'pending',
      accountStatus: 'disabled',
      submissionTime: expect.stringMatching(/^2026-03-15 /),
      registrationMethod: 'backOffice',
      supportStaff: { id: values.supportStaff, code: 'admin', name: '系统管理员' },
      submitter: { name: '系统管理员' },
      createdBy: { name: '系统管理员' },
      region: { code: '110101', name: '东城区', path: ['北京市', '东城区'] },
      approvalRounds: 1,
      contacts: [],
    })
    expect(record.code).toMatch(/^C\d{6}$/)
  })

  it('numbers records without gaps or duplicates, however many at once', async () => {
    const values = await Promise.all(Array.from({ length: 8 }, () => customerValues(house)))
    const answers = await Promise.all(values.map((each) => admin.post('/customer/create', { values: each })))
    const codes = await Promise.all(
      answers.map(async ({ result }) => Number(String((await read(result.id)).code).slice(1))),
    )
    expect(new Set(codes).size).toBe(8)
    expect(Math.max(...codes) - Math.min(...codes)).toBe(7)
  })

  it('takes defaults from other fields if no value was sent', async () => {
    const { account: _, ...values } = await customerValues(house, {
      billingType: 'eNormal',
      invoiceEmail: 'a@b.example.com',
      consigneeMobile: '15412349999',
    })
    const id = await house.create('/customer', values)
    expect(await read(id)).toMatchObject({
      account: '15412349999',
      invoiceTitle: values.corporateName,
      taxNumber: values.uscc,
    })
  })

  it('stores nothing in hidden fields', async () => {
    expect(await read(await make({ paymentDay: 12, paymentTerms: 'net30' }))).toMatchObject({ paymentDay: null })
    expect(await read(await make({ paymentDay: 12, paymentTerms: 'prepaid' }))).toMatchObject({ paymentDay: 12 })
  })

  it('demands what is required, unconditionally or by condition', async () => {
    expect(
      await refused({ name: '', agency: null, billingType: 'eSpecial', licenseImage: null, paymentTerms: 'fixedDay' }),
    ).toEqual({
      name: '请输入客户名称',
      agency: '请选择服务机构',
      licenseImage: '请上传营业执照',
      depositBank: '请输入开户银行',
      bankAccount: '请输入银行账号',
      billingPhone: '请输入开票电话',
      generalTaxpayerCert: '请上传一般纳税人证明',
      invoiceEmail: '请输入收票邮箱',
      paymentDay: '请输入约定到款日',
    })
    const values = await customerValues(house, { name: null })
    const answer = await admin.post('/customer/create', { values }, { language: 'en-US' })
    expect(answer).toMatchObject({
      message: 'Please enter Customer name',
      errors: [{ field: 'name', code: 'required', message: 'Please enter Customer name' }],
    })
  })

  it('checks every value by its widget', async () => {
    expect(
      await refused({
        uscc: '91990101MADE1A2B94',
        consigneeMobile: '123',
        type: 'unheard',
        statementDay: 29,
        establishedDate: '2026-03-16',
      }),
    ).toEqual({
      uscc: '统一社会信用代码不正确',
      consigneeMobile: '电话格式不正确',
      type: '请选择正确的客户类型',
      statementDay: expect.any(String),
      establishedDate: '成立日期不能晚于今天',
    })
  })

  it('refuses unknown fields, and fields that the system sets', async () => {
    expect(
      await refused({ nmae: 'x', approvalStatus: 'approved', code: 'C999999', balance: '100.00', createdBy: 1 }),
    ).toEqual({
      nmae: '没有字段“nmae”',
      approvalStatus: '审核状态不能修改',
      code: '客户编号不能修改',
      balance: '账户余额不能修改',
      createdBy: '创建人不能修改',
    })
    expect(
      (await read(await make({ approvalStatus: 'pending', registrationMethod: 'backOffice' }))).approvalStatus,
    ).toBe('pending')
  })

  it('enforces unique values, even in a race', async () => {
    const values = await customerValues(house)
    await house.create('/customer', values)
    expect(await refused({ name: values.name, uscc: values.uscc })).toEqual({
      name: '客户名称已存在',
      uscc: '统一社会信用代码已存在',
    })
    const same = await customerValues(house)
    const both = await Promise.all([1, 2, 3].map(() => admin.post('/customer/create', { values: same })))
    expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([1, 422, 422])
    expect(both.find(({ code }) => code === 422)!.errors![0]).toMatchObject({ code: 'unique' })
  })

  it('answers whether a value is free', async () => {
    const values = await customerValues(house)
    const id = await house.create('/customer', values)
    const free = async (query: object) =>
      (await admin.get('/customer/unique', { field: 'name', value: values.name, ...query })).result
    expect(await free({})).toEqual({ unique: false })
    expect(await free({ id })).toEqual({ unique: true })
    expect((await admin.get('/customer/unique', { field: 'address', value: 'x' })).status).toBe(422)
  })

  it('accepts only references that exist and are offered', async () => {
    const disabled = await house.user('disabledOne', ['support'])
    await admin.post('/setting/user/disable', { id: disabled.id })
    expect(await refused({ supportStaff: disabled.id, salesman: 999_999, agency: 'text' })).toEqual({
      supportStaff: '客服专员不存在或已停用',
      salesman: '业务员不存在或已停用',
      agency: '请选择正确的服务机构',
    })
  })

  it('leaves nothing behind when it fails', async () => {
    const count = async () =>
      (
        await sql<{
          n: number
        }>`select (select count(*) from customer) + (select count(*) from "customerApproval") + (select count(*) from system_history) as n`.execute(
          house.database.kysely,
        )
      ).rows[0].n
    const before = await count()
    await refused({ supportStaff: 999_999 })
    expect(await count()).toBe(before)
  })
})

describe('rows', () => {
  const contact = (values: Record<string, Value> = {}) => ({
    name: '李文',
    kind: ['hr'],
    mobile: '15411112222',
    primary: true,
    ...values,
  })

  it('are saved with their record, matched by id', async () => {
    const id = await make({ contacts: [contact(), contact({ name: '张明', mobile: '15411113333', primary: false })] })
    const { contacts } = (await read(id)) as { contacts: (RecordData & { id: number })[] }
    expect(contacts.map(({ name, mobile }) => [name, mobile])).toEqual([
      ['李文', '15411112222'],
      ['张明', '15411113333'],
    ])
    expect(
      await update(id, {
        contacts: [
          { id: contacts[1].id, primary: true },
          contact({ name: '赵宁', mobile: '15411114444', primary: false }),
        ],
      }),
    ).toMatchObject({ code: 1 })
    const after = (await read(id)).contacts as (RecordData & { id: number })[]
    expect(after.map(({ name, primary }) => [name, primary])).toEqual([
      ['张明', true],
      ['赵宁', false],
    ])
    expect(after[0].id).toBe(contacts[1].id)
    expect((await update(id, { contacts: after as Value[] })).result.revision).toBe(2)
  })

  it('are each checked at their index', async () => {
    expect(
      await refused({
        contacts: [
          contact({ mobile: '1' }),
          contact({ name: '', primary: false }),
          contact({ kind: ['invoice'], primary: false }),
        ],
      }),
    ).toEqual({
      'contacts.0.mobile': '电话格式不正确',
      'contacts.1.name': '请输入姓名',
      'contacts.2.mobile': '与第2行重复',
      'contacts.2.email': '请输入邮箱',
    })
    expect(await refused({ contacts: [contact({ primary: false })] })).toEqual({
      contacts: '请指定且只指定一名主联系人',
    })
  })

  it('take no field that they do not have, whatever its name', async () => {
    for (const name of ['nickname', 'toString', 'constructor'])
      expect(await refused({ contacts: [contact({ [name]: '甲' })] })).toEqual({
        [`contacts.0.${name}`]: `没有字段“${name}”`,
      })
  })

  it('cannot be taken from another record', async () => {
    const [row] = (await read(await make({ contacts: [contact()] }))).contacts as (RecordData & { id: number })[]
    expect(await refused({ contacts: [contact({ id: row.id })] })).toEqual({
      'contacts.0': '联系人中有不属于本记录的行',
    })
  })

  it('are accessible only through their record', async () => {
    expect((await admin.get('/customer/customerContact/list')).status).toBe(404)
    expect((await admin.post('/customer/customerContact/create', { values: contact() })).status).toBe(404)
  })
})

describe('changing', () => {
  it('stores only what changed, and raises the revision', async () => {
    const id = await make()
    const before = await read(id)
    expect(await update(id, { remark: '备注' })).toMatchObject({ code: 1, result: { id, revision: 2 } })
    const { submissionTime: _, updatedAt: __, contributors: ___, changedFields, ...after } = await read(id)
    expect(before).toMatchObject({ ...after, remark: null, revision: 1, approvalRounds: 1 })
    expect([after.remark, after.revision, after.approvalRounds, changedFields]).toEqual([
      '备注',
      2,
      1,
      [{ field: 'remark', label: expect.anything(), old: '', new: '备注' }],
    ])
    expect((await update(id, { remark: '备注', agency: before.agency! })).result.revision).toBe(2)
  })

  it('merges a stale save that touches other fields', async () => {
    const id = await make()
    await admin.post('/customer/update', { id, revision: 1, values: { remark: '甲' } })
    expect(await admin.post('/customer/update', { id, revision: 1, values: { address: '演示路200号' } })).toMatchObject(
      { code: 1, result: { revision: 3 } },
    )
    expect(await read(id)).toMatchObject({ remark: '甲', address: '演示路200号' })
  })

  it('shows both sides of a stale save that touches the same field', async () => {
    const id = await make({ remark: '原' })
    const other = await house.user('otherHand', ['admin'])
    await sql`update customer set "approvalStatus" = 'approved' where id = ${id}`.execute(house.database.kysely)
    await other.post('/customer/update', { id, revision: 1, values: { remark: '甲', address: '演示路200号' } })
    await other.post('/customer/update', { id, revision: 2, values: { remark: '乙' } })
    const answer = await admin.post(
      '/customer/update',
      { id, revision: 1, values: { remark: '丙', legalRepresentative: '王思' } },
      { language: 'en-US' },
    )
    expect(answer).toMatchObject({
      status: 409,
      message: 'The record was changed by someone else, please refresh and try again',
      conflict: {
        revision: 3,
        by: '用户otherHand',
        at: expect.stringMatching(/^2026-03-15/),
        fields: { remark: { base: '原', theirs: '乙', mine: '丙' } },
      },
    })
    expect(Object.keys(answer.conflict!.fields)).toEqual(['remark'])
    expect(await read(id)).toMatchObject({ remark: '乙', legalRepresentative: null, revision: 3 })
    expect(await admin.post('/customer/update', { id, revision: 1, values: { remark: '乙' } })).toMatchObject({
      code: 1,
    })
  })

  it('loses no save when many come at once', async () => {
    const id = await make()
    const fields = ['remark', 'address', 'legalRepresentative', 'consigneeName', 'consigneeAddress']
    const answers = await Promise.all(
      fields.map((field) => admin.post('/customer/update', { id, revision: 1, values: { [field]: `同时${field}` } })),
    )
    expect(answers.map(({ code }) => code)).toEqual(fields.map(() => 1))
    expect(await read(id)).toMatchObject({
      ...Object.fromEntries(fields.map((field) => [field, `同时${field}`])),
      revision: 6,
    })
  })

  it('requires the revision that was read', async () => {
    expect((await admin.post('/customer/update', { id: await make(), values: { remark: 'x' } })).status).toBe(422)
  })

  it('respects readOnlyWhen', async () => {
    const id = await house.findId('/setting/role', 'support')
    const { revision } = (await admin.get('/setting/role/detail', { id })).result
    expect(await admin.post('/setting/role/update', { id, revision, values: { code: 'other' } })).toMatchObject({
      status: 422,
      errors: [{ field: 'code', code: 'read-only' }],
    })
  })

  it('respects the condition of allow, which may depend on the user', async () => {
    const manager = await house.user('manager01', ['admin'])
    const id = await make()
    expect(await manager.post('/customer/update', { id, revision: 1, values: { remark: 'x' } })).toMatchObject({
      status: 409,
      message: '当前状态不允许此操作',
    })
    expect(await update(id, { remark: 'x' })).toMatchObject({ code: 1 })
    expect(await admin.post('/setting/region/create', { values: { code: '999999', name: '某地' } })).toMatchObject({
      status: 409,
    })
  })

  it('answers 404 for a record that is deleted or never existed', async () => {
    expect(await admin.post('/customer/update', { id: 999_999, revision: 1, values: {} })).toMatchObject({
      status: 404,
      message: '数据不存在或已删除',
    })
  })
})

describe('what follows a save', () => {
  const approve = async (id: number) => {
    const manager = await house.user(`approver${id}`, ['admin'])
    expect(await manager.post('/customer/agree', { id })).toMatchObject({ code: 1 })
    return manager
  }

  it('requires approval again if key data changed, and stores the changes for the approver', async () => {
    const id = await make()
    const manager = await approve(id)
    expect(await update(id, { remark: 'x' })).toMatchObject({ code: 1 })
    expect((await read(id)).approvalStatus).toBe('approved')
    const former = (await read(id)).corporateName
    const changedFields = [
      {
        field: 'corporateName',
        label: { cn: '企业名称', en: 'Corporate name' },
        old: former,
        new: `拓岚科技有限公司${id}`,
      },
      { field: 'remark', label: { cn: '备注', en: 'Remark' }, old: 'x', new: 'y' },
    ]
    expect(await update(id, { corporateName: `拓岚科技有限公司${id}`, remark: 'y' }, manager)).toMatchObject({
      code: 1,
    })
    expect(await read(id)).toMatchObject({
      approvalStatus: 'pending',
      accountStatus: 'enabled',
      submitter: { code: `approver${id}` },
      approvalRounds: 3,
      changedFields,
    })
    const { result } = await admin.get('/customer/customerApproval/list', {
      filters: { customer: { equals: id } },
      sort: 'round',
    })
    expect(result.list.map(({ action, round }: RecordData) => [action, round])).toEqual([
      ['submit', 1],
      ['agree', 2],
      ['resubmit', 3],
    ])
    expect(result.list[2].changedFields).toEqual(changedFields)
  })

  it('submits a rejected customer again', async () => {
    const id = await make()
    const manager = await house.user(`rejecter${id}`, ['admin'])
    expect(await manager.post('/customer/reject', { id })).toMatchObject({
      status: 422,
      errors: [{ field: 'rejectReason', message: '请输入驳回原因' }],
    })
    expect(await manager.post('/customer/reject', { id, values: { rejectReason: '短' } })).toMatchObject({
      status: 422,
    })
    expect(
      await manager.post('/customer/reject', { id, values: { rejectReason: '营业执照不清晰', remark: 'x' } }),
    ).toMatchObject({ status: 422, errors: [{ field: 'remark', code: 'read-only' }] })
    expect(await manager.post('/customer/reject', { id, values: { rejectReason: '营业执照不清晰' } })).toMatchObject({
      code: 1,
      result: { succeeded: 1, failed: [] },
    })
    expect(await read(id)).toMatchObject({
      approvalStatus: 'rejected',
      rejectReason: '营业执照不清晰',
      approver: { code: `rejecter${id}` },
    })
    await update(id, { address: '演示路300号' })
    expect(await read(id)).toMatchObject({ approvalStatus: 'pending', rejectReason: null, approvalRounds: 3 })
  })
})

describe('four-eyes approvals', () => {
  const changesOf = async (id: number) =>
    ((await read(id)).changedFields as { field: string; old: string; new: string }[] | null)?.map(
      ({ field, old, new: next }) => [field, old, next],
    )
  const own = { status: 409, message: '不能审核本人提交的客户' }

  it('cover every pending change: no user who made one may approve', async () => {
    const manager = await house.user('eyesManager', ['customerManager', 'admin'])
    const third = await house.user('eyesThird', ['admin'])
    const id = await house.create('/customer', await customerValues(house, { name: '四眼客户' }), manager)
    expect(await third.post('/customer/agree', { id })).toMatchObject({ code: 1 })
    const { corporateName, uscc } = await read(id)
    expect(await update(id, { corporateName: '四眼（演示）有限公司' })).toMatchObject({ code: 1 })
    expect(
      await update(id, { uscc: '92990103MADE5E6FXH', corporateName: '四眼改（演示）有限公司' }, manager),
    ).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ approvalStatus: 'pending', submitter: { code: 'eyesManager' } })
    expect(await changesOf(id)).toEqual([
      ['corporateName', corporateName, '四眼改（演示）有限公司'],
      ['uscc', uscc, '92990103MADE5E6FXH'],
    ])
    expect(await manager.post('/customer/agree', { id })).toMatchObject(own)
    expect(await admin.post('/customer/agree', { id })).toMatchObject(own)
    // A value set back to the original no longer counts as a change.
    expect(await update(id, { uscc: uscc!, remark: '备注' }, manager)).toMatchObject({ code: 1 })
    expect(await changesOf(id)).toEqual([
      ['corporateName', corporateName, '四眼改（演示）有限公司'],
      ['remark', '', '备注'],
    ])
    expect(await third.post('/customer/agree', { id })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ approvalStatus: 'approved', changedFields: null })
  })

  it.skipIf(!isLong)('cover changes that were rejected and then submitted by another user', async () => {
    const [first, second] = [await house.user('eyesFirst', ['admin']), await house.user('eyesSecond', ['admin'])]
    const id = await make()
    await first.post('/customer/agree', { id })
    const { corporateName } = await read(id)
    await update(id, { corporateName: `驳回后${id}有限公司` }, first)
    await admin.post('/customer/reject', { id, values: { rejectReason: '与执照不符' } })
    await update(id, { remark: '已核对' }, second)
    expect(await changesOf(id)).toEqual([
      ['corporateName', corporateName, `驳回后${id}有限公司`],
      ['remark', '', '已核对'],
    ])
    expect(await first.post('/customer/agree', { id })).toMatchObject(own)
    expect(await second.post('/customer/agree', { id })).toMatchObject(own)
    expect(await admin.post('/customer/agree', { id })).toMatchObject({ code: 1 })
  })
})

describe('a customer', () => {
  it('is submitted again by saving it after a rejection, even unchanged', async () => {
    const manager = await house.user('idleRejecter', ['admin'])
    const id = await make()
    await manager.post('/customer/reject', { id, values: { rejectReason: '营业执照不清晰' } })
    const { revision, agency } = await read(id)
    expect(await admin.post('/customer/update', { id, revision, values: { agency: agency! } })).toMatchObject({
      code: 1,
      result: { revision: Number(revision) + 1 },
    })
    expect(await read(id)).toMatchObject({ approvalStatus: 'pending', rejectReason: null, approvalRounds: 3 })
    expect(await admin.post('/customer/update', { id, revision: Number(revision) + 1, values: {} })).toMatchObject({
      result: { revision: Number(revision) + 1 },
    })
  })

  it('has a fixed account once it was ever approved, and only then', async () => {
    const manager = await house.user('accountManager', ['admin'])
    const id = await make()
    await manager.post('/customer/reject', { id, values: { rejectReason: '营业执照不清晰' } })
    expect(await update(id, { account: `before${id}` })).toMatchObject({ code: 1 })
    await manager.post('/customer/agree', { id })
    const locked = { status: 422, errors: [{ field: 'account', code: 'read-only' }] }
    expect(await update(id, { account: `after${id}` })).toMatchObject(locked)
    await update(id, { corporateName: `账号锁定${id}有限公司` })
    await manager.post('/customer/reject', { id, values: { rejectReason: '与执照不符' } })
    expect(await update(id, { account: `after${id}` })).toMatchObject(locked)
  })

  it('from overseas needs no code, but a license like all others, and a picture', async () => {
    expect(await refused({ type: 'overseas', uscc: null, licenseImage: null })).toEqual({
      licenseImage: '请上传营业执照',
      pictures: '请上传图片',
    })
    const id = await make({ type: 'overseas', uscc: null, pictures: (await customerValues(house)).licenseImage })
    await sql`update customer set "licenseImage" = null where id = ${id}`.execute(house.database.kysely)
    const manager = await house.user('overseasManager', ['admin'])
    expect(await manager.post('/customer/agree', { id })).toMatchObject({
      status: 409,
      message: '待补营业执照，不能审核通过',
    })
  })
})

describe('a tree', () => {
  it('has no cycles, and no more levels than allowed', async () => {
    const node = (name: string, parent: number | null = null) =>
      house.create('/customer/customerClassification', { name, parent })
    const [top, other] = [await node('重点'), await node('普通')]
    const middle = await node('制造', top)
    const leaf = await node('机械', middle)
    const move = (id: number, parent: number | null) =>
      admin.post('/customer/customerClassification/update', { id, revision: 1, values: { parent } })
    expect(
      await admin.post('/customer/customerClassification/create', { values: { name: '太深', parent: leaf } }),
    ).toMatchObject({ errors: [{ field: 'parent', message: '最多3级' }] })
    expect(await move(top, leaf)).toMatchObject({
      errors: [{ field: 'parent', message: '上级分类不能是自己或自己的下级' }],
    })
    expect(await move(top, top)).toMatchObject({ errors: [{ code: 'tree-cycle' }] })
    expect(await move(top, other)).toMatchObject({ errors: [{ field: 'parent', message: '最多3级' }] })
    expect(await move(leaf, other)).toMatchObject({ code: 1 })
    expect(await admin.post('/customer/customerClassification/create', { values: { name: '重点' } })).toMatchObject({
      errors: [{ field: 'name', message: '分类名称已存在' }],
    })
    expect(await node('重点', other)).toBeGreaterThan(0)
    const { result } = await admin.get('/customer/customerClassification/options')
    expect(result.list.find(({ id }: { id: number }) => id === middle)).toMatchObject({ name: '制造', parent: top })
  })
})

describe('many at once', () => {
  it('a record is either referred to or deleted, never both', async () => {
    const customer = await make()
    for (let round = 0; round < (isLong ? 15 : 4); round++) {
      const classification = await house.create('/customer/customerClassification', { name: `争用${round}` })
      const { revision } = await read(customer)
      const answers = await Promise.all([
        admin.post('/customer/update', { id: customer, revision, values: { classification } }),
        admin.post('/customer/customerClassification/delete', { id: classification }),
      ])
      expect(
        answers.filter(({ code }) => code === 1),
        JSON.stringify(answers),
      ).toHaveLength(1)
      const [taken, deleted] = answers
      if (deleted.code === 1)
        expect(taken).toMatchObject({ status: 422, errors: [{ field: 'classification', code: 'reference' }] })
      else expect(deleted).toMatchObject({ status: 409, message: '该数据已被使用，不能删除' })
    }
  })

  it('only one of several top categories with the same name is created', async () => {
    for (let round = 0; round < (isLong ? 6 : 2); round++) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          admin.post('/customer/customerClassification/create', { values: { name: `同名${round}` } }),
        ),
      )
      expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([1, 422, 422, 422])
      for (const { errors } of answers.filter(({ code }) => code === 422))
        expect(errors).toMatchObject([{ field: 'name', code: 'unique' }])
    }
  })
})

describe('protected and sensitive values', () => {
  it('stay unchanged when their mask is sent back', async () => {
    const id = await make({
      billingType: 'eSpecial',
      depositBank: '北辰示范银行',
      bankAccount: '9900010000000001',
      billingPhone: '15412345678',
      invoiceEmail: 'a@b.example.com',
      generalTaxpayerCert: (await customerValues(house)).licenseImage,
      contacts: [{ name: '李文', kind: ['hr'], mobile: '15411112222', primary: true }],
    })
    await sql`update customer set "approvalStatus" = 'approved'`.execute(house.database.kysely)
    const clerk = await house.user('masked01', ['contractClerk'])
    const seen = (await clerk.get('/customer/detail', { id })).result
    expect(seen.bankAccount).not.toBe('9900010000000001')
    expect(seen.consigneeMobile).toMatch(/\*/)
    expect(seen.contacts[0].mobile).toMatch(/\*/)
    const role = await house.findId('/setting/role', 'contractClerk')
    const { functionPermissions, revision } = (await admin.get('/setting/role/detail', { id: role })).result
    await admin.post('/setting/role/update', {
      id: role,
      revision,
      values: { functionPermissions: [...functionPermissions, 'customer:customer:edit'] },
    })
    const values = {
      bankAccount: seen.bankAccount,
      consigneeMobile: seen.consigneeMobile,
      contacts: seen.contacts,
      remark: '掩码',
    }
    expect(await clerk.post('/customer/update', { id, revision: seen.revision, values })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({
      bankAccount: '9900010000000001',
      consigneeMobile: '15412345678',
      remark: '掩码',
      approvalStatus: 'approved',
      contacts: [{ mobile: '15411112222' }],
    })
    expect(
      await clerk.post('/customer/update', {
        id,
        revision: seen.revision + 1,
        values: { consigneeMobile: '15499998888' },
      }),
    ).toMatchObject({ code: 1 })
    expect((await read(id)).consigneeMobile).toBe('15499998888')
  })
})
