// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { Dropdown } from './Dropdown.tsx'

const gate = vi.hoisted(() => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
})
vi.mock('./loadOverlays.ts', () => ({
  loadOverlays: async () => {
    await gate.opened
    return import('./antdOverlays.ts')
  },
}))
beforeAll(stubBrowser)
afterEach(cleanup)

test('a menu that arrives while its button is held down waits for the click, and the button keeps the focus', async () => {
  await import('./antdOverlays.ts')
  render(
    <Dropdown trigger={['click']} menu={{ items: [{ key: 'one', label: 'First' }] }}>
      <button type="button">Menu</button>
    </Dropdown>,
  )
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.pointerEnter(button)
  fireEvent.pointerDown(button)
  await act(async () => {
    gate.open()
    await gate.opened
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
  })
  // Otherwise the browser would find that the button was pressed on one element and released on another.
  expect(screen.getByRole('button')).toBe(button)
  fireEvent.pointerUp(button)
  fireEvent.click(button)
  expect(await screen.findByText('First')).toBeTruthy()
  expect(screen.getByRole('button')).not.toBe(button)
  expect(document.activeElement).toBe(screen.getByRole('button'))
})
