// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { NoticesProvider, useNotices } from './notices.tsx'

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
  expect(screen.queryByText('Saved')).toBeNull()
  gate.open()
  expect(await screen.findByText('Saved')).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(answered).toHaveBeenCalledWith(true))
})
