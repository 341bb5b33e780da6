import { App, Drawer } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
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
import { forget, loginRoute } from '../session/session.ts'
import { formatAddress, parseAddress } from './address.ts'
import type { ScreenSummary } from './address.ts'
import { constants } from './constants.ts'
import { Header } from './Header.tsx'
import { NotFound } from './NotFound.tsx'
import { ownPageOf } from './ownPages.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { useSettings } from './settings.ts'
import { Sidebar } from './Sidebar.tsx'
import { holdsRoute } from './SidebarEntry.tsx'
import { TabBar } from './TabBar.tsx'
import { addressOf, useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import { useFrame } from './useFrame.ts'
import { useGo } from './GoProvider.tsx'
import { useKeys } from './useKeys.ts'
import { usePermissions } from './usePermissions.ts'
import { useSidebar } from './useSidebar.ts'
import { VisitedScreen } from './VisitedScreen.tsx'
import { useShellWords } from './words.ts'
import './shell.css'

// What is opened now and then is loaded when it is opened.
const ChangePassword = lazy(() => import('./ChangePassword.tsx'))
const SettingsDrawer = lazy(() => import('./SettingsDrawer.tsx'))
const JobsUnderWay = lazy(() => import('./JobsUnderWay.tsx'))
const KeysDialog = lazy(() => import('./KeysDialog.tsx'))

/** Navigation state of an address that follows its tab. */
type Followed = { followed?: string } | null

/**
 * The frame around the screens: menu, header, visited tabs, and one `main` that holds the open screen and the hidden
 * visited ones.
 */
export default function Shell() {
  const t = useShellWords()
  const { language } = useClient()
  const bundle = useAppBundle()
  const prefetch = usePrefetchScreen()
  const { modal } = App.useApp()
  const menu = useMenu()
  const may = usePermissions()
  const location = useLocation()
  const here = `${location.pathname}${location.search}`
  const sidebar = useSidebar(here)
  const go = useGo()
  const { tabs, active, visit, pin, close, refresh, reset } = useTabs()
  const settings = useSettings()
  const { scroller, frame } = useFrame({ fixed: settings.fixedHeader, active, tabs })
  const [passwordOpen, setPasswordOpen] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  useKeys(useStable(() => setKeysOpen(true)))
  const main = useRef<HTMLElement>(null)

  useEffect(
    () =>
      pin(
        bundle.screens
          .filter((each) => each.affix && each.route)
          .map((each) => ({ route: each.route!, parameters: {}, state: {} })),
      ),
    [bundle, pin],
  )
  const screens = useMemo(
    () => new Map(bundle.screens.filter((screen) => screen.route).map((screen) => [screen.route!, screen])),
    [bundle],
  )
  const screen = screens.get(location.pathname)
  const own = screen ? undefined : ownPageOf(location.pathname)
  const tab = tabs.find((each) => each.key === active)
  const title = (each: ScreenSummary, parameters: Record<string, string> = {}) =>
    ((each.variants && each.variants.titles[parameters[each.variants.parameter]]) ?? each.title)[language]

  // A visited list returns with its filters, so the address follows the tab; a new one is visited first.
  const followed = useRef(new Set<string | undefined>())
  const follow = useStable(() => {
    if (!tab || tab.route !== screen?.route || addressOf(tab) === formatAddress(parseAddress(here, screen))) return
    const mark = String(performance.timeOrigin + performance.now())
    followed.current.add(mark)
    go(addressOf(tab), true, { followed: mark })
  })

  // An address is gone to when it is another or its screen is; whatever else is drawn again, nothing is visited anew.
  const arrive = useStable(() => {
    if (location.pathname === '/') return go(bundle.app.home, true)
    if (location.pathname.startsWith('/redirect/')) {
      const target = `${location.pathname.slice('/redirect'.length)}${location.search}`
      const address = parseAddress(target, screens.get(target.split('?')[0]))
      const known = useTabs.getState().tabs.find((each) => each.key === formatAddress({ ...address, state: {} }))
      void Promise.resolve(known && refreshTab(known.key)).then(() => go(target, true))
      return
    }
    // The tab may have changed again before its address arrived: the tab wins.
    if (followed.current.delete((location.state as Followed)?.followed)) return follow()
    if (screen) visit(parseAddress(here, screen), { pinned: screen.affix, noCache: screen.noCache })
  })
  useEffect(arrive, [arrive, here, screen])
  useEffect(follow, [follow, active, tab?.state])

  const pageTitle = screen ? title(screen, tab?.parameters) : own?.title[language]
  useEffect(() => {
    document.title =
      pageTitle === undefined ? bundle.app.title[language] : `${pageTitle} · ${bundle.app.title[language]}`
  })

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (useTabs.getState().tabs.some((each) => each.dirty)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  const askUnsaved = async (keys: string[]) => {
    const dirty = useTabs.getState().tabs.some((each) => keys.includes(each.key) && each.dirty)
    return (
      !dirty ||
      modal.confirm({
        title: t('unsavedTitle'),
        content: t('unsaved'),
        okText: t('confirm'),
        cancelText: t('cancel'),
      })
    )
  }

  const closeTabs = useStable(async (keys: string[], to?: string) => {
    if (!(await askUnsaved(keys))) return
    const before = useTabs.getState().active
    keys.forEach((key) => close(key))
    const state = useTabs.getState()
    if (!to && state.active === before) return
    const next = state.tabs.find((each) => each.key === state.active)
    go(to ?? (next ? addressOf(next) : bundle.app.home))
  })

  /** A screen's own tab, such as after a save: if that was answered late, the user stays where they have gone. */
  const closeOwn = useStable((key: string, to?: string) => {
    if (screen && useTabs.getState().active === key) void closeTabs([key], to)
    else close(key)
  })

  const refreshTab = async (key: string) => {
    if (await askUnsaved([key])) refresh(key)
  }

  async function logOut() {
    const dirty = tabs.some((each) => each.dirty)
    const sure = await modal.confirm({
      title: t('logOut'),
      content: t(dirty ? 'logOutDirty' : 'logOutAsk'),
      okText: t('confirm'),
      cancelText: t('cancel'),
    })
    if (sure) leave()
  }
  function leave(notice?: string) {
    forget()
    reset()
    go(loginRoute, false, { notice })
  }

  const titleOf = (each: Tab) => {
    const known = screens.get(each.route)
    return known ? title(known, each.parameters) : each.route
  }
  const above = screen ? ancestors(screen, bundle.screens) : []
  const area = screen && bundle.app.areas.find(({ name }) => name === screen.area)
  const crumbs = screen
    ? [
        ...(area && screen.route !== bundle.app.home ? [{ title: area.label[language] }] : []),
        ...above.map((each) => ({ title: title(each), to: each.route })).reverse(),
        { title: title(screen, tab?.parameters) },
      ]
    : [{ title: pageTitle ?? t('notFoundTitle') }]

  const routes = [location.pathname, ...above.flatMap(({ route }) => route ?? [])]
  const inMenu = routes.find((route) => menu.items.some((item) => holdsRoute(item, route))) ?? location.pathname
  const busy = screen ? (tab?.busy ?? true) : false
  const panelName = (each: Tab) =>
    settings.tagsView ? { 'aria-labelledby': `tab-${each.key}` } : { 'aria-label': titleOf(each) }
  const side = (
    <Sidebar
      items={menu.items}
      current={inMenu}
      title={bundle.app.title[language]}
      collapsed={sidebar.collapsed && !sidebar.mobile}
      logo={settings.sidebarLogo}
      onPrefetch={prefetch}
    />
  )

  return (
    <div className="shell" data-collapsed={sidebar.collapsed} data-mobile={sidebar.mobile}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      {sidebar.mobile ? (
        <Drawer
          open={!sidebar.collapsed}
          onClose={sidebar.toggle}
          placement="left"
          width={constants.sidebarWidth}
          closable={false}
          styles={{ body: { padding: 0 } }}
          title={null}
          aria-label={t('menu')}
        >
          {side}
        </Drawer>
      ) : (
        side
      )}
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
          {!screen && !own && location.pathname !== '/' && !location.pathname.startsWith('/redirect/') && (
            <NotFound home={bundle.app.home} />
          )}
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

/** The screens from which one comes to this one, the nearest first. */
function ancestors(screen: ScreenSummary, screens: ScreenSummary[]): ScreenSummary[] {
  const parent = screens.find(({ name }) => name === screen.parent)
  return parent ? [parent, ...ancestors(parent, screens)] : []
}
