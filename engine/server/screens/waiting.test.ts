import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BoardPlan } from '../../screens/board/board.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { queriesOf } from '../../../tests/statementsOf.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  await house.create('/customer', await customerValues(house))
})
afterAll(() => house.close())

const screen = 'home.board'
const counted = () => (house.runtime.derived.catalog.screens[screen].body as BoardPlan).waiting
const waitingFor = async (as: Client) =>
  (await as.get<Record<string, { total: number; first?: string }>>('/plans/waiting', { screen })).result

test('counts what the lists count, with the earliest date', async () => {
  const counts = await waitingFor(house.admin)
  expect(Object.keys(counts).sort()).toEqual(
    counted()
      .map(({ name }) => name)
      .sort(),
  )
  expect(Object.values(counts).some(({ total }) => total > 0)).toBe(true)
  for (const { name, entity, filters, dated } of counted()) {
    const { endpoint } = house.runtime.derived.catalog.entities[entity]
    const { result } = await house.admin.get(`${endpoint}/list`, { filters, size: 1, ...(dated && { sort: dated }) })
    const first = dated && result.list[0]?.[dated]
    expect({ name, ...counts[name] }).toEqual({ name, total: result.total, ...(first && { first }) })
  }
})

test("covers the lists that the user may open, within the user's scope", async () => {
  const cashier = await house.user('cashier01', ['cashier'])
  const granted = new Set((await cashier.get<string[]>('/partner-menu/get-user-menus')).result)
  const open = counted().filter(({ permission }) => granted.has(permission))
  expect(open.length).toBeGreaterThan(0)
  expect(open.length).toBeLessThan(counted().length)
  expect(Object.keys(await waitingFor(cashier)).sort()).toEqual(open.map(({ name }) => name).sort())
})

test('needs the permission of the board, and a screen that is a board', async () => {
  expect(await house.admin.get('/plans/waiting', { screen: 'customer.list' })).toMatchObject({ code: 404 })
  expect(await house.admin.get('/plans/waiting', { screen: 'x' })).toMatchObject({ code: 404 })
  const values = { code: 'banks', name: '只看银行', functionPermissions: ['bank:bank:view'], dataScope: 'self' }
  await house.create('/setting/role', values)
  const clerk = await house.user('clerk01', ['banks'])
  expect(await clerk.get('/plans/waiting', { screen })).toMatchObject({ code: 403 })
})

test('queries the database once, however much there is to count', async () => {
  const queries = await queriesOf(() => waitingFor(house.admin))
  expect([...queries.keys()].filter((text) => text.includes('count(*)'))).toHaveLength(1)
})
