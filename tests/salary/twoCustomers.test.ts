import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { approve, edit, linesOf, paid, wageUsers } from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
})
afterAll(() => house?.close())

test('wages at two customers in one month are taxed together by the agent that withholds for both', async () => {
  const [first, second] = [await paid(house, {}, { heads: 1 }), await paid(house, {}, { heads: 1 })]
  const [person] = first.people
  // A person who moved from one customer to the other during the month.
  await sql`update "payrollLine" set person = ${person} where payroll = ${second.payroll}`.execute(
    house.database.kysely,
  )
  for (const { payroll } of [first, second]) {
    await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '20000' })
    await approve(house, payroll, { clerk, manager })
  }
  const [[firstLine], [secondLine]] = [await linesOf(house, first.payroll), await linesOf(house, second.payroll)]
  expect(firstLine).toMatchObject({ cumIncome: '20000.00', cumBasic: '15000.00', currentTax: '150.00' })
  expect(secondLine).toMatchObject({
    cumIncome: '40000.00',
    cumBasic: '15000.00',
    cumPaidTax: '150.00',
    currentTax: '600.00',
  })

  const filings = '/salary/personalTax'
  expect(await clerk.post(`${filings}/generate`, { values: { taxMonth: '2026-03' } })).toMatchObject({ code: 1 })
  const { list } = (await house.admin.get(`${filings}/list`, { filters: { person: { equals: person } } })).result
  expect(list).toMatchObject([{ currentIncome: '40000.00', cumIncome: '40000.00', currentTax: '750.00' }])
})
