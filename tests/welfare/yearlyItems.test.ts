/** What is paid once a year (7.3), from the policy over the ticket to the line of the month. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { policyInForce } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

const city = '440100'
let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
  await policyInForce(house.house, {
    kind: 'social',
    city,
    agency: house.around.agency,
    limits: { baseFloor: '2300', baseCeiling: '27501' },
    // The item year is July to June, so that March leaves four of its months.
    items: {
      seriousIllness: {
        enabled: true,
        amountMode: 'fixed',
        companyFixed: '1200.00',
        personalFixed: '0.00',
        payCycle: 'year',
        payMonth: 7,
        annualRule: 'prorata',
        annualRefund: 'none',
      },
    },
  })
})
afterAll(() => house?.house.close())

test('who joins in the middle of the year of an item pays for the months that are left, and once', async () => {
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
  const [later] = await lines('2026-04')
  if (later) expect(later.seriousIllnessCompany).toBe('0.00')
})
