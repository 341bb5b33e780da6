/** Statements that another user generates while a preview runs are not part of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockWait } from '../lockWait.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, sample, statements } from '../statement.ts'
import { isLong } from '../long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test.skipIf(!isLong)(
  'a preview of statements names none that others generate meanwhile, inside or outside the scope',
  async () => {
    await house.create('/setting/role', {
      code: 'ownStatements',
      name: '本人客户账单',
      dataScope: 'self',
      functionPermissions: ['settlement:statement:view', 'settlement:statement:generate'],
    })
    const biller = await house.user('biller', ['ownStatements'])
    const [mine, also, foreign] = [
      await billedCustomer(house),
      await billedCustomer(house),
      await billedCustomer(house),
    ]
    for (const each of [mine, also, foreign]) await deliver(house, each, sample(each.people))
    const own = [mine.customer, also.customer]
    await house.database.pool.query('update customer set "supportStaff" = $1 where id = any($2)', [biller.id, own])

    const holder = await house.database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from contract where id = $1 for update', [mine.contract])
      const values = {
        billMonth: '2026-03',
        wageMonth: '2026-02',
        insuranceMonth: '2026-03',
        customers: [mine.customer],
      }
      const foreseen = biller.post(`${statements}/generate/foresee`, { values })
      await lockWait(house)
      await generate(house.admin, [also.customer, foreign.customer])
      await holder.query('commit')
      const { result } = await foreseen
      expect(result.facts[0].value).toEqual({ cn: '1', en: '1' })
      expect(result.lists[0].items.map(({ name }: { name: string }) => name)).toEqual([mine.name])
    } finally {
      holder.release()
    }
  },
)
