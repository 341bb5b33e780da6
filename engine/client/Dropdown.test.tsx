// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { DOMAttributes } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'

const overlays = vi.hoisted(() => {
  const waiting: (() => void)[] = []
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    arrive: () => waiting.splice(0).forEach((resolve) => resolve()),
  }
})
vi.mock('./loadOverlays.ts', async () => {
  const found = await import('./antdOverlays.ts')
  return { loadOverlays: () => overlays.wait().then(() => found) }
})
beforeAll(stubBrowser)
// Every test reloads the modules, because a menu that has been loaded once opens at once.
beforeEach(() => vi.resetModules())
afterEach(cleanup)

type OwnHandlers = Pick<DOMAttributes<HTMLElement>, 'onClick' | 'onFocus' | 'onPointerEnter'>

async function drawn({ trigger = 'click', ...own }: OwnHandlers & { trigger?: 'click' | 'contextMenu' } = {}) {
  const { Dropdown } = await import('./Dropdown.tsx')
  render(
    <Dropdown trigger={[trigger]} autoFocus menu={{ items: [{ key: 'one', label: 'First' }] }}>
      <button type="button" {...own}>
        Menu
      </button>
    </Dropdown>,
  )
  return screen.getByRole('button')
}
const arrive = () => act(async () => overlays.arrive())

test('a menu that arrives replaces no button, whenever it is pressed, and leaves it the focus', async () => {
  const button = await drawn()
  button.focus()
  fireEvent.pointerEnter(button)
  fireEvent.pointerDown(button)
  await arrive()
  expect(screen.getByRole('button')).toBe(button)
  expect(document.activeElement).toBe(button)
  fireEvent.pointerUp(button)
  fireEvent.click(button)
  expect(await screen.findByText('First')).toBeTruthy()
  expect(screen.getByRole('button')).toBe(button)
})

test.each(['click', 'contextMenu'] as const)('a %s before the menu has arrived opens it then', async (trigger) => {
  const button = await drawn({ trigger })
  // The browser's own menu does not open, which is why `fireEvent` returns false.
  expect(fireEvent[trigger](button)).toBe(trigger === 'click')
  expect(screen.queryByText('First')).toBeNull()
  await arrive()
  expect(await screen.findByText('First')).toBeTruthy()
})

test('a click acts on a trigger of its own as well, opens no context menu, and closes an open one', async () => {
  const onClick = vi.fn()
  const button = await drawn({ trigger: 'contextMenu', onClick })
  fireEvent.click(button)
  await arrive()
  expect(onClick).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('First')).toBeNull()
  fireEvent.contextMenu(button)
  const menu = (await screen.findByText('First')).closest('.ant-dropdown')!
  expect(menu.className).not.toContain('ant-slide-up-leave')
  fireEvent.click(button)
  expect(onClick).toHaveBeenCalledTimes(2)
  expect(menu.className).toContain('ant-slide-up-leave')
})

test('a trigger that handles focus and the pointer itself goes on doing so', async () => {
  const [onFocus, onPointerEnter] = [vi.fn(), vi.fn()]
  const button = await drawn({ onFocus, onPointerEnter })
  fireEvent.pointerEnter(button)
  button.focus()
  await arrive()
  expect([onFocus.mock.calls.length, onPointerEnter.mock.calls.length]).toEqual([1, 1])
})

test('Escape closes the menu and returns the focus to its button', async () => {
  const button = await drawn()
  button.focus()
  await arrive()
  fireEvent.click(button)
  const item = await screen.findByRole('menuitem', { name: 'First' })
  item.focus()
  fireEvent.keyDown(item, { key: 'Escape', keyCode: 27 })
  expect(document.activeElement).toBe(button)
})
