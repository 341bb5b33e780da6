import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { uscc } from '../customer.ts'
import { createTestServer, type TestServer } from '../server.ts'

const policies = '/welfare/policy'
let house: TestServer
let agency: number
beforeAll(async () => {
  house = await createTestServer()
  agency = await house.create('/customer/agency', {
    code: 'J900',
    name: '自营机构',
    kind: 'own',
    uscc: uscc(91_000),
    taxpayerKind: 'general',
    cities: ['310100'],
  })
})
afterAll(() => house?.close())

/** The default rows of a new policy, with limits. */
const itemsOf = (family: string): RecordData[] => {
  const defaults = house.runtime.derived.catalog.entities.policy.fields[`${family}Items`].default as RecordData[]
  return defaults.map((row) => (row.amountMode === 'fixed' ? row : { ...row, baseFloor: '6821', baseCeiling: '35283' }))
}
const account = (name: string, accountNo: string, rest: RecordData = {}): RecordData => ({
  name,
  accountNo,
  ownerType: 'provider',
  agency,
  status: 'enabled',
  ...rest,
})
const values = (city: string, rest: Record<string, Value> = {}): Record<string, Value> => ({
  kind: 'social',
  name: '测试政策',
  city,
  effectiveFrom: '2026-01',
  avgMonthlyWage: '11761',
  cutoffDay: 12,
  payDay: 25,
  baseAdjustMonth: 7,
  supplementAllowed: true,
  supplementMaxMonths: 24,
  socialsecurityItems: itemsOf('socialsecurity') as Value,
  medicalinsuranceItems: itemsOf('medicalinsurance') as Value,
  socialsecurityAccounts: [
    account('大户甲', '99000012', { rates: [{ item: 'workInjury', companyRate: '0.9' }] as Value }),
  ] as Value,
  medicalinsuranceAccounts: [account('大户乙', '99000013')] as Value,
  ...rest,
})
const create = async (city: string, rest: Record<string, Value> = {}) =>
  house.admin.post(`${policies}/create`, { values: values(city, rest) })
const read = async (id: number): Promise<RecordData> => (await house.admin.get(`${policies}/detail`, { id })).result
const rows = (record: RecordData, name: string) => record[name] as RecordData[]
const versionsOf = async (policyNo: Value): Promise<RecordData[]> =>
  (
    await house.admin.get(`${policies}/list`, {
      filters: { policyNo: { equals: policyNo } },
      sort: 'version',
      size: 100,
    })
  ).result.list
async function enabled(city: string, rest: Record<string, Value> = {}): Promise<RecordData> {
  const { result, ...answer } = await create(city, rest)
  expect(answer).toMatchObject({ code: 1 })
  expect(await house.admin.post(`${policies}/enable`, { id: result.id })).toMatchObject({ code: 1 })
  return read(result.id)
}

describe('a policy', () => {
  test('stores the rows of each family separately', async () => {
    const policy = await read((await create('110100')).result.id)
    expect(policy).toMatchObject({ policyNo: expect.stringMatching(/^ZC20260315\d{4}$/), version: 1, status: 'draft' })
    expect(rows(policy, 'socialsecurityItems').map(({ item, enabled: on, family }) => [family, item, on])).toEqual([
      ['socialsecurity', 'pension', true],
      ['socialsecurity', 'unemployment', true],
      ['socialsecurity', 'workInjury', true],
      ['socialsecurity', 'maternity', false],
    ])
    expect(rows(policy, 'medicalinsuranceItems').map(({ item }) => item)).toEqual([
      'medical',
      'seriousIllness',
      'maternity',
    ])
    expect(rows(policy, 'socialsecurityAccounts')).toMatchObject([
      { name: '大户甲', family: 'socialsecurity', rates: [{ item: 'workInjury', companyRate: '0.9000' }] },
    ])
    expect(rows(policy, 'medicalinsuranceAccounts')).toMatchObject([{ name: '大户乙', family: 'medicalinsurance' }])
    expect(policy).toMatchObject({
      socialsecurityPensionTerms: '16% / 8% · 6821–35283',
      socialsecurityMaternityTerms: null,
      accumulationfundItems: [],
    })
  })

  test('shows the amounts of a trial base in the form, and stores none of them', async () => {
    const suggested = async (given: Record<string, Value>, typed = Object.keys(given)): Promise<RecordData> =>
      (await house.admin.post(`${policies}/suggest`, { values: given, typed, parameters: {} })).result.values
    const { trial } = await suggested({ ...values('610100'), trialBase: '5000' })
    expect(
      (trial as RecordData[]).map(({ family, item, base, company, personal }) => [
        family,
        item,
        base,
        company,
        personal,
      ]),
    ).toEqual([
      ['socialsecurity', 'pension', '6821.00', '1091.36', '545.68'],
      ['socialsecurity', 'unemployment', '6821.00', '34.11', '34.11'],
      // The account has its own rate.
      ['socialsecurity', 'workInjury', '6821.00', '61.39', '0.00'],
      ['medicalinsurance', 'medical', '6821.00', '545.68', '136.42'],
    ])
    expect((await suggested(values('610100'))).trial).toEqual([])
    const { id, ...made } = await read((await create('610100', { trialBase: '5000' })).result.id)
    expect(made).toMatchObject({ trial: [] })
    expect(made.trialBase ?? null).toBeNull()
    const {
      rows: [entry],
    } = await house.database.pool.query(
      "select changes from system_history where entity = 'policy' and record_id = $1",
      [id],
    )
    expect(JSON.stringify(entry)).not.toContain('trial')
  })

  test('a change of one field leaves the rows and their ids unchanged', async () => {
    const before = await read((await create('120100')).result.id)
    expect(
      await house.admin.post(`${policies}/update`, {
        id: before.id,
        revision: before.revision,
        values: { payDay: 20 },
      }),
    ).toMatchObject({ code: 1 })
    const after = await read(before.id!)
    for (const name of [
      'socialsecurityItems',
      'medicalinsuranceItems',
      'socialsecurityAccounts',
      'medicalinsuranceAccounts',
    ])
      expect(after[name], name).toEqual(before[name])
  })

  test('a change of one row leaves all other rows unchanged', async () => {
    const before = await read((await create('320100')).result.id)
    const changed = rows(before, 'socialsecurityAccounts').map(({ id }) => ({ id, bureau: '演示经办中心' })) as Value
    expect(
      await house.admin.post(`${policies}/update`, {
        id: before.id,
        revision: before.revision,
        values: { socialsecurityAccounts: changed },
      }),
    ).toMatchObject({ code: 1 })
    const after = await read(before.id!)
    expect(rows(after, 'socialsecurityAccounts')).toMatchObject([
      {
        id: rows(before, 'socialsecurityAccounts')[0].id,
        bureau: '演示经办中心',
        family: 'socialsecurity',
        accountNo: '99000012',
      },
    ])
    expect(after.medicalinsuranceAccounts).toEqual(before.medicalinsuranceAccounts)
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a mandatory item that is off',
      { socialsecurityItems: () => itemsOf('socialsecurity').map((row) => ({ ...row, enabled: false })) },
      'socialsecurityItems.0.enabled',
    ],
    [
      'an item without limits',
      { socialsecurityItems: () => itemsOf('socialsecurity').map((row) => ({ ...row, baseFloor: null })) },
      'socialsecurityItems.0.baseFloor',
    ],
    [
      'a mode that the item does not allow',
      { socialsecurityItems: () => itemsOf('socialsecurity').map((row) => ({ ...row, rateMode: 'range' })) },
      'socialsecurityItems.0.rateMode',
    ],
    [
      'an item that two families have',
      {
        socialsecurityItems: () => itemsOf('socialsecurity').map((row) => ({ ...row, enabled: true })),
        medicalinsuranceItems: () => itemsOf('medicalinsurance').map((row) => ({ ...row, enabled: true })),
      },
      'medicalinsuranceItems',
    ],
    [
      'no account in use',
      { medicalinsuranceAccounts: () => [account('大户乙', '99000013', { status: 'disabled' })] },
      'medicalinsuranceAccounts',
    ],
    ['no city', { city: () => null }, 'city'],
  ])('with %s is refused', async (_, rest, field) => {
    const given = Object.fromEntries(Object.entries(rest).map(([name, make]) => [name, (make as () => Value)()]))
    const { code, errors } = await create('320500', given)
    expect(code).toBe(422)
    expect(errors?.map((error) => error.field)).toContain(field)
  })

  test("of the fund has rates within the family's limits", async () => {
    const fund = (companyRateMax: string) => ({
      kind: 'fund',
      socialsecurityItems: null,
      medicalinsuranceItems: null,
      socialsecurityAccounts: null,
      medicalinsuranceAccounts: null,
      accumulationfundItems: itemsOf('accumulationfund').map((row) => ({
        ...row,
        enabled: true,
        ...(row.item === 'fund' && { companyRateMax }),
      })) as Value,
      accumulationfundAccounts: [account('大户丙', '990000123456')] as Value,
    })
    expect(await create('310100', fund('12'))).toMatchObject({
      code: 422,
      errors: [{ field: 'accumulationfundItems', message: '单位与个人比例合计不能超过24%' }],
    })
    const { result } = await create('310100', fund('7'))
    expect(await read(result.id)).toMatchObject({
      accumulationfundFundTerms: '5–7% · 6821–35283',
      lateFeeDailyRate: null,
    })
  })
})

describe('in force', () => {
  test('a policy for the same city and months is refused', async () => {
    await enabled('330100')
    const { result } = await create('330100', { effectiveFrom: '2026-06' })
    expect(await house.admin.post(`${policies}/enable`, { id: result.id })).toMatchObject({
      message: expect.stringContaining('已有生效政策'),
    })
    expect(await read(result.id)).toMatchObject({ status: 'draft' })
    const other = (await create('330100', { effectiveFrom: '2026-06', householdTypes: ['foreign'] })).result.id
    expect(await house.admin.post(`${policies}/enable`, { id: other })).toMatchObject({ code: 1 })
  })

  test('a revised version is a draft, and replaces the former one with the same accounts', async () => {
    const former = await enabled('440100')
    const [own] = rows(former, 'socialsecurityAccounts')
    expect(
      await house.admin.post(`${policies}/update`, {
        id: former.id,
        revision: former.revision,
        values: { payDay: 20 },
      }),
    ).not.toMatchObject({ code: 1 })
    expect(await house.admin.post(`${policies}/revise`, { id: former.id })).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${policies}/revise`, { id: former.id })).toMatchObject({ code: 409 })
    const draft = await read((await versionsOf(former.policyNo!))[1].id!)
    expect(draft).toMatchObject({
      version: 2,
      status: 'draft',
      policyNo: former.policyNo,
      previousPolicy: { id: former.id },
      avgMonthlyWage: '11761.00',
    })
    const [copy] = rows(draft, 'socialsecurityAccounts')
    expect(copy).toMatchObject({ name: '大户甲', family: 'socialsecurity', rates: [{ companyRate: '0.9000' }] })
    expect(draft.accumulationfundItems).toEqual([])
    const worked = (policy: RecordData) =>
      rows(policy, 'socialsecurityItems').map(({ item, name, hasBase, terms }) => ({ item, name, hasBase, terms }))
    expect(worked(draft)).toEqual(worked(former))
    expect(worked(draft)[0]).toMatchObject({ item: 'pension', name: 'pension', hasBase: true })

    const changed = {
      effectiveFrom: '2026-07',
      avgMonthlyWage: '12500',
      socialsecurityAccounts: [
        { id: copy.id, bureau: '新经办中心', rates: [{ item: 'workInjury', companyRate: '1.1' }] },
      ] as Value,
    }
    expect(
      await house.admin.post(`${policies}/update`, { id: draft.id, revision: draft.revision, values: changed }),
    ).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${policies}/enable`, { id: draft.id })).toMatchObject({ code: 1 })

    expect(await read(former.id!)).toMatchObject({
      status: 'history',
      effectiveTo: '2026-06',
      supersededBy: { id: draft.id },
      socialsecurityAccounts: [{ id: copy.id, bureau: null, rates: [{ companyRate: '0.9000' }] }],
    })
    const now = await read(draft.id!)
    expect(now).toMatchObject({ status: 'enabled', effectiveFrom: '2026-07', effectiveTo: null })
    expect(rows(now, 'socialsecurityAccounts')).toMatchObject([
      { id: own.id, name: '大户甲', bureau: '新经办中心', rates: [{ companyRate: '1.1000' }] },
    ])
  })

  test('a version must start after the one before it', async () => {
    const former = await enabled('440300')
    await house.admin.post(`${policies}/revise`, { id: former.id })
    const [, draft] = await versionsOf(former.policyNo!)
    expect(draft.effectiveFrom).toBe('2026-04')
    await house.admin.post(`${policies}/update`, {
      id: draft.id,
      revision: draft.revision,
      values: { effectiveFrom: former.effectiveFrom },
    })
    expect(await house.admin.post(`${policies}/enable`, { id: draft.id })).toMatchObject({
      message: expect.stringContaining('必须晚于上一版本'),
    })
    expect(await read(former.id!)).toMatchObject({ status: 'enabled' })
  })
})
