import { Drawer } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import {
  ScreenSkeleton,
  useAppBundle,
  useClient,
  useMenu,
  usePrefetchScreen,
  useStable,
} from '../../engine/client/index.ts'
import { Desk } from '../desk/Desk.tsx'
import { helpOn } from '../help/address.ts'
import { constants } from './constants.ts'
import { useGo } from './GoProvider.tsx'
import { Header } from './Header.tsx'
import type { Crumb } from './Header.tsx'
import { NotFound } from './NotFound.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { useSettings } from './settings.ts'
import { Sidebar } from './Sidebar.tsx'
import { holdsRoute } from './SidebarEntry.tsx'
import { TabBar } from './TabBar.tsx'
import { addressOf, useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import { useFrame } from './useFrame.ts'
import { useKeys } from './useKeys.ts'
import { useLeaving } from './useLeaving.ts'
import { usePermissions } from './usePermissions.ts'
import { useSidebar } from './useSidebar.ts'
import { useVisiting } from './useVisiting.ts'
import { VisitedScreen } from './VisitedScreen.tsx'
import { useShellWords } from './words.ts'
import './shell.css'

// What is opened now and then is loaded when it is opened.
const ChangePassword = lazy(() => import('./ChangePassword.tsx'))
const SettingsDrawer = lazy(() => import('./SettingsDrawer.tsx'))
const JobsUnderWay = lazy(() => import('./JobsUnderWay.tsx'))
const KeysDialog = lazy(() => import('./KeysDialog.tsx'))

/**
 * The frame around the screens: menu, header, visited tabs, and one `main` that holds the open screen and the hidden
 * visited ones.
 */
export default function Shell() {
  const t = useShellWords()
  const bundle = useAppBundle()
  const menu = useMenu()
  const may = usePermissions()
  const go = useGo()
  const { tabs, active, close } = useTabs()
  const { closeTabs, refreshTab, logOut, leave } = useLeaving()
  const visiting = useVisiting(refreshTab)
  const { pathname, here, screen, own, tab, titleOf, isPassing, above } = visiting
  const sidebar = useSidebar(here)
  const settings = useSettings()
  const { standFor } = settings
  const { colour } = bundle.app.theme
  useEffect(() => standFor(colour), [standFor, colour])
  const { scroller, frame } = useFrame({ fixed: settings.fixedHeader, active, tabs })
  const [passwordOpen, setPasswordOpen] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  useKeys(useStable(() => setKeysOpen(true)))
  const main = useRef<HTMLElement>(null)

  /** A screen's own tab, such as after a save: if that was answered late, the user stays where they have gone. */
  const closeOwn = useStable((key: string, to?: string) => {
    if (screen && useTabs.getState().active === key) void closeTabs([key], to)
    else close(key)
  })

  const crumbs = useCrumbs(visiting)
  const routes = [pathname, ...above.flatMap(({ route }) => route ?? [])]
  const inMenu = routes.find((route) => menu.items.some((item) => holdsRoute(item, route))) ?? pathname
  const busy = screen ? (tab?.busy ?? true) : false
  const panelName = (each: Tab) =>
    settings.tagsView ? { 'aria-labelledby': `tab-${each.key}` } : { 'aria-label': titleOf(each) }

  return (
    <div className="shell" data-collapsed={sidebar.collapsed} data-mobile={sidebar.mobile}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <Side sidebar={sidebar} items={menu.items} current={inMenu} />
      <div className="shell-body" ref={scroller} data-fixed={settings.fixedHeader}>
        <div className="shell-frame" ref={frame}>
          <Header
            crumbs={crumbs}
            help={helpOn(screen?.name)}
            collapsed={sidebar.collapsed}
            onToggle={sidebar.toggle}
            onHome={() => go(bundle.app.home)}
            onSettings={() => setSettingsOpen(true)}
            onChangePassword={() => setPasswordOpen(true)}
            onLogOut={logOut}
          />
          {settings.tagsView && (
            <section aria-label={t('visited')}>
              <TabBar
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
        <main ref={main} className="shell-main" tabIndex={-1} aria-busy={busy}>
          <ProgressBar opening={busy} />
          {tabs.map(
            (each) =>
              !each.asleep && (
                <div
                  key={`${each.key}#${each.generation}`}
                  role="tabpanel"
                  id={`panel-${each.key}`}
                  {...panelName(each)}
                  hidden={!screen || each.key !== active}
                  className="shell-panel"
                >
                  <VisitedScreen tab={each} active={Boolean(screen) && each.key === active} onClose={closeOwn} />
                </div>
              ),
          )}
          {own && (
            <Suspense fallback={<ScreenSkeleton />}>
              <own.Page />
            </Suspense>
          )}
          {!screen && !own && !isPassing && <NotFound home={bundle.app.home} />}
        </main>
      </div>
      <Desk may={may} />
      <Suspense fallback={null}>
        {settingsOpen && <SettingsDrawer onClose={() => setSettingsOpen(false)} />}
        <JobsUnderWay />
        {keysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
        {passwordOpen && <ChangePassword forced={false} onClose={() => setPasswordOpen(false)} onChanged={leave} />}
      </Suspense>
    </div>
  )
}

/** Where the open screen is: its area, the screens above it, itself. */
function useCrumbs({ screen, above, title, tab, pageTitle }: ReturnType<typeof useVisiting>): Crumb[] {
  const t = useShellWords()
  const { language } = useClient()
  const { app } = useAppBundle()
  if (!screen) return [{ title: pageTitle ?? t('notFoundTitle') }]
  const area = app.areas.find(({ name }) => name === screen.area)
  return [
    ...(area && screen.route !== app.home ? [{ title: area.label[language] }] : []),
    ...above.map((each) => ({ title: title(each), to: each.route })).reverse(),
    { title: title(screen, tab?.parameters) },
  ]
}

interface SideProps {
  sidebar: ReturnType<typeof useSidebar>
  items: ReturnType<typeof useMenu>['items']
  /** The route that is marked. */
  current: string
}

/** The menu beside the screens; on a phone it comes over them. */
function Side({ sidebar: { mobile, collapsed, toggle }, items, current }: SideProps) {
  const t = useShellWords()
  const { language } = useClient()
  const { app } = useAppBundle()
  const settings = useSettings()
  const prefetch = usePrefetchScreen()
  const side = (
    <Sidebar
      items={items}
      current={current}
      title={app.title[language]}
      collapsed={collapsed && !mobile}
      logo={settings.sidebarLogo}
      onPrefetch={prefetch}
    />
  )
  if (!mobile) return side
  return (
    <Drawer
      open={!collapsed}
      onClose={toggle}
      placement="left"
      width={constants.sidebarWidth}
      closable={false}
      styles={{ body: { padding: 0 } }}
      title={null}
      aria-label={t('menu')}
    >
      {side}
    </Drawer>
  )
}
