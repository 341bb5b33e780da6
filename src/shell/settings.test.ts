import { expect, test } from 'vitest'

const stored: Record<string, string> = {}
Object.assign(globalThis, {
  localStorage: {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value
    },
    removeItem: (key: string) => {
      delete stored[key]
    },
  },
})
const { readSettings, useSettings } = await import('./settings.ts')
const from = (values: Record<string, string>) => readSettings({ getItem: (key) => values[key] ?? null })

test('the defaults are those of the specification', () => {
  expect(from({})).toEqual({
    theme: '#1890ff',
    scheme: 'light',
    size: 'medium',
    fixedHeader: false,
    tagsView: true,
    sidebarLogo: true,
  })
})

test('stored settings are read back; invalid ones give the defaults', () => {
  expect(
    from({
      theme: '#13c2c2',
      scheme: 'system',
      size: 'mini',
      fixedHeader: 'true',
      showTagsView: 'false',
      sidebarLogo: 'false',
    }),
  ).toEqual({
    theme: '#13c2c2',
    scheme: 'system',
    size: 'mini',
    fixedHeader: true,
    tagsView: false,
    sidebarLogo: false,
  })
  expect(from({ theme: 'red', scheme: 'pink', size: 'huge', fixedHeader: 'yes', showTagsView: '' })).toEqual(from({}))
})

test('a change is stored as a plain string under its key', () => {
  useSettings.getState().change({ tagsView: false, fixedHeader: true, theme: '#722ed1' })
  expect(stored).toEqual({ showTagsView: 'false', fixedHeader: 'true', theme: '#722ed1' })
  expect(useSettings.getState().tagsView).toBe(false)
})

test('without a chosen colour the current product colour applies, also after a reset', () => {
  const { change, restore, standFor } = useSettings.getState()
  standFor('#c81e1e')
  expect(useSettings.getState().theme).toBe('#722ed1')
  restore()
  expect(useSettings.getState()).toMatchObject({ theme: '#c81e1e', tagsView: true })
  expect(stored).toEqual({})
  standFor('#006d75')
  expect(useSettings.getState().theme).toBe('#006d75')
  expect(stored).toEqual({})
  change({ theme: '#aa3300' })
  standFor('#c81e1e')
  expect(useSettings.getState().theme).toBe('#aa3300')
})
