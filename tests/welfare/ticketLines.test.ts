import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { clockOn } from '../clock.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

let { house, around, person, detail, call, create, add, ticketsOf } = {} as HandlingHouse
beforeAll(async () => {
  ;({ house, around, person, detail, call, create, add, ticketsOf } = await handlingHouse())
})
afterAll(() => house?.close())

const family = 'socialsecurity'
const done = async (answer: Promise<{ code: number }>) => {
  expect(await answer).toMatchObject({ code: 1 })
}
const idOf = (value: unknown) => (value as { id: number }).id

/** A person enrolled from the first of these months on, with lines for each, locked up to one of them. */
async function insured(months: string[], lastLocked = ''): Promise<{ id: number; enrolment: number }> {
  const { id } = await person()
  const { result } = await add(family, { person: id, startMonth: months[0], declaredBase: '12000' })
  await done(call(`${family}Addition`, 'succeed', result.id, { handleMonth: months[0] }))
  for (const feeMonth of months)
    await done(
      house.admin.post(`/welfare/${family}ExpenseSummary/generate`, {
        values: { feeMonth, customer: around.customer },
      }),
    )
  for (const summary of (
    await house.admin.get(`/welfare/${family}ExpenseSummary/list`, {
      filters: { status: { in: ['open', 'reconciling'] } },
      size: 100,
    })
  ).result.list as RecordData[]) {
    if (String(summary.feeMonth) <= lastLocked) await done(call(`${family}ExpenseSummary`, 'confirm', summary.id!))
  }
  return { id, enrolment: idOf((await detail(`${family}Addition`, result.id)).enrolment) }
}
const lines = async (id: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`/welfare/${family}ExpenseLine/list`, {
      filters: { person: { equals: id } },
      sort: 'id',
      size: 100,
    })
  ).result.list
const linesOf = async (id: number, type: string) => (await lines(id)).filter(({ expenseType }) => expenseType === type)
const figuresOf = (found: RecordData[]) =>
  found.map(({ belongMonth, feeMonth, companyTotal, personalTotal }) => [
    belongMonth,
    feeMonth,
    companyTotal,
    personalTotal,
  ])
const adjust = async (values: Record<string, Value>) => {
  const { result, ...rest } = await create(`${family}Adjustment`, { adjustType: 'midyear', ...values })
  if (rest.code !== 1) throw new Error(JSON.stringify(rest))
  return result.id as number
}

// A customer has one summary per month, so its months are locked once, in this order.
describe('lines', () => {
  test('of an adjustment: open months follow, and locked ones get a difference, until it is revoked', async () => {
    const { id } = await insured(['2026-01', '2026-02', '2026-03'], '2026-02')
    expect(figuresOf(await linesOf(id, 'normal'))).toEqual([
      ['2026-01', '2026-01', '2028.00', '1020.00'],
      ['2026-02', '2026-02', '2028.00', '1020.00'],
      ['2026-03', '2026-03', '2028.00', '1020.00'],
    ])
    const ticket = await adjust({ person: id, newBase: '13500', effectiveMonth: '2026-01' })
    await done(call(`${family}Adjustment`, 'succeed', ticket, { handleMonth: '2026-03' }))
    expect(figuresOf(await linesOf(id, 'difference'))).toEqual([
      ['2026-01', '2026-03', '253.50', '127.50'],
      ['2026-02', '2026-03', '253.50', '127.50'],
    ])
    expect((await linesOf(id, 'difference'))[0]).toMatchObject({
      pensionCompany: '240.00',
      unemploymentPersonal: '7.50',
      workInjuryCompany: '6.00',
      sourceNo: (await detail(`${family}Adjustment`, ticket)).ticketNo,
    })
    expect(figuresOf(await linesOf(id, 'normal'))[2]).toEqual(['2026-03', '2026-03', '2281.50', '1147.50'])

    // A month with a difference cannot be unlocked, because its lines would change as well.
    const { list } = (
      await house.admin.get(`/welfare/${family}ExpenseSummary/list`, {
        filters: { feeMonth: { between: ['2026-02', '2026-02'] } },
      })
    ).result
    const { ticketNo } = await detail(`${family}Adjustment`, ticket)
    const opened = await call(`${family}ExpenseSummary`, 'unconfirm', list[0].id)
    expect(opened).toMatchObject({ code: 409, message: expect.stringContaining(`2026-02的费用已由${ticketNo}补差`) })

    // A second one pays only what is still missing.
    const second = await adjust({ person: id, newBase: '14000', effectiveMonth: '2026-02' })
    await done(call(`${family}Adjustment`, 'succeed', second, { handleMonth: '2026-03' }))
    expect(figuresOf(await linesOf(id, 'difference')).slice(2)).toEqual([['2026-02', '2026-03', '84.50', '42.50']])
    await done(call(`${family}Adjustment`, 'revoke', second))
    await done(call(`${family}Adjustment`, 'fail', second, { failReason: '经办机构未受理' }))
    await done(call(`${family}Adjustment`, 'cancel', second))
    await done(call(`${family}Adjustment`, 'revoke', ticket))
    expect(await linesOf(id, 'difference')).toEqual([])
    expect(figuresOf(await linesOf(id, 'normal'))[2]).toEqual(['2026-03', '2026-03', '2028.00', '1020.00'])
  })

  test.skipIf(!isLong)('of months before the adjustment stay unchanged', async () => {
    const { id, enrolment } = await insured(['2026-03'])
    const ticket = await adjust({ person: id, newBase: '13500', effectiveMonth: '2026-04' })
    await done(call(`${family}Adjustment`, 'succeed', ticket, { handleMonth: '2026-03' }))
    expect(await detail(`${family}Enrolment`, enrolment)).toMatchObject({
      declaredBase: '13500.00',
      lastAdjustMonth: '2026-04',
    })
    await done(
      house.admin.post(`/welfare/${family}ExpenseSummary/generate`, {
        values: { feeMonth: '2026-03', customer: around.customer },
      }),
    )
    expect(figuresOf(await linesOf(id, 'normal')).at(-1)).toEqual(['2026-03', '2026-03', '2028.00', '1020.00'])
    await done(
      house.admin.post(`/welfare/${family}ExpenseSummary/generate`, {
        values: { feeMonth: '2026-04', customer: around.customer },
      }),
    )
    expect(figuresOf(await linesOf(id, 'normal')).at(-1)).toEqual(['2026-04', '2026-04', '2281.50', '1147.50'])
  })

  test('of a back-payment: one per month, the late fee on the first, and no month twice', async () => {
    const { id } = await person()
    const back = (values: Record<string, Value>) =>
      create(`${family}Supplement`, {
        person: id,
        supplementType: 'missed',
        fromMonth: '2026-01',
        toMonth: '2026-02',
        base: '12000',
        reason: '漏报',
        lateFeeBearer: 'provider',
        ...values,
      })
    const {
      result: { id: ticket },
    } = await back({})
    await done(call(`${family}Supplement`, 'succeed', ticket, { handleMonth: '2026-03', lateFee: '88.80' }))
    const made = await linesOf(id, 'supplement')
    expect(figuresOf(made)).toEqual([
      ['2026-01', '2026-03', '2028.00', '1020.00'],
      ['2026-02', '2026-03', '2028.00', '1020.00'],
    ])
    expect(made).toMatchObject([
      { lateFee: '88.80', lateFeeBearer: 'provider', total: '3136.80', lineStatus: 'open', pensionBase: '12000.00' },
      { lateFee: '0.00', total: '3048.00' },
    ])
    expect(await detail(`${family}ExpenseSummary`, idOf(made[0].summary)), 'one person, whatever months').toMatchObject(
      { supplementHeadcount: 1, supplementCompany: '4056.00' },
    )
    expect((await back({ fromMonth: '2026-02' })).errors).toMatchObject([
      { field: 'fromMonth', message: '补缴月份2026-02已缴费' },
    ])
    // For a difference, only the unpaid part is due.
    const {
      result: { id: rest },
    } = await back({ supplementType: 'baseDiff', base: '13500' })
    expect(await detail(`${family}Supplement`, rest)).toMatchObject({
      companyTotal: '507.00',
      personalTotal: '255.00',
      months: 2,
    })
    await done(call(`${family}Supplement`, 'cancel', rest))
    await done(call(`${family}Supplement`, 'revoke', ticket))
    expect(await linesOf(id, 'supplement')).toEqual([])
  })

  test('of months missed by an addition become a back-payment, which is cancelled with it', async () => {
    const { id } = await person()
    const {
      result: { id: addition },
    } = await add(family, { person: id, startMonth: '2026-01', declaredBase: '12000' })
    await done(call(`${family}Addition`, 'succeed', addition, { handleMonth: '2026-03' }))
    const [ticket, ...more] = await ticketsOf(`${family}Supplement`, id)
    expect([ticket, more]).toMatchObject([
      {
        source: 'addition',
        addition: { id: addition },
        status: 'pending',
        fromMonth: '2026-01',
        toMonth: '2026-02',
        supplementType: 'late',
        total: '6096.00',
        months: 2,
      },
      [],
    ])
    expect((await detail(`${family}Supplement`, ticket.id!)).monthly).toHaveLength(2)
    await done(call(`${family}Addition`, 'revoke', addition))
    expect(await detail(`${family}Supplement`, ticket.id!)).toMatchObject({ status: 'cancelled' })

    await done(call(`${family}Addition`, 'succeed', addition, { handleMonth: '2026-03' }))
    const [again] = (await ticketsOf(`${family}Supplement`, id)).filter(({ status }) => status === 'pending')
    await done(call(`${family}Supplement`, 'succeed', again.id!, { handleMonth: '2026-03' }))
    expect(figuresOf(await linesOf(id, 'supplement'))).toHaveLength(2)
    expect(await call(`${family}Addition`, 'revoke', addition)).toMatchObject({ code: 409 })
  })

  test.skipIf(!isLong)('of a ticket cannot be in a locked month, whatever the ticket', async () => {
    const { id } = await insured(['2026-03'])
    const { id: other } = await person()
    const { result: addition } = await add(family, { person: other, startMonth: '2026-02', declaredBase: '12000' })
    const adjustment = await adjust({ person: id, newBase: '13500', effectiveMonth: '2026-03' })
    const { result: reduction } = await create(`${family}Reduction`, {
      person: (await insured(['2026-03'])).id,
      reductionReason: 'terminated',
      leaveDate: '2026-03-31',
      lastMonth: '2026-03',
    })
    const { result: backPayment } = await create(`${family}Supplement`, {
      person: (await person()).id,
      supplementType: 'missed',
      fromMonth: '2026-01',
      toMonth: '2026-01',
      base: '12000',
      reason: '漏报',
      lateFeeBearer: 'provider',
    })
    for (const [entity, ticket] of [
      ['Addition', addition.id],
      ['Adjustment', adjustment],
      ['Reduction', reduction.id],
      ['Supplement', backPayment.id],
    ]) {
      expect(await call(family + entity, 'succeed', ticket, { handleMonth: '2026-02' }), entity).toMatchObject({
        code: 422,
        errors: [{ field: 'handleMonth', message: '2026-02的费用已锁定，请选择之后的办理月份' }],
      })
      await done(call(family + entity, 'succeed', ticket, { handleMonth: '2026-03' }))
    }
    expect(figuresOf(await linesOf(other, 'normal'))[0]).toEqual(['2026-03', '2026-03', '2028.00', '1020.00'])
    expect(await ticketsOf(`${family}Supplement`, other)).toMatchObject([{ fromMonth: '2026-02', toMonth: '2026-02' }])
  })

  test.skipIf(!isLong)(
    'count all charges of a month: back-paid months get differences, and a reduction refunds all',
    async () => {
      const reduced = async (id: number, lastMonth: string, handleMonth: string) => {
        const { result } = await create(`${family}Reduction`, { person: id, reductionReason: 'terminated', lastMonth })
        await done(call(`${family}Reduction`, 'succeed', result.id, { handleMonth }))
      }
      const late = (await person()).id
      const { result } = await add(family, { person: late, startMonth: '2026-01', declaredBase: '12000' })
      await done(call(`${family}Addition`, 'succeed', result.id, { handleMonth: '2026-03' }))
      const [back] = await ticketsOf(`${family}Supplement`, late)
      await done(call(`${family}Supplement`, 'succeed', back.id!, { handleMonth: '2026-03' }))
      const raise = await adjust({ person: late, newBase: '13500', effectiveMonth: '2026-01' })
      await done(call(`${family}Adjustment`, 'succeed', raise, { handleMonth: '2026-03' }))
      expect(figuresOf(await linesOf(late, 'difference'))).toEqual([
        ['2026-01', '2026-03', '253.50', '127.50'],
        ['2026-02', '2026-03', '253.50', '127.50'],
      ])
      await reduced(late, '2026-01', '2026-03')
      expect(figuresOf(await linesOf(late, 'refund'))).toEqual([['2026-02', '2026-03', '-2281.50', '-1147.50']])

      house.runtime.clock = clockOn('2026-05-04')
      const { id } = await insured(['2026-03', '2026-04'], '2026-04')
      const higher = await adjust({ person: id, newBase: '13500', effectiveMonth: '2026-04' })
      await done(call(`${family}Adjustment`, 'succeed', higher, { handleMonth: '2026-05' }))
      expect(figuresOf(await linesOf(id, 'difference'))).toEqual([['2026-04', '2026-05', '253.50', '127.50']])
      await reduced(id, '2026-03', '2026-05')
      expect(figuresOf(await linesOf(id, 'refund'))).toEqual([['2026-04', '2026-05', '-2281.50', '-1147.50']])
    },
  )
})
