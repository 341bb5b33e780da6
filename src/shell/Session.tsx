import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App, Button, Result, Spin } from 'antd'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { AppBundleProvider, ClientReact, createRequest, EngineProvider } from '../../engine/client/index.ts'
import type { ClientContext } from '../../engine/client/index.ts'
import { screenViews } from '../../engine/screens/views.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { widgetViews } from '../../engine/widgets/views.ts'
import { language } from '../session/language.ts'
import type { Language } from '../session/language.ts'
import { isSignedOut } from '../session/legacy.ts'
import { forget, loginPath, readUser } from '../session/session.ts'
import type { UserInfo } from '../session/session.ts'
import { token } from '../session/token.ts'
import { words } from '../session/words.ts'
import Shell from './Shell.tsx'
import { useTabs } from './tabs.ts'
import { useGo } from './useGo.ts'

const lists = { widgets, widgetViews, screenViews }

/** Who is signed in, the connection that carries it, and the shell in them. */
export function Session({ language: current }: { language: Language }) {
  const go = useGo()
  const { modal } = App.useApp()
  const [user, setUser] = useState<UserInfo>()
  const [failure, setFailure] = useState('')

  const toLogin = useCallback(() => {
    const here = window.location.hash.slice(1) || '/'
    if (here.startsWith('/login')) return
    forget()
    useTabs.getState().reset()
    go(loginPath(here))
  }, [go])

  const read = useCallback(async () => {
    setFailure('')
    try {
      setUser(await readUser())
    } catch (error) {
      setFailure((error as Error).message)
      if (!isSignedOut(error)) return
      const text = (key: keyof typeof words) => words[key][language.get()]
      const again = await modal.confirm({ title: text('confirmLogout'), content: text('loggedOut'), okText: text('reLogin'), cancelText: text('cancel') })
      if (again) toLogin()
    }
  }, [modal, toLogin])
  useEffect(() => { void read() }, [read])

  const queries = useMemo(() => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } } }), [])
  const request = useMemo(() => createRequest({ token, language: language.get, onUnauthorized: toLogin }), [toLogin])
  const client = useMemo<ClientContext | undefined>(() => user && {
    request,
    language: current,
    href: (to) => `#${to}`,
    user,
    announce: () => {
      useTabs.getState().announce()
      void queries.invalidateQueries({ queryKey: ['menu'] })
    },
  }, [request, current, user, queries])

  if (failure) return <Result status="warning" title={words.failed[current]} subTitle={failure} extra={<Button type="primary" onClick={() => void read()}>{words.retry[current]}</Button>} />
  if (!user || !client) return <div className="shell-state"><Spin /></div>
  return (
    <QueryClientProvider client={queries}>
      <ClientReact.Provider value={client}>
        <EngineProvider {...lists}>
          <AppBundleProvider><Shell mustChangePassword={user.mustChangePassword} /></AppBundleProvider>
        </EngineProvider>
      </ClientReact.Provider>
    </QueryClientProvider>
  )
}
