import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const prefer = { prefer: 'respond-async' }
const texts = {
  cn: '一次操作提交的内容不能超过256KB，请减少内容后重试',
  en: 'A call may contain at most 256 KB; please send less at once',
}

test('a call of more than 256 KB is refused, at once or in a job, and nothing is stored', async () => {
  const large = { ids: [1, 2], values: { remark: '长'.repeat(90_000) } }
  for (const path of ['/customer/delete', '/customer/reject', '/settlement/statement/generate/foresee'])
    for (const headers of [{}, prefer])
      expect(await house.admin.post(path, large, headers), path).toMatchObject({ status: 422, texts })
  const { rows } = await house.database.pool.query('select count(*)::integer as jobs from system_job')
  expect(rows).toEqual([{ jobs: 0 }])
  const seen = { customer: Object.fromEntries(Array.from({ length: 2000 }, (_, id) => [id + 1, 1])) }
  const most = { ids: Array.from({ length: 1000 }, (_, id) => id + 1), seen }
  expect((await house.admin.post('/customer/delete', most, prefer)).status, 'whatever a screen sends').toBe(202)
})

test('a save may be larger', async () => {
  const values = { introduction: 'x'.repeat(300_000) }
  expect(await house.admin.post('/customer/create', { values })).toMatchObject({ status: 422, code: 422 })
  expect((await house.admin.post('/customer/create', { values })).errors).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: 'required' })]),
  )
})
