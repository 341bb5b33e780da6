/** Statements of one customer that are generated at the same time: nothing is billed twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts, serviceValues, sign } from '../contract.ts'
import { lockWait } from '../lockWait.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, items, statementsOf } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('costs without a contract, when statements of different months and contracts are generated', async () => {
  const customer = await billedCustomer(house, { heads: 1, terms: { endDate: '2026-02-28' } })
  const next = await house.create(
    contracts,
    serviceValues(customer.customer, customer.agency, { startDate: '2026-04-01', endDate: '2027-03-31' }),
  )
  await sign(house, next, '2026-03-10')
  await deliver(house, customer, [
    { contract: null, person: null, feeItem: 'unionFee', amount: '300.00', costMonth: '2026-02' },
  ])
  const writes = await house.database.pool.connect()
  let both: Promise<unknown>[] = []
  try {
    await writes.query('begin; lock table "costLine" in share mode')
    both = [
      generate(house.admin, [customer.customer], '2026-02', { wageMonth: '2026-01' }),
      generate(house.admin, [customer.customer], '2026-05', { wageMonth: '2026-04' }),
    ]
    await lockWait(house, 2)
  } finally {
    await writes.query('rollback')
    writes.release()
  }
  for (const answer of await Promise.all(both)) expect(answer).toMatchObject({ code: 1 })
  const made = await statementsOf(house, customer.customer)
  const unionFees = await Promise.all(made.map(({ id }) => items(house, id!)))
  expect(unionFees.flat().filter(({ feeItem }) => feeItem === 'unionFee')).toHaveLength(1)
})
