import { QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { prefetchFirstScreen, createRequest, useStable } from '../../engine/client/index.ts'
import type { ClientContext } from '../../engine/client/index.ts'
import { firstReads } from '../../engine/screens/firstReads.ts'
import { screenViews } from '../../engine/screens/views.ts'
import { followSchemas } from '../desk/live.ts'
import { language } from '../session/language.ts'
import type { Language } from '../session/language.ts'
import { storedPermissions } from '../session/permissions.ts'
import { forget, isInUse, isLogin, loginPath, userRead } from '../session/session.ts'
import type { UserInfo } from '../session/session.ts'
import { token } from '../session/token.ts'
import { useGo } from './GoProvider.tsx'
import { renameTabs } from './renameTabs.ts'
import { counted } from './requests.ts'
import { useTabs } from './tabs.ts'
import { shellWords } from './words.ts'

/** The screens' connection to the server, and the cached data. `client` is available once the user is known. */
export function useConnection(user: UserInfo | undefined, current: Language) {
  const go = useGo()
  const t = shellWords(current)
  const toLogin = useStable(() => {
    const here = window.location.hash.slice(1) || '/'
    if (isLogin(here)) return
    forget()
    const { tabs, waitFor, reset } = useTabs.getState()
    if (user) waitFor(user.id)
    else reset()
    go(loginPath(here), false, { notice: t(tabs.some(({ dirty }) => dirty) ? 'sessionEndedDirty' : 'sessionEnded') })
  })

  const queries = useMemo(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } } }),
    [],
  )
  // Texts from the server are reloaded in the new language; but a record being edited is not.
  useEffect(
    () =>
      void queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind === 'list' || kind === 'history' }),
    [queries, current],
  )
  // Once the user is back, refetches requests that failed without a session and data that may have changed.
  const isWaiting = useTabs(({ waitsFor }) => waitsFor !== undefined)
  const wasWaiting = useRef(false)
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) {
      void queries.invalidateQueries({
        predicate: ({ queryKey: [kind], state }) => state.status === 'error' || besideScreens.includes(String(kind)),
      })
    }
    wasWaiting.current = isWaiting
  }, [queries, isWaiting])
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
    // A user who must first change a password is refused everything else.
    if (!isInUse()) return
    const [route, search] = (window.location.hash.slice(1) || '/').split('?', 2)
    // A tab that is opened again keeps its state.
    const kept = useTabs.getState().tabs.find((tab) => tab.route === route)?.state
    const address = search === undefined && kept ? kept : Object.fromEntries(new URLSearchParams(search))
    void prefetchFirstScreen({ queries, request, screenViews, firstReads, route, address, user: userRead() })
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
  return { queries, client, toLogin }
}

const shownBySettings = ['screen', 'menu']

/** Screens and the menu show the administrators' settings: visible ones are reloaded now, others when viewed. */
const renewPlans = (queries: QueryClient) => () =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => shownBySettings.includes(String(kind)) })

/** Data from the schema files besides the screens, which are visible and come first. */
const besideScreens = ['menu', 'app', 'permissions', 'help', 'inspect']

/**
 * The server uses other schema files, identified by the hash of their catalog: open screens change in place. Records
 * are reloaded for added fields, except those being edited.
 */
function renewalOf(queries: QueryClient): (hash: string) => void {
  let shown = ''
  return (hash) => {
    if (hash === shown) return
    shown = hash
    void queries
      .invalidateQueries({ queryKey: ['screen'] })
      .then(() =>
        queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => besideScreens.includes(String(kind)) }),
      )
      .then(() => useTabs.getState().announce())
  }
}
