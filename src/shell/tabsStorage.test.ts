import { expect, test } from 'vitest'

const stored: Record<string, string> = {
  visitedTabs: JSON.stringify([
    {
      route: '/customer',
      parameters: {},
      state: { page: '3' },
      pinned: false,
      noCache: false,
      record: { entity: 'customer', endpoint: '/customer', id: 7, name: '启澜机械' },
    },
  ]),
}
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value
    },
  },
})
const { useTabs } = await import('./tabs.ts')

test('visited tabs are restored after a reload with their state, asleep until they are opened', () => {
  expect(useTabs.getState().tabs).toMatchObject([
    { key: '/customer', state: { page: '3' }, record: { name: '启澜机械' }, asleep: true },
  ])
  useTabs.getState().visit({ route: '/customer', parameters: {}, state: {} }, { pinned: false, noCache: false })
  expect(useTabs.getState().tabs[0]).toMatchObject({ asleep: false, state: { page: '3' } })
})

test('opened and closed tabs are stored', () => {
  useTabs.getState().visit({ route: '/home', parameters: {}, state: {} }, { pinned: true, noCache: false })
  expect(JSON.parse(stored.visitedTabs).map((tab: { route: string }) => tab.route)).toEqual(['/customer', '/home'])
  expect(JSON.parse(stored.visitedTabs)[0].record.name).toBe('启澜机械')
  useTabs.getState().reset()
  expect(stored.visitedTabs).toBe('[]')
})
