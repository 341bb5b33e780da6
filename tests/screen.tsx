/** A screen of the engine in isolation: an in-memory connection, and a frame that records what is reported to it. */
import { NoticesProvider } from '../engine/client/notices.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { vi } from 'vitest'
import { AppBundleProvider, ClientReact, EngineProvider, preloadOverlays, Screen } from '../engine/client/index.ts'
import type { ClientContext, Request, ScreenFrame } from '../engine/client/index.ts'
import type { AppBundle, EntityPlan, Field, ScreenBundle, ScreenPlan } from '../engine/model/model.ts'
import { screenViews } from '../engine/screens/views.ts'
import { widgets } from '../engine/widgets/index.ts'
import { loadCommonViews, widgetViews } from '../engine/widgets/views.ts'

export const bundleOf = (plan: ScreenPlan, fields: Field[], rest: Partial<ScreenBundle> = {}): ScreenBundle => ({
  hash: '',
  plan,
  dictionaries: {},
  granted: {},
  entities: {
    [plan.entity!]: {
      name: plan.entity!,
      area: '',
      label: plan.title,
      display: 'name',
      search: ['name'],
      endpoint: '/thing',
      rules: [],
      states: [],
      saves: [],
      actions: {},
      allow: { create: true, update: true, delete: true },
      permissions: {} as EntityPlan['permissions'],
      fields: Object.fromEntries(fields.map((field) => [field.name, field])),
    },
  },
  ...rest,
})

/** User actions; each waits for its consequences. */
export const user = {
  click: (element: Element) =>
    act(async () => {
      if (element instanceof HTMLElement) element.focus()
      fireEvent.click(element)
    }),
  type: (element: Element, text: string) =>
    act(async () => {
      fireEvent.change(element, { target: { value: text } })
    }),
  select: (element: Element, value: string) =>
    act(async () => {
      fireEvent.change(element, { target: { value } })
    }),
  press: (key: string, rest = {}) =>
    act(async () => {
      fireEvent.keyDown(document.activeElement!, { key, ...rest })
    }),
  submit: (element: Element) =>
    act(async () => {
      fireEvent.submit(element.closest('form')!)
    }),
}

/** `path` → the server's answer, or a function that returns it. */
export type Answers = Record<string, unknown>

interface Opened {
  bundle: ScreenBundle
  answers?: Answers
  query?: Record<string, string>
  state?: Record<string, string>
  language?: string
  app?: Partial<AppBundle>
}

// oxlint-disable-next-line max-lines-per-function -- one small world around a screen
export async function openScreen({
  bundle,
  answers,
  query = {},
  state: initial = {},
  language = 'cn',
  app = {},
}: Opened) {
  const requests: { verb: string; path: string; payload: unknown }[] = []
  const all: Answers = {
    '/plans/screen': bundle,
    '/plans/app': { screens: [], ...app },
    '/preferences': null,
    ...answers,
  }
  const send = (verb: string) => async (path: string, payload?: unknown) => {
    requests.push({ verb, path, payload })
    const answer = all[path]
    if (answer === undefined && !(path in all)) throw new Error(`Nobody answers ${path}`)
    return typeof answer === 'function' ? answer(payload) : answer
  }
  const request = {
    get: send('get'),
    post: send('post'),
    put: send('put'),
    delete: send('delete'),
    download: send('download'),
    upload: vi.fn(),
    now: () => '2026-03-10 09:30:00',
  } as unknown as Request
  const client: ClientContext = {
    request,
    language,
    href: (to) => `#${to}`,
    announce: vi.fn(),
    user: { id: 1, name: '管理员', username: 'admin', roles: ['admin'], department: null },
  }
  const queries = new QueryClient()
  const seen = {
    /** Everything that the screen has read is read again. */
    readAgain: () => act(() => queries.refetchQueries()),
    /** Shows another tab, or this one again. */
    setActive: (_active: boolean): Promise<void> => Promise.resolve(),
    state: initial,
    busy: [] as boolean[],
    navigate: vi.fn<(to: string) => void>(),
    requests,
    announce: client.announce,
  }
  const setBusy = (busy: boolean) => {
    seen.busy.push(busy)
  }
  function Place() {
    const [state, setState] = useState(initial)
    const [active, setActive] = useState(true)
    useEffect(() => {
      seen.setActive = (next) => act(async () => setActive(next))
    }, [])
    const frame = useMemo<ScreenFrame>(
      () => ({
        place: 'page',
        active,
        version: 0,
        state,
        navigate: seen.navigate,
        close: vi.fn(),
        setDirty: vi.fn(),
        setBusy,
        setState: (next) => {
          seen.state = next
          setState(next)
        },
      }),
      [state, active],
    )
    return <Screen name="thing" query={query} frame={frame} />
  }
  // Transforming a view for the first time takes longer than any test would wait for it.
  await Promise.all([
    screenViews[bundle.plan.kind](),
    loadCommonViews(),
    import('../engine/client/filterControls.tsx'),
    preloadOverlays(),
  ])
  await act(async () => {
    render(
      <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
        <NoticesProvider>
          <QueryClientProvider client={queries}>
            <ClientReact.Provider value={client}>
              <EngineProvider widgets={widgets} widgetViews={widgetViews} screenViews={screenViews}>
                <AppBundleProvider>
                  <Place />
                </AppBundleProvider>
              </EngineProvider>
            </ClientReact.Provider>
          </QueryClientProvider>
        </NoticesProvider>
      </ConfigProvider>,
    )
  })
  return seen
}
