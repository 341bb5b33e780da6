import { afterAll, beforeAll, expect, test } from 'vitest'
import { employee } from '../contract.ts'
import { waiting } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

let { house, call } = {} as HandlingHouse
beforeAll(async () => {
  ;({ house, call } = await handlingHouse())
})
afterAll(() => house?.close())

const family = 'socialsecurity'

test('the menu counts tickets for their users: those to handle, and those returned or failed', async () => {
  const [handler, support] = [
    await house.user('handling', ['welfareClerk']),
    await house.user('supporting', ['support']),
  ]
  const { customer, agency, contract } = await billedCustomer(house, { heads: 0, values: { supportStaff: support.id } })
  const joins = () =>
    employee(house, {
      customer,
      agency,
      service: contract,
      values: { insuranceCity: '110100', entryDate: '2026-03-02', supportStaff: support.id },
    })
  const counted = () => Promise.all([handler, support].map((as) => waiting(as, `/welfare/${family}/additionalstaff`)))
  const before = await counted()
  const more = async () => (await counted()).map((count, index) => count - before[index])
  const ids: number[] = []
  for (let times = 0; times < 3; times++) {
    const { id } = await joins()
    const filters = { person: { equals: id } }
    ids.push((await house.admin.get(`/welfare/${family}Addition/list`, { filters })).result.list[0].id)
  }
  expect(await more()).toEqual([3, 0])
  expect(await call(`${family}Addition`, 'return', ids[0], { returnReason: '缺少材料' })).toMatchObject({ code: 1 })
  expect(await more()).toEqual([2, 1])
  expect(await call(`${family}Addition`, 'accept', ids[1])).toMatchObject({ code: 1 })
  expect(await call(`${family}Addition`, 'fail', ids[1], { failReason: '身份信息不符' })).toMatchObject({ code: 1 })
  expect(await more()).toEqual([1, 2])
})
