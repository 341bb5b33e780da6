import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HelpAnswer, HelpSection } from '../../model/model.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { derive } from '../derived.ts'
import { sectionsOf } from './help.ts'

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

const titles = (sections: HelpSection[]) => sections.map(({ title }) => title)

test('makes a page once for readers with the same rights, and again for others and of another catalog', () => {
  const { runtime } = house
  const source = { runtime, derived: runtime.derived }
  const permissions = ['salary:payBatch:view', 'customer:customer:view']
  const cashier = { roles: ['cashier'], permissions }
  const alike = { roles: ['cashier'], permissions: permissions.toReversed() }
  for (const page of ['manual', 'data']) {
    const made = sectionsOf(source, cashier, page)
    expect(sectionsOf(source, alike, page)).toBe(made)
    for (const other of [
      { roles: ['admin'], permissions },
      { roles: ['cashier'], permissions: permissions.slice(1) },
      { roles: ['cashier', 'auditor'], permissions },
      { roles: ['cashier'], permissions: [permissions.join(',')] },
    ])
      expect(sectionsOf(source, other, page)).not.toBe(made)
    const later = { runtime, derived: derive(runtime.derived.catalog, runtime.widgets) }
    expect(sectionsOf(later, cashier, page)).not.toBe(made)
    expect(sectionsOf(source, cashier, page), 'it is still kept').toBe(made)
  }
  for (const page of ['permissions', 'operate', 'decisions'])
    expect(sectionsOf(source, alike, page)).toBe(sectionsOf(source, cashier, page))
})

test('keeps the pages of so many readers only', () => {
  const { runtime } = house
  const source = { runtime, derived: derive(runtime.derived.catalog, runtime.widgets) }
  const reader = (number: number) => ({ roles: [`role${number}`], permissions: [] })
  const first = sectionsOf(source, reader(0), 'manual')
  for (let number = 1; number <= 50; number++) sectionsOf(source, reader(number), 'manual')
  expect(sectionsOf(source, reader(0), 'manual')).not.toBe(first)
})

test('shows each reader what they may see, whoever read the page before', async () => {
  const clerk = await house.user('reader', ['cashier'])
  for (const page of ['manual', 'data']) {
    const read = async (as: Client = clerk) => (await as.get<HelpAnswer>('/help', { page })).result.sections
    const own = titles(await read())
    const all = titles(await read(house.admin))
    expect(all.length).toBeGreaterThan(own.length)
    expect(titles(await read())).toEqual(own)
    expect(titles(await read(house.admin))).toEqual(all)
  }
})

test('shows at once what a reader may see after their rights have changed', async () => {
  const role = await house.create('/setting/role', {
    code: 'helpreader',
    name: '读者',
    functionPermissions: ['customer:customer:view', 'setting:agency:view'],
    dataScope: 'all',
  })
  const clerk = await house.user('helpreader1', ['helpreader'])
  const entities = async () => titles((await clerk.get<HelpAnswer>('/help', { page: 'data' })).result.sections)
  const { customer, agency } = house.runtime.derived.catalog.entities
  expect(await entities()).toEqual(expect.arrayContaining([customer.label, agency.label]))
  const values = { functionPermissions: ['customer:customer:view'] }
  expect(await house.admin.post('/setting/role/update', { id: role, revision: 1, values })).toMatchObject({ code: 1 })
  expect(await entities()).toContainEqual(customer.label)
  expect(await entities()).not.toContainEqual(agency.label)
})
