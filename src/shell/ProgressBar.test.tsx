// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ClientReact } from '../../engine/client/index.ts'
import type { ClientContext, Request } from '../../engine/client/index.ts'
import { constants } from './constants.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { counted } from './requests.ts'

const { progressMinimum, progressSpeed } = constants
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const bar = (opening: boolean) => (
  <ClientReact.Provider value={{ language: 'cn' } as ClientContext}>
    <ProgressBar opening={opening} />
  </ClientReact.Provider>
)
const part = () => Number(screen.getByRole('progressbar', { hidden: true }).getAttribute('aria-valuenow'))
const isSeen = () => screen.queryByRole('progressbar') !== null
const pass = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })

test('a navigation starts at the minimum, advances at every step, and ends only once the screen is there', async () => {
  const { rerender } = render(bar(false))
  expect(isSeen()).toBe(false)
  rerender(bar(true))
  expect([isSeen(), part()]).toEqual([true, progressMinimum * 100])
  await pass(progressSpeed - 1)
  expect(part()).toBe(progressMinimum * 100)
  await pass(1)
  const first = part()
  expect(first).toBeGreaterThan(progressMinimum * 100)
  await pass(progressSpeed)
  expect(part()).toBeGreaterThan(first)
  await pass(progressSpeed * 100)
  expect([isSeen(), part() < 100]).toEqual([true, true])
  rerender(bar(false))
  expect([isSeen(), part()]).toEqual([true, 100])
  await pass(progressSpeed)
  expect([isSeen(), part()]).toEqual([false, 0])
})

test('a call has its own bar while it runs, and the last of two ends it', async () => {
  const ends: (() => void)[] = []
  const { get } = counted({
    get: () =>
      new Promise<void>((resolve) => {
        ends.push(resolve)
      }),
  } as unknown as Request)
  render(bar(false))
  await act(async () => {
    void get('/a')
    void get('/b')
  })
  expect([isSeen(), part()]).toEqual([true, progressMinimum * 100])
  await act(async () => ends[0]())
  await pass(progressSpeed)
  expect(part()).toBeLessThan(100)
  await act(async () => ends[1]())
  expect(part()).toBe(100)
  await pass(progressSpeed)
  expect(isSeen()).toBe(false)
})
