// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { field } from '../../../tests/fixtures/screen.tsx'
import type { ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from '../list/list.ts'
import type { TabsPlan } from './tabs.ts'

afterEach(cleanup)

const common = { area: '', noCache: false, parameters: [], file: '' }
const listOf = (name: string): ScreenPlan<ListPlan> => ({
  ...common,
  name,
  kind: 'list',
  entity: name,
  title: { cn: `列表${name}`, en: `List ${name}` },
  permission: `p:${name}`,
  body: {
    columns: [
      {
        field: 'name',
        label: { cn: '名称', en: 'Name' },
        width: 100,
        fixed: undefined,
        hidden: false,
        sort: true,
        sum: false,
      },
    ],
    filters: [],
    tabs: [],
    marks: [],
    actions: [],
    pageSize: 20,
    search: { cn: '名称', en: 'Name' },
    where: {},
    paths: { list: `/${name}/list`, export: `/${name}/export` },
  } as unknown as ListPlan,
})
const whole: ScreenPlan<TabsPlan> = {
  ...common,
  name: 'thing',
  kind: 'tabs',
  title: { cn: '设置', en: 'Settings' },
  permission: 'p:a',
  body: {
    tabs: ['a', 'b', 'c'].map((name) => ({
      name,
      label: { cn: `页${name}`, en: `Tab ${name}` },
      screen: name,
      permission: `p:${name}`,
      parameters: [],
    })),
  },
}
const rows = (name: string) => ({ list: [{ id: 1, name: `记录${name}` }], total: 1, sums: {}, counts: [] })
const open = (state: Record<string, string> = {}, answers: Parameters<typeof openScreen>[0]['answers'] = {}) =>
  openScreen({
    bundle: { ...bundleOf(whole, []), granted: { 'p:a': true, 'p:b': true, 'p:c': false } },
    state,
    answers: {
      '/plans/screen': ({ name }: { name: string }) =>
        name === 'thing'
          ? {
              hash: '',
              plan: whole,
              entities: {},
              dictionaries: {},
              granted: { 'p:a': true, 'p:b': true, 'p:c': false },
            }
          : bundleOf(listOf(name), [field('name', 'text')]),
      '/a/list': rows('a'),
      '/b/list': rows('b'),
      ...answers,
    },
  })

test('each tab is a separate screen, and tabs that the user may not open are hidden', async () => {
  const seen = await open()
  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(['页a', '页b'])
  await screen.findByText('记录a')
  expect(screen.queryByText('记录b')).toBeNull()
  expect(
    seen.requests.some(({ path }) => path === '/b/list'),
    'what is not looked at is not asked for',
  ).toBe(false)
  await user.click(screen.getByRole('tab', { name: '页b' }))
  await screen.findByText('记录b')
  expect(seen.state).toEqual({ part: 'b' })
})

test('the open tab has its filters in the address, and the others keep theirs until opened again', async () => {
  const seen = await open({ part: 'b' })
  await screen.findByText('记录b')
  const form = () => within(screen.getByRole('tabpanel')).getByRole('search')
  await user.type(await within(form()).findByRole('textbox'), '甲')
  await user.submit(within(form()).getByRole('textbox'))
  expect(seen.state).toEqual({ part: 'b', q: '甲' })
  await user.click(screen.getByRole('tab', { name: '页a' }))
  await screen.findByText('记录a')
  expect(seen.state).toEqual({ part: 'a' })
  await user.click(screen.getByRole('tab', { name: '页b' }))
  expect(seen.state).toEqual({ part: 'b', q: '甲' })
})

test('only the open tab reports that it is still being drawn', async () => {
  const seen = await open({}, { '/b/list': () => new Promise(() => undefined) })
  await screen.findByText('记录a')
  expect(seen.busy.at(-1)).toBe(false)
  await user.click(screen.getByRole('tab', { name: '页b' }))
  expect(seen.busy.at(-1)).toBe(true)
  await user.click(screen.getByRole('tab', { name: '页a' }))
  expect(seen.busy.at(-1)).toBe(false)
})
