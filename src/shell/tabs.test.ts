import { beforeEach, expect, test } from 'vitest'
import { formatAddress, parseAddress, tabKey } from './address.ts'
import { cacheLimit, useTabs } from './tabs.ts'

const screen = {
  parameters: [
    { name: 'type', required: true },
    { name: 'id', required: true },
  ],
}
const visit = (location: string, options = { pinned: false, noCache: false }) =>
  useTabs.getState().visit(parseAddress(location, screen), options)
const keys = () => useTabs.getState().tabs.map((tab) => tab.key)
const tab = (key: string) => useTabs.getState().tabs.find((each) => each.key === key)!

beforeEach(() => useTabs.getState().reset())

test("the screen's own parameters are the identity, and everything else is state", () => {
  const address = parseAddress('/customer/addcustomer?page=2&type=edit&id=7', screen)
  expect(address).toEqual({
    route: '/customer/addcustomer',
    parameters: { type: 'edit', id: '7' },
    state: { page: '2' },
  })
  expect(tabKey(address)).toBe('/customer/addcustomer?id=7&type=edit')
  expect(parseAddress(formatAddress(address), screen)).toEqual(address)
})

test('a filter opens no tab, another id does', () => {
  visit('/customer?page=1')
  visit('/customer?page=2')
  visit('/customer?id=1')
  visit('/customer?id=2')
  expect(keys()).toEqual(['/customer', '/customer?id=1', '/customer?id=2'])
})

test('returning without state restores the state left, and with state takes the new one', () => {
  visit('/customer?page=3')
  visit('/home')
  visit('/customer')
  expect(tab('/customer').state).toEqual({ page: '3' })
  visit('/customer?tab=pending')
  expect(tab('/customer').state).toEqual({ tab: 'pending' })
})

test('closing the active tab activates its neighbour; a pinned tab cannot be closed', () => {
  visit('/home', { pinned: true, noCache: false })
  visit('/a')
  visit('/b')
  useTabs.getState().close('/b')
  expect(useTabs.getState().active).toBe('/a')
  useTabs.getState().close('/home')
  expect(keys()).toEqual(['/home', '/a'])
})

test('a screen that is not cached sleeps once left, and is built again on return', () => {
  visit('/detail?page=2', { pinned: false, noCache: true })
  visit('/home')
  expect(tab('/detail')).toMatchObject({ asleep: true, state: {} })
  const before = tab('/detail').generation
  visit('/detail')
  expect(tab('/detail')).toMatchObject({ asleep: false, generation: before + 1 })
})

test('beyond the limit the least recently used clean screen sleeps, but never one with unsaved work', () => {
  visit('/work')
  useTabs.getState().set('/work', { dirty: true })
  for (let index = 0; index < cacheLimit; index++) visit(`/screen${index}`)
  expect(tab('/work').asleep).toBe(false)
  expect(tab('/screen0').asleep).toBe(true)
  expect(useTabs.getState().tabs.filter((each) => !each.asleep)).toHaveLength(cacheLimit)
})

test('tabs can be moved, but never before or in place of a pinned one', () => {
  visit('/home', { pinned: true, noCache: false })
  visit('/a')
  visit('/b')
  useTabs.getState().move('/b', '/a')
  expect(keys()).toEqual(['/home', '/b', '/a'])
  useTabs.getState().move('/b', '/home')
  useTabs.getState().move('/home', '/a')
  // The tab was closed while being dragged.
  useTabs.getState().move('/closed', '/a')
  useTabs.getState().move('/a', '/closed')
  expect(keys()).toEqual(['/home', '/b', '/a'])
})

test('tabs are named after their records, a new name applies to all, and the same name changes nothing', () => {
  const record = { entity: 'customer', endpoint: '/customer', id: 7, name: '启澜机械' }
  visit('/edit?id=7')
  visit('/detail?id=7')
  visit('/edit?id=8')
  const { setRecord } = useTabs.getState()
  setRecord(record, '/edit?id=7')
  setRecord(record, '/detail?id=7')
  setRecord({ ...record, id: 8, name: '云起科技' }, '/edit?id=8')
  const names = () => useTabs.getState().tabs.map((each) => each.record?.name)
  expect(names()).toEqual(['启澜机械', '启澜机械', '云起科技'])
  const before = useTabs.getState()
  setRecord({ ...record }, '/edit?id=7')
  expect(useTabs.getState()).toBe(before)
  setRecord({ ...record, name: '启澜重工' }, '/edit?id=7')
  expect(names()).toEqual(['启澜重工', '启澜重工', '云起科技'])
  setRecord({ ...record, entity: 'agency', name: '另一类' })
  expect(names()).toEqual(['启澜重工', '启澜重工', '云起科技'])
})
