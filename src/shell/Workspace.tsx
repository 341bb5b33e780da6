import { App, ConfigProvider } from 'antd'
import { memo, useMemo, useSyncExternalStore } from 'react'
import { language } from '../session/language.ts'
import { prefersStill, useIsDark } from './appearance.ts'
import { constants } from './constants.ts'
import { GoProvider } from './GoProvider.tsx'
import { Session } from './Session.tsx'
import { useSettings } from './settings.ts'
import { themeOf } from './theme.ts'
import { useLocale } from './useLocale.ts'

/** Everything behind the sign-in page. */
export default function Workspace() {
  return (
    <GoProvider>
      <Place />
    </GoProvider>
  )
}

/** Its language and theme, which do not depend on the address. */
const Place = memo(function Place() {
  const current = useSyncExternalStore(language.subscribe, language.get)
  const { theme: colour, size } = useSettings()
  const isDark = useIsDark()
  const locale = useLocale(current)
  const theme = useMemo(() => themeOf(colour, size, isDark, prefersStill), [colour, size, isDark])
  return (
    <ConfigProvider
      locale={locale}
      // antd would insert a space between two Chinese characters, but a button's name must equal its label.
      button={{ autoInsertSpace: false }}
      theme={theme}
    >
      <App message={{ duration: constants.errorToast / 1000 }} style={{ height: '100%' }}>
        <Session language={current} />
      </App>
    </ConfigProvider>
  )
})
