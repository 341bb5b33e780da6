/** The whole page of the product in jsdom, against a real HTTP server whose answers the test defines. */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import type { AppBundle } from '../engine/model/model.ts'
import { json, listen, visit } from './http.ts'
import type { Answer } from './http.ts'
import { stubBrowser } from './stage.tsx'

const http = await listen()
visit(`${http.origin}/`)
// Node's fetch has no page, so relative addresses need a base.
const { fetch } = globalThis

export const info = {
  id: 1,
  username: 'admin',
  name: '管理员',
  avatar: '',
  introduction: '',
  roles: ['admin'],
  department: null,
  mustChangePassword: false,
}
export const good = (result: unknown) => json({ code: 1, message: '', result })

const screenOf = (
  name: string,
  route: string,
  cn: string,
  en: string,
  keywords: string,
): AppBundle['screens'][number] => ({
  name,
  kind: 'list',
  area: 'customer',
  route,
  title: { cn, en },
  parameters: [],
  noCache: false,
  affix: false,
  permission: `customer:${name}:view`,
  keywords,
})
export const app: AppBundle = {
  hash: 'x',
  app: {
    title: { cn: '后台', en: 'Office' },
    languages: ['cn', 'en'],
    theme: { colour: '#1890ff' },
    home: '/home',
    policies: {},
    areas: [{ name: 'customer', label: { cn: '客户管理', en: 'Customers' }, directories: [] }],
  },
  screens: [
    screenOf('customer', '/customer', '企业客户', 'Corporate customers', 'qiyekehu\nqykh'),
    screenOf('agency', '/agency', '机构', 'Agencies', 'jigou\njg'),
    screenOf('banner', '/setting/banner', '轮播图', 'Banners', 'lunbotu\nlbt'),
  ],
}

/** Path below `/api` → what the server answers; 404 if undefined. */
export const answers: Record<string, Answer> = {}
export const requestsTo = (path: string) => http.seen.filter((each) => each.path === `/api${path}`)
export const everyCall = () => http.seen.map(({ path }) => path)
export const origin = http.origin

beforeAll(() => {
  stubBrowser()
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => fetch(new URL(path, http.origin), init))
})
beforeEach(() => {
  for (const path of Object.keys(answers)) delete answers[path]
  Object.assign(answers, {
    '/plans/public': good({ title: app.app.title }),
    '/vue-element-admin/user/login': json({ code: 20000, data: { token: 'fresh' } }),
    '/vue-element-admin/user/info': json({ code: 20000, data: info }),
    '/logout': json({ code: 20000, data: 'success' }),
    '/plans/app': good(app),
    '/partner-menu/get-user-nav-menu': good([]),
    '/partner-menu/get-user-menus': good(['customer:customer:view', 'customer:agency:view']),
    '/messages/unread': good({ unread: 0 }),
    '/jobs': good({ list: [] }),
  })
  http.answer = (request, response) => {
    const answer =
      answers[request.path.slice('/api'.length)] ?? json({ code: 404, message: request.path, result: null }, 404)
    answer(request, response)
  }
  http.seen = []
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
afterAll(http.close)

/** The page, opened at a hash path; with null in the language that it chooses itself. */
export async function open(
  path: string,
  { token = '', language = 'cn' }: { token?: string; language?: string | null } = {},
) {
  const { Root } = await import('../src/shell/Root.tsx')
  const { useTabs } = await import('../src/shell/tabs.ts')
  useTabs.getState().reset()
  const spoken = await import('../src/session/language.ts')
  if (language !== null) spoken.language.set(language)
  if (token) localStorage.setItem('token', token)
  window.location.hash = path
  await act(async () => {
    render(<Root />)
  })
}

export const hash = () => window.location.hash.slice(1)
export const button = (name: string) => screen.findByRole('button', { name })
export const click = (element: HTMLElement) =>
  act(async () => {
    fireEvent.click(element)
  })
/** A control by its label, which ends with a mark if it is required. */
export const labelled = (label: string) => screen.getByLabelText<HTMLInputElement>(RegExp(`^${label}\\*?$`))
export const type = (label: string, text: string) =>
  act(async () => {
    fireEvent.change(labelled(label), { target: { value: text } })
  })
/** The frame is ready once the user's menu is shown. */
export const shell = () => screen.findByRole('button', { name: /^(用户菜单|User menu)/ })

/** Chooses from the user's menu. */
export async function choose(item: string) {
  await click(await shell())
  await click(await screen.findByText(item))
}

/** Closing animations end immediately, because nothing is painted here. */
export const closed = () =>
  waitFor(() => {
    for (const element of document.querySelectorAll('[class*=leave-active]')) {
      for (const name of ['animationend', 'webkitAnimationEnd', 'transitionend', 'webkitTransitionEnd']) {
        fireEvent(element, new Event(name, { bubbles: true }))
      }
    }
    expect(screen.queryByRole('dialog')).toBeNull()
  })

/** Resolves once the next call of this path is answered and its callers have handled the answer. */
export function answered(path: string): Promise<void> {
  const { open: begin } = XMLHttpRequest.prototype
  return new Promise((resolve) => {
    XMLHttpRequest.prototype.open = function open(this: XMLHttpRequest, ...rest: [string, string]) {
      if (rest[1].includes(path)) {
        XMLHttpRequest.prototype.open = begin
        this.addEventListener('loadend', () => setImmediate(resolve))
      }
      begin.apply(this, rest as never)
    } as typeof begin
  })
}
