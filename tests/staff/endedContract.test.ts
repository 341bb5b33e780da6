import { afterAll, beforeAll, expect, test } from 'vitest'
import { billedCustomer } from '../statement.ts'
import { movingHouse, type MovingHouse } from '../welfare/moving.ts'

let moving = {} as MovingHouse
beforeAll(async () => {
  moving = await movingHouse()
})
afterAll(() => moving.house?.close())

test('nobody joins under a contract after it was terminated, whatever its term was', async () => {
  const { house, on, joins } = moving
  on('2026-01-10')
  const customer = await billedCustomer(house, { heads: 0 })
  on('2026-03-10')
  const values = { terminationDate: '2026-02-28', terminationReason: 'mutual' }
  const ended = await house.admin.post('/contract/contract/terminate', { id: customer.contract, values })
  expect(ended.code, JSON.stringify(ended)).toBe(1)
  expect(await joins(customer, undefined, '2026-02-28')).toBeGreaterThan(0)
  await expect(joins(customer, undefined, '2026-03-01')).rejects.toThrow('该服务合同在入职日期已到期或终止')
})
