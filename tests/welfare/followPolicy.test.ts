import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/schema/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { policyInForce, policyRows } from '../welfare.ts'

const city = '110100'
let house: TestServer
let around: { customer: number; agency: number; service: number }
let social: number
let fund: number
beforeAll(async () => {
  house = await createTestServer()
  const own = await employer(house)
  const service = await house.create(contracts, serviceValues(own.customer, own.agency))
  await sign(house, service)
  around = { ...own, service }
  social = await policyInForce(house, { kind: 'social', city, agency: own.agency, limits: { baseFloor: '6821', baseCeiling: '35283' } })
  fund = await policyInForce(house, { kind: 'fund', city, agency: own.agency, limits: { baseFloor: '2420', baseCeiling: '35283' } })
})
afterAll(() => house?.close())

const detail = async (entity: string, id: number): Promise<RecordData> => (await house.admin.get(`/welfare/${entity}/detail`, { id })).result
const policy = async (id: number): Promise<RecordData> => (await house.admin.get('/welfare/policy/detail', { id })).result
const done = async (path: string, body: object) => {
  const answer = await house.admin.post(path, body)
  expect(answer, path).toMatchObject({ code: 1 })
  return answer.result
}
const ticketOf = async (entity: string, person: number): Promise<RecordData> =>
  detail(entity, (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: person } }, sort: '-id' })).result.list[0].id)

/** Somebody who joins in March, with the tickets that follow by themselves. */
const joiner = async (values: Record<string, Value> = {}): Promise<number> =>
  (await employee(house, { customer: around.customer, agency: around.agency, service: around.service, values: { insuranceCity: city, entryDate: '2026-03-02', baseSalary: '5000', ...values } })).id

async function enrolled(family: string, person: number, personalAccountNo?: string): Promise<number> {
  const ticket = await ticketOf(`${family}Addition`, person)
  await done(`/welfare/${family}Addition/succeed`, { id: ticket.id, values: { handleMonth: '2026-03', ...personalAccountNo !== undefined && { personalAccountNo } } })
  return (ticket.enrolment as unknown as { id: number }).id
}

/** The next version of a policy, put in force. @returns its id */
async function revised(id: number, changes: Record<string, Value>): Promise<number> {
  await done('/welfare/policy/revise', { id })
  const { policyNo } = await policy(id)
  const [draft] = (await house.admin.get('/welfare/policy/list', { filters: { policyNo: { equals: policyNo }, status: { equals: 'draft' } } })).result.list
  const { revision } = await policy(draft.id)
  await done('/welfare/policy/update', { id: draft.id, revision, values: changes })
  await done('/welfare/policy/enable', { id: draft.id })
  return draft.id
}

test('who is enrolled and what is open follow the version that comes into force', async () => {
  const [stays, leaves, waits, gone] = [await joiner(), await joiner(), await joiner(), await joiner()]
  const family = 'socialsecurity'
  const [first, second, last] = [await enrolled(family, stays), await enrolled(family, leaves), await enrolled(family, gone)]
  await done('/staff/person/leave', { id: leaves, values: { leaveDate: '2026-03-31', leaveReason: 'dismissal' } })
  await done('/staff/person/leave', { id: gone, values: { leaveDate: '2026-03-31', leaveReason: 'dismissal' } })
  await done(`/welfare/${family}Reduction/succeed`, { id: (await ticketOf(`${family}Reduction`, gone)).id, values: { handleMonth: '2026-03' } })
  const before = await detail(`${family}Enrolment`, first)
  expect(before).toMatchObject({ policy: { id: social }, pensionBase: '6821.00', pensionCompany: '1091.36' })
  expect(await policy(social)).toMatchObject({ socialsecurityEnrolled: 3, medicalinsuranceEnrolled: 4, enrolled: 7 })
  expect(await house.admin.post('/welfare/policy/disable', { id: social })).toMatchObject({ message: expect.stringContaining('7条在保记录') })

  await done(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03', customer: around.customer } })
  const lines = async () => (await house.admin.get(`/welfare/${family}ExpenseLine/list`, { filters: { person: { equals: stays } } })).result.list
  expect(await lines()).toMatchObject([{ pensionCompany: '1091.36', policy: { id: social } }])

  const limits = { baseFloor: '7000', baseCeiling: '36000' }
  const { id: account } = before.account as unknown as { id: number }
  const rowsOf = async (id: number, key: string) => ((await policy(id))[key] as RecordData[])
  await done('/welfare/policy/revise', { id: social })
  const [draft] = (await house.admin.get('/welfare/policy/list', { filters: { status: { equals: 'draft' } } })).result.list
  expect(await policy(draft.id)).toMatchObject({ previousEnrolled: 7, previousSocialsecurityPensionTerms: '16% / 8% · 6821–35283' })
  const items = (await rowsOf(draft.id, 'socialsecurityItems')).map(({ id, amountMode }) => ({ id, ...amountMode === 'fixed' ? {} : limits }))
  await done('/welfare/policy/update', { id: draft.id, revision: (await policy(draft.id)).revision, values: { effectiveFrom: '2026-03', socialsecurityItems: items as Value } })
  await done('/welfare/policy/enable', { id: draft.id })

  const after = await detail(`${family}Enrolment`, first)
  expect(after).toMatchObject({ policy: { id: draft.id }, account: { id: account }, declaredBase: '5000.00', pensionBase: '7000.00', pensionCompany: '1120.00', pensionPersonal: '560.00' })
  expect(await lines()).toMatchObject([{ pensionCompany: '1120.00', policy: { id: draft.id } }])
  const { list: history } = (await house.admin.get(`/welfare/${family}Enrolment/history`, { id: first })).result
  expect(history[0]).toMatchObject({ action: 'update' })
  expect(await detail(`${family}Enrolment`, second)).toMatchObject({ status: 'stopping', policy: { id: draft.id }, pensionCompany: '1120.00' })
  expect(await ticketOf(`${family}Reduction`, leaves)).toMatchObject({ policy: { id: draft.id }, companyTotal: after.companyTotal })
  const open = await ticketOf(`${family}Addition`, waits)
  expect(open).toMatchObject({ status: 'pending', policy: { id: draft.id }, account: { id: account }, pensionCompany: '1120.00' })
  expect(await detail(`${family}Enrolment`, (open.enrolment as unknown as { id: number }).id)).toMatchObject({ status: 'opening', policy: { id: draft.id }, total: open.total })
  // What has ended stays as it was.
  expect(await detail(`${family}Enrolment`, last)).toMatchObject({ status: 'stopped', policy: { id: social }, pensionCompany: '1091.36' })
  expect(await policy(social)).toMatchObject({ status: 'history', enrolled: 0 })
  social = draft.id
})

test('a ticket has the policy and the account of now, and the amounts of its month', async () => {
  await revised(social, { effectiveFrom: '2026-06', socialsecurityItems: policyRows(house, 'socialsecurity', { baseFloor: '8000', baseCeiling: '36000' }) as Value })
  const now = (await house.admin.get('/welfare/policy/list', { filters: { kind: { equals: 'social' }, status: { equals: 'enabled' } } })).result.list[0]
  const person = await joiner()
  const ticket = await ticketOf('socialsecurityAddition', person)
  expect(ticket).toMatchObject({ policy: { id: now.id }, startMonth: '2026-03', pensionBase: '7000.00' })
  const accounts = (await policy(now.id)).socialsecurityAccounts as RecordData[]
  expect(accounts.map(({ id }) => id)).toContain((ticket.account as unknown as { id: number }).id)
})

test('a policy that comes late makes differences of the months that are locked, in the first that is open', async () => {
  const family = 'socialsecurity'
  const person = await joiner({ entryDate: '2026-03-02' })
  await enrolled(family, person)
  const { policyNo } = await policy(social)
  const [now] = (await house.admin.get('/welfare/policy/list', { filters: { policyNo: { equals: policyNo }, status: { equals: 'enabled' } } })).result.list
  const filters = { person: { equals: person } }
  const lines = async () => (await house.admin.get(`/welfare/${family}ExpenseLine/list`, { filters, sort: 'id' })).result.list as RecordData[]
  await done(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03', customer: around.customer } })
  const [march] = await lines()
  expect(march).toMatchObject({ feeMonth: '2026-03', pensionCompany: '1120.00' })
  const summary = (march.summary as unknown as { id: number }).id
  await done(`/welfare/${family}ExpenseSummary/confirm`, { id: summary })
  // Of a household type of its own, so that it may begin before the general one that is in force.
  const late = await policyInForce(house, { kind: 'social', city, agency: around.agency, limits: { baseFloor: '9000', baseCeiling: '36000' }, householdTypes: ['localUrban'], effectiveFrom: '2026-01', name: '本地城镇' })
  expect(late).not.toBe(now.id)
  expect((await lines()).map(({ feeMonth, belongMonth, expenseType, pensionCompany, sourceNo }) => [feeMonth, belongMonth, expenseType, pensionCompany, sourceNo])).toEqual([
    ['2026-03', '2026-03', 'normal', '1120.00', null], ['2026-04', '2026-03', 'difference', '320.00', expect.stringMatching(/^ZC\d+-1$/)],
  ])
})

test('a rate that the new version does not have becomes the nearest one', async () => {
  const enrolment = await enrolled('accumulationfund', await joiner(), '900012345678')
  expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({ policy: { id: fund }, fundCompanyRate: '7.0000', fundCompany: '350.00' })
  const rows = policyRows(house, 'accumulationfund', { baseFloor: '2420', baseCeiling: '35283' }, { fund: { companyRateMin: '8', companyRateMax: '10' } })
  const id = await revised(fund, { effectiveFrom: '2026-03', accumulationfundItems: rows as Value })
  expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({ policy: { id }, fundCompanyRate: '8.0000', fundCompany: '400.00', fundPersonal: '400.00' })
})
