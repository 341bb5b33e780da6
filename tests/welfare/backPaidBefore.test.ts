/** Back-payments for months before an enrolment, and a new policy version that covers those months. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import type { Answer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

const family = 'socialsecurity'
let { house, call, create, policies } = {} as HandlingHouse
beforeAll(async () => {
  ;({ house, call, create, policies } = await handlingHouse())
})
afterAll(() => house?.close())

const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const done = (answer: Answer) =>
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
const list = async (entity: string, person: number): Promise<RecordData[]> =>
  (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: person } }, sort: 'id', size: 100 }))
    .result.list

/** Employed from January and insured from March at 12,000; January and February are paid back with another base. */
async function paidBack(base: string): Promise<number> {
  on('2026-03-10')
  const { customer, agency, contract: service } = await billedCustomer(house, { heads: 0 })
  const { id } = await employee(house, {
    customer,
    agency,
    service,
    values: {
      entryDate: '2026-01-05',
      insuranceCity: '110100',
      baseSalary: '12000',
      medicalinsuranceNeeded: false,
      accumulationfundNeeded: false,
      [`${family}Needed`]: true,
      [`${family}StartMonth`]: '2026-03',
    },
  })
  const [addition] = await list(`${family}Addition`, id)
  done(await call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: '2026-03' }))
  const months = { fromMonth: '2026-01', toMonth: '2026-02' }
  const { result } = await create(`${family}Supplement`, {
    person: id,
    supplementType: 'missed',
    base,
    reason: '漏缴',
    ...months,
  })
  done(await call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03', lateFee: '0' }))
  return id
}
/** Puts the next version of the social policy in force. */
async function revised(values: Record<string, Value>): Promise<void> {
  const path = '/welfare/policy'
  done(await house.admin.post(`${path}/revise`, { id: policies.social }))
  const draft = (await house.admin.get(`${path}/list`, { sort: '-id' })).result.list[0].id
  const { revision } = (await house.admin.get(`${path}/detail`, { id: draft })).result
  done(await house.admin.post(`${path}/update`, { id: draft, revision, values }))
  done(await house.admin.post(`${path}/enable`, { id: draft }))
  policies.social = draft
}
const charged = async (person: number): Promise<unknown[]> =>
  (await list(`${family}ExpenseLine`, person))
    .filter(({ belongMonth }) => String(belongMonth) < '2026-03')
    .map(({ belongMonth, expenseType, companyTotal, personalTotal }) => [
      belongMonth,
      expenseType,
      companyTotal,
      personalTotal,
    ])

test.skipIf(!isLong)('a version that does not affect back-paid months leaves them as paid', async () => {
  const [same, other] = [await paidBack('12000'), await paidBack('8000')]
  const before = [await charged(same), await charged(other)]
  expect(before).toEqual([
    [
      ['2026-01', 'supplement', '2028.00', '1020.00'],
      ['2026-02', 'supplement', '2028.00', '1020.00'],
    ],
    [
      ['2026-01', 'supplement', '1352.00', '680.00'],
      ['2026-02', 'supplement', '1352.00', '680.00'],
    ],
  ])
  await revised({ effectiveFrom: '2026-01', handleRule: '<p>20日前提交</p>' })
  expect([await charged(same), await charged(other)]).toEqual(before)
})

test.skipIf(!isLong)(
  'a version that affects a back-paid month adds a difference once the adjustment is handled',
  async () => {
    const person = await paidBack('8000')
    const items = policyRows(house, family, { baseFloor: '13000', baseCeiling: '35283' }) as Value
    await revised({ effectiveFrom: '2026-02', [`${family}Items`]: items })
    expect((await charged(person)).length).toBe(2)
    const [adjustment] = await list(`${family}Adjustment`, person)
    expect(adjustment).toMatchObject({ source: 'policy', effectiveMonth: '2026-03' })
    done(await call(`${family}Adjustment`, 'succeed', adjustment.id!, { handleMonth: '2026-03' }))
    // 13,000 × 16.9 % − 1,352.00, and 13,000 × 8.5 % − 680.00.
    expect(await charged(person)).toEqual([
      ['2026-01', 'supplement', '1352.00', '680.00'],
      ['2026-02', 'supplement', '1352.00', '680.00'],
      ['2026-02', 'difference', '845.00', '425.00'],
    ])
  },
)
