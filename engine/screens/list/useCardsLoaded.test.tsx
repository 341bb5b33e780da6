// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useCardsLoaded } from './useCardsLoaded.ts'

const gate = vi.hoisted(() => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
})
vi.mock('./Cards.tsx', async () => {
  await gate.opened
  return { default: () => null }
})

test('a list on a phone counts as drawn once its cards are loaded, and a table does not wait for them', async () => {
  const table = renderHook(() => useCardsLoaded(false))
  expect(table.result.current).toBe(true)

  const phone = renderHook(() => useCardsLoaded(true))
  expect(phone.result.current).toBe(false)
  gate.open()
  await waitFor(() => expect(phone.result.current).toBe(true))
})
