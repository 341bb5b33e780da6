/** What a late save and a page of a history read does not grow with the number of changes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let id: number
const save = (revision: number, address: string) =>
  house.admin.post('/customer/update', { id, revision, values: { address } })

beforeAll(async () => {
  house = await createTestServer()
  id = await house.create('/customer', await customerValues(house))
  for (let revision = 1; revision <= 51; revision++)
    expect(await save(revision, `示范路${revision}号`)).toMatchObject({ code: 1 })
})
afterAll(() => house?.close())

test('a save that is 50 changes late is told what they changed, and a later one only that it is late', async () => {
  expect(await save(2, '迟到路1号')).toMatchObject({
    status: 409,
    conflict: { fields: { address: { theirs: '示范路51号' } } },
  })
  const later = await save(1, '迟到路1号')
  expect(later).toMatchObject({ status: 409 })
  expect(later).not.toHaveProperty('conflict')
})

test('a page of a history has at most 50 entries', async () => {
  const { list, total } = (await house.admin.get('/customer/history', { id, size: 1000 })).result
  expect([list.length, total]).toEqual([50, 52])
})
