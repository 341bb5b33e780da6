import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import {
  FailedLoads,
  loadWithRetry,
  preloadOverlays,
  ScreenSkeleton,
  useAppBundle,
  useJobsUnderWay,
  useMenu,
  useStable,
} from '../../engine/client/index.ts'
import { loadCommonViews } from '../../engine/widgets/views.ts'
import { Desk } from '../desk/Desk.tsx'
import { language } from '../session/language.ts'
import { NotFound } from './NotFound.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { useSettings } from './settings.ts'
import { ShellFrame } from './ShellFrame.tsx'
import { Side } from './Side.tsx'
import { holdsRoute } from './SidebarEntry.tsx'
import { useTabs } from './tabs.ts'
import { useCrumbs } from './useCrumbs.ts'
import { useFrame } from './useFrame.ts'
import { useKeys } from './useKeys.ts'
import { useLeaving } from './useLeaving.ts'
import { usePermissions } from './usePermissions.ts'
import { useSidebar } from './useSidebar.ts'
import { useVisiting } from './useVisiting.ts'
import { VisitedPanels } from './VisitedPanels.tsx'
import { useShellWords } from './words.ts'
import './shell.css'

// Dialogs that are rarely opened are loaded when they open.
const ChangePassword = lazy(() => import('./ChangePassword.tsx'))
const SettingsDrawer = lazy(() => import('./SettingsDrawer.tsx'))
const KeysDialog = lazy(() => import('./KeysDialog.tsx'))

/**
 * The frame around the screens: menu, header, visited tabs, and one `main` with the open screen and the hidden visited
 * ones.
 */
export default function Shell() {
  const t = useShellWords()
  const bundle = useAppBundle()
  const may = usePermissions()
  const { tabs, active } = useTabs()
  const leaving = useLeaving()
  const visiting = useVisiting(leaving.refreshTab)
  const { pathname, here, screen, own, tab, titleOf, isPassing, above } = visiting
  const busy = screen ? (tab?.busy ?? true) : false
  const isDrawn = useOnce(!busy && !isPassing)
  const menu = useMenu(isDrawn)
  const sidebar = useSidebar(here)
  const settings = useSettings()
  const { standFor } = settings
  const { languages } = bundle.app
  useEffect(() => language.offer(languages), [languages])
  const { colour } = bundle.app.theme
  useEffect(() => standFor(colour), [standFor, colour])
  const { scroller, frame } = useFrame({ fixed: settings.fixedHeader, active, tabs })
  const [passwordOpen, setPasswordOpen] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  useKeys(useStable(() => setKeysOpen(true)))
  const main = useRef<HTMLElement>(null)

  const crumbs = useCrumbs(visiting)
  const routes = [pathname, ...above.flatMap(({ route }) => route ?? [])]
  const inMenu = routes.find((route) => menu.items.some((item) => holdsRoute(item, route))) ?? pathname
  useJobsUnderWay(isDrawn)
  useEffect(() => {
    if (!isDrawn) return
    void preloadOverlays()
    void loadWithRetry(loadCommonViews)
  }, [isDrawn])

  return (
    <div className="shell" data-collapsed={sidebar.collapsed} data-mobile={sidebar.mobile}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <Side sidebar={sidebar} items={menu.items} current={inMenu} />
      <div className="shell-body" ref={scroller} data-fixed={settings.fixedHeader}>
        <ShellFrame
          frame={frame}
          crumbs={crumbs}
          visiting={visiting}
          sidebar={sidebar}
          menu={menu}
          leaving={leaving}
          onSettings={() => setSettingsOpen(true)}
          onChangePassword={() => setPasswordOpen(true)}
          isDrawn={isDrawn}
        />
        <main ref={main} className="shell-main" tabIndex={-1} aria-busy={busy}>
          <ProgressBar opening={busy} />
          <VisitedPanels onScreen={Boolean(screen)} titleOf={titleOf} closeTabs={leaving.closeTabs} />
          {own && (
            <Suspense fallback={<ScreenSkeleton />}>
              <own.Page />
            </Suspense>
          )}
          {!screen && !own && !isPassing && <NotFound home={bundle.app.home} />}
        </main>
      </div>
      <FailedLoads />
      <Desk may={may} />
      <Suspense fallback={null}>
        {settingsOpen && <SettingsDrawer onClose={() => setSettingsOpen(false)} />}
        {keysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
        {passwordOpen && (
          <ChangePassword forced={false} onClose={() => setPasswordOpen(false)} onChanged={leaving.leave} />
        )}
      </Suspense>
    </div>
  )
}

/** Whether it has ever been true. */
function useOnce(is: boolean): boolean {
  const [was, setWas] = useState(is)
  useEffect(() => {
    if (is) setWas(true)
  }, [is])
  return was
}
