import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import type { ActionPlan, RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { batch, importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { policyInForce } from '../welfare.ts'

// The business day of the test server is 2026-03-15.
const persons = '/staff/person'
let house: TestServer
let work: { customer: number; agency: number; name: string; service: number; bank: number; contractNo: string }
beforeAll(async () => {
  house = await createTestServer()
  work = await workplace()
})
afterAll(() => house?.close())

let banks = 0
async function workplace() {
  const at = await employer(house)
  const service = await house.create(contracts, serviceValues(at.customer, at.agency))
  await sign(house, service, '2026-01-01')
  const bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: `北辰示范银行北京演示支行${++banks}`,
    cnapsCode: `99110000000${banks}`,
    kind: 'stateOwned',
    city: '110100',
    wageSupported: true,
  })
  return {
    ...at,
    service,
    bank,
    contractNo: String((await house.admin.get(`${contracts}/detail`, { id: service })).result.contractNo),
  }
}
const personOf = async (id: number): Promise<RecordData> => (await house.admin.get(`${persons}/detail`, { id })).result
const list = async (path: string, filters: Record<string, object>): Promise<RecordData[]> =>
  (await house.admin.get(`${path}/list`, { filters, size: 100 })).result.list.toReversed()
const post = (action: string, id: number, values: Record<string, Value> = {}) =>
  house.admin.post(`${persons}/${action}`, { id, values })
const resident = (birth: string, order: number) => {
  const body = `990101${birth}${String(order).padStart(3, '0')}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  return body + '10X98765432'[[...body].reduce((sum, digit, index) => sum + Number(digit) * weights[index], 0) % 11]
}
let count = 0
const values = async (more: Record<string, Value> = {}): Promise<Record<string, Value>> => ({
  name: '周演',
  idNumber: resident('19920518', 101 + 2 * ++count),
  householdType: 'otherUrban',
  mobile: '15400000002',
  customer: work.customer,
  serviceContract: work.service,
  agency: work.agency,
  supportStaff: await house.findId('/setting/user', 'admin'),
  position: '装配工',
  workCity: '310100',
  employmentForm: 'outsourcing',
  entryDate: '2026-03-02',
  baseSalary: '7000',
  ...more,
})

describe('an added person', () => {
  it('is insured in the work city, unless the customer insures its people elsewhere', async () => {
    const cityOf = async (insuranceCities: string[] | null) => {
      const { customer, agency } = await employer(house, { insuranceCities })
      const serviceContract = await house.create(contracts, serviceValues(customer, agency))
      const id = await house.create(persons, await values({ customer, agency, serviceContract }))
      return (await personOf(id)).insuranceCity
    }
    expect(await cityOf(null)).toBe('310100')
    expect(await cityOf(['110100', '310100'])).toBe('310100')
    expect(await cityOf(['110100', '440300'])).toBe('110100')
  })

  it('is listed while employed without special deductions for this month', async () => {
    const [lacking, known, late] = [
      await house.create(persons, await values()),
      await house.create(persons, await values()),
      await house.create(persons, await values()),
    ]
    for (const [person, taxMonth] of [
      [known, '2026-03'],
      [late, '2026-02'],
    ] as const)
      await house.create('/salary/specialDeduction', { person, taxMonth, cumChildEducation: '1000' })
    const found = await list(persons, { noDeduction: { equals: true }, customer: { in: [work.customer] } })
    const ours = found.filter(({ id }) => [lacking, known, late].includes(id!))
    expect(ours.map(({ id, lastDeductionMonth }) => [id, lastDeductionMonth])).toEqual([
      [lacking, null],
      [late, '2026-02'],
    ])
  })

  it('has gender and birth date from the ID card, tax from the month of entry, and a stint', async () => {
    const id = await house.create(persons, await values())
    expect(await personOf(id)).toMatchObject({
      personCode: expect.stringMatching(/^RY\d{8}$/),
      gender: 'male',
      birthDate: '1992-05-18',
      age: 33,
      employmentStatus: 'active',
      insuranceCity: '310100',
      taxStartMonth: '2026-03',
      taxSubject: 'provider',
      taxRelief: 'none',
      withholdingAgent: '示范派遣有限公司',
      wageCard: null,
    })
    expect(await list('/staff/employmentRecord', { person: { equals: id } })).toMatchObject([
      { entryDate: '2026-03-02', leaveDate: null, position: '装配工', customer: { id: work.customer } },
    ])
  })

  it('is pending until a future entry date, and needs matching ID data', async () => {
    expect(await personOf(await house.create(persons, await values({ entryDate: '2026-03-20' })))).toMatchObject({
      employmentStatus: 'pending',
    })
    const refused = async (more: Record<string, Value>) =>
      (await house.admin.post(`${persons}/create`, { values: await values(more) })).errors?.map(({ field }) => field)
    expect(await refused({ gender: 'female' })).toEqual(['gender'])
    expect(await refused({ birthDate: '1992-05-19' })).toEqual(['birthDate'])
    expect(await refused({ entryDate: '2026-06-14' })).toEqual(['entryDate'])
    expect(await refused({ taxRelief: 'disabled' })).toEqual(['reliefRate'])
    expect(await refused({ workerKind: 'retiree' })).toEqual(['workerKind'])
    expect(await refused({ probationSalary: '5599.99' })).toEqual(['probationSalary'])
  })

  it('brings a draft contract and a wage card, or is refused with their errors at the fields', async () => {
    const whole = await values({
      contractTermType: 'fixed',
      contractEndDate: '2029-03-01',
      contractProbationMonths: 6,
      cardAccountNo: '9900010000000123455',
      cardBank: work.bank,
    })
    const wrong = await house.admin.post(`${persons}/create`, { values: { ...whole, contractEndDate: '2027-03-01' } })
    expect(wrong.errors?.map(({ field }) => field)).toEqual(['contractProbationMonths'])
    const id = await house.create(persons, whole)
    expect(await list(contracts, { person: { equals: id } })).toMatchObject([
      { stage: 'drafted', startDate: '2026-03-02', endDate: '2029-03-01', probationMonths: 6, monthlyWage: '7000.00' },
    ])
    expect(await list('/bank/personBankCard', { person: { equals: id } })).toMatchObject([
      { accountName: '周演', isDefault: true, verifyStatus: 'unverified', effectiveFrom: '2026-03' },
    ])
    expect(await personOf(id)).toMatchObject({
      wageCard: expect.objectContaining({ name: '周演' }),
      cardAccountNo: null,
      contractTermType: null,
    })
    const taken = await house.admin.post(`${persons}/create`, {
      values: await values({ cardAccountNo: '9900010000000123455', cardBank: work.bank }),
    })
    expect(taken.errors).toMatchObject([{ field: 'cardAccountNo', message: '该卡号已被其他启用的工资卡使用：周演' }])
  })
})

describe('an ID number', () => {
  it('can be corrected with the permission, and determines gender and birth date', async () => {
    const id = await house.create(persons, await values())
    const save = async (as = house.admin) =>
      as.post(`${persons}/update`, {
        id,
        revision: (await personOf(id)).revision,
        values: { idNumber: resident('19930101', 888) },
      })
    await house.create('/setting/role', {
      code: 'editor',
      name: '人员编辑',
      dataScope: 'all',
      functionPermissions: ['staff:person:view', 'staff:person:viewSensitive', 'staff:person:edit'],
    })
    expect((await save(await house.user('editor', ['editor']))).code).toBe(403)
    expect(await save()).toMatchObject({ code: 1 })
    expect(await personOf(id)).toMatchObject({ gender: 'female', birthDate: '1993-01-01' })
  })

  it('stays masked: neither other fields nor guesses reveal it', async () => {
    const idNumber = resident('19880717', 303)
    const id = await house.create(persons, await values({ idNumber, birthDate: '1988-07-17' }))
    await sql`update person set "socialsecurityDeclaredBase" = 6500,
      "idFrontImage" = '[{"url": "/api/files/0123456789abcdef0123456789abcdef/front.png", "name": "front.png"}]'
      where id = ${id}`.execute(house.database.kysely)
    await house.create('/setting/role', {
      code: 'blind',
      name: '只看掩码',
      dataScope: 'all',
      functionPermissions: ['staff:person:view', 'staff:person:edit'],
    })
    const blind = await house.user('blind', ['blind'])
    const { result } = await blind.get(`${persons}/detail`, { id })
    expect(result).toMatchObject({ idNumber: `990101********${idNumber.slice(-4)}`, age: 37 })
    expect(JSON.stringify(result)).not.toMatch(/1988-?07-?17|front\.png/)

    const { revision } = await personOf(id)
    const guess = async (given: Record<string, Value>) => {
      const { status, message, errors } = await blind.post(`${persons}/update`, { id, revision, values: given })
      return { status, message, errors }
    }
    const wrong = await guess({ idNumber: resident('19880718', 303) })
    expect(wrong.status).toBe(403)
    expect(await guess({ idNumber })).toEqual(wrong)

    const typed = async (given: Record<string, Value>) => {
      const { result: suggestion } = await blind.post(`${persons}/suggest`, {
        values: { idType: 'idcard', ...given },
        typed: Object.keys(given),
        parameters: {},
      })
      const [[field, value]] = Object.entries(given)
      const other = await house.create(persons, await values())
      const { result: free } = await blind.get(`${persons}/unique`, { id: other, field, value })
      return { suggestion, free: field === 'idNumber' ? free : undefined }
    }
    const { mobile } = await personOf(id)
    expect(await typed({ idNumber })).toEqual(await typed({ idNumber: resident('19880718', 303) }))
    expect(await typed({ mobile: mobile! })).toEqual(await typed({ mobile: '15611110000' }))
    const other = await guess({ socialsecurityDeclaredBase: '6501' })
    expect(other.status).toBe(422)
    expect(await guess({ socialsecurityDeclaredBase: '6500' })).toEqual(other)
    expect((await personOf(id)).revision).toBe(revision)
  })
})

describe('a leave', () => {
  it('is submitted, undone, closed once its day is over, and followed by another stint', async () => {
    const { id } = await employee(house, { ...work, name: '林晓演' })
    expect((await post('leave', id)).errors?.map(({ field }) => field)).toEqual(['leaveDate', 'leaveReason'])
    expect(
      (await post('leave', id, { leaveDate: '2024-03-31', leaveReason: 'resignation' })).errors?.map(
        ({ field }) => field,
      ),
    ).toEqual(['leaveDate'])
    await post('leave', id, { leaveDate: '2026-03-15', leaveReason: 'resignation' })
    expect(await personOf(id)).toMatchObject({ employmentStatus: 'leaving', leaveDate: '2026-03-15' })
    expect(await post('close', id)).toMatchObject({ code: 409, message: expect.stringContaining('2026-03-15') })
    await post('cancelLeave', id)
    expect(await personOf(id)).toMatchObject({ employmentStatus: 'active', leaveDate: null, leaveReason: null })
    await post('leave', id, { leaveDate: '2026-03-10', leaveReason: 'resignation' })
    expect(await post('close', id)).toMatchObject({ code: 1 })

    const other = await workplace()
    const again = {
      customer: other.customer,
      serviceContract: other.service,
      entryDate: '2026-03-12',
      baseSalary: '8000',
    }
    expect((await post('rehire', id, { ...again, entryDate: '2026-03-10' })).errors?.map(({ field }) => field)).toEqual(
      ['entryDate'],
    )
    expect(
      (await post('rehire', id, { ...again, serviceContract: work.service })).errors?.map(({ field }) => field),
    ).toEqual(['serviceContract'])
    expect(await post('rehire', id, again)).toMatchObject({ code: 1 })
    expect(await personOf(id)).toMatchObject({
      employmentStatus: 'active',
      customer: { id: other.customer },
      leaveDate: null,
      taxStartMonth: '2026-03',
    })
    expect(await list('/staff/employmentRecord', { person: { equals: id } })).toMatchObject([
      { customer: { id: work.customer }, entryDate: '2024-04-01', leaveDate: '2026-03-10', leaveReason: 'resignation' },
      { customer: { id: other.customer }, entryDate: '2026-03-12', leaveDate: null },
    ])
  })

  it('of a person who never came leaves no stint', async () => {
    const id = await house.create(persons, await values({ entryDate: '2026-03-20' }))
    await post('giveUp', id)
    expect(await list('/staff/employmentRecord', { person: { equals: id } })).toEqual([])
  })
})

describe('a person who has not started', () => {
  const inUse = { code: 409, message: '该数据已被使用，不能删除' }
  const pending = async (more: Record<string, Value> = {}) =>
    house.create(persons, await values({ entryDate: '2026-03-20', ...more }))
  const isGone = async (path: string, id: number) => (await house.admin.get(`${path}/detail`, { id })).code !== 1

  it('is deleted with the draft contract, the wage card and the stint of the entry', async () => {
    const given = await values({
      entryDate: '2026-03-20',
      contractTermType: 'fixed',
      contractEndDate: '2029-03-19',
      cardAccountNo: '9900010000000123554',
      cardBank: work.bank,
    })
    const id = await house.create(persons, given)
    const [[contract], [card]] = [
      await list(contracts, { person: { equals: id } }),
      await list('/bank/personBankCard', { person: { equals: id } }),
    ]
    expect(await post('delete', id)).toMatchObject({ code: 1 })
    expect([
      await isGone(persons, id),
      await isGone(contracts, contract.id!),
      await isGone('/bank/personBankCard', card.id!),
    ]).toEqual([true, true, true])
    expect(await list('/staff/employmentRecord', { person: { equals: id } })).toEqual([])
    const { rows: logged } = await sql<{
      entity: string
      action: string
    }>`select entity, action from system_history where action = 'delete' and record_id = ${contract.id} and entity = 'contract'`.execute(
      house.runtime.database.kysely,
    )
    expect(logged).toHaveLength(1)
    // The ID number and the card number are free again.
    expect(await house.admin.post(`${persons}/create`, { values: given })).toMatchObject({ code: 1 })
  })

  it('cannot be deleted with a signed contract, a letter or an open ticket, nor once employed', async () => {
    const signed = await pending({ contractTermType: 'fixed', contractEndDate: '2029-03-19' })
    const [contract] = await list(contracts, { person: { equals: signed } })
    await sign(house, contract.id!, '2026-03-10')
    expect(await post('delete', signed)).toMatchObject(inUse)
    expect(await isGone(contracts, contract.id!)).toBe(false)

    const proven = await pending({ contractTermType: 'fixed', contractEndDate: '2029-03-19' })
    const certificate = await house.create('/staff/certificate', {
      name: '录用',
      proofType: 'other',
      language: 'zh',
      sealType: 'hr',
      content: '<p>{{person.name}}</p>',
    })
    await house.create('/staff/proof', {
      person: proven,
      proofType: 'other',
      certificate,
      purpose: '办理贷款',
      sealType: 'hr',
      content: '<p>{{proof.proofNo}}</p>',
    })
    expect(await post('delete', proven)).toMatchObject(inUse)
    // Nothing that a deletion would include has been deleted.
    expect(await list(contracts, { person: { equals: proven } })).toHaveLength(1)

    expect(await post('delete', await house.create(persons, await values()))).toMatchObject({
      code: 409,
      message: expect.not.stringContaining('已被使用'),
    })
  })

  it.skipIf(!isLong)('is deleted with cancelled tickets, but not while a ticket is open', async () => {
    await policyInForce(house, {
      kind: 'social',
      city: '310100',
      agency: work.agency,
      limits: { baseFloor: '7384', baseCeiling: '36921' },
    })
    const id = await pending({ socialsecurityNeeded: true, socialsecurityStartMonth: '2026-04' })
    const additions = () => list('/welfare/socialsecurityAddition', { person: { equals: id } })
    expect(await additions()).toMatchObject([{ status: 'pending' }])
    expect(await post('delete', id)).toMatchObject(inUse)
    expect(await post('giveUp', id)).toMatchObject({ code: 1 })
    expect(await additions()).toMatchObject([{ status: 'cancelled' }])
    expect(await post('delete', id)).toMatchObject({ code: 1 })
    expect(await additions()).toEqual([])
  })

  it('has a delete button in the list, unlike an employed person', () => {
    const { actions } = Object.values(house.runtime.derived.catalog.screens).find(({ name }) => name === 'person.list')!
      .body as unknown as { actions: ActionPlan[] }
    const found = actions.filter((action) => action.do.kind === 'delete')
    expect(found).toMatchObject([
      { on: 'row', permission: 'staff:person:delete', shownWhen: "employmentStatus in ['pending', 'cancelled']" },
    ])
  })
})

describe('wage cards', () => {
  it.skipIf(!isLong)(
    'a person has one default card, which stays enabled, and changes undo its verification',
    async () => {
      const { id: person } = await employee(house, { ...work, name: '林晓演' })
      const cards = '/bank/personBankCard'
      const card = (accountNo: string, more: Record<string, Value> = {}) =>
        house.create(cards, { person, accountNo, bank: work.bank, ...more })
      const first = await card('9900010000000123463', { isDefault: false })
      const second = await card('9900010000000123471')
      expect(await list(cards, { person: { equals: person } })).toMatchObject([
        { id: first, isDefault: false },
        { id: second, isDefault: true },
      ])
      // The last digits identify the default card to any user who sees the person.
      expect((await house.admin.get('/staff/person/detail', { id: person })).result).toMatchObject({
        wageCard: { id: second },
        wageCardNo: '****3471',
        wageCardBank: { id: work.bank },
      })
      expect((await house.admin.post(`${cards}/disable`, { id: second })).message).toBe('默认工资卡不能停用')
      const clerk = await house.user('verifying', ['payrollClerk'])
      expect(await clerk.post(`${cards}/verify`, { ids: [first, second] })).toMatchObject({
        result: { succeeded: 2 },
      })
      const { result } = await house.admin.get(`${cards}/detail`, { id: second })
      await house.admin.post(`${cards}/update`, {
        id: second,
        revision: result.revision,
        values: { accountName: '林晓', nameDiffReason: '曾用名开户' },
      })
      expect((await house.admin.get(`${cards}/detail`, { id: second })).result).toMatchObject({
        verifyStatus: 'unverified',
      })
      expect((await house.admin.post(`${cards}/verify`, { id: second })).message).toBe(
        '户名不一致的工资卡须由录入人以外的用户核验',
      )
    },
  )
})

describe('imports of joiners and leavers', () => {
  const send = async (kind: 'Join' | 'Leave', cells: Record<string, string>[]) => {
    const path = `${persons}${kind}Import`
    const id = await importFile(house, await workbook(planOf(house, `person${kind}Import`), cells), { path })
    await worker(house).drain()
    await house.admin.post(`${path}/write`, { id })
    await worker(house).drain()
    return { counts: await batch(house, id, house.admin, path), rows: await rows(house, id, house.admin, `${path}Row`) }
  }
  const outcomeOf = ({ rowStatus, errors }: RecordData) => [
    rowStatus,
    ...((errors ?? []) as unknown as { message: { cn: string } }[]).map(({ message }) => message.cn),
  ]
  const joiner = (idNumber: string, more: Record<string, string> = {}): Record<string, string> => ({
    customer: work.name,
    serviceContract: work.contractNo,
    name: '何静',
    idType: '居民身份证',
    idNumber,
    mobile: String(15_500_000_000 + ++count),
    householdType: '外地城镇',
    workCity: '上海',
    insuranceCity: '上海',
    employmentForm: '外包用工',
    position: '测试工程师',
    entryDate: '2026-03-10',
    baseSalary: '12000.00',
    ...Object.fromEntries(
      house.runtime.derived.catalog.families.handling.map(({ key }) => [`${String(key)}Needed`, '是']),
    ),
    ...more,
  })

  it.skipIf(!isLong)(
    'add people with draft contract and card, rehire leavers, and refuse employed people',
    async () => {
      const { id: working, idNumber } = await employee(house, { ...work, name: '林晓演' })
      const { id: left, idNumber: former } = await employee(house, { ...work, name: '林晓旧' })
      await post('leave', left, { leaveDate: '2026-02-10', leaveReason: 'resignation' })
      await post('close', left)
      const { rows: written } = await send('Join', [
        joiner(resident('19950607', 222), {
          contractTermType: '固定期限',
          contractEndDate: '2029-03-09',
          contractProbationMonths: '3',
          cardBank: `北辰示范银行北京演示支行${banks}`,
          cardAccountNo: '9900010000000123489',
        }),
        joiner(idNumber),
        joiner(former, { name: '林晓旧' }),
        joiner(resident('19950607', 224), { entryDate: '2026-07-01' }),
        joiner(resident('19950607', 226), {
          cardBank: `北辰示范银行北京演示支行${banks}`,
          cardAccountNo: '9900010000000123489',
        }),
        joiner(resident('19950607', 228), { entryDate: '2026-03-28' }),
      ])
      expect(written.map(outcomeOf)).toEqual([
        ['created'],
        ['failed', `该人员在客户“${work.name}”在职，不能重复增员`],
        ['updated', '证件号码：该人员曾离职，按再入职处理（提示）'],
        ['failed', '入职日期不能晚于90天之后'],
        ['failed', expect.stringMatching(/^工资卡号：该卡号已被其他启用的工资卡使用：.+$/)],
        ['created'],
      ])
      const [made] = written.map(({ target }) => (target as { id: number } | null)?.id)
      expect(await list(contracts, { person: { equals: made } })).toMatchObject([
        { stage: 'drafted', endDate: '2029-03-09' },
      ])
      expect(await personOf(made!)).toMatchObject({
        employmentStatus: 'active',
        wageCard: expect.anything(),
        gender: 'female',
      })
      expect(await personOf(left)).toMatchObject({
        employmentStatus: 'active',
        leaveDate: null,
        entryDate: '2026-03-10',
        taxStartMonth: '2026-03',
      })
      expect(
        (await list('/staff/employmentRecord', { person: { equals: left } })).map(({ leaveDate }) => leaveDate),
      ).toEqual(['2026-02-10', null])
      expect(await personOf((written[5].target as { id: number }).id)).toMatchObject({ employmentStatus: 'pending' })
      expect(await personOf(working)).toMatchObject({ entryDate: '2024-04-01' })
    },
  )

  it.skipIf(!isLong)("warn of a salary below the city's minimum wage, but add the person", async () => {
    const { result } = await house.admin.get('/setting/parameter/list')
    const [{ id, revision }] = result.list
    expect(
      await house.admin.post('/setting/parameter/update', {
        id,
        revision,
        values: { minimumWages: [{ city: '310100', amount: '2740' }] },
      }),
    ).toMatchObject({ code: 1 })
    const { rows: written } = await send('Join', [
      joiner(resident('19950607', 302), { baseSalary: '2700' }),
      joiner(resident('19950607', 304), { baseSalary: '2740' }),
      joiner(resident('19950607', 306), { baseSalary: '2700', workCity: '北京' }),
    ])
    expect(written.map(outcomeOf)).toEqual([
      ['created', expect.stringMatching(/基本工资低于上海.*最低工资标准（提示）$/)],
      ['created'],
      ['created'],
    ])
  })

  it('warn of a mobile number in use without naming its holders, but add the person', async () => {
    const { mobile } = await values({ mobile: '15600000001' })
    const at = [
      await house.create(persons, await values({ mobile })),
      await house.create(persons, await values({ mobile })),
    ]
    const { rows: written } = await send('Join', [joiner(resident('19950607', 402), { mobile: String(mobile) })])
    expect(written.map(outcomeOf)).toEqual([['created', '该手机号码另有2名在职人员使用（提示）']])

    const suggested = async (given: Record<string, Value>, id?: number) =>
      (await house.admin.post(`${persons}/suggest`, { id, values: given, typed: ['mobile'], parameters: {} })).result
        .values
    expect(await suggested({ mobile }), 'of somebody new').toMatchObject({
      mobileHolders: 3,
      known: null,
      knownStatus: null,
    })
    expect(await suggested({ mobile }, at[0]), 'beside their own').toEqual({ mobileHolders: 2 })
    await post('leave', at[1], { leaveDate: '2026-03-14', leaveReason: 'resignation' })
    await post('close', at[1])
    expect(await suggested({ mobile }, at[0]), 'whoever has left').toEqual({ mobileHolders: 1 })
    const { idType, idNumber } = await personOf(at[1])
    await house.create('/setting/role', {
      code: 'narrow',
      name: '只见本人',
      dataScope: 'self',
      functionPermissions: ['staff:person:view', 'staff:person:viewSensitive', 'staff:person:add'],
    })
    const narrow = await house.user('narrow', ['narrow'])
    const request = { values: { mobile, idType: idType!, idNumber: idNumber! }, typed: ['mobile'], parameters: {} }
    const { result: unseen } = await narrow.post(`${persons}/suggest`, request)
    expect(unseen.values, 'of people whom one may not see').toMatchObject({
      mobileHolders: null,
      known: null,
      knownStatus: null,
    })
    expect(await suggested({ idType: idType!, idNumber: idNumber! }), 'the ID of somebody who is known').toMatchObject({
      known: { id: at[1] },
      knownStatus: 'left',
      mobileHolders: null,
    })
  })

  it.skipIf(!isLong)('end the employment of people', async () => {
    const { id, idNumber } = await employee(house, { ...work, name: '林晓离' })
    const row = (more: Record<string, string> = {}) => ({
      customer: work.name,
      name: '林晓离',
      idNumber,
      leaveDate: '2026-03-31',
      leaveReason: '员工辞职',
      ...more,
    })
    const first = await send('Leave', [row({ name: '张三' }), row({ idNumber: resident('19800101', 13) })])
    expect(first.rows.map(outcomeOf)).toMatchObject([
      ['failed', expect.stringContaining('林晓离')],
      ['failed', expect.any(String)],
    ])
    expect((await send('Leave', [row({ leaveDate: '2024-03-01' })])).rows.map(outcomeOf)).toEqual([
      ['failed', '离职日期不能早于入职日期'],
    ])
    expect((await send('Leave', [row()])).rows.map(outcomeOf)).toEqual([['updated']])
    expect(await personOf(id)).toMatchObject({
      employmentStatus: 'leaving',
      leaveDate: '2026-03-31',
      leaveReason: 'resignation',
    })
    // A corrected file updates a person who is still leaving, but not one who has left.
    const later = row({ leaveDate: '2026-04-15', leaveReason: '到期不续' })
    expect((await send('Leave', [later])).rows.map(outcomeOf)).toEqual([['updated']])
    expect(await personOf(id)).toMatchObject({ employmentStatus: 'leaving', leaveDate: '2026-04-15' })
    await house.database.pool.query('update person set "employmentStatus" = $1 where id = $2', ['left', id])
    expect((await send('Leave', [row()])).rows.map(outcomeOf)).toEqual([['failed', '状态为“已离职”的人员不能减员']])
  })
})
