// @vitest-environment jsdom
import { act, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { open, shell } from '../../tests/page.tsx'

const drawn = vi.hoisted(() => ({ counts: {} as Record<string, number> }))
vi.mock('../../engine/client/Screen.tsx', () => ({
  Screen({ route, frame }: { route: string; frame: { active: boolean } }) {
    drawn.counts[route] = (drawn.counts[route] ?? 0) + 1
    return <p>{`${route} ${frame.active}`}</p>
  },
}))

const go = async (path: string) => {
  await act(async () => {
    window.location.hash = path
  })
  await waitFor(() => expect(document.body.textContent).toContain(`${path} true`))
}

test('switching screens redraws only the screen left and the screen reached', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  await go('/agency')
  await go('/setting/banner')
  const before = { ...drawn.counts }
  await go('/agency')
  await go('/setting/banner')
  expect(drawn.counts['/customer']).toBe(before['/customer'])
  expect(drawn.counts['/agency']).toBeGreaterThan(before['/agency'])
})
