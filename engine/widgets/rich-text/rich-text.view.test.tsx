// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { EngineReact } from '../../client/view.ts'
import type { EngineContext } from '../../client/view.ts'
import type { Field, Label, Value } from '../../model/model.ts'
import { NoticesProvider } from '../../client/notices.tsx'
import { richTextView } from './rich-text.view.tsx'

afterEach(cleanup)

const { Edit } = richTextView
const english = { language: 'en', text: (label: Label) => label.en } as EngineContext

let last: Value | undefined
let show: (value: Value) => void
function draw(initial: string | null) {
  last = undefined
  const page = (value: Value) => (
    <NoticesProvider>
      <EngineReact.Provider value={english}>
        <Edit
          id="field"
          label="Text"
          field={{ options: {} } as unknown as Field}
          value={value}
          onChange={(next: Value) => show((last = next))}
        />
      </EngineReact.Provider>
    </NoticesProvider>
  )
  const { rerender } = render(page(initial))
  show = (value) => rerender(page(value))
  return screen.getByRole('textbox', { name: 'Text' })
}

/** Puts a text into the first paragraph as a browser does, which the editor observes. */
const type = (box: HTMLElement, text: string) =>
  act(async () => {
    box.querySelector('p')!.textContent = text
  })

test('emits what is typed as it is typed, and nothing once it is empty again', async () => {
  const box = draw(null)
  await type(box, '公告')
  await vi.waitFor(() => expect(last).toBe('<p>公告</p>'))
  await type(box, '公告 & <b>')
  await vi.waitFor(() => expect(last).toBe('<p>公告 &amp; &lt;b&gt;</p>'))
  await type(box, '')
  await vi.waitFor(() => expect(last).toBeNull())
})

test('shows a value from elsewhere without emitting it, and goes on from it', async () => {
  const box = draw('<p>old</p>')
  show('<h2>Title</h2><p>new</p>')
  expect(box.innerHTML).toBe('<h2>Title</h2><p>new</p>')
  expect(last).toBeUndefined()
  await type(box, 'newer')
  await vi.waitFor(() => expect(last).toBe('<h2>Title</h2><p>newer</p>'))
})
