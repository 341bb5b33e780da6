import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HelpAnswer } from '../../model/model.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('shows documents to users who may view the origins, with their language', async () => {
  const { admin } = house
  const { result } = await admin.get<HelpAnswer>('/help', { page: 'operate' })
  expect(result.language).toBe('en')
  expect(result.pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['manual', 'language', 'operate', 'glossary']),
  )
  const { html } = result.sections.find(({ id }) => id === 'configuration')!
  expect(html).toContain('<code>DATA_DIR</code>')
  expect(result.sections[0].html).toContain('href="/help/operate?at=backup-and-restore"')

  const decisions = (await admin.get<HelpAnswer>('/help', { page: 'decisions' })).result.sections
  const dates = decisions.map(({ title }) => String(title).slice(0, 10))
  expect(dates.filter((date) => !/^20\d\d-\d\d-\d\d$/.test(date))).toEqual([])
  expect(dates).toEqual([...dates].sort().reverse())
  expect(new Set(decisions.map(({ id }) => id)).size).toBe(decisions.length)
  const [contributing] = (await admin.get<HelpAnswer>('/help', { page: 'contributing' })).result.sections
  expect(contributing.html).toContain('href="/help/decisions"')

  const clerk = await house.user('clerk', ['cashier'])
  expect((await clerk.get<HelpAnswer>('/help')).result.pages.map(({ name }) => name)).toEqual(['manual', 'data'])
  expect((await clerk.get('/help', { page: 'operate' })).status).toBe(403)
})
