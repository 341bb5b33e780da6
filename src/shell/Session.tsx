import { QueryClientProvider } from '@tanstack/react-query'
import { Button, Space, Spin } from 'antd'
import { AppBundleProvider, ClientReact, EngineProvider } from '../../engine/client/index.ts'
import { screenViews } from '../../engine/screens/views.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { widgetViews } from '../../engine/widgets/views.ts'
import type { Language } from '../session/language.ts'
import { text } from '../session/words.ts'
import { FirstPassword } from './FirstPassword.tsx'
import Shell from './Shell.tsx'
import { useConnection } from './useConnection.ts'
import { signInAgain, useSessionUser } from './useSessionUser.ts'

const lists = { widgets, widgetViews, screenViews }

/** The signed-in user, the connection, and the shell inside them. */
export function Session({ language: current }: { language: Language }) {
  const { user, failure, read } = useSessionUser()
  const { queries, client } = useConnection(user, current)
  if (failure) {
    return (
      <div className="screen-problem" role="alert">
        <h1>{text('failed')}</h1>
        <p>{failure}</p>
        <Space>
          <Button type="primary" onClick={() => void read()}>
            {text('retry')}
          </Button>
          <Button onClick={signInAgain}>{text('reLogin')}</Button>
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
