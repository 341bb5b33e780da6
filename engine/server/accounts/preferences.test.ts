import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

describe('the preferences of a user', () => {
  it('are visible to that user alone', async () => {
    const other = await house.user('keeper', ['support'])
    await house.admin.post('/preferences', { key: 'columns:customer.list', value: { hidden: ['uscc'] } })
    await house.admin.post('/preferences', { key: 'columns:customer.list', value: { hidden: ['code'] } })
    expect((await house.admin.get('/preferences', { key: 'columns:customer.list' })).result).toEqual({
      hidden: ['code'],
    })
    expect((await other.get('/preferences', { key: 'columns:customer.list' })).result).toBeNull()
  })

  it('are limited in number, and those that there are can be changed', async () => {
    const collector = await house.user('collector', ['support'])
    await house.database.pool.query(
      `insert into system_preference (user_id, key, value) select $1, 'kept' || n, '1' from generate_series(1, 1000) as n`,
      [collector.id],
    )
    expect(await collector.post('/preferences', { key: 'one more', value: 1 })).toMatchObject({ status: 422 })
    expect(await collector.post('/preferences', { key: 'kept1', value: 2 })).toMatchObject({ code: 1 })
    expect((await collector.get('/preferences', { key: 'one more' })).result).toBeNull()
  })

  it('have a limit together, because a screen that opens is sent all that belong to it', async () => {
    const collector = await house.user('hoarder', ['auditor'])
    const value = 'x'.repeat(190_000)
    const keep = (number: number, kept = value) =>
      collector.post('/preferences', { key: `columns${number}:customer.list`, value: kept })
    for (let number = 0; number < 10; number++) expect(await keep(number)).toMatchObject({ code: 1 })
    expect(await keep(10)).toMatchObject({ status: 422, result: null })
    expect(await keep(9)).toMatchObject({ code: 1 })
    expect(await keep(10, 'x')).toMatchObject({ code: 1 })
  })
})
