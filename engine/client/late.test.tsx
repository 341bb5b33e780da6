// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { Dropdown } from './Dropdown.tsx'
import { ClientReact } from './frame.ts'
import type { ClientContext } from './frame.ts'
import { arriveLate } from './late.ts'
import { LateFailure } from './LateFailure.tsx'
import { NoticesProvider, useNotices } from './notices.tsx'

beforeAll(stubBrowser)
afterEach(cleanup)

test('what could not be loaded is told, and done once the user has tried again', async () => {
  const load = vi.fn(async () => 'part').mockRejectedValueOnce(new Error('no connection'))
  render(
    <ClientReact.Provider value={{ language: 'en' } as ClientContext}>
      <LateFailure />
    </ClientReact.Provider>,
  )
  expect(screen.queryByRole('alert')).toBeNull()
  const part = arriveLate(load)
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await part).toBe('part')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('a menu that is pressed before it is loaded opens, and its button keeps the focus', async () => {
  render(
    <Dropdown trigger={['click']} menu={{ items: [{ key: 'one', label: 'First' }] }}>
      <button type="button">Menu</button>
    </Dropdown>,
  )
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.click(button)
  fireEvent.pointerEnter(button)
  expect(await screen.findByText('First')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button'))
})

function Asks({ answered }: { answered(yes: boolean): void }) {
  const { message, modal } = useNotices()
  return (
    <button
      type="button"
      onClick={() => {
        message.success('Saved')
        void modal.confirm({ title: 'Sure?', okText: 'Yes' }).then(answered, () => undefined)
      }}
    >
      Ask
    </button>
  )
}

test('a message and a question that come before the dialogs are loaded are shown then', async () => {
  const answered = vi.fn()
  render(
    <NoticesProvider>
      <Asks answered={answered} />
    </NoticesProvider>,
  )
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('Saved')).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(answered).toHaveBeenCalledWith(true))
})
