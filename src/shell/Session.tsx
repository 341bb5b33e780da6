import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App, Button, Space, Spin } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { AppBundleProvider, askAhead, ClientReact, createRequest, EngineProvider } from '../../engine/client/index.ts'
import type { ClientContext } from '../../engine/client/index.ts'
import { screenViews } from '../../engine/screens/views.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { widgetViews } from '../../engine/widgets/views.ts'
import { followSchemas } from '../desk/live.ts'
import { language } from '../session/language.ts'
import type { Language } from '../session/language.ts'
import { isSignedOut } from '../session/legacy.ts'
import { storedPermissions } from '../session/permissions.ts'
import { forget, isInUse, isLogin, loginPath, readUser } from '../session/session.ts'
import type { UserInfo } from '../session/session.ts'
import { token } from '../session/token.ts'
import { words } from '../session/words.ts'
import { constants } from './constants.ts'
import { FirstPassword } from './FirstPassword.tsx'
import { renameTabs } from './renameTabs.ts'
import { counted } from './requests.ts'
import Shell from './Shell.tsx'
import { useTabs } from './tabs.ts'
import { useGo } from './GoProvider.tsx'

const lists = { widgets, widgetViews, screenViews }

/** Who is signed in, the connection that carries it, and the shell in them. */
export function Session({ language: current }: { language: Language }) {
  const go = useGo()
  const { message, modal } = App.useApp()
  const [user, setUser] = useState<UserInfo>()
  const [failure, setFailure] = useState('')

  const toLogin = useCallback(() => {
    const here = window.location.hash.slice(1) || '/'
    if (isLogin(here)) return
    forget()
    useTabs.getState().reset()
    go(loginPath(here))
  }, [go])

  // What an earlier reading brings, or one that nobody waits for any more, is not shown.
  const reading = useRef(0)
  const read = useCallback(async () => {
    const mine = ++reading.current
    setFailure('')
    const found = await readUser().catch((error: unknown) => error as Error)
    if (mine !== reading.current) return
    if (!(found instanceof Error)) return setUser(found)
    setFailure(found.message)
    void message.error(found.message, constants.errorToast / 1000)
    if (!isSignedOut(found)) return
    const text = (key: keyof typeof words) => words[key][language.get()]
    const again = await modal.confirm({
      title: text('confirmLogout'),
      content: text('loggedOut'),
      okText: text('reLogin'),
      cancelText: text('cancel'),
    })
    if (again) signInAgain()
  }, [message, modal])
  useEffect(() => {
    void read()
    return () => {
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- a count, no element: its latest value is meant
      reading.current++
    }
  }, [read])

  const queries = useMemo(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } } }),
    [],
  )
  // What the server has put into words, it puts into others; but a record that is being worked on is not read again
  // under the hand.
  useEffect(
    () => void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === 'list' || of === 'history' }),
    [queries, current],
  )
  const renewSchemas = useMemo(() => renewalOf(queries), [queries])
  useEffect(() => followSchemas(renewSchemas), [renewSchemas])
  const request = useMemo(
    () =>
      counted(
        createRequest({
          token,
          language: language.get,
          onUnauthorized: toLogin,
          onSettings: renewPlans(queries),
          onSchemas: renewSchemas,
        }),
      ),
    [toLogin, queries, renewSchemas],
  )
  useEffect(() => {
    // Whoever must change a password first is refused everything else.
    if (!isInUse()) return
    const [route] = (window.location.hash.slice(1) || '/').split('?', 1)
    void askAhead({ queries, request, screenViews, route })
  }, [queries, request])
  const client = useMemo<ClientContext | undefined>(
    () =>
      user && {
        request,
        language: current,
        href: (to) => `#${to}`,
        user,
        permissions: storedPermissions,
        announce: (entity) => {
          useTabs.getState().announce()
          void renameTabs(request, entity)
          void queries.invalidateQueries({ queryKey: ['menu'] })
        },
      },
    [request, current, user, queries],
  )

  if (failure) {
    return (
      <div className="screen-problem" role="alert">
        <h1>{words.failed[current]}</h1>
        <p>{failure}</p>
        <Space>
          <Button type="primary" onClick={() => void read()}>
            {words.retry[current]}
          </Button>
          <Button onClick={signInAgain}>{words.reLogin[current]}</Button>
        </Space>
      </div>
    )
  }
  if (!user || !client)
    return (
      <div className="shell-state">
        <Spin />
      </div>
    )
  return (
    <QueryClientProvider client={queries}>
      <ClientReact.Provider value={client}>
        <EngineProvider {...lists}>
          {user.mustChangePassword ? (
            <FirstPassword />
          ) : (
            <AppBundleProvider>
              <Shell />
            </AppBundleProvider>
          )}
        </EngineProvider>
      </ClientReact.Provider>
    </QueryClientProvider>
  )
}

const shownBySettings = ['screen', 'menu']

/**
 * Screens and the menu say what administrators have set: those that are seen are read again now, the others when they
 * are.
 */
const renewPlans = (queries: QueryClient) => () =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => shownBySettings.includes(String(of)) })

/** What the files say beside the screens, which are looked at and come first. */
const besideScreens = ['menu', 'app', 'permissions', 'help', 'inspect']

/**
 * Other schema files are served, told by the hash of their catalog: what is open changes in place. Records are read
 * again for fields that they did not have, except where somebody works on one.
 */
function renewalOf(queries: QueryClient): (hash: string) => void {
  let shown = ''
  return (hash) => {
    if (hash === shown) return
    shown = hash
    void queries
      .invalidateQueries({ queryKey: ['screen'] })
      .then(() => queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => besideScreens.includes(String(of)) }))
      .then(() => useTabs.getState().announce())
  }
}

/** Gives the session up where one is: without it, the page leads to the sign-in page and from there back here. */
function signInAgain(): void {
  forget()
  useTabs.getState().reset()
  window.location.reload()
}
