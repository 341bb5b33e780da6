/** Fees of months that were outside a term: charged once, by whichever statement is computed when. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMonths } from '../../engine/expression/index.ts'
import { lockWait } from '../lockWait.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billed, deliver, generate, items, statements, statementsOf } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

/** A customer whose contract ends in March, and what is billed since. */
async function ending() {
  const customer = await billed(house, { heads: 1, terms: { endDate: '2026-03-31' } })
  return {
    async bill(billMonth: string): Promise<number> {
      await deliver(house, customer, [
        { person: customer.people[0], feeItem: 'pension', amount: '1352.00', costMonth: billMonth },
      ])
      await generate(house.admin, [customer.customer], billMonth, { wageMonth: addMonths(billMonth, -1)! })
      return (await statementsOf(house, customer.customer)).find((one) => one.billMonth === billMonth)!.id!
    },
    undoEnd: () =>
      house.database.pool.query(
        `update contract set "endDate" = '2027-03-31', "lastDay" = '2027-03-31' where id = $1`,
        [customer.contract],
      ),
  }
}
const regenerate = async (...ids: number[]) =>
  expect(await house.admin.post(`${statements}/regenerate`, { ids })).toMatchObject({ code: 1 })
/** The months that each statement charges a fee for. */
const charged = async (...ids: number[]) => {
  const found = await Promise.all(ids.map((id) => items(house, id)))
  return found.map((all) => all.filter(({ feeItem }) => feeItem === 'serviceFee').map(({ costMonth }) => costMonth))
}

test('a month charged since by a later statement stays there, whichever of the two is regenerated', async () => {
  const { bill, undoEnd } = await ending()
  const april = await bill('2026-04')
  await undoEnd()
  const may = await bill('2026-05')
  const since = [[], ['2026-04', '2026-05']]
  await regenerate(april)
  expect(await charged(april, may)).toEqual(since)
  await regenerate(may)
  expect(await charged(april, may)).toEqual(since)
  const own = [['2026-04'], ['2026-05']]
  await regenerate(may, april)
  expect(await charged(april, may)).toEqual(own)
  await regenerate(may)
  expect(await charged(april, may)).toEqual(own)
})

test('two statements that are regenerated at the same time do not both charge it', async () => {
  const { bill, undoEnd } = await ending()
  const [april, may] = [await bill('2026-04'), await bill('2026-05')]
  await undoEnd()
  const writes = await house.database.pool.connect()
  let both: Promise<void>[] = []
  try {
    await writes.query('begin; lock table "statementItem" in share mode')
    both = [regenerate(april), regenerate(may)]
    await lockWait(house, 2)
  } finally {
    await writes.query('rollback')
    writes.release()
  }
  await Promise.all(both)
  expect(
    (await charged(april, may))
      .flat()
      .map(String)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['2026-04', '2026-05'])
})
