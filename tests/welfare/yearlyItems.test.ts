/** Items paid once a year (7.3), from the policy and the ticket to the line of the month. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { policyInForce } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

/** A city without refunds for leavers, and one with refunds. */
const [city, generous] = ['440100', '420100']
let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
  for (const [place, annualRefund] of [
    [city, 'none'],
    [generous, 'prorata'],
  ])
    await policyInForce(house.house, {
      kind: 'social',
      city: place,
      agency: house.around.agency,
      limits: { baseFloor: '2300', baseCeiling: '27501' },
      // The item year is July to June, so four of its months are left from March.
      items: {
        seriousIllness: {
          enabled: true,
          amountMode: 'fixed',
          companyFixed: '1200.00',
          personalFixed: '0.00',
          payCycle: 'year',
          payMonth: 7,
          annualRule: 'prorata',
          annualRefund,
        },
      },
    })
})
afterAll(() => house?.house.close())

test('a joiner in the middle of the item year pays once for its remaining months', async () => {
  const own: Record<string, string> = { insuranceCity: city }
  const { person } = await house.enrolled(
    'medicalinsurance',
    { city, startMonth: '2026-03', seriousIllnessOn: true },
    own,
  )
  const lines = async (month: string): Promise<RecordData[]> => {
    expect(
      await house.house.admin.post('/welfare/medicalinsuranceExpenseSummary/generate', { values: { feeMonth: month } }),
    ).toMatchObject({ code: 1 })
    return (
      await house.house.admin.get('/welfare/medicalinsuranceExpenseLine/list', {
        filters: { person: { equals: person.id }, feeMonth: { equals: month } },
      })
    ).result.list
  }
  expect(await lines('2026-03')).toMatchObject([
    { expenseType: 'normal', seriousIllnessCompany: '400.00', seriousIllnessPersonal: '0.00' },
  ])
  expect(await lines('2026-04')).toMatchObject([{ expenseType: 'normal', seriousIllnessCompany: '0.00' }])
})

const charged = async (person: number): Promise<unknown[]> =>
  (
    await house.house.admin.get('/welfare/medicalinsuranceExpenseLine/list', {
      filters: { person: { equals: person } },
      sort: 'id',
    })
  ).result.list.map(({ feeMonth, expenseType, seriousIllnessCompany }: RecordData) => [
    feeMonth,
    expenseType,
    seriousIllnessCompany,
  ])
const on = (day: string) => Object.assign(house.house.runtime, { clock: clockOn(day) })
const done = (answer: unknown) => expect(answer).toMatchObject({ code: 1 })

test.each([
  ['an item without a refund is not charged again on a return within the year', city, [], '0.00'],
  [
    'an item refunded for the months after leaving is charged for those after the return',
    generous,
    [['2026-04', 'refund', '-300.00']],
    '200.00',
  ],
])('%s', async (_, place, refund, again) => {
  on('2026-03-15')
  const generate = async (feeMonth: string) =>
    done(await house.house.admin.post('/welfare/medicalinsuranceExpenseSummary/generate', { values: { feeMonth } }))
  const { person } = await house.enrolled(
    'medicalinsurance',
    { city: place, startMonth: '2026-03', seriousIllnessOn: true },
    { insuranceCity: place },
  )
  await generate('2026-03')
  const { list } = (
    await house.house.admin.get('/welfare/medicalinsuranceExpenseSummary/list', {
      filters: { city: { equals: place }, feeMonth: { between: ['2026-03', '2026-03'] } },
    })
  ).result
  for (const { id } of list) done(await house.call('medicalinsuranceExpenseSummary', 'confirm', id))
  on('2026-04-10')
  const left = await house.create('medicalinsuranceReduction', {
    person: person.id,
    reductionReason: 'leave',
    lastMonth: '2026-03',
  })
  done(await house.call('medicalinsuranceReduction', 'succeed', left.result.id, { handleMonth: '2026-04' }))
  // Of 1200 a year, March to June are charged, and April to June are unused.
  expect(await charged(person.id)).toEqual([['2026-03', 'normal', '400.00'], ...refund])
  on('2026-05-10')
  const back = await house.add('medicalinsurance', {
    person: person.id,
    city: place,
    startMonth: '2026-05',
    seriousIllnessOn: true,
  })
  done(await house.call('medicalinsuranceAddition', 'succeed', back.result.id, { handleMonth: '2026-05' }))
  await generate('2026-05')
  expect(await charged(person.id)).toEqual([['2026-03', 'normal', '400.00'], ...refund, ['2026-05', 'normal', again]])
  on('2026-03-15')
})

test('an adjustment that is handled after the reduction does not charge what was refunded', async () => {
  on('2026-04-10')
  const person = await house.person({ insuranceCity: generous })
  const given = { person: person.id, city: generous, startMonth: '2026-04', seriousIllnessOn: true }
  const addition = await house.add('medicalinsurance', given)
  done(await house.call('medicalinsuranceAddition', 'succeed', addition.result.id, { handleMonth: '2026-04' }))
  on('2026-05-10')
  const filters = { city: { equals: generous }, feeMonth: { between: ['2026-04', '2026-04'] } }
  done(
    await house.house.admin.post('/welfare/medicalinsuranceExpenseSummary/generate', {
      values: { feeMonth: '2026-04' },
    }),
  )
  const { list } = (await house.house.admin.get('/welfare/medicalinsuranceExpenseSummary/list', { filters })).result
  for (const { id } of list) done(await house.call('medicalinsuranceExpenseSummary', 'confirm', id))
  const raised = { person: person.id, adjustType: 'midyear', effectiveMonth: '2026-04', newBase: '6000' }
  const adjustment = await house.create('medicalinsuranceAdjustment', raised)
  const left = { person: person.id, reductionReason: 'leave', lastMonth: '2026-04' }
  const reduction = await house.create('medicalinsuranceReduction', left)
  const handled = { handleMonth: '2026-05' }
  done(await house.call('medicalinsuranceReduction', 'succeed', reduction.result.id, handled))
  done(await house.call('medicalinsuranceAdjustment', 'succeed', adjustment.result.id, handled))
  expect(await charged(person.id)).toEqual([
    ['2026-04', 'normal', '300.00'],
    ['2026-05', 'refund', '-200.00'],
    ['2026-05', 'difference', '0.00'],
  ])
})
