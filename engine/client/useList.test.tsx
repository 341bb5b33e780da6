// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { ClientReact } from './frame.ts'
import type { ClientContext } from './frame.ts'
import { useList } from './records.ts'

afterEach(cleanup)

const read = vi.fn(async () => ({ list: [{ id: 1 }], total: 1 }))
const request = { get: read } as unknown as ClientContext['request']

function Place({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={client}>
      <ClientReact.Provider value={{ language: 'cn', request } as ClientContext}>
        <Suspense fallback={null}>{children}</Suspense>
      </ClientReact.Provider>
    </QueryClientProvider>
  )
}

function Rows({ Controls }: { Controls: ComponentType }) {
  const { data } = useList('/thing/list', { page: 1, size: 10 })
  return (
    <main>
      {data?.list.length}
      <Controls />
    </main>
  )
}

test('rows that came before the code of their list are not read again, but are when the list is opened again', async () => {
  let arrive: (module: { default: ComponentType }) => void = () => undefined
  const Controls = lazy(() => new Promise<{ default: ComponentType }>((resolve) => (arrive = resolve)))
  const client = new QueryClient()
  const opened = () => (
    <Place client={client}>
      <Rows Controls={Controls} />
    </Place>
  )
  const { unmount } = await act(async () => render(opened()))
  expect(screen.queryByRole('main')).toBeNull()
  await act(async () => arrive({ default: () => null }))
  expect(screen.getByRole('main').textContent).toBe('1')
  expect(read).toHaveBeenCalledOnce()
  unmount()
  await act(async () => render(opened()))
  expect(screen.getByRole('main').textContent).toBe('1')
  expect(read).toHaveBeenCalledTimes(2)
})
