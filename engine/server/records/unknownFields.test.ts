import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`other${index}`, 1]))
const create = (values: object) => house.admin.post('/customer/create', { values })

test('many times more fields than there are end with the first of them', async () => {
  const problem = { code: 'unknown-field', message: '没有字段“other0”' }
  const { status, errors } = await create({ name: '客户', ...named(3000) })
  expect({ status, errors }).toMatchObject({ status: 422, errors: [{ field: 'other0', ...problem }] })
  expect((await create({ contacts: [{}, named(3000)] })).errors).toMatchObject([
    { field: 'contacts.1.other0', ...problem },
  ])
  const few = (await create(named(20))).errors!.filter(({ code }) => code === 'unknown-field')
  expect(few, 'a few are all named').toHaveLength(20)
})

test('objects of many thousand names are refused wherever they are', async () => {
  const many = named(5001)
  for (const body of [{ values: many }, { values: { contacts: [many] } }, { values: {}, more: many }])
    expect(await house.admin.post('/customer/create', body)).toMatchObject({
      status: 422,
      message: expect.stringContaining('> 5000'),
    })
})

test('of a field that there is not, a refusal names the beginning', async () => {
  const name = '字'.repeat(50_000)
  const { errors } = await create({ [name]: 1 })
  expect(errors).toContainEqual(expect.objectContaining({ message: `没有字段“${'字'.repeat(100)}”` }))
})
