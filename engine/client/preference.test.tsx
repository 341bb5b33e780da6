// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ClientReact } from './frame.ts'
import type { ClientContext } from './frame.ts'
import { usePreference } from './records.ts'

afterEach(cleanup)

function Shown() {
  const { value, isPending, save } = usePreference<boolean>('review.next')
  return <button onClick={() => void save(true)}>{isPending ? 'pending' : String(value ?? false)}</button>
}

test('what is chosen before the stored preference has arrived stays chosen', async () => {
  let answer: (stored: boolean | null) => void = () => undefined
  const post = vi.fn().mockResolvedValue(null)
  const request = Object.assign(vi.fn(), {
    get: () => new Promise((resolve) => (answer = resolve)),
    post,
  }) as unknown as ClientContext['request']
  const client = new QueryClient()
  const known = () => client.getQueryData(['preference', 'review.next'])
  await act(async () => {
    render(
      <QueryClientProvider client={client}>
        <ClientReact.Provider value={{ language: 'cn', request } as ClientContext}>
          <Shown />
        </ClientReact.Provider>
      </QueryClientProvider>,
    )
  })
  const button = screen.getByRole('button', { name: 'pending' })
  await act(async () => button.click())
  expect(known()).toBe(true)
  await act(async () => answer(null))
  expect(known()).toBe(true)
  await waitFor(() => expect(button.textContent).toBe('true'))
  expect(post).toHaveBeenCalledExactlyOnceWith('/preferences', { key: 'review.next', value: true })
})
