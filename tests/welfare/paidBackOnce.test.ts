/** A month is charged once, whether it is paid back before or after it would be charged normally. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import type { Answer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

const family = 'socialsecurity'
let { house, call, create } = {} as HandlingHouse
let around: Awaited<ReturnType<typeof billedCustomer>>
beforeAll(async () => {
  ;({ house, call, create } = await handlingHouse())
  on('2026-01-10')
  around = await billedCustomer(house, { heads: 0 })
})
afterAll(() => house?.close())

const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const done = (answer: Answer) =>
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
const list = async (entity: string, person: number): Promise<RecordData[]> =>
  (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: person } }, sort: 'id', size: 100 }))
    .result.list

/** Employed since January, with an open addition. */
async function joiner(startMonth = '2026-01'): Promise<number> {
  const { customer, agency, contract: service } = around
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
      [`${family}StartMonth`]: startMonth,
    },
  })
  return id
}
const add = async (person: number, handleMonth: string) =>
  done(await call(`${family}Addition`, 'succeed', (await list(`${family}Addition`, person))[0].id!, { handleMonth }))
async function payBack(
  person: number,
  fromMonth: string,
  toMonth: string,
  { supplementType = 'missed', base = '12000' } = {},
): Promise<number> {
  const given = { person, supplementType, base, reason: '漏缴', fromMonth, toMonth }
  const answer = await create(`${family}Supplement`, given)
  done(answer)
  const { result } = answer
  done(await call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03', lateFee: '0' }))
  return result.id
}
const generate = async (feeMonth: string) =>
  done(await house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth } }))
const charged = async (person: number, month: string): Promise<unknown[]> =>
  (await list(`${family}ExpenseLine`, person))
    .filter(({ belongMonth }) => belongMonth === month)
    .map(({ expenseType, companyTotal, personalTotal }) => [expenseType, companyTotal, personalTotal])

test.skipIf(!isLong)('an addition pays back the months that were not paid back before', async () => {
  on('2026-03-10')
  const [partly, wholly] = [await joiner(), await joiner()]
  await payBack(partly, '2026-01', '2026-01')
  await payBack(wholly, '2026-01', '2026-02')
  await add(partly, '2026-03')
  await add(wholly, '2026-03')
  const [, rest] = await list(`${family}Supplement`, partly)
  expect(rest).toMatchObject({ source: 'addition', fromMonth: '2026-02', toMonth: '2026-02', months: 1 })
  expect((await list(`${family}Supplement`, wholly)).length).toBe(1)
})

test.skipIf(!isLong)('a month that was paid back is charged normally only if that is revoked', async () => {
  on('2026-01-10')
  const [joined, colleague] = [await joiner(), await joiner()]
  await add(joined, '2026-01')
  await add(colleague, '2026-01')
  on('2026-03-10')
  const ticket = await payBack(joined, '2026-01', '2026-01')
  await generate('2026-01')
  const amounts = ['2028.00', '1020.00']
  expect(await charged(joined, '2026-01')).toEqual([['supplement', ...amounts]])
  expect(await charged(colleague, '2026-01')).toEqual([['normal', ...amounts]])
  done(await call(`${family}Supplement`, 'revoke', ticket))
  expect(await charged(joined, '2026-01')).toEqual([['normal', ...amounts]])
})

test.skipIf(!isLong)(
  'a difference to a month that has no charge yet is its charge; to one that has, it is added',
  async () => {
    on('2026-02-10')
    const [early, late] = [await joiner('2026-02'), await joiner('2026-02')]
    await add(early, '2026-02')
    await add(late, '2026-02')
    on('2026-03-10')
    const difference = { supplementType: 'baseDiff', base: '13000' }
    await payBack(late, '2026-02', '2026-02', difference)
    await generate('2026-02')
    // 13,000 × 16.9 % and 8.5 %.
    expect(await charged(late, '2026-02')).toEqual([['supplement', '2197.00', '1105.00']])
    await payBack(early, '2026-02', '2026-02', difference)
    await generate('2026-02')
    expect(await charged(early, '2026-02')).toEqual([
      ['normal', '2028.00', '1020.00'],
      ['supplement', '169.00', '85.00'],
    ])
  },
)
