import { afterAll, beforeAll, expect, test } from 'vitest'
import { moreOften, queriesOf } from '../../../tests/statementsOf.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('a move that renumbers many siblings takes as many statements as one that renumbers two', async () => {
  const group = async (size: number) => {
    const parent = await house.create('/setting/department', { name: `部门${size}`, sort: size })
    const children: number[] = []
    for (let at = 0; at < size; at++)
      children.push(await house.create('/setting/department', { name: `部门${size}之${at}`, parent, sort: 100 + at }))
    const move = async () =>
      expect(
        await house.admin.post('/setting/department/order', { id: children.at(-1)!, parent, before: children[0] }),
      ).toMatchObject({ code: 1 })
    return { children, parent, move }
  }
  await (await group(2)).move()
  const [few, many] = [await group(3), await group(12)]
  const counts = [await queriesOf(few.move), await queriesOf(many.move)]
  expect(moreOften(counts[0], counts[1])).toEqual([])
  const { list } = (
    await house.admin.get('/setting/department/list', { filters: { parent: { equals: many.parent } }, size: 100 })
  ).result
  const places = new Map(list.map(({ id, sort }: { id: number; sort: number }) => [id, sort]))
  const order = [many.children.at(-1)!, ...many.children.slice(0, -1)]
  expect(order.map((id) => places.get(id))).toEqual(order.map((_, index) => (index + 1) * 10))
})
