import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from './long.ts'
import type { RecordData, Value } from '../engine/model/model.ts'
import { contract, contracts, employee, employer, laborValues, serviceValues, sign } from './contract.ts'
import { customerValues, picture, upload } from './customer.ts'
import { batch, importFile, planOf, rows, workbook, worker } from './importing.ts'
import { createTestServer, type TestServer } from './server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const refused = async (path: string, body: object) => {
  const { code, message, errors = [] } = await house.admin.post(path, body)
  expect(code).not.toBe(1)
  return errors.length > 0 ? errors.map((error) => `${error.field}: ${error.message}`) : [message]
}
const numbers = (list: RecordData[]) => list.map(({ id }) => id)
const listed = async (query: Record<string, unknown>) =>
  (await house.admin.get(`${contracts}/list`, { size: 100, ...query })).result
const update = async (id: number, values: Record<string, Value>) =>
  house.admin.post(`${contracts}/update`, { id, revision: (await contract(house, id)).revision, values })
const signed = async (values: Record<string, Value>) => {
  const id = await house.create(contracts, values)
  await sign(house, id, '2026-03-01')
  return id
}

describe('a service contract', () => {
  test('is numbered by its kind and month, or with a number that the user enters', async () => {
    const { customer, agency } = await employer(house)
    const id = await house.create(contracts, serviceValues(customer, agency))
    expect(await contract(house, id)).toMatchObject({
      contractNo: expect.stringMatching(/^FW202603\d{4}$/),
      stage: 'drafted',
      status: 'drafted',
      termMonths: 12,
      archived: false,
      renewalCount: 0,
    })
    const own = await house.create(contracts, serviceValues(customer, agency, { contractNo: 'OLD-2019-001' }))
    expect((await contract(house, own)).contractNo).toBe('OLD-2019-001')
    expect(
      await refused(`${contracts}/create`, { values: serviceValues(customer, agency, { contractNo: 'short' }) }),
    ).toEqual(['contractNo: 合同编号格式不正确'])
    expect(
      await refused(`${contracts}/create`, { values: serviceValues(customer, agency, { contractNo: 'OLD-2019-001' }) }),
    ).toEqual(['contractNo: 合同编号已存在'])
  })

  test('takes its terms from the customer and its rate from the parameters', async () => {
    const { customer, agency, name } = await employer(house)
    const id = await house.create(contracts, serviceValues(customer, agency))
    expect(await contract(house, id)).toMatchObject({
      name: `${name} 服务合同`,
      paymentTerms: 'prepaid',
      paymentDay: 12,
      statementDay: 10,
      taxRate: '6.0000',
      invoiceType: 'none',
      monthlyWage: null,
    })
  })

  test('has the tax rate in force when it begins', async () => {
    const { customer, agency } = await employer(house)
    const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
    const version = (effectiveFrom: string, value: string, kind = 'fullGeneral') => ({ kind, value, effectiveFrom })
    const save = (lawRates: object[]) =>
      house.admin.post('/setting/parameter/update', { id, revision, values: { lawRates } })
    expect(await save([version('2027-01-01', '7'), version('2027-01-01', '8')])).toMatchObject({ code: 422 })
    expect(await save([version('2027-06-01', '6000', 'basicDeduction')])).toMatchObject({ code: 422 })
    const lawRates = [
      version('2027-01-01', '7'),
      version('2027-01-01', '9', 'diffGeneral'),
      version('2026-06-01', '6.5'),
    ]
    expect(await save(lawRates)).toMatchObject({ code: 1 })
    const rate = async (startDate: string) => {
      const values = serviceValues(customer, agency, { startDate, endDate: '2027-12-31' })
      const made = await house.create(contracts, values)
      return (await contract(house, made)).taxRate
    }
    expect(await rate('2026-03-01')).toBe('6.0000')
    expect(await rate('2026-06-01')).toBe('6.5000')
    expect(await rate('2027-02-01')).toBe('7.0000')
  })

  test('deposits are summed over all filtered contracts of the list, on any page', async () => {
    const { customer, agency } = await employer(house)
    const rule = { feeMode: 'perHead', unitPrice: '90', chargeRule: 'fullMonth', effectiveFrom: '2026-03' }
    for (const [serviceType, depositAmount] of [
      ['dispatch', '30000.10'],
      ['outsourcing', '20000.20'],
      ['recruitment', null],
    ] as const)
      await house.create(
        contracts,
        serviceValues(customer, agency, {
          serviceTypes: [serviceType],
          feeRules: [{ ...rule, serviceType }] as Value,
          depositAmount,
        }),
      )
    const filters = { customer: { equals: customer }, category: { equals: 'service' } }
    const query = { filters, sums: ['depositAmount'], size: 1 }
    expect((await house.admin.get(`${contracts}/list`, query)).result).toMatchObject({
      total: 3,
      sums: { depositAmount: '50000.30' },
    })
  })

  test.skipIf(!isLong)('takes its statement day from its customer, and the customer from the parameters', async () => {
    const set = async (statementDay: number) => {
      const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
      expect(
        await house.admin.post('/setting/parameter/update', { id, revision, values: { statementDay } }),
      ).toMatchObject({ code: 1 })
    }
    await set(15)
    const { statementDay: _, ...values } = await customerValues(house, {})
    const { result } = await house.admin.post('/customer/create', { values })
    await set(10)
    expect((await house.admin.get('/customer/detail', { id: result.id })).result).toMatchObject({ statementDay: 15 })
    const { customer, agency } = await employer(house, { statementDay: 8 })
    const id = await house.create(contracts, serviceValues(customer, agency))
    expect(await contract(house, id)).toMatchObject({ statementDay: 8 })
  })

  test('has fee rules for its own service types only, one at a time, with tiers without gaps', async () => {
    const { customer, agency } = await employer(house)
    const rule = {
      serviceType: 'dispatch',
      feeMode: 'fixed',
      fixedAmount: '500',
      chargeRule: 'fullMonth',
      effectiveFrom: '2026-01',
    }
    const attempt = (feeRules: Value) =>
      refused(`${contracts}/create`, { values: serviceValues(customer, agency, { feeRules }) })
    expect(await attempt([])).toEqual(['feeRules: 请输入收费规则'])
    expect(await attempt([{ ...rule, serviceType: 'recruitment' }])).toEqual([
      'feeRules: 收费规则的服务类型须是合同的服务类型之一',
    ])
    expect(
      await attempt([
        { ...rule, effectiveTo: '2026-06' },
        { ...rule, effectiveFrom: '2026-06' },
      ]),
    ).toEqual(['feeRules: 同一服务类型在同一期间只能有一条收费规则'])
    const tiered = { ...rule, feeMode: 'tiered', fixedAmount: null }
    expect(
      await attempt([
        {
          ...tiered,
          tiers: [
            { from: 1, to: 50, price: '150' },
            { from: 52, to: null, price: '130' },
          ],
        },
      ]),
    ).toEqual(['feeRules.0.tiers: 阶梯须从1人起连续不重叠，最后一级不填止'])
    await house.create(
      contracts,
      serviceValues(customer, agency, {
        feeRules: [
          { ...rule, effectiveTo: '2026-06' },
          {
            ...tiered,
            effectiveFrom: '2026-07',
            tiers: [
              { from: 1, to: 50, price: '150' },
              { from: 51, to: null, price: '130' },
            ],
          },
        ],
      }),
    )
  })

  test('is locked once it is signed, except for fields that do not bind', async () => {
    const { customer, agency } = await employer(house)
    const id = await house.create(contracts, serviceValues(customer, agency))
    expect(await refused(`${contracts}/sign`, { id, values: {} })).toEqual(['signDate: 请选择签署日期'])
    expect(await refused(`${contracts}/sign`, { id, values: { signDate: '2026-03-16' } })).toEqual([
      'signDate: 签署日期不能晚于今天',
    ])
    await sign(house, id)
    expect((await update(id, { name: '另一个名称' })).errors?.map(({ code }) => code)).toEqual(['read-only'])
    expect((await update(id, { remark: '已寄出', noticeDays: 60 })).code).toBe(1)
    expect(await refused(`${contracts}/delete`, { id })).toEqual(['当前状态不允许此操作'])
  })

  test('is returned with a reason by whoever signs, waits for its correction, and its writer is notified', async () => {
    const { customer, agency } = await employer(house)
    const clerk = await house.user('returned', ['contractClerk'])
    const created = await clerk.post(`${contracts}/create`, { values: serviceValues(customer, agency) })
    expect(created).toMatchObject({ code: 1 })
    const { id } = created.result
    const sendBack = async () =>
      house.admin.post(`${contracts}/sendBack`, { id, values: { returnReason: '服务费与报价不符' } })
    expect(await sendBack()).toMatchObject({ code: 1 })
    expect(await contract(house, id)).toMatchObject({ stage: 'drafted', returnReason: '服务费与报价不符' })
    expect(await sendBack()).toMatchObject({ code: 409 })
    const messages = (await clerk.get('/setting/message/list', { size: 20 })).result.list as RecordData[]
    expect(messages.map(({ title }) => title)).toContainEqual(
      expect.objectContaining({ cn: expect.stringContaining('合同被退回') }),
    )

    expect(await update(id, { remark: '已更正' })).toMatchObject({ code: 1 })
    expect(await contract(house, id)).toMatchObject({ stage: 'drafted', returnReason: null })
    expect(await sendBack()).toMatchObject({ code: 1 })
    await sign(house, id, '2026-03-01')
    expect(await contract(house, id)).toMatchObject({ stage: 'signed', returnReason: null })
  })

  test("extends the service types of its customer when it is signed, noted in the customer's history", async () => {
    const { customer, agency } = await employer(house)
    const customerOf = async () => (await house.admin.get('/customer/detail', { id: customer })).result
    const { serviceTypes: before, revision } = await customerOf()
    expect(before).not.toContain('recruitment')
    const serviceTypes = ['dispatch', 'recruitment']
    const id = await house.create(
      contracts,
      serviceValues(customer, agency, {
        serviceTypes,
        feeRules: serviceTypes.map((serviceType) => ({
          serviceType,
          feeMode: 'none',
          chargeRule: 'fullMonth',
          effectiveFrom: '2026-01',
        })),
      }),
    )
    expect((await customerOf()).serviceTypes).toEqual(before)
    await sign(house, id)
    expect(await customerOf()).toMatchObject({
      serviceTypes: [...before, 'recruitment'],
      approvalStatus: 'approved',
      revision: revision + 1,
    })
    const { result: history } = await house.admin.get('/customer/history', { id: customer, page: 1, size: 1 })
    expect(history.list[0].changes.map(({ field }: { field: string }) => field)).toEqual(['serviceTypes'])

    // Service types that the customer has already are not written again.
    const next = await house.create(
      contracts,
      serviceValues(customer, agency, { startDate: '2027-01-01', endDate: '2027-12-31' }),
    )
    await sign(house, next)
    expect((await customerOf()).revision).toBe(revision + 1)
  })

  test('is signed only if each of its service types has a fee rule valid within its term', async () => {
    const { customer, agency } = await employer(house)
    const rule = { serviceType: 'dispatch', feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2025-01' }
    const attempt = async (feeRules: Value) => {
      const id = await house.create(
        contracts,
        serviceValues(customer, agency, { serviceTypes: ['dispatch', 'recruitment'], feeRules }),
      )
      return house.admin.post(`${contracts}/sign`, { id, values: { signDate: '2026-03-01' } })
    }
    const incomplete = { code: 409, message: '每个服务类型都须有在合同期内有效的收费规则' }
    expect(await attempt([rule])).toMatchObject(incomplete)
    expect(await attempt([rule, { ...rule, serviceType: 'recruitment', effectiveTo: '2025-12' }])).toMatchObject(
      incomplete,
    )
    expect((await attempt([rule, { ...rule, serviceType: 'recruitment', effectiveTo: '2026-01' }])).code).toBe(1)
  })

  test('does not overlap with another signed contract of the same customer and service type', async () => {
    const { customer, agency } = await employer(house)
    const first = await signed(serviceValues(customer, agency))
    const late = await house.create(
      contracts,
      serviceValues(customer, agency, { startDate: '2026-12-31', endDate: '2027-12-30' }),
    )
    expect(await refused(`${contracts}/sign`, { id: late, values: { signDate: '2026-03-01' } })).toEqual([
      `startDate: 与该客户同一服务类型的另一份合同期限重叠：${String((await contract(house, first)).contractNo)}`,
    ])
    const other = {
      serviceTypes: ['recruitment'],
      feeRules: [{ serviceType: 'recruitment', feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }],
    }
    await signed(serviceValues(customer, agency, other))
    await signed(serviceValues(customer, agency, { startDate: '2027-01-01', endDate: '2027-12-31' }))
  })
})

describe('a status that depends on the date', () => {
  test('is shown, filtered, sorted and counted: 2026-03-15, sixty days of warning', async () => {
    const { customer, agency } = await employer(house)
    const terms: [string, string, string, number][] = [
      ['2024-01-01', '2026-03-14', 'expired', -1],
      ['2026-03-15', '2026-03-15', 'x', 0],
      ['2026-03-01', '2026-05-14', 'expiring', 60],
      ['2026-03-02', '2026-05-15', 'active', 61],
      ['2026-03-16', '2027-03-15', 'upcoming', 365],
    ]
    const types = ['dispatch', 'outsourcing', 'jobOutsourcing', 'insuranceAgency', 'payrollAgency']
    const made: Record<string, number> = {}
    for (const [index, [startDate, endDate, status]] of terms.entries()) {
      if (status === 'x') continue
      made[status] = await signed(
        serviceValues(customer, agency, {
          startDate,
          endDate,
          serviceTypes: [types[index]],
          feeRules: [{ serviceType: types[index], feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }],
        }),
      )
    }
    const own = { customer: { equals: customer } }
    const all = await listed({
      filters: own,
      sort: 'remainingDays',
      counts: ['expired', 'expiring', 'active', 'upcoming'].map((status) => ({ status: { equals: status } })),
    })
    expect(all.list.map(({ status, remainingDays }: RecordData) => [status, remainingDays])).toEqual([
      ['expired', -1],
      ['expiring', 60],
      ['active', 61],
      ['upcoming', 365],
    ])
    expect(all.counts).toEqual([1, 1, 1, 1])
    expect(numbers((await listed({ filters: { ...own, remainingDays: { between: [0, 60] } } })).list)).toEqual([
      made.expiring,
    ])
    expect(
      numbers((await listed({ filters: own, tab: { status: { in: ['expired', 'expiring'] } }, sort: 'endDate' })).list),
    ).toEqual([made.expired, made.expiring])
  })
})

describe('the end of a contract', () => {
  test.skipIf(!isLong)('termination archives the contract, and can be undone only on the same day', async () => {
    const { customer, agency } = await employer(house)
    const id = await signed(serviceValues(customer, agency))
    const end = (values: Record<string, Value>) => ({
      id,
      values: { terminationDate: '2026-03-31', terminationReason: 'mutual', ...values },
    })
    expect(await refused(`${contracts}/terminate`, end({ terminationDate: '2027-01-01' }))).toEqual([
      'terminationDate: 终止日期应在合同期限之内',
    ])
    expect(await refused(`${contracts}/terminate`, end({ terminationReason: 'death' }))).toEqual([
      'terminationReason: 该终止原因不适用于此类合同',
    ])
    expect(await refused(`${contracts}/terminate`, end({ terminationReason: 'other' }))).toEqual([
      'terminationRemark: 请输入终止说明',
    ])
    expect((await house.admin.post(`${contracts}/terminate`, end({}))).code).toBe(1)
    expect(await contract(house, id)).toMatchObject({ status: 'terminated', archived: true, lastDay: '2026-03-31' })
    expect((await house.admin.post(`${contracts}/undoTerminate`, { id })).code).toBe(1)
    expect(await contract(house, id)).toMatchObject({
      status: 'active',
      archived: false,
      terminationDate: null,
      terminationReason: null,
      lastDay: '2026-12-31',
    })
    await house.admin.post(`${contracts}/terminate`, end({}))
    await sql`update contract set "terminatedOn" = '2026-03-14' where id = ${id}`.execute(house.database.kysely)
    expect(await refused(`${contracts}/undoTerminate`, { id })).toEqual(['当前状态不允许此操作'])
  })

  test.skipIf(!isLong)('only an expired contract can be archived, and only with its scan', async () => {
    const { customer, agency } = await employer(house)
    const id = await signed(serviceValues(customer, agency, { startDate: '2025-01-01', endDate: '2025-12-31' }))
    const active = await signed(serviceValues(customer, agency))
    expect(await refused(`${contracts}/archive`, { id: active })).toEqual(['当前状态不允许此操作'])
    expect(await refused(`${contracts}/archive`, { id })).toEqual(['filing: 归档前请先上传合同扫描件'])
    expect((await contract(house, id)).archived).toBe(false)
    const scan = (await upload(house, house.admin, '扫描件.png', picture)).result
    expect((await update(id, { attachments: [{ ...scan, status: 'success' }] })).code).toBe(1)
    expect((await house.admin.post(`${contracts}/archive`, { id })).code).toBe(1)
    expect(await contract(house, id)).toMatchObject({ status: 'expired', filing: 'archived', archived: true })
  })
})

describe('a renewal', () => {
  test('starts from the terms of the old contract and begins when that ends', async () => {
    const { customer, agency } = await employer(house)
    const old = await signed(serviceValues(customer, agency, { startDate: '2025-04-01', endDate: '2026-03-31' }))
    const id = await house.create(contracts, { renewalOf: old })
    const made = await contract(house, id)
    expect(made).toMatchObject({
      category: 'service',
      customer: { id: customer },
      startDate: '2026-04-01',
      endDate: '2027-03-31',
      renewalCount: 1,
      taxMethod: 'fullGeneral',
      paymentDay: 12,
      stage: 'drafted',
      signDate: null,
      feeRules: [{ serviceType: 'dispatch', feeMode: 'perHead', unitPrice: '120.00' }],
    })
    const before = await contract(house, old)
    expect(before).toMatchObject({ renewedBy: { id }, supersededFrom: null, archived: false })
    expect((made.feeRules as RecordData[])[0].id).not.toBe((before.feeRules as RecordData[])[0].id)
    expect(await refused(`${contracts}/create`, { values: { renewalOf: old } })).toEqual([
      `renewalOf: 原合同已有续签${String(made.contractNo)}，请先处理该续签合同`,
    ])
    await sign(house, id)
    expect(await contract(house, old)).toMatchObject({ supersededFrom: '2026-04-01', archived: false })
  })

  test.skipIf(!isLong)('is in one chain with all contracts before and after it, whichever is opened', async () => {
    const { customer, agency } = await employer(house)
    const first = await signed(
      serviceValues(customer, agency, {
        startDate: '2024-03-10',
        endDate: '2025-03-09',
        feeRules: [{ serviceType: 'dispatch', feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2024-03' }],
      }),
    )
    const second = await signed({ renewalOf: first })
    const third = await house.create(contracts, { renewalOf: second })
    await house.create(contracts, serviceValues(customer, agency, { startDate: '2028-01-01', endDate: '2028-12-31' }))
    for (const id of [first, second, third]) {
      const { chainNo } = await contract(house, id)
      expect(numbers((await listed({ filters: { chainNo: { equals: chainNo } }, sort: 'startDate' })).list)).toEqual([
        first,
        second,
        third,
      ])
    }
  })

  test.skipIf(!isLong)('needs the permission to renew besides the one to add', async () => {
    const { customer, agency } = await employer(house)
    const old = await signed(serviceValues(customer, agency, { startDate: '2025-04-01', endDate: '2026-03-31' }))
    const role = await house.create('/setting/role', {
      code: 'adder',
      name: '只能新增',
      dataScope: 'all',
      functionPermissions: ['contract:contract:view', 'contract:contract:add', 'customer:customer:view'],
    })
    const adder = await house.user('onlyadds', ['adder'])
    expect(role).toBeGreaterThan(0)
    expect((await adder.post(`${contracts}/create`, { values: { renewalOf: old } })).code).toBe(403)
    expect(
      (
        await adder.post(`${contracts}/create`, {
          values: serviceValues(customer, agency, { startDate: '2027-01-01', endDate: '2027-12-31' }),
        })
      ).code,
    ).toBe(1)
  })

  test('replaces the old contract on its first day', async () => {
    const { customer, agency } = await employer(house)
    const old = await signed(serviceValues(customer, agency, { startDate: '2025-03-10', endDate: '2026-03-09' }))
    const id = await house.create(contracts, { renewalOf: old, startDate: '2026-03-15' })
    expect((await contract(house, old)).archived).toBe(false)
    await sign(house, id)
    expect((await contract(house, old)).archived).toBe(true)
    const own = { customer: { equals: customer } }
    expect(numbers((await listed({ filters: { ...own, archived: { equals: false } } })).list)).toEqual([id])
    expect(numbers((await listed({ filters: { ...own, archived: { equals: true } } })).list)).toEqual([old])
  })

  test('is refused before the old end, for another customer, and of a contract not in force', async () => {
    const [{ customer, agency }, other] = [await employer(house), await employer(house)]
    const old = await signed(serviceValues(customer, agency, { startDate: '2025-04-01', endDate: '2026-03-31' }))
    expect(await refused(`${contracts}/create`, { values: { renewalOf: old, startDate: '2026-03-31' } })).toEqual([
      'startDate: 续签开始日期必须晚于原合同结束日期2026-03-31',
    ])
    expect(await refused(`${contracts}/create`, { values: { renewalOf: old, customer: other.customer } })).toEqual([
      'renewalOf: 续签须与原合同的类别、客户和员工一致',
    ])
    const draft = await house.create(contracts, serviceValues(other.customer, agency))
    expect(await refused(`${contracts}/create`, { values: { renewalOf: draft } })).toEqual([
      'renewalOf: 原合同状态“草稿”不能续签',
    ])
    const next = await signed(serviceValues(other.customer, agency, { startDate: '2026-05-01', endDate: '2027-04-30' }))
    expect(await refused(`${contracts}/create`, { values: { renewalOf: next } })).toEqual([
      'renewalOf: 原合同尚未生效，不能续签',
    ])
  })
})

describe('a labour contract', () => {
  test('complies with labour law', async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const { id: person } = await employee(house, { customer, agency, service })
    const attempt = (values: Record<string, Value>) =>
      refused(`${contracts}/create`, { values: laborValues(customer, agency, person, values) })
    expect(await attempt({ endDate: '2026-03-30' })).toEqual(['endDate: 劳务派遣合同期限不得少于24个月'])
    expect(await attempt({ probationMonths: 3 })).toEqual([expect.stringMatching(/^probationMonths: 试用期超出规定/)])
    const { customer: other } = await employer(house)
    expect(await attempt({ customer: other })).toEqual(['person: 该员工不属于所选客户'])
    const { result: parameters } = await house.admin.get('/setting/parameter/detail')
    const minimumWages = [{ city: '320500', amount: '6200' }]
    expect(
      (
        await house.admin.post('/setting/parameter/update', {
          id: parameters.id,
          revision: parameters.revision,
          values: { minimumWages },
        })
      ).code,
    ).toBe(1)
    expect(await attempt({})).toEqual(['monthlyWage: 月工资低于苏州最低工资￥6,200.00'])
    const id = await house.create(
      contracts,
      laborValues(customer, agency, person, { monthlyWage: '6200', probationMonths: 2 }),
    )
    expect(await contract(house, id)).toMatchObject({
      contractNo: expect.stringMatching(/^LD202603\d{5}$/),
      name: '林晓演 劳动合同',
      employmentForm: 'dispatch',
      position: '装配工',
      probationEnd: '2024-05-31',
      taxMethod: null,
    })
    await sign(house, id)
    expect((await house.admin.get('/staff/person/detail', { id: person })).result.contract).toMatchObject({ id })
  })
})

describe('legal requirements hold on every way to a signed contract', () => {
  const wages = async (amount: string) => {
    const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
    const values = { minimumWages: [{ city: '320500', amount }] }
    expect((await house.admin.post('/setting/parameter/update', { id, revision, values })).code).toBe(1)
  }
  test.skipIf(!isLong)('the minimum wage of a city is the version in force, whatever the order of entry', async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const { id: person } = await employee(house, { customer, agency, service })
    const { id } = (await house.admin.get('/setting/parameter/detail')).result
    const save = async (...versions: [string | null, string][]) => {
      const { revision } = (await house.admin.get('/setting/parameter/detail')).result
      const minimumWages = versions.map(([effectiveFrom, amount]) => ({ city: '320500', amount, effectiveFrom }))
      return house.admin.post('/setting/parameter/update', { id, revision, values: { minimumWages } })
    }
    expect(await save(['2026-01-01', '6200'], ['2026-01-01', '6300'])).toMatchObject({ code: 422 })
    expect(await save(['2026-01-01', '6200'], [null, '5900'], ['2026-07-01', '6500'])).toMatchObject({ code: 1 })
    const attempt = async (monthlyWage: string) => {
      const values = laborValues(customer, agency, person, { monthlyWage })
      return (await house.admin.post(`${contracts}/create`, { values })).message
    }
    expect(await attempt('6199')).toBe('月工资低于苏州最低工资￥6,200.00')
    expect(await save(['2026-03-01', '6400'], ['2026-01-01', '6200'])).toMatchObject({ code: 1 })
    expect(await attempt('6399')).toBe('月工资低于苏州最低工资￥6,400.00')
    expect(await save(['2026-01-01', '6200'])).toMatchObject({ code: 1 })
    await house.create(contracts, laborValues(customer, agency, person, { monthlyWage: '6200' }))
  })

  const licensed = async (agency: number, dispatchLicenseEnd: string) => {
    const { revision } = (await house.admin.get('/customer/agency/detail', { id: agency })).result
    const changed = { id: agency, revision, values: { dispatchLicenseEnd } }
    expect((await house.admin.post('/customer/agency/update', changed)).code).toBe(1)
  }

  test('a draft is not signed without a license, nor below a minimum wage raised since', async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const { id: person } = await employee(house, { customer, agency, service })
    await wages('6200')
    const labor = await house.create(contracts, laborValues(customer, agency, person, { monthlyWage: '6200' }))
    const attempt = (id: number, signDate: string) =>
      house.admin.post(`${contracts}/sign`, { id, values: { signDate } })
    await wages('6300')
    expect((await attempt(labor, '2026-03-10')).message).toBe('月工资低于苏州最低工资￥6,300.00')
    await wages('6200')
    await licensed(agency, '2026-03-01')
    const expired = [{ field: 'signDate', message: '签署日签约主体的派遣许可证已到期，劳务派遣不能签署' }]
    expect((await attempt(labor, '2026-03-10')).errors).toMatchObject(expired)
    expect((await attempt(service, '2026-03-10')).errors).toMatchObject(expired)
    await licensed(agency, '2025-12-01')
    expect((await attempt(service, '2025-11-20')).message).toBe('劳务派遣须由持有有效派遣许可证的主体签约')
    const ending = async () =>
      (await house.admin.get('/customer/agency/list', { filters: { licenceDue: { equals: true } } })).result.total
    await licensed(agency, '2026-05-14')
    expect(await ending(), '60 days before').toBe(1)
    await licensed(agency, '2030-12-31')
    expect(await ending()).toBe(0)
    await sign(house, labor)
  })
})

describe('a contract and its employee', () => {
  const another = async (values: Record<string, Value> = {}) => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const { id: person } = await employee(house, { customer, agency, service, values })
    const id = await signed(laborValues(customer, agency, person, { monthlyWage: '7000' }))
    const due = async () =>
      (
        await house.admin.get('/staff/person/list', {
          filters: { due: { equals: true }, customer: { equals: customer } },
        })
      ).result.list as RecordData[]
    const toTerminate = async () =>
      numbers((await listed({ filters: { toTerminate: { equals: true }, customer: { equals: customer } } })).list)
    return { customer, agency, person, id, due, toTerminate }
  }

  test('terminated while the employee still works, marks a leave as due until undone', async () => {
    const { id, person, due } = await another()
    expect(await due()).toEqual([])
    expect(
      (
        await house.admin.post(`${contracts}/terminate`, {
          id,
          values: { terminationDate: '2026-03-20', terminationReason: 'mutual' },
        })
      ).code,
    ).toBe(1)
    expect(await due()).toMatchObject([{ id: person, toLeave: true, employmentStatus: 'active' }])
    expect((await house.admin.post(`${contracts}/undoTerminate`, { id })).code).toBe(1)
    expect(await due()).toEqual([])
  })

  test.skipIf(!isLong)('finds the employee by the whole ID number, for users who may view it', async () => {
    const { person } = await another()
    const idNumber = String((await house.admin.get('/staff/person/detail', { id: person })).result.idNumber)
    const found = async (search: string, as = house.admin) =>
      numbers((await as.get('/staff/person/options', { search })).result.list)
    expect(await found(idNumber)).toEqual([person])
    expect(await found(idNumber.slice(0, 17))).toEqual([])
    expect(await found(idNumber, await house.user('readsonly', ['auditor']))).toEqual([])
  })

  test.skipIf(!isLong)('is to be terminated once the employee leaves', async () => {
    const { id, person, toTerminate } = await another()
    expect(await toTerminate()).toEqual([])
    expect(
      (
        await house.admin.post('/staff/person/leave', {
          id: person,
          values: { leaveDate: '2026-03-20', leaveReason: 'resignation' },
        })
      ).code,
    ).toBe(1)
    expect(await toTerminate()).toEqual([id])
    expect(
      (
        await house.admin.post(`${contracts}/terminate`, {
          id,
          values: { terminationDate: '2026-03-20', terminationReason: 'resignation' },
        })
      ).code,
    ).toBe(1)
    expect(await toTerminate()).toEqual([])
  })
})

describe('the import of renewals', () => {
  const laborRows = '/contract/laborRenewalImportRow'
  const problemsOf = (row: RecordData) =>
    ((row.errors ?? []) as { column?: string; code: string; message: { cn: string } }[]).map(
      ({ column, code, message }) => `${column ?? ''} ${code} ${message.cn}`,
    )
  const upload = async (name: string, cells: Record<string, string>[]) => {
    const id = await importFile(house, await workbook(planOf(house, `${name}Import`), cells), {
      path: `/contract/${name}Import`,
      name: '续签.xlsx',
    })
    await worker(house).drain()
    return id
  }
  const write = async (name: string, id: number) => {
    expect((await house.admin.post(`/contract/${name}Import/write`, { id })).code).toBe(1)
    await worker(house).drain()
  }

  test.skipIf(!isLong)('drafts, signs, updates a draft, and refuses a contract already renewed', async () => {
    const { customer, agency, name } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const made = await Promise.all(
      ['甲', '乙', '丙', '丁'].map(async (each) => ({
        name: `林${each}`,
        ...(await employee(house, { customer, agency, service, name: `林${each}` })),
      })),
    )
    const old: RecordData[] = []
    for (const person of made)
      old.push(await contract(house, await signed(laborValues(customer, agency, person.id, { monthlyWage: '7000' }))))
    const row = (index: number, cells: Record<string, string> = {}) => ({
      renewalOf: String(old[index].contractNo),
      customer: name,
      personName: made[index].name,
      personIdNumber: made[index].idNumber,
      termType: '固定期限',
      startDate: '2026-04-01',
      endDate: '2029-03-31',
      ...cells,
    })
    const first = await upload('laborRenewal', [
      row(0),
      row(1, { signDate: '2026-03-12', monthlyWage: '7500', startDate: '2026-04-05' }),
      row(2, { startDate: '2026-03-31', personName: '别人' }),
      row(3, { renewalOf: 'LD20200100001' }),
      row(0),
    ])
    const checked = await rows(house, first, house.admin, laborRows)
    expect(checked.map(({ rowStatus }) => rowStatus)).toEqual(['toCreate', 'toCreate', 'failed', 'failed', 'failed'])
    expect(checked.map(problemsOf)).toEqual([
      [],
      ['startDate hint 续签开始日期：续签与原合同之间有4天间断（提示）'],
      [
        'personName differs 姓名与系统数据不一致（系统：林丙）',
        'startDate rule 续签开始日期必须晚于原合同结束日期2026-03-31',
      ],
      ['renewalOf reference 原合同编号“LD20200100001”不存在或已停用'],
      ['renewalOf duplicate 与第2行重复'],
    ])
    await write('laborRenewal', first)
    expect(await batch(house, first, house.admin, '/contract/laborRenewalImport')).toMatchObject({
      status: 'partial',
      successCount: 2,
      failCount: 3,
    })
    const [draft, done] = (await listed({ filters: { renewalOf: { in: [old[0].id, old[1].id] } }, sort: 'contractNo' }))
      .list
    expect(draft).toMatchObject({
      stage: 'drafted',
      position: '装配工',
      monthlyWage: '7000.00',
      renewalCount: 1,
      startDate: '2026-04-01',
    })
    expect(done).toMatchObject({ stage: 'signed', status: 'upcoming', monthlyWage: '7500.00', probationMonths: 0 })

    const second = await upload('laborRenewal', [row(0, { endDate: '2030-03-31' }), row(1)])
    const again = await rows(house, second, house.admin, laborRows)
    expect(again.map((each) => [each.rowStatus, ...problemsOf(each)])).toEqual([
      ['toUpdate'],
      ['failed', `renewalOf state 该合同已续签（${String(done.contractNo)}）`],
    ])
    await write('laborRenewal', second)
    expect(await contract(house, draft.id)).toMatchObject({ endDate: '2030-03-31', termMonths: 48 })
  })

  test.skipIf(!isLong)('refuses to sign what the form would refuse', async () => {
    const { customer, agency, name } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    const person = await employee(house, { customer, agency, service, name: '林戊' })
    const old = await contract(house, await signed(laborValues(customer, agency, person.id, { monthlyWage: '6200' })))
    const batch = await upload('laborRenewal', [
      {
        renewalOf: String(old.contractNo),
        customer: name,
        personName: '林戊',
        personIdNumber: person.idNumber,
        termType: '固定期限',
        startDate: '2026-04-01',
        endDate: '2029-03-31',
        monthlyWage: '6000',
        signDate: '2026-03-12',
      },
    ])
    expect((await rows(house, batch, house.admin, laborRows)).flatMap(problemsOf)).toEqual([
      'monthlyWage rule 月工资标准：月工资低于苏州最低工资￥6,200.00',
    ])
  })

  test.skipIf(!isLong)('puts the new price into per-head rules, and accepts service contracts only', async () => {
    const { customer, agency, name } = await employer(house)
    const feeRules: Value = [
      {
        serviceType: 'dispatch',
        feeMode: 'perHead',
        unitPrice: '120',
        chargeRule: 'fullMonth',
        effectiveFrom: '2025-01',
      },
      {
        serviceType: 'recruitment',
        feeMode: 'fixed',
        fixedAmount: '900',
        chargeRule: 'fullMonth',
        effectiveFrom: '2025-01',
      },
    ]
    const old = await contract(
      house,
      await signed(
        serviceValues(customer, agency, {
          startDate: '2025-04-01',
          endDate: '2026-03-31',
          serviceTypes: ['dispatch', 'recruitment'],
          feeRules,
        }),
      ),
    )
    const { id: person } = await employee(house, { customer, agency, service: old.id! })
    const labor = await contract(house, await signed(laborValues(customer, agency, person, { monthlyWage: '7000' })))
    const row = { customer: name, startDate: '2026-04-01', endDate: '2027-03-31' }
    const id = await upload('serviceRenewal', [
      { ...row, renewalOf: String(old.contractNo), unitPrice: '128', paymentTerms: '确认后30天' },
      { ...row, renewalOf: String(labor.contractNo) },
    ])
    const checked = await rows(house, id, house.admin, '/contract/serviceRenewalImportRow')
    expect(checked.map(({ rowStatus }) => rowStatus)).toEqual(['toCreate', 'failed'])
    expect(problemsOf(checked[1])).toContain('renewalOf rule 原合同编号：该合同不是服务合同')
    await write('serviceRenewal', id)
    const [renewal] = (await listed({ filters: { renewalOf: { equals: old.id } } })).list
    expect(await contract(house, renewal.id)).toMatchObject({
      paymentTerms: 'net30',
      paymentDay: null,
      feeRules: [{ unitPrice: '128.00' }, { fixedAmount: '900.00' }],
    })
  })
})

test.skipIf(!isLong)(
  'preset roles see only the contracts of their own customers, and sign only with the permission',
  async () => {
    const [mine, other] = [await employer(house), await employer(house)]
    const support = await house.user('ownsupport', ['support'])
    await sql`update customer set "supportStaff" = ${support.id} where id = ${mine.customer}`.execute(
      house.database.kysely,
    )
    const own = await house.create(contracts, serviceValues(mine.customer, mine.agency), support)
    const strange = await house.create(contracts, serviceValues(other.customer, other.agency))
    expect(numbers((await support.get(`${contracts}/list`)).result.list)).toEqual([own])
    expect((await support.get(`${contracts}/detail`, { id: strange })).code).toBe(403)
    expect((await support.post(`${contracts}/sign`, { id: own, values: { signDate: '2026-03-01' } })).code).toBe(403)
  },
)
