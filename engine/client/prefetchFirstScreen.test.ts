import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { ScreenBundle } from '../model/model.ts'
import { prefetchFirstScreen } from './prefetchFirstScreen.ts'
import type { Request } from './request.ts'

const user = { id: 1, name: '', roles: [], department: null }
const first = { plan: { name: 'thing', kind: 'list', route: '/thing', parameters: [] }, settings: {} }

function prefetch(bundle: object, route = '/thing', read = Promise.resolve(user)) {
  const queries = new QueryClient()
  const get = vi.fn(async () => bundle)
  const ahead = vi.fn()
  const load = vi.fn(async () => () => null)
  const request = { get, ahead, now: () => '2026-03-10 09:30:00' } as unknown as Request
  const firstReads = {
    list: () => ({
      requests: [{ path: '/thing/list', query: { page: 1 } }],
      preferences: ['list:thing', 'list:other'],
    }),
  }
  const done = prefetchFirstScreen({
    queries,
    request,
    screenViews: { list: load },
    firstReads,
    route,
    address: {},
    user: read,
  })
  return done.then(() => ({ queries, get, ahead, load }))
}

test('reads the plan with the frame, loads its view, and requests its records', async () => {
  const { queries, get, ahead, load } = await prefetch({ screens: [], first })
  expect(get.mock.calls).toEqual([['/plans/app', { route: '/thing' }, expect.objectContaining({ ahead: true })]])
  expect(queries.getQueryData<ScreenBundle>(['screen', '/thing', null])).toBe(first)
  expect(load).toHaveBeenCalledOnce()
  expect(ahead.mock.calls).toEqual([['/thing/list', { page: 1 }]])
})

test.each([
  ['an address that leads nowhere', { screens: [] }],
  [
    'a screen whose parameter is missing',
    { first: { ...first, plan: { ...first.plan, parameters: [{ name: 'id', required: true }] } } },
  ],
  ['a kind that reads by itself', { first: { ...first, plan: { ...first.plan, kind: 'board' } } }],
])('requests nothing more for %s', async (_, bundle) => {
  const { ahead } = await prefetch({ screens: [], ...bundle }).catch(() => ({ ahead: vi.fn() }))
  expect(ahead).not.toHaveBeenCalled()
})

test("takes the user's settings of the screen from the answer", async () => {
  const { queries } = await prefetch({ screens: [], first, preferences: { 'list:thing': { density: 'loose' } } })
  expect(queries.getQueryData(['preference', 'list:thing'])).toEqual({ density: 'loose' })
  expect(queries.getQueryData(['preference', 'list:other'])).toBeNull()
})

test('requests no records once the user is signed out', async () => {
  const { ahead } = await prefetch({ screens: [], first }, '/thing', Promise.reject(new Error('signed out')))
  expect(ahead).not.toHaveBeenCalled()
})
