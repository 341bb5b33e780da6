import { QueryClientProvider } from '@tanstack/react-query'
import { Button, Space, Spin } from 'antd'
import { useLayoutEffect } from 'react'
import { AppBundleProvider, ClientReact, EngineProvider } from '../../engine/client/index.ts'
import { screenViews } from '../../engine/screens/views.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { widgetViews } from '../../engine/widgets/views.ts'
import type { Language } from '../session/language.ts'
import { text } from '../session/words.ts'
import { FirstPassword } from './FirstPassword.tsx'
import Shell from './Shell.tsx'
import { useTabs } from './tabs.ts'
import { useConnection } from './useConnection.ts'
import { signInAgain, useSessionUser } from './useSessionUser.ts'

const lists = { widgets, widgetViews, screenViews }

interface SessionProps {
  open: boolean
  language: Language
  /** A user other than the one of the screens has signed in. */
  onOtherUser(): void
}

/**
 * The signed-in user, the connection, and the shell inside them. If the session ends by itself, the shell stays, hidden,
 * with what has been typed, until the same user is known to have signed in again.
 */
export function Session({ open, language: current, onOtherUser }: SessionProps) {
  const { user, failure, read } = useSessionUser(open, onOtherUser)
  const { queries, client, toLogin } = useConnection(user, current)
  const isWaiting = useTabs(({ waitsFor }) => waitsFor !== undefined)
  const isNew = user?.mustChangePassword ?? false
  // Dialogs, drawers and messages are drawn beside the page.
  useLayoutEffect(() => {
    document.body.toggleAttribute('data-waiting', isWaiting && !isNew)
    return () => document.body.removeAttribute('data-waiting')
  }, [isWaiting, isNew])
  const isShown = open && failure === '' && user && !isNew && !isWaiting
  return (
    <>
      {open && failure && (
        <div className="screen-problem" role="alert">
          <h1>{text('failed')}</h1>
          <p>{failure}</p>
          <Space>
            <Button type="primary" onClick={() => void read()}>
              {text('retry')}
            </Button>
            <Button onClick={isWaiting ? toLogin : signInAgain}>{text('reLogin')}</Button>
          </Space>
        </div>
      )}
      {open && !failure && !isShown && !isNew && (
        <div className="shell-state">
          <Spin />
        </div>
      )}
      {client && (
        <QueryClientProvider client={queries}>
          <ClientReact.Provider value={client}>
            <EngineProvider {...lists}>
              {open && isNew && <FirstPassword />}
              {(!isNew || isWaiting) && (
                <div className="session" hidden={!isShown}>
                  <AppBundleProvider>
                    <Shell />
                  </AppBundleProvider>
                </div>
              )}
            </EngineProvider>
          </ClientReact.Provider>
        </QueryClientProvider>
      )}
    </>
  )
}
