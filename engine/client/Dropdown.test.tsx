// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { Dropdown } from './Dropdown.tsx'

const gate = vi.hoisted(() => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
})
vi.mock('./loadLater.ts', () => ({
  loadLater: async () => {
    await gate.promise
    return import('./later.ts')
  },
}))
beforeAll(stubBrowser)
afterEach(cleanup)

test('a menu that arrives while its button is held down leaves the button in place until the click', async () => {
  await import('./later.ts')
  render(
    <Dropdown trigger={['click']} menu={{ items: [{ key: 'one', label: 'First' }] }}>
      <button type="button">Menu</button>
    </Dropdown>,
  )
  const button = screen.getByRole('button')
  fireEvent.pointerEnter(button)
  fireEvent.pointerDown(button)
  await act(async () => {
    gate.resolve()
    await gate.promise
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
  })
  // Otherwise the browser would find that the button was pressed on one element and released on another.
  expect(screen.getByRole('button')).toBe(button)
  fireEvent.pointerUp(button)
  fireEvent.click(button)
  expect(await screen.findByText('First')).toBeTruthy()
})
