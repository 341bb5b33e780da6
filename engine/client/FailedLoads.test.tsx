// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ClientReact } from './frame.ts'
import type { ClientContext } from './frame.ts'
import { loadWithRetry } from './loadWithRetry.ts'
import { FailedLoads } from './FailedLoads.tsx'

afterEach(cleanup)

test('what could not be loaded is reported, and loaded once the user has tried again', async () => {
  const load = vi.fn(async () => 'part').mockRejectedValueOnce(new Error('no connection'))
  render(
    <ClientReact.Provider value={{ language: 'en' } as ClientContext}>
      <FailedLoads />
    </ClientReact.Provider>,
  )
  expect(screen.queryByRole('alert')).toBeNull()
  const part = loadWithRetry(load)
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await part).toBe('part')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
