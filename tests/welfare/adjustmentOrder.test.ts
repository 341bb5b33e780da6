/** Adjustments may be handled in another order than that of their months, and after the enrolment has ended. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { adjustingHouse, type AdjustingHouse, done, family } from './adjusting.ts'
import { isLong } from '../long.ts'

let { house, call, create, detail, person, add, suggested, on, list, open, adjust, generate, summaries } =
  {} as AdjustingHouse
beforeAll(async () => {
  ;({ house, call, create, detail, person, add, suggested, on, list, open, adjust, generate, summaries } =
    await adjustingHouse())
})
afterAll(() => house?.close())

/** A person who is enrolled from that month on, with a base of 8,000. */
async function enrolled(month: string, key = family, values: Record<string, Value> = {}): Promise<number> {
  const { id } = await person({ entryDate: '2026-01-05' })
  const { result } = done(await add(key, { person: id, startMonth: month, declaredBase: '8000', ...values }))
  done(await call(`${key}Addition`, 'succeed', result.id, { handleMonth: month }))
  return id
}
const charged = async (person: number): Promise<unknown[]> =>
  (await list(`${family}ExpenseLine`, person)).map(
    ({ belongMonth, feeMonth, expenseType, declaredBase, companyTotal }) => [
      belongMonth,
      feeMonth,
      expenseType,
      declaredBase,
      companyTotal,
    ],
  )

test.skipIf(!isLong)('an adjustment of an earlier month holds until the later one begins', async () => {
  on('2026-03-10')
  const id = await enrolled('2026-03')
  const later = await adjust(id, '2026-04', '9000', '2026-03')
  // Its old base is that of its own month.
  expect(
    await suggested(`${family}Adjustment`, {
      person: id,
      adjustType: 'midyear',
      effectiveMonth: '2026-03',
      newBase: '10000',
    }),
  ).toMatchObject({ oldBase: '8000.00', companyDiff: '338.00' })
  const same = await create(`${family}Adjustment`, {
    person: id,
    adjustType: 'midyear',
    effectiveMonth: '2026-03',
    newBase: '8000',
  })
  expect(same.errors).toMatchObject([{ field: 'newBase', message: '新申报基数与原申报基数相同' }])
  const earlier = await adjust(id, '2026-03', '10000', '2026-03')
  const [enrolment] = await list(`${family}Enrolment`, id)
  expect(enrolment).toMatchObject({ declaredBase: '9000.00', companyTotal: '1521.00', lastAdjustMonth: '2026-04' })
  await generate('2026-03')
  await generate('2026-04')
  expect(await charged(id)).toEqual([
    ['2026-03', '2026-03', 'normal', '10000.00', '1690.00'],
    ['2026-04', '2026-04', 'normal', '9000.00', '1521.00'],
  ])

  expect(await call(`${family}Adjustment`, 'revoke', later)).toMatchObject({ code: 409 })
  done(await call(`${family}Adjustment`, 'revoke', earlier))
  expect((await list(`${family}Enrolment`, id))[0]).toMatchObject({
    declaredBase: '9000.00',
    companyTotal: '1521.00',
    lastAdjustMonth: '2026-04',
  })
  expect(await charged(id)).toEqual([
    ['2026-03', '2026-03', 'normal', '8000.00', '1352.00'],
    ['2026-04', '2026-04', 'normal', '9000.00', '1521.00'],
  ])
  expect((await detail(`${family}Adjustment`, later)).status).toBe('success')
})

test.skipIf(!isLong)('an adjustment of an earlier month holds for a value that no later one changes', async () => {
  on('2026-03-10')
  const fund = 'accumulationfund'
  const id = await enrolled('2026-03', fund, { fundCompanyRate: '7', personalAccountNo: '900088889001' })
  const handled = async (values: Record<string, Value>) => {
    const { result } = done(await create(`${fund}Adjustment`, { person: id, ...values }))
    done(await call(`${fund}Adjustment`, 'succeed', result.id, { handleMonth: '2026-03' }))
  }
  await handled({ adjustType: 'rate', effectiveMonth: '2026-04', fundNewCompanyRate: '10' })
  await handled({ adjustType: 'midyear', effectiveMonth: '2026-03', newBase: '10000' })
  const [enrolment] = await list(`${fund}Enrolment`, id)
  expect(enrolment).toMatchObject({ declaredBase: '10000.00', fundCompanyRate: '10.0000', fundCompany: '1000.00' })
  for (const feeMonth of ['2026-03', '2026-04'])
    done(await house.admin.post(`/welfare/${fund}ExpenseSummary/generate`, { values: { feeMonth } }))
  expect((await list(`${fund}ExpenseLine`, id)).map(({ fundCompany }) => fundCompany)).toEqual(['700.00', '1000.00'])
})

test.skipIf(!isLong)(
  'an adjustment is handled after the enrolment has ended, for the months that it lasted',
  async () => {
    on('2026-06-10')
    const [id, later] = [await enrolled('2026-05'), await enrolled('2026-05')]
    await generate('2026-05')
    await summaries('2026-05', 'confirm')
    const ticket = await open(id, '2026-05', '10000')
    const idle = await open(later, '2026-07', '10000')
    for (const person of [id, later]) {
      const values = { person, reductionReason: 'resign', lastMonth: '2026-05', leaveDate: '2026-05-31' }
      const { result } = done(await create(`${family}Reduction`, values))
      done(await call(`${family}Reduction`, 'succeed', result.id, { handleMonth: '2026-06' }))
    }
    done(await call(`${family}Adjustment`, 'succeed', ticket, { handleMonth: '2026-06' }))
    const before = ['2026-05', '2026-05', 'normal', '8000.00', '1352.00']
    expect(await charged(id)).toEqual([before, ['2026-05', '2026-06', 'difference', '10000.00', '338.00']])
    expect((await list(`${family}Enrolment`, id))[0]).toMatchObject({ status: 'stopped', endMonth: '2026-05' })
    done(await call(`${family}Adjustment`, 'revoke', ticket))
    expect(await charged(id)).toEqual([before])
    expect((await list(`${family}Enrolment`, id))[0]).toMatchObject({ declaredBase: '8000.00', endMonth: '2026-05' })

    expect(await call(`${family}Adjustment`, 'succeed', idle, { handleMonth: '2026-06' })).toMatchObject({
      code: 409,
      message: '该参保记录已于2026-05停缴，早于生效月份，请撤销该任务',
    })
  },
)

test.skipIf(!isLong)(
  'a yearly base whose adjustment is cancelled can be changed, and an adjustment generated again',
  async () => {
    on('2026-08-10')
    const id = await enrolled('2026-08')
    const entity = `${family}BaseChange`
    const start = { year: 2026, effectiveMonth: '2026-08', averageFrom: 'blank' }
    done(await house.admin.post(`/welfare/${entity}/start`, { values: start }))
    const row = async () => (await list(entity, id))[0]
    const declare = async (newBase: string) => {
      const { id, revision } = await detail(entity, (await row()).id!)
      done(await house.admin.post(`/welfare/${entity}/update`, { id, revision, values: { newBase } }))
      done(await call(entity, 'confirm', id!))
    }
    await declare('9000')
    done(await call(entity, 'generate', (await row()).id!))
    const [first] = await list(`${family}Adjustment`, id)
    done(await call(`${family}Adjustment`, 'cancel', first.id!))
    expect(await row()).toMatchObject({ status: 'confirmed', newBase: '9000.00' })

    done(await call(entity, 'unconfirm', (await row()).id!))
    await declare('9500')
    const foreseen = done(await call(entity, 'generate/foresee', (await row()).id!)).result.facts
    expect(foreseen[0]).toMatchObject({ label: { cn: '将生成调整任务' }, value: { cn: '1' } })
    done(await call(entity, 'generate', (await row()).id!))
    const [, second] = await list(`${family}Adjustment`, id)
    expect(second).toMatchObject({ status: 'pending', newBase: '9500.00', source: 'baseChange' })
  },
)
