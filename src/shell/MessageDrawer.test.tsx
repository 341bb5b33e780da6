// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { ClientReact, RequestError, NoticesProvider } from '../../engine/client/index.ts'
import type { ClientContext } from '../../engine/client/index.ts'
import type { MessageItem } from '../../engine/model/model.ts'
import { GoProvider } from './GoProvider.tsx'
import { MessageButton } from './MessageDrawer.tsx'

afterEach(cleanup)
const message = (id: number, rest: Partial<MessageItem> = {}): MessageItem => ({
  id,
  type: '公告发布',
  title: `消息${id}`,
  content: '',
  link: null,
  at: '2026-03-15 08:30:00',
  read: true,
  ...rest,
})

/** Answers by path: an error is thrown, a function is called. */
function open(answers: Record<string, unknown>, language = 'cn') {
  const answer = async (path: string, given?: unknown) => {
    const found = answers[path]
    if (found instanceof Error) throw found
    return typeof found === 'function' ? found(given) : found
  }
  const request = { get: vi.fn(answer), post: vi.fn(answer) }
  const client = { request, language, href: (to: string) => `#${to}`, user: { id: 7 } } as unknown as ClientContext
  const Here = () => <output aria-label="here">{useLocation().pathname + useLocation().search}</output>
  render(
    <MemoryRouter>
      <GoProvider>
        <NoticesProvider>
          <QueryClientProvider client={new QueryClient()}>
            <ClientReact.Provider value={client}>
              <MessageButton isDrawn />
              <Here />
            </ClientReact.Provider>
          </QueryClientProvider>
        </NoticesProvider>
      </GoProvider>
    </MemoryRouter>,
  )
  return request
}
const list = () =>
  within(screen.getByRole('list', { name: /消息|Messages/ }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

test('the bell shows how many are unread, 99 at most', async () => {
  open({ '/messages/unread': { unread: 3 } })
  expect((await screen.findByRole('button', { name: '消息，3条未读' })).textContent).toBe('3')
  cleanup()
  open({ '/messages/unread': { unread: 100 } }, 'en')
  expect((await screen.findByRole('button', { name: 'Messages, 99+ unread' })).textContent).toBe('99+')
  cleanup()
  open({ '/messages/unread': { unread: 0 } })
  expect((await screen.findByRole('button', { name: '消息' })).textContent).toBe('')
})

test("a click leads to the message's record and marks the message as read", async () => {
  const request = open({
    '/messages/unread': { unread: 2 },
    '/messages/read': { unread: 1 },
    '/messages': {
      list: [message(2, { read: false, link: '/customer/detail?id=5', content: '详情' }), message(1, { read: false })],
      more: false,
      unread: 2,
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: '消息，2条未读' }))
  await screen.findByRole('dialog', { name: '消息' })
  expect(await waitFor(list)).toEqual(['公告发布2026-03-15 08:30消息2详情', '公告发布2026-03-15 08:30消息1'])
  expect(screen.getAllByRole('img', { name: '未读' })).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: /消息1/ }))
  await waitFor(() => expect(screen.getAllByRole('img', { name: '未读' })).toHaveLength(1))
  expect(request.post).toHaveBeenCalledWith('/messages/read', { id: 1 })
  const link = screen.getByRole('link', { name: /消息2/ })
  expect(link.getAttribute('href')).toBe('#/customer/detail?id=5')
  fireEvent.click(link)
  expect(screen.getByRole('status', { name: 'here' }).textContent).toBe('/customer/detail?id=5')
  expect(request.post).toHaveBeenLastCalledWith('/messages/read', { id: 2 })
})

test('all are marked as read at once, and further ones are appended', async () => {
  const request = open({
    '/messages/unread': { unread: 2 },
    '/messages/read-all': { unread: 0 },
    '/messages': ({ before }: { before?: number }) =>
      before
        ? { list: [message(1)], more: false, unread: 0 }
        : { list: [message(3, { read: false }), message(2, { read: false })], more: true, unread: 2 },
  })
  fireEvent.click(await screen.findByRole('button', { name: '消息，2条未读' }))
  fireEvent.click(await screen.findByRole('button', { name: '加载更多' }))
  await waitFor(() => expect(list()).toHaveLength(3))
  expect(request.get).toHaveBeenLastCalledWith('/messages', { size: 20, before: 2 }, expect.anything())
  expect(screen.queryByRole('button', { name: '加载更多' })).toBeNull()
  const all = screen.getByRole('button', { name: '全部已读' })
  all.focus()
  fireEvent.click(all)
  await waitFor(() => expect(screen.queryAllByRole('img', { name: '未读' })).toEqual([]))
  expect([all.getAttribute('aria-disabled'), document.activeElement]).toEqual(['true', all])
})

test('shows that there are none, or why reading failed, with a retry', async () => {
  const answers: Record<string, unknown> = {
    '/messages/unread': { unread: 0 },
    '/messages': new RequestError('系统繁忙', { code: 500 }),
  }
  open(answers)
  fireEvent.click(await screen.findByRole('button', { name: '消息' }))
  expect((await screen.findByRole('alert')).textContent).toContain('系统繁忙')
  answers['/messages'] = { list: [], more: false, unread: 0 }
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByText('暂无消息')
})
