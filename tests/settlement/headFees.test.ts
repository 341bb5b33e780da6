/** Whom a statement charges a fee for, and of which month. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../server.ts'
import { billed, deliver, generate, items, statementsOf } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const customerWithLeaver = async () => {
  const customer = await billed(house, { terms: { startDate: '2025-06-01' } })
  const [, leaver] = customer.people
  await house.database.pool.query(`update person set "leaveDate" = '2026-02-20' where id = $1`, [leaver])
  const bill = async (billMonth: string, wageMonth: string, leaverHasWages = true) => {
    const wages = (leaverHasWages ? customer.people : customer.people.slice(0, 1)).map((person) => ({
      person,
      feeItem: 'grossWage',
      amount: '5000.00',
      costMonth: wageMonth,
    }))
    await deliver(house, customer, wages)
    await generate(house.admin, [customer.customer], billMonth, { wageMonth })
    const statement = (await statementsOf(house, customer.customer)).at(-1)!
    return (await items(house, statement.id!))
      .filter(({ feeItem }) => feeItem === 'serviceFee')
      .map(({ person, costMonth, amount }) => [(person as { id: number }).id, costMonth, amount])
  }
  return { people: customer.people, bill }
}

test('a leaver of February was charged for it, and pays nothing for March', async () => {
  const { bill, people } = await customerWithLeaver()
  expect(await bill('2026-02', '2026-01')).toEqual(people.map((person) => [person, '2026-02', '120.00']))
  expect(await bill('2026-03', '2026-02')).toEqual([[people[0], '2026-03', '120.00']])
})

test('whose last wages alone are billed was not charged for February yet', async () => {
  const { bill, people } = await customerWithLeaver()
  await bill('2026-02', '2026-01', false)
  expect(await bill('2026-03', '2026-02')).toEqual([
    [people[0], '2026-03', '120.00'],
    [people[1], '2026-02', '120.00'],
  ])
})
