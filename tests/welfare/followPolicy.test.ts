import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { policyInForce, policyRows } from '../welfare.ts'
import { withoutAdjustments } from './households.ts'

const city = '110100'
let house: TestServer
let around: { customer: number; agency: number; service: number }
let social: number
let fund: number
beforeAll(async () => {
  // Medical insurance has no adjustments here.
  house = await createTestServer({ change: withoutAdjustments('medicalinsurance') })
  const own = await employer(house)
  const service = await house.create(contracts, serviceValues(own.customer, own.agency))
  await sign(house, service)
  around = { ...own, service }
  social = await policyInForce(house, {
    kind: 'social',
    city,
    agency: own.agency,
    limits: { baseFloor: '6821', baseCeiling: '35283' },
  })
  fund = await policyInForce(house, {
    kind: 'fund',
    city,
    agency: own.agency,
    limits: { baseFloor: '2420', baseCeiling: '35283' },
  })
})
afterAll(() => house?.close())

const detail = async (entity: string, id: number): Promise<RecordData> =>
  (await house.admin.get(`/welfare/${entity}/detail`, { id })).result
const policy = async (id: number): Promise<RecordData> =>
  (await house.admin.get('/welfare/policy/detail', { id })).result
const done = async (path: string, body: object) => {
  const answer = await house.admin.post(path, body)
  expect(answer, path).toMatchObject({ code: 1 })
  return answer.result
}
const ticketOf = async (entity: string, person: number): Promise<RecordData> =>
  detail(
    entity,
    (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: person } }, sort: '-id' })).result
      .list[0].id,
  )

const adjustmentsOf = async (family: string, person: number): Promise<RecordData[]> =>
  (await house.admin.get(`/welfare/${family}Adjustment/list`, { filters: { person: { equals: person } }, sort: 'id' }))
    .result.list
const handle = (family: string, id: number, handleMonth: string) =>
  done(`/welfare/${family}Adjustment/succeed`, { id, values: { handleMonth } })
const linesOf = async (family: string, person: number): Promise<RecordData[]> =>
  (await house.admin.get(`/welfare/${family}ExpenseLine/list`, { filters: { person: { equals: person } }, sort: 'id' }))
    .result.list
const generate = (family: string, feeMonth = '2026-03') =>
  done(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth, customer: around.customer } })

/** A person who joins in March, with the tickets created by the hire. */
const joiner = async (values: Record<string, Value> = {}): Promise<number> =>
  (
    await employee(house, {
      customer: around.customer,
      agency: around.agency,
      service: around.service,
      values: { insuranceCity: city, entryDate: '2026-03-02', baseSalary: '5000', ...values },
    })
  ).id

async function enrolled(family: string, person: number, values: Record<string, Value> = {}): Promise<number> {
  const ticket = await ticketOf(`${family}Addition`, person)
  await done(`/welfare/${family}Addition/succeed`, {
    id: ticket.id,
    values: { handleMonth: '2026-03', ...values },
  })
  return (ticket.enrolment as unknown as { id: number }).id
}

/** Puts the next version of a policy in force. @returns its id */
async function revised(id: number, changes: Record<string, Value>): Promise<number> {
  await done('/welfare/policy/revise', { id })
  const { policyNo } = await policy(id)
  const [draft] = (
    await house.admin.get('/welfare/policy/list', {
      filters: { policyNo: { equals: policyNo }, status: { equals: 'draft' } },
    })
  ).result.list
  const { revision } = await policy(draft.id)
  await done('/welfare/policy/update', { id: draft.id, revision, values: changes })
  await done('/welfare/policy/enable', { id: draft.id })
  return draft.id
}

test('a version waits in an adjustment if it changes amounts; leavers and joiners follow at once', async () => {
  const [stays, leaves, waits, gone, alike] = [
    await joiner(),
    await joiner(),
    await joiner(),
    await joiner(),
    await joiner({ baseSalary: '8000' }),
  ]
  const family = 'socialsecurity'
  const [first, second, last, same] = [
    await enrolled(family, stays),
    await enrolled(family, leaves),
    await enrolled(family, gone),
    await enrolled(family, alike),
  ]
  await done('/staff/person/leave', { id: leaves, values: { leaveDate: '2026-03-31', leaveReason: 'dismissal' } })
  await done('/staff/person/leave', { id: gone, values: { leaveDate: '2026-03-31', leaveReason: 'dismissal' } })
  await done(`/welfare/${family}Reduction/succeed`, {
    id: (await ticketOf(`${family}Reduction`, gone)).id,
    values: { handleMonth: '2026-03' },
  })
  const before = await detail(`${family}Enrolment`, first)
  expect(before).toMatchObject({ policy: { id: social }, pensionBase: '6821.00', pensionCompany: '1091.36' })
  expect(await policy(social)).toMatchObject({
    socialsecurityEnrolled: 4,
    medicalinsuranceEnrolled: 5,
    enrolled: 9,
    adjusting: 0,
  })
  expect(await house.admin.post('/welfare/policy/disable', { id: social })).toMatchObject({
    message: expect.stringContaining('仍有在保记录'),
  })

  await generate(family)
  expect(await linesOf(family, stays)).toMatchObject([{ pensionCompany: '1091.36', policy: { id: social } }])

  const limits = { baseFloor: '7000', baseCeiling: '36000' }
  const { id: account } = before.account as unknown as { id: number }
  const rowsOf = async (id: number, key: string) => (await policy(id))[key] as RecordData[]
  await done('/welfare/policy/revise', { id: social })
  const [draft] = (await house.admin.get('/welfare/policy/list', { filters: { status: { equals: 'draft' } } })).result
    .list
  expect(await policy(draft.id)).toMatchObject({
    previousEnrolled: 9,
    previousSocialsecurityPensionTerms: '16% / 8% · 6821–35283',
  })
  const items = (await rowsOf(draft.id, 'socialsecurityItems')).map(({ id, amountMode }) => ({
    id,
    ...(amountMode === 'fixed' ? {} : limits),
  }))
  await done('/welfare/policy/update', {
    id: draft.id,
    revision: (await policy(draft.id)).revision,
    values: { effectiveFrom: '2026-03', socialsecurityItems: items as Value },
  })
  await done('/welfare/policy/enable', { id: draft.id })

  // Nothing changes until the ticket is handled, even if the month is generated again.
  expect(await detail(`${family}Enrolment`, first)).toMatchObject({
    policy: { id: social },
    pensionBase: '6821.00',
    pensionCompany: '1091.36',
  })
  await generate(family)
  expect(await linesOf(family, stays)).toMatchObject([{ pensionCompany: '1091.36', policy: { id: social } }])
  const [ticket, ...more] = await adjustmentsOf(family, stays)
  expect(more).toEqual([])
  // The base is 179 higher: 28.64, 0.89 and 0.72 for the company, 14.32 and 0.89 for the person.
  expect(await detail(`${family}Adjustment`, ticket.id!)).toMatchObject({
    status: 'pending',
    source: 'policy',
    adjustType: 'policy',
    effectiveMonth: '2026-03',
    oldBase: '5000.00',
    newBase: '5000.00',
    policy: { id: draft.id },
    policyVersion: 2,
    formerPolicy: { id: social },
    formerPolicyVersion: 1,
    account: { id: account },
    pensionBase: '7000.00',
    pensionCompany: '1120.00',
    companyDiff: '30.25',
    personalDiff: '15.21',
  })
  expect(await policy(draft.id)).toMatchObject({ adjusting: 1, socialsecurityAdjusting: 1 })
  expect(await house.admin.post('/welfare/policy/disable', { id: draft.id })).toMatchObject({ code: 409 })

  const succeed = () => handle(family, ticket.id!, '2026-03')
  await succeed()
  const after = await detail(`${family}Enrolment`, first)
  expect(after).toMatchObject({
    policy: { id: draft.id },
    account: { id: account },
    declaredBase: '5000.00',
    pensionBase: '7000.00',
    pensionCompany: '1120.00',
    pensionPersonal: '560.00',
    lastAdjustMonth: '2026-03',
  })
  expect(await linesOf(family, stays)).toMatchObject([{ pensionCompany: '1120.00', policy: { id: draft.id } }])
  await done(`/welfare/${family}Adjustment/revoke`, { id: ticket.id })
  expect(await detail(`${family}Enrolment`, first)).toMatchObject({
    policy: { id: social },
    pensionBase: '6821.00',
    pensionCompany: '1091.36',
    lastAdjustMonth: null,
  })
  expect(await linesOf(family, stays)).toMatchObject([{ pensionCompany: '1091.36', policy: { id: social } }])
  await succeed()
  const { list: history } = (await house.admin.get(`/welfare/${family}Enrolment/history`, { id: first })).result
  expect(history[0]).toMatchObject({ action: 'update' })

  // A base within both limits costs the same.
  expect(await detail(`${family}Enrolment`, same)).toMatchObject({
    policy: { id: draft.id },
    pensionCompany: '1280.00',
  })
  expect(await adjustmentsOf(family, alike)).toEqual([])
  expect(await adjustmentsOf(family, leaves)).toEqual([])
  expect(await detail(`${family}Enrolment`, second)).toMatchObject({
    status: 'stopping',
    policy: { id: draft.id },
    pensionCompany: '1120.00',
  })
  expect(await ticketOf(`${family}Reduction`, leaves)).toMatchObject({
    policy: { id: draft.id },
    companyTotal: after.companyTotal,
  })
  const open = await ticketOf(`${family}Addition`, waits)
  expect(open).toMatchObject({
    status: 'pending',
    policy: { id: draft.id },
    account: { id: account },
    pensionCompany: '1120.00',
  })
  expect(await detail(`${family}Enrolment`, (open.enrolment as unknown as { id: number }).id)).toMatchObject({
    status: 'opening',
    policy: { id: draft.id },
    total: open.total,
  })
  // An enrolment that ends in a month of the new version is under it in that month.
  expect(await detail(`${family}Enrolment`, last)).toMatchObject({
    status: 'stopped',
    policy: { id: draft.id },
    pensionCompany: '1120.00',
  })
  expect(await policy(social)).toMatchObject({ status: 'history', enrolled: 0 })
  social = draft.id
})

test.skipIf(!isLong)('in a family without adjustments everybody follows at once', async () => {
  const person = await joiner()
  const enrolment = await enrolled('medicalinsurance', person)
  expect(await detail('medicalinsuranceEnrolment', enrolment)).toMatchObject({
    policy: { id: social },
    medicalBase: '6821.00',
    medicalCompany: '545.68',
  })
  await generate('medicalinsurance')
  const limits = { baseFloor: '7100', baseCeiling: '36000' }
  social = await revised(social, {
    effectiveFrom: '2026-04',
    medicalinsuranceItems: policyRows(house, 'medicalinsurance', limits) as Value,
  })
  expect(await detail('medicalinsuranceEnrolment', enrolment)).toMatchObject({
    policy: { id: social },
    medicalBase: '7100.00',
    medicalCompany: '568.00',
  })
  // The version starts next month, so this month stays unchanged.
  expect(await linesOf('medicalinsurance', person)).toMatchObject([{ feeMonth: '2026-03', medicalCompany: '545.68' }])
})

test('a ticket has the present policy and account, and the amounts of its own month', async () => {
  await revised(social, {
    effectiveFrom: '2026-06',
    socialsecurityItems: policyRows(house, 'socialsecurity', { baseFloor: '8000', baseCeiling: '36000' }) as Value,
  })
  const now = (
    await house.admin.get('/welfare/policy/list', {
      filters: { kind: { equals: 'social' }, status: { equals: 'enabled' } },
    })
  ).result.list[0]
  const person = await joiner()
  const ticket = await ticketOf('socialsecurityAddition', person)
  expect(ticket).toMatchObject({ policy: { id: now.id }, startMonth: '2026-03', pensionBase: '7000.00' })
  const accounts = (await policy(now.id)).socialsecurityAccounts as RecordData[]
  expect(accounts.map(({ id }) => id)).toContain((ticket.account as unknown as { id: number }).id)
})

test.skipIf(!isLong)('a late policy makes differences for locked months, in the first open month', async () => {
  const family = 'socialsecurity'
  const person = await joiner({ entryDate: '2026-03-02' })
  await enrolled(family, person)
  await generate(family)
  const [march] = await linesOf(family, person)
  expect(march).toMatchObject({ feeMonth: '2026-03', pensionCompany: '1120.00' })
  await done(`/welfare/${family}ExpenseSummary/confirm`, { id: (march.summary as unknown as { id: number }).id })
  await generate(family, '2026-04')
  // It has its own household type, so it may start before the general policy in force.
  const late = await policyInForce(house, {
    kind: 'social',
    city,
    agency: around.agency,
    limits: { baseFloor: '9000', baseCeiling: '36000' },
    householdTypes: ['localUrban'],
    effectiveFrom: '2026-01',
    name: '本地城镇',
  })
  const [ticket] = await adjustmentsOf(family, person)
  expect(ticket).toMatchObject({
    source: 'policy',
    effectiveMonth: '2026-03',
    policy: { id: late },
    pensionBase: '9000.00',
  })
  const lineFigures = async () =>
    (await linesOf(family, person)).map(
      ({ feeMonth, belongMonth, expenseType, pensionCompany, companyTotal, personalTotal, sourceNo }) => [
        feeMonth,
        belongMonth,
        expenseType,
        pensionCompany,
        companyTotal,
        personalTotal,
        sourceNo,
      ],
    )
  expect(await lineFigures()).toEqual([
    ['2026-03', '2026-03', 'normal', '1120.00', '1183.00', '595.00', null],
    ['2026-04', '2026-04', 'normal', '1120.00', '1183.00', '595.00', null],
  ])
  await handle(family, ticket.id!, '2026-04')
  // The base is 2 000 higher: 320.00, 10.00 and 8.00 for the company, 160.00 and 10.00 for the person.
  expect(await lineFigures()).toEqual([
    ['2026-03', '2026-03', 'normal', '1120.00', '1183.00', '595.00', null],
    ['2026-04', '2026-04', 'normal', '1440.00', '1521.00', '765.00', null],
    ['2026-04', '2026-03', 'difference', '320.00', '338.00', '170.00', ticket.ticketNo],
  ])
  await done(`/welfare/${family}Adjustment/revoke`, { id: ticket.id })
  expect(await lineFigures()).toEqual([
    ['2026-03', '2026-03', 'normal', '1120.00', '1183.00', '595.00', null],
    ['2026-04', '2026-04', 'normal', '1120.00', '1183.00', '595.00', null],
  ])
})

describe('an adjustment that is open when a policy comes into force', () => {
  const family = 'accumulationfund'
  let number = 900012340000
  const open = async (effectiveMonth: string): Promise<{ person: number; enrolment: number; ticket: number }> => {
    const person = await joiner({ baseSalary: '2000' })
    const enrolment = await enrolled(family, person, { personalAccountNo: String(++number) })
    const { id } = await done(`/welfare/${family}Adjustment/create`, {
      values: { person, adjustType: 'rate', fundNewCompanyRate: '10', effectiveMonth },
    })
    return { person, enrolment, ticket: id }
  }
  const rows = (baseFloor: string) => ({
    accumulationfundItems: policyRows(house, family, { baseFloor, baseCeiling: '35283' }) as Value,
  })

  test('takes over the version with its differences; if earlier or cancelled, a new ticket does', async () => {
    const [taken, earlier, cancelled] = [await open('2026-05'), await open('2026-03'), await open('2026-04')]
    expect(await detail(`${family}Adjustment`, taken.ticket)).toMatchObject({
      policy: { id: fund },
      base: '2420.00',
      companyDiff: '73.00',
    })
    await generate(family)
    const [march] = await linesOf(family, taken.person)
    const former = fund
    fund = await revised(fund, { effectiveFrom: '2026-04', ...rows('3000') })
    for (const { person } of [taken, earlier, cancelled]) expect(await adjustmentsOf(family, person)).toHaveLength(1)

    // 7 % of 2 420, rounded to yuan, becomes 10 % of 3 000.
    expect(await detail(`${family}Adjustment`, taken.ticket)).toMatchObject({
      policy: { id: fund },
      formerPolicy: { id: former },
      base: '3000.00',
      companyDiff: '131.00',
      adjustType: 'rate',
    })
    await done(`/welfare/${family}ExpenseSummary/confirm`, { id: (march.summary as unknown as { id: number }).id })
    await generate(family, '2026-04')
    expect((await linesOf(family, taken.person)).map(({ feeMonth, fundCompany }) => [feeMonth, fundCompany])).toEqual([
      ['2026-03', '169.00'],
      ['2026-04', '169.00'],
    ])
    const [, april] = await linesOf(family, taken.person)
    await done(`/welfare/${family}ExpenseSummary/confirm`, { id: (april.summary as unknown as { id: number }).id })
    house.runtime.clock = clockOn('2026-05-04')
    await handle(family, taken.ticket, '2026-05')
    expect(await detail(`${family}Enrolment`, taken.enrolment)).toMatchObject({
      policy: { id: fund },
      fundCompanyRate: '10.0000',
      fundCompany: '300.00',
    })
    // April has the new floor and the former rate; the first line of May generates those of everybody.
    expect(
      (await linesOf(family, taken.person)).map(({ feeMonth, belongMonth, expenseType, fundCompany }) => [
        feeMonth,
        belongMonth,
        expenseType,
        fundCompany,
      ]),
    ).toEqual([
      ['2026-03', '2026-03', 'normal', '169.00'],
      ['2026-04', '2026-04', 'normal', '169.00'],
      ['2026-05', '2026-05', 'normal', '300.00'],
      ['2026-05', '2026-04', 'difference', '41.00'],
    ])
    expect(await adjustmentsOf(family, taken.person)).toHaveLength(1)

    await handle(family, earlier.ticket, '2026-05')
    expect(await adjustmentsOf(family, earlier.person)).toMatchObject([
      { status: 'success', policy: { id: former } },
      {
        status: 'pending',
        source: 'policy',
        effectiveMonth: '2026-04',
        policy: { id: fund },
        fundCompany: '300.00',
        companyDiff: '58.00',
      },
    ])
    await done(`/welfare/${family}Adjustment/cancel`, { id: cancelled.ticket })
    const [, made] = await adjustmentsOf(family, cancelled.person)
    expect(made).toMatchObject({
      status: 'pending',
      source: 'policy',
      effectiveMonth: '2026-04',
      fundCompany: '210.00',
      companyDiff: '41.00',
    })
    // Cancelling the ticket of the policy leaves the enrolment as it is.
    await done(`/welfare/${family}Adjustment/cancel`, { id: made.id })
    expect(await adjustmentsOf(family, cancelled.person)).toHaveLength(2)
    expect(await detail(`${family}Enrolment`, cancelled.enrolment)).toMatchObject({
      policy: { id: former },
      fundCompany: '169.00',
    })
    house.runtime.clock = clockOn('2026-03-15')
  })
})

test('a rate that the new version does not have becomes the nearest one', async () => {
  house.runtime.clock = clockOn('2026-05-04')
  const person = await joiner()
  const enrolment = await enrolled('accumulationfund', person, {
    personalAccountNo: '900012345678',
    handleMonth: '2026-05',
  })
  expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({
    policy: { id: fund },
    fundCompanyRate: '7.0000',
    fundCompany: '350.00',
  })
  const rows = policyRows(
    house,
    'accumulationfund',
    { baseFloor: '2420', baseCeiling: '35283' },
    { fund: { companyRateMin: '8', companyRateMax: '10' } },
  )
  const id = await revised(fund, { effectiveFrom: '2026-06', accumulationfundItems: rows as Value })
  const [ticket] = await adjustmentsOf('accumulationfund', person)
  expect(await detail('accumulationfundAdjustment', ticket.id!)).toMatchObject({
    adjustType: 'policy',
    fundOldCompanyRate: '7.0000',
    fundNewCompanyRate: '8.0000',
    base: '5000.00',
    companyDiff: '50.00',
    personalDiff: '50.00',
  })
  await handle('accumulationfund', ticket.id!, '2026-05')
  expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({
    policy: { id },
    fundCompanyRate: '8.0000',
    fundCompany: '400.00',
    fundPersonal: '400.00',
  })
})

test('enabling a version previews whom and how much it changes, and stores nothing', async () => {
  const person = await joiner({ baseSalary: '20000' })
  const enrolment = await enrolled('accumulationfund', person, {
    personalAccountNo: '900099990077',
    handleMonth: '2026-05',
  })
  const before = await detail('accumulationfundEnrolment', enrolment)
  const inForce = (
    await house.admin.get('/welfare/policy/list', {
      filters: { kind: { equals: 'fund' }, status: { equals: 'enabled' } },
    })
  ).result.list[0].id
  await done('/welfare/policy/revise', { id: inForce })
  const { policyNo } = await policy(inForce)
  const [draft] = (
    await house.admin.get('/welfare/policy/list', {
      filters: { policyNo: { equals: policyNo }, status: { equals: 'draft' } },
    })
  ).result.list
  const { revision } = await policy(draft.id)
  const items = policyRows(house, 'accumulationfund', { baseFloor: '2420', baseCeiling: '10000' }) as Value
  await done('/welfare/policy/update', { id: draft.id, revision, values: { accumulationfundItems: items } })
  const { facts, lists } = await done('/welfare/policy/enable/foresee', { id: draft.id })
  const factValues = Object.fromEntries(
    facts.map(({ label, value }: Record<string, RecordData>) => [label.cn, value.cn]),
  )
  expect(Number(factValues['涉及人数'])).toBeGreaterThan(0)
  expect(Number(factValues['将生成政策调整任务'])).toBeGreaterThan(0)
  expect(factValues['单位每月']).toMatch(/^￥[\d,]+\.\d\d → ￥[\d,]+\.\d\d（-￥[\d,]+\.\d\d）$/)
  expect(lists).toHaveLength(1)
  expect(await policy(draft.id)).toMatchObject({ status: 'draft' })
  expect(await policy(inForce)).toMatchObject({ status: 'enabled' })
  expect(await adjustmentsOf('accumulationfund', person)).toEqual([])
  expect(await detail('accumulationfundEnrolment', enrolment)).toEqual(before)
  const sales = await house.user('foreseer', ['sales'])
  expect(await sales.post('/welfare/policy/enable/foresee', { id: draft.id })).toMatchObject({ code: 403 })
})
