/** The small world around a view under test. */
import { NoticesProvider } from '../engine/client/notices.tsx'
import { act, render } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { useState } from 'react'
import type { ComponentType } from 'react'
import { vi } from 'vitest'
import { EngineReact } from '../engine/client/view.ts'
import type { EditProps, EngineContext } from '../engine/client/view.ts'
import type { Field, Value } from '../engine/model/model.ts'
import { widgets } from '../engine/widgets/index.ts'
import { loadCommonViews, widgetViews } from '../engine/widgets/views.ts'

export const fieldOf = (
  type: string,
  name: string,
  options: Record<string, unknown> = {},
  rest: Partial<Field> = {},
): Field => ({
  name,
  type,
  label: { cn: name, en: name },
  options,
  required: false,
  readOnly: false,
  unique: false,
  sensitive: false,
  ...rest,
})

/** What jsdom lacks and antd needs. */
export function stubBrowser() {
  const quiet = { addListener() {}, removeListener() {}, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: false, ...quiet }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  const { getComputedStyle } = window
  window.getComputedStyle = (element) => getComputedStyle.call(window, element)
}

/** Draws an Edit that keeps its value, with the widgets inside it loaded; answers with how to read it. */
export async function stage(
  Edit: ComponentType<EditProps>,
  field: Field,
  initial: Value,
  engine: Partial<EngineContext> = {},
  more: object = {},
) {
  await loadCommonViews()
  let current = initial
  const context: EngineContext = {
    language: 'cn',
    text: (label) => label.cn,
    dictionary: (name) => ({ name, label: { cn: name, en: name }, choices: [], mayGrow: false }),
    now: () => '2026-03-10 09:30:00',
    widgets,
    views: widgetViews,
    entity: () => undefined,
    options: async () => ({ list: [], total: 0 }),
    upload: async (file) => ({ url: `/api/files/${file.name}`, name: file.name, size: file.size }),
    ...engine,
  }
  function Stage() {
    const [value, setValue] = useState(initial)
    const keep = (next: Value) => {
      current = next
      setValue(next)
    }
    return <Edit id="input" value={value} onChange={keep} field={field} label={field.label.cn} {...more} />
  }
  await act(async () => {
    render(
      <ConfigProvider theme={{ token: { motion: false } }}>
        <NoticesProvider>
          <EngineReact.Provider value={context}>
            <Stage />
          </EngineReact.Provider>
        </NoticesProvider>
      </ConfigProvider>,
    )
  })
  return { value: () => current }
}
