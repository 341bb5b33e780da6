import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'

let { house, around, person, detail, call, create, enrolled, suggested, ticketsOf, checked, written } =
  {} as HandlingHouse
beforeAll(async () => {
  ;({ house, around, person, detail, call, create, enrolled, suggested, ticketsOf, checked, written } =
    await handlingHouse())
})
afterAll(() => house?.close())

const entity = 'socialsecuritySupplement'
const payBack = (values: Record<string, Value>, name = entity) =>
  create(name, { supplementType: 'missed', fromMonth: '2026-01', toMonth: '2026-02', reason: '漏报', ...values })
const months = ({ monthly }: RecordData) =>
  (monthly as RecordData[]).map(({ month, companyTotal, personalTotal, total, days, lateFee }) => [
    month,
    companyTotal,
    personalTotal,
    total,
    days,
    lateFee,
  ])

describe('a back-payment', () => {
  test('has the amounts of its months by the given base, with the late fee up to the next pay day', async () => {
    const who = await person()
    const { code, result } = await payBack({ person: who.id, base: '5000' })
    expect(code).toBe(1)
    const ticket = await detail(entity, result.id)
    expect(ticket).toMatchObject({
      ticketNo: expect.stringMatching(/^SSB20260315\d{4}$/),
      status: 'pending',
      months: 2,
      items: ['pension', 'unemployment', 'workInjury'],
      base: '5000.00',
      enrolment: null,
      lateFeeBearer: 'customer',
      pensionCompany: '2182.72',
      pensionPersonal: '1091.36',
      companyTotal: '2305.50',
      personalTotal: '1159.58',
      total: '3465.08',
      lateFee: '75.37',
      payable: '3540.45',
      city: '110100',
      account: { name: '大户社保110100' },
      customer: { id: around.customer },
    })
    // From the 25th of the month to the 25th of March: 59 and 28 days at 0.05 % of 1732.54.
    expect(months(ticket)).toEqual([
      ['2026-01', '1152.75', '579.79', '1732.54', 59, '51.11'],
      ['2026-02', '1152.75', '579.79', '1732.54', 28, '24.26'],
    ])
  })

  test('of thousands of months is refused, and none of them computed', async () => {
    const who = await person()
    const far = await suggested(entity, { person: who.id, fromMonth: '2026-01', toMonth: '9999-12' })
    expect(far).toMatchObject({ months: 95_688, companyTotal: '0.00', total: '0.00' })
    const refused = await payBack({ person: who.id, fromMonth: '1926-01', base: '5000' })
    expect(refused).toMatchObject({ status: 422, errors: [{ field: 'fromMonth', code: 'outside' }] })
  })

  test('cannot include the current month, even by a change', async () => {
    const who = await person()
    const { result } = await payBack({ person: who.id, base: '5000' })
    const { revision } = await detail(entity, result.id)
    const changed = (values: Record<string, Value>) =>
      house.admin.post(`/welfare/${entity}/update`, { id: result.id, revision, values })
    expect((await changed({ toMonth: '2026-03' })).errors).toMatchObject([
      { field: 'toMonth', message: '只能补缴本月之前的月份' },
    ])
    expect(await changed({ toMonth: '2026-01' })).toMatchObject({ code: 1 })
  })

  test('is computed for the form, including its months', async () => {
    const { person: who, enrolment } = await enrolled('socialsecurity', { declaredBase: '8000' })
    const values = await suggested(entity, { person: who.id, fromMonth: '2026-01', toMonth: '2026-01' })
    expect(values).toMatchObject({
      enrolment: { id: enrolment },
      base: '8000.00',
      months: 1,
      total: '2032.00',
      items: ['pension', 'unemployment', 'workInjury'],
      city: '110100',
    })
    expect((values.monthly as RecordData[]).map(({ month, total }) => [month, total])).toEqual([['2026-01', '2032.00']])
    expect(
      await suggested(entity, { person: who.id, fromMonth: '2026-01', toMonth: '2026-01', items: ['pension'] }),
    ).toMatchObject({ total: '1920.00', unemploymentCompany: '0.00' })
  })

  test('has no late fee in a family without late fees', async () => {
    const who = await person()
    const { result } = await payBack(
      { person: who.id, base: '8765', fundCompanyRate: '12' },
      'accumulationfundSupplement',
    )
    expect(await detail('accumulationfundSupplement', result.id)).toMatchObject({
      fundCompany: '2104.00',
      total: '4208.00',
      payable: '4208.00',
      months: 2,
    })
    expect(house.runtime.derived.catalog.entities.accumulationfundSupplement.fields).not.toHaveProperty('lateFee')
  })

  test('is refused for too many months, future months, or without a policy', async () => {
    const who = await person()
    expect((await payBack({ person: who.id, base: '5000', fromMonth: '2025-08' })).errors).toMatchObject([
      { field: 'toMonth', message: '超过最长补缴月数6' },
    ])
    expect((await payBack({ person: who.id, base: '5000', toMonth: '2026-03' })).errors).toMatchObject([
      { field: 'toMonth', message: '只能补缴本月之前的月份' },
    ])
    expect((await payBack({ person: who.id, base: '5000', toMonth: '2026-04' })).errors).toMatchObject([
      { field: 'toMonth' },
    ])
    expect((await payBack({ person: who.id, base: '5000', fromMonth: '2026-03' })).errors).toMatchObject([
      { field: 'toMonth' },
    ])
    expect(
      (await payBack({ person: who.id, base: '5000', fromMonth: '2024-12', toMonth: '2024-12' })).errors,
    ).toMatchObject([{ field: 'fromMonth', message: '该城市2024-12没有生效的政策' }])
  })

  test('keeps an entered late fee until it is recomputed', async () => {
    const who = await person()
    const {
      result: { id },
    } = await payBack({ person: who.id, base: '5000', lateFee: '12.50' })
    expect(await detail(entity, id)).toMatchObject({ lateFee: '12.50', payable: '3477.58' })
    const update = async (values: Record<string, Value>) =>
      house.admin.post(`/welfare/${entity}/update`, { id, revision: (await detail(entity, id)).revision, values })
    expect(await update({ remark: '已沟通' })).toMatchObject({ code: 1 })
    expect(await call(entity, 'recalculate', id)).toMatchObject({ code: 1 })
    expect(await detail(entity, id)).toMatchObject({ lateFee: '75.37' })
    expect(await update({ fromMonth: '2026-02' })).toMatchObject({ code: 1 })
    const shorter = await detail(entity, id)
    expect(shorter).toMatchObject({ months: 1, lateFee: '24.26', total: '1732.54' })
    expect(months(shorter)).toHaveLength(1)
  })

  test('is handled with the late fee of that day, or with that of the bureau', async () => {
    const first = (await payBack({ person: (await person()).id, base: '5000' })).result.id
    expect(await call(entity, 'succeed', first, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    // Handled on the 15th, ten days earlier.
    expect(await detail(entity, first)).toMatchObject({ status: 'success', lateFee: '58.04', handleMonth: '2026-03' })
    const second = (await payBack({ person: (await person()).id, base: '5000' })).result.id
    expect(await call(entity, 'succeed', second, { handleMonth: '2026-03', lateFee: '60.00' })).toMatchObject({
      code: 1,
    })
    expect(await detail(entity, second)).toMatchObject({ lateFee: '60.00', payable: '3525.08' })
    expect(await call(entity, 'revoke', second)).toMatchObject({ code: 1 })
    expect(await detail(entity, second)).toMatchObject({ status: 'processing', handleMonth: null })
  })

  test.skipIf(!isLong)('can be imported, and so can its result', async () => {
    const [first, second] = [await person(), await person()]
    const row = (idNumber: string, cells: Record<string, string> = {}) => ({
      personCustomer: around.name,
      personName: '林晓演',
      person: idNumber,
      supplementType: '漏缴',
      fromMonth: '2026-01',
      toMonth: '2026-02',
      base: '5000',
      lateFeeBearer: '我司',
      reason: '漏报',
      ...cells,
    })
    const { id, rows } = await checked(`${entity}Import`, [
      row(first.idNumber),
      row(second.idNumber, { fromMonth: '2025-07' }),
      row(second.idNumber, { reason: '' }),
    ])
    expect(rows.map(({ rowStatus }) => rowStatus)).toEqual(['toCreate', 'toCreate', 'failed'])
    const after = await written(`${entity}Import`, id)
    expect(after.map((each) => [each.rowStatus, ...messagesOf(each)]).slice(0, 2)).toEqual([
      ['created'],
      ['failed', expect.stringContaining('超过最长补缴月数6')],
    ])
    const [ticket] = await ticketsOf(entity, first.id)
    expect(ticket).toMatchObject({ source: 'import', lateFeeBearer: 'provider', payable: '3540.45' })
    // A row for the same months corrects the open ticket; other months must wait until it is handled.
    const again = await checked(`${entity}Import`, [
      row(first.idNumber, { reason: '漏报两个月' }),
      row(first.idNumber, { fromMonth: '2025-12', toMonth: '2025-12' }),
    ])
    expect(again.rows.map(({ rowStatus }) => rowStatus)).toEqual(['toUpdate', 'toCreate'])
    expect((await written(`${entity}Import`, again.id)).map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['updated'],
      ['failed', expect.stringContaining('该人员有办理中的任务')],
    ])
    expect(await ticketsOf(entity, first.id)).toMatchObject([
      { id: ticket.id, fromMonth: '2026-01', toMonth: '2026-02', reason: '漏报两个月' },
    ])
    const results = await checked(`${entity}HandleImport`, [
      { personName: '林晓演', person: first.idNumber, result: '办理成功', handleMonth: '2026-03', lateFee: '55.5' },
    ])
    await written(`${entity}HandleImport`, results.id)
    expect(await detail(entity, ticket.id!)).toMatchObject({ status: 'success', lateFee: '55.50' })
  })
})
