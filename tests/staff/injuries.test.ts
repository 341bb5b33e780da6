import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { lists } from '../../src/lists.ts'
import { averageBase } from '../../src/procedures/staff/averageBase.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { picture, upload } from '../customer.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { policyInForce } from '../welfare.ts'
import { isLong } from '../long.ts'

// The business day is 2026-03-15.
const [injuries, fees, progress] = ['/staff/workInjury', '/staff/workInjuryFee', '/staff/workInjuryProgress']
let house: TestServer
let person: number
let [customer, agency] = [0, 0]
beforeAll(async () => {
  house = await createTestServer()
  const at = await employer(house)
  ;({ customer, agency } = at)
  const service = await house.create(contracts, serviceValues(at.customer, at.agency))
  await sign(house, service, '2026-01-01')
  person = (await employee(house, { customer: at.customer, agency: at.agency, service })).id
})
afterAll(() => house?.close())

const values = (more: Record<string, Value> = {}): Record<string, Value> => ({
  person,
  accidentTime: '2026-02-18 10:20:00',
  accidentPlace: '生产车间',
  accidentType: 'onDuty',
  injuryPart: '右手',
  description: '操作设备时被夹伤，班组长立即停机并送往医院处理。',
  reporter: '王演示',
  reporterPhone: '15400000009',
  reportedAt: '2026-02-18 11:00:00',
  ...more,
})
const injuryOf = async (id: number): Promise<RecordData> => (await house.admin.get(`${injuries}/detail`, { id })).result
const post = (action: string, id: number, given: Record<string, Value> = {}) =>
  house.admin.post(`${injuries}/${action}`, { id, values: given })
const filed = async () =>
  [{ ...(await upload(house, house.admin, 'record.png', picture)).result, status: 'success' }] as unknown as Value

/** A case that has been decided. */
async function decided(more: Record<string, Value> = {}, decision = 'injury'): Promise<number> {
  const id = await house.create(injuries, values(more))
  await post('apply', id, {
    applyDate: '2026-03-01',
    diagnosis: '骨折',
    hospital: '示范医院',
    attachments: await filed(),
  })
  expect(
    await post('decide', id, { acceptDate: '2026-03-05', decision, decisionNo: '认字1号', decisionDate: '2026-03-10' }),
  ).toMatchObject({ code: 1 })
  return id
}

describe('the deadlines', () => {
  it('count from the accident, follow its date, and are urgent with less than a week left', async () => {
    const id = await house.create(injuries, values())
    expect(await injuryOf(id)).toMatchObject({
      injuryNo: expect.stringMatching(/^GS20260315\d{4}$/),
      reportDeadline: '2026-02-20',
      applyDeadline: '2026-03-20',
      daysLeft: 5,
      urgent: true,
      status: 'registered',
    })
    const { revision } = await injuryOf(id)
    await house.admin.post(`${injuries}/update`, {
      id,
      revision,
      values: { accidentTime: '2026-02-20 09:00:00', reportedAt: '2026-02-20 09:30:00' },
    })
    expect(await injuryOf(id)).toMatchObject({ applyDeadline: '2026-03-22', daysLeft: 7, urgent: false })
    const pressing = async () =>
      (await house.admin.get(`${injuries}/list`, { filters: { urgent: { equals: true } } })).result.total
    expect(await pressing()).toBe(0)
    await house.create(injuries, values({ accidentTime: '2026-01-01 10:00:00', reportedAt: '2026-01-01 11:00:00' }))
    expect(await pressing()).toBe(1)
  })

  it('refuse accidents before the entry or in the future, and reports before the accident', async () => {
    const refused = async (more: Record<string, Value>) =>
      (await house.admin.post(`${injuries}/create`, { values: values(more) })).errors?.map(({ field }) => field)
    expect(await refused({ accidentTime: '2024-03-31 10:00:00' })).toEqual(['accidentTime'])
    expect(await refused({ accidentTime: '2026-03-16 10:00:00', reportedAt: '2026-03-16 11:00:00' })).toEqual([
      'accidentTime',
    ])
    expect(await refused({ reportedAt: '2026-02-18 10:00:00' })).toEqual(['reportedAt'])
    expect(await refused({ description: '太短' })).toEqual(['description'])
  })
})

describe('a case', () => {
  it('runs step by step with its progress, and can be closed once the fund has paid', async () => {
    const id = await decided()
    expect((await post('claim', id)).message).toBe('请先登记费用与待遇')
    expect(
      (
        await house.admin.post(`${fees}/create`, {
          values: { workInjury: id, feeType: 'medical', amount: '1000', fundAmount: '1000.01', payee: 'hospital' },
        })
      ).errors?.map(({ field }) => field),
    ).toEqual(['fundAmount'])
    const fee = await house.create(fees, {
      workInjury: id,
      feeType: 'medical',
      amount: '5000.00',
      fundAmount: '4500.00',
      payee: 'hospital',
    })
    expect(await post('claim', id)).toMatchObject({ code: 1 })
    expect(await injuryOf(id)).toMatchObject({ feeTotal: '5000.00', fundTotal: '4500.00', status: 'claiming' })
    expect((await post('close', id)).message).toBe('还有基金支付的费用未到账')
    const { result } = await house.admin.get(`${fees}/detail`, { id: fee })
    expect(result).toMatchObject({ employerAmount: '500.00' })
    await house.admin.post(`${fees}/update`, { id: fee, revision: result.revision, values: { paidDate: '2026-03-15' } })
    expect(await post('close', id)).toMatchObject({ code: 1 })
    expect(
      (
        await house.admin.post(`${fees}/create`, {
          values: { workInjury: id, feeType: 'food', amount: '50', payee: 'person' },
        })
      ).code,
    ).toBe(409)
    const { list } = (await house.admin.get(`${progress}/list`, { filters: { workInjury: { equals: id } }, size: 50 }))
      .result
    expect(
      list.map(({ stage }: RecordData) => String(stage)).toSorted((a: string, b: string) => a.localeCompare(b)),
    ).toEqual(['applied', 'claiming', 'closed', 'identified', 'registered'])
  })

  it.skipIf(!isLong)('ends if it is not a work injury', async () => {
    const id = await decided({}, 'notInjury')
    expect(await injuryOf(id)).toMatchObject({ status: 'rejected' })
    expect(await post('appraise', id, { appraisalDate: '2026-03-12', disabilityGrade: 'g8' })).toMatchObject({
      code: 409,
    })
    expect(await post('close', id)).toMatchObject({ code: 1 })
  })
})

describe('the one-off disability allowance', () => {
  it.each([
    ['g1', 27],
    ['g2', 25],
    ['g3', 23],
    ['g4', 21],
    ['g5', 18],
    ['g6', 16],
    ['g7', 13],
    ['g8', 11],
    ['g9', 9],
    ['g10', 7],
  ] as const)('%s: %i months', async (disabilityGrade, months) => {
    const id = await decided({ avgWage12: '1000.00' })
    await post('appraise', id, { appraisalDate: '2026-03-12', disabilityGrade })
    expect(await injuryOf(id)).toMatchObject({ disabilityAllowance: `${months}000.00` })
  })

  it('counts a wage within 60 % and 300 % of the region’s, and is absent without a grade', async () => {
    const of8 = async (avgWage12: string, avgMonthlyWage: string | null, disabilityGrade = 'g8') => {
      const id = await decided({ avgWage12, avgMonthlyWage })
      await post('appraise', id, { appraisalDate: '2026-03-12', disabilityGrade })
      const { countedWage, disabilityAllowance } = await injuryOf(id)
      return [countedWage, disabilityAllowance]
    }
    expect(await of8('8650.00', null)).toEqual(['8650.00', '95150.00'])
    expect(await of8('8650.00', '11761.00')).toEqual(['8650.00', '95150.00'])
    expect(await of8('5000.00', '11761.00')).toEqual(['7056.60', '77622.60'])
    expect(await of8('40000.00', '11761.00')).toEqual(['35283.00', '388113.00'])
    expect(await of8('8650.00', null, 'none')).toEqual(['8650.00', null])
  })

  it('uses the average of the twelve months before the accident', () => {
    const lines = [
      { month: '2025-01', base: '1.00' },
      { month: '2025-02', base: '6000.00' },
      { month: '2026-01', base: '7000.01' },
      { month: '2026-01', base: '7000.01' },
      { month: '2026-02', base: '9999.00' },
    ]
    expect(averageBase(lines, '2026-02')).toBe('6500.01')
    expect(averageBase([], '2026-02')).toBeNull()
  })
})

describe('the insured status', () => {
  const family = '/welfare/socialsecurity'
  const succeed = (entity: string, id: number, handleMonth = '2026-03') =>
    house.admin.post(`${family}${entity}/succeed`, { id, values: { handleMonth } })
  const ticket = async (entity: string) =>
    (await house.admin.get(`${family}${entity}/list`, { filters: { person: { equals: person } }, sort: '-id' })).result
      .list[0]
  const found = async (insured: boolean) =>
    (
      await house.admin.get(`${injuries}/list`, { filters: { insured: { equals: insured } }, size: 100 })
    ).result.list.map(({ id }: RecordData) => id)

  it('is that of the month of the accident, by the present enrolments', async () => {
    await policyInForce(house, {
      kind: 'social',
      city: '110100',
      agency,
      limits: { baseFloor: '6821', baseCeiling: '35283' },
    })
    const [before, within] = [
      await house.create(injuries, values({ accidentTime: '2025-12-20 10:20:00', reportedAt: '2025-12-20 11:00:00' })),
      await house.create(injuries, values()),
    ]
    for (const id of [before, within]) expect(await injuryOf(id)).toMatchObject({ insured: false })
    const addition = await house.create(`${family}Addition`, {
      person,
      city: '110100',
      startMonth: '2026-01',
      declaredBase: '8000',
      additionType: 'new',
      workForm: 'contract',
    })
    // An unhandled addition does not count yet.
    expect(await injuryOf(within)).toMatchObject({ insured: false })
    expect(await succeed('Addition', addition)).toMatchObject({ code: 1 })
    expect([await injuryOf(before), await injuryOf(within)]).toMatchObject([{ insured: false }, { insured: true }])
    expect(await found(true)).toContain(within)
    expect(await found(false)).toContain(before)
    expect(await found(false)).not.toContain(within)
  })

  it('counts each insured month once for the average wage, regular or paid back', async () => {
    const average = async (accidentTime: string) =>
      (
        await house.admin.post(`${injuries}/suggest`, {
          values: { person, accidentTime },
          typed: ['person', 'accidentTime'],
          parameters: {},
        })
      ).result.values.avgWage12
    expect(await average('2026-03-10 10:00:00')).toBeNull()
    expect(await succeed('Supplement', (await ticket('Supplement')).id)).toMatchObject({ code: 1 })
    expect(await average('2026-03-10 10:00:00')).toBe('8000.00')
    const adjustment = await house.create(`${family}Adjustment`, {
      person,
      adjustType: 'midyear',
      effectiveMonth: '2026-03',
      newBase: '9000',
    })
    await succeed('Adjustment', adjustment)
    expect(
      await house.admin.post(`${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03', customer } }),
    ).toMatchObject({ code: 1 })
    // January and February with 8 000 and March with 9 000.
    expect(await average('2026-04-02 10:00:00')).toBe('8333.33')
    expect(await average('2026-03-10 10:00:00')).toBe('8000.00')
  })

  it.skipIf(!isLong)('is absent if no family insures work injuries', () => {
    const without = (text: string) => text.replace(/,\s*"insures": "workInjury"/, '')
    const sources = readSchemas('schemas').map(({ path, text }) => ({
      path,
      text: path.endsWith('.family.json') ? without(text) : text,
    }))
    const { catalog, issues } = compile(sources, lists)
    expect(issues).toEqual([])
    expect(
      Object.keys(catalog!.entities.workInjury.fields).filter((name) => name.toLowerCase().includes('insured')),
    ).toEqual([])
    expect(
      Object.keys(house.runtime.derived.catalog.entities.workInjury.fields).filter((name) =>
        name.toLowerCase().includes('insured'),
      ),
    ).toEqual(['socialsecurityworkInjuryInsured', 'insured'])
  })
})
