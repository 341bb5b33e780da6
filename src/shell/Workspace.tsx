import { NoticesProvider } from '../../engine/client/index.ts'
import { ConfigProvider } from 'antd'
import { memo, useMemo, useState, useSyncExternalStore } from 'react'
import { language } from '../session/language.ts'
import { prefersStill, useIsDark } from './appearance.ts'
import { constants } from './constants.ts'
import { GoProvider } from './GoProvider.tsx'
import { Session } from './Session.tsx'
import { useSettings } from './settings.ts'
import { useTabs } from './tabs.ts'
import { themeOf } from './theme.ts'
import { useLocale } from './useLocale.ts'

/**
 * Everything behind the sign-in page.
 *
 * @param open false on the sign-in page, where only the screens of a session that ended by itself stay, hidden
 */
export default function Workspace({ open }: { open: boolean }) {
  const isWaiting = useTabs(({ waitsFor }) => waitsFor !== undefined)
  return <GoProvider>{(open || isWaiting) && <Place open={open} />}</GoProvider>
}

/** Its language and theme, which do not depend on the address. */
const Place = memo(function Place({ open }: { open: boolean }) {
  const current = useSyncExternalStore(language.subscribe, language.get)
  const { theme: colour, size } = useSettings()
  const isDark = useIsDark()
  const locale = useLocale(current)
  const [session, setSession] = useState(0)
  const theme = useMemo(() => themeOf(colour, size, isDark, prefersStill), [colour, size, isDark])
  return (
    <ConfigProvider
      locale={locale}
      // antd would insert a space between two Chinese characters, but a button's name must equal its label.
      button={{ autoInsertSpace: false }}
      theme={theme}
    >
      <NoticesProvider duration={constants.errorToast / 1000}>
        <Session key={session} open={open} language={current} onOtherUser={() => setSession(session + 1)} />
      </NoticesProvider>
    </ConfigProvider>
  )
})
