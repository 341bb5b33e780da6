// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { useRef, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFirstFocus } from './useFirstFocus.ts'

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const item = (name: string, control: ReactNode) => (
  <div className="form-item">
    <div className="form-item-label">
      <label htmlFor={name}>{name}</label>
      <button type="button">Copy</button>
    </div>
    <div className="form-item-control">{control}</div>
  </div>
)
function Opening({ children }: { children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form, true)
  return <form ref={form}>{children}</form>
}
/** In a drawer, whose panel has the focus at first. */
const inDrawer = (children: ReactNode) => (
  <div role="dialog" tabIndex={-1} aria-label="drawer">
    <button type="button">close</button>
    <Opening>{children}</Opening>
  </div>
)
const focused = () => document.activeElement?.id
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))

test('begins at the first field that can be changed, which may be an upload', async () => {
  render(
    <Opening>
      {item('number', <input id="number" readOnly />)}
      {item('file', <button id="file">Upload</button>)}
      {item('remark', <input id="remark" />)}
    </Opening>,
  )
  await drawn()
  expect(focused()).toBe('file')
})

test('begins within the first field, not at the button beside its label', async () => {
  render(<Opening>{item('lines', <textarea id="first" />)}</Opening>)
  await drawn()
  expect(focused()).toBe('first')
})

test('waits for a field whose widget is still loading, in a drawer, too', async () => {
  const fields = (month: ReactNode) => inDrawer([item('month', month), item('remark', <input id="remark" />)])
  const { rerender } = render(fields(<div className="form-control-loading" />))
  screen.getByRole('dialog').focus()
  await drawn()
  expect(focused()).toBe('')
  rerender(fields(<input id="month" />))
  await vi.waitFor(() => expect(focused()).toBe('month'))
})

test('leaves the focus with the user who works elsewhere, but not with the opener of a drawer', async () => {
  render(
    <>
      <button id="opener">open</button>
      {inDrawer(item('name', <input id="name" />))}
    </>,
  )
  screen.getByText('open').focus()
  await drawn()
  expect(focused()).toBe('name')
  cleanup()
  render(inDrawer(item('name', <input id="name" />)))
  const close = screen.getByText('close')
  close.focus()
  await drawn()
  expect(document.activeElement).toBe(close)
})
