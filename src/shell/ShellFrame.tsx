import type { RefObject } from 'react'
import { useAppBundle } from '../../engine/client/index.ts'
import type { useMenu } from '../../engine/client/index.ts'
import { helpOn } from '../help/address.ts'
import { useGo } from './GoProvider.tsx'
import { Header } from './Header.tsx'
import type { Crumb } from './Header.tsx'
import { useSettings } from './settings.ts'
import { TabBar } from './TabBar.tsx'
import { addressOf } from './tabs.ts'
import type { useLeaving } from './useLeaving.ts'
import type { useSidebar } from './useSidebar.ts'
import type { useVisiting } from './useVisiting.ts'
import { useShellWords } from './words.ts'

interface ShellFrameProps {
  frame: RefObject<HTMLDivElement>
  crumbs: Crumb[]
  visiting: Pick<ReturnType<typeof useVisiting>, 'screen' | 'titleOf'>
  sidebar: ReturnType<typeof useSidebar>
  menu: ReturnType<typeof useMenu>
  leaving: ReturnType<typeof useLeaving>
  onSettings(): void
  onChangePassword(): void
  /** The first screen is drawn: what only the frame shows is requested after it. */
  isDrawn: boolean
}

/** The part that stays above the screens: the header, the visited tabs, and the failure of the menu. */
export function ShellFrame({
  frame,
  crumbs,
  visiting,
  sidebar,
  menu,
  leaving,
  onSettings,
  onChangePassword,
  isDrawn,
}: ShellFrameProps) {
  const t = useShellWords()
  const { app } = useAppBundle()
  const go = useGo()
  const { tagsView } = useSettings()
  const { closeTabs, refreshTab, logOut } = leaving
  const { screen, titleOf } = visiting
  return (
    <div className="shell-frame" ref={frame}>
      <Header
        crumbs={crumbs}
        help={helpOn(screen?.name)}
        collapsed={sidebar.collapsed}
        onToggle={sidebar.toggle}
        onHome={() => go(app.home)}
        onSettings={onSettings}
        onChangePassword={onChangePassword}
        onLogOut={logOut}
        isDrawn={isDrawn}
      />
      {tagsView && (
        <section aria-label={t('visited')}>
          <TabBar
            onScreen={screen !== undefined}
            titleOf={titleOf}
            onActivate={(each) => go(addressOf(each))}
            onClose={(keys, to) => void closeTabs(keys, to && addressOf(to))}
            onRefresh={(each) => {
              void refreshTab(each.key).then(() => go(addressOf(each)))
            }}
          />
        </section>
      )}
      {menu.error && (
        <div className="shell-alert" role="alert">
          {t('menuFailed')}：{menu.error}{' '}
          <button type="button" onClick={menu.retry}>
            {t('retry')}
          </button>
        </div>
      )}
    </div>
  )
}
