// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import { BoardView } from './board.view.tsx'

afterEach(cleanup)
const thing = entity('thing', [field('name', 'text')])
const item = (name: string, route: string) => ({
  id: 1,
  name,
  front_route: route,
  sub_menus: [],
  corner_num: route === '/b' ? 120 : 0,
  corner_max: 99,
  icon: '',
  noCache: false,
  affix: false,
})
const menu = [{ ...item('管理', ''), sub_menus: ['a', 'b', 'c', 'd'].map((name) => item(`页面${name}`, `/${name}`)) }]
const show = (kept: unknown, more: Record<string, unknown> = {}) =>
  draw(
    BoardView,
    plan(thing, 'board', {
      cards: [],
      blocks: [],
      links: { label: { cn: '快捷入口', en: 'Quick links' }, max: 3, begin: ['/a', '/gone', '/b'] },
    }),
    [thing],
    {
      answers: { '/partner-menu/get-user-nav-menu': menu, '/preferences': kept, ...more },
    },
  )
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))
const press = (name: string) => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }))

test("a board starts with its default pages, and stores the user's choice in order, up to a maximum", async () => {
  const { request, frame } = show(null)
  await screen.findByRole('link', { name: /页面b.*120$/ })
  expect(links()).toEqual(['/a', '/b'])
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  fireEvent.click(screen.getByRole('link', { name: /页面a/ }))
  expect(frame.navigate).toHaveBeenCalledWith('/a')

  fireEvent.click(screen.getByRole('button', { name: '设置: 快捷入口' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('searchbox'), { target: { value: '页面d' } })
  expect(dialog.getAllByRole('checkbox')).toHaveLength(1)
  fireEvent.click(dialog.getByRole('checkbox', { name: /页面d/ }))
  fireEvent.change(dialog.getByRole('searchbox'), { target: { value: '' } })
  dialog.getByText('已选页面（3/3）')
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /页面c/ }).disabled).toBe(true)
  press('上移页面d')
  press('移除页面a')
  expect(document.activeElement).toBe(dialog.getByRole('searchbox'))
  expect(dialog.getByRole('button', { name: '上移页面d' }).getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(dialog.getByRole('button', { name: /确\s*定/ }))
  expect(request.post).toHaveBeenCalledWith('/preferences', {
    key: 'links:thing.board',
    value: { routes: ['/d', '/b'] },
  })
  await waitFor(() => expect(links()).toEqual(['/d', '/b']))
})

test('an empty choice stays empty, and pages that the user may not open are hidden', async () => {
  show({ routes: [] })
  await screen.findByText('把常用页面放在这里，一步打开')
  cleanup()
  show({ routes: ['/elsewhere', '/c'] })
  await screen.findByRole('link', { name: /页面c/ })
  expect(links()).toEqual(['/c'])
})
