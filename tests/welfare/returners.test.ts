/** People who come back while the reduction of their former employment is open are insured from their return on. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billedCustomer } from '../statement.ts'
import { done, family, movingHouse, type MovingHouse } from './moving.ts'

let all: MovingHouse
beforeAll(async () => {
  all = await movingHouse()
})
afterAll(() => all?.house.close())

/** The addition of somebody who left in February, came back on 8 April, and whose reduction was handled on that day. */
async function additionAfter(day: string, handleMonth: string) {
  all.on('2026-01-10')
  const customer = await billedCustomer(all.house, { heads: 0 })
  const person = await all.joins(customer, '2026-01')
  all.on('2026-04-08')
  done(await all.act(person, 'leave', { leaveDate: '2026-02-28', leaveReason: 'mutual' }))
  done(await all.act(person, 'close'))
  // Only now the reduction can be made.
  await all.insure(person, '2026-04')
  const { customer: id, agency, contract: serviceContract } = customer
  const terms = { customer: id, agency, serviceContract, entryDate: '2026-04-08', baseSalary: '12000' }
  done(await all.act(person, 'rehire', terms))
  expect(await all.ticketsOf('Addition', person)).toHaveLength(1)
  all.on(day)
  const [reduction] = await all.ticketsOf('Reduction', person)
  done(await all.call(`${family}Reduction`, 'succeed', reduction.id!, { handleMonth }))
  const [, addition] = await all.ticketsOf('Addition', person)
  return addition
}

test.each([
  ['after the cut-off day of that month', '2026-04-28', '2026-04'],
  ['in the next month', '2026-05-04', '2026-05'],
])('also where the reduction is handled %s', async (_, day, handleMonth) => {
  expect(await additionAfter(day, handleMonth)).toMatchObject({ status: 'pending', startMonth: '2026-04' })
})

test.each([
  ['that month', '2026-04-10', '2026-04', '2026-04'],
  ['that month after its cut-off day', '2026-04-28', '2026-04', '2026-05'],
  ['the next month', '2026-05-04', '2026-05', '2026-05'],
])('where nothing may be paid back, from when the reduction is handled: in %s', async (_, day, handleMonth, start) => {
  await all.house.database.pool.query('update policy set "supplementAllowed" = false')
  expect(await additionAfter(day, handleMonth)).toMatchObject({ status: 'pending', startMonth: start })
})
