import { textIn } from '../../engine/model/language.ts'
import type { Label } from '../../engine/model/model.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useAppBundle, useClient, useStable } from '../../engine/client/index.ts'
import { formatAddress, parseAddress } from './address.ts'
import type { ScreenSummary } from './address.ts'
import { isLogin } from '../session/session.ts'
import { useGo } from './GoProvider.tsx'
import { ownPageOf } from './ownPages.ts'
import { addressOf, useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'

/** Navigation state of an address that follows its tab. */
type Followed = { followed?: string } | null

/**
 * The target of the address: the screen with its tab, or a page of the shell's own. An address is visited when it
 * changes, and follows its tab when that changes.
 * @param refresh rebuilds the screen of a tab, once the user agrees
 */
export function useVisiting(refresh: (key: string) => Promise<void>) {
  const { language } = useClient()
  const bundle = useAppBundle()
  const location = useLocation()
  const here = `${location.pathname}${location.search}`
  const go = useGo()
  const { tabs, active, visit, pin } = useTabs()
  useEffect(
    () =>
      pin(
        bundle.screens
          .filter((each) => each.affix && each.route)
          .map((each) => ({ route: each.route!, parameters: {}, state: {}, title: each.title })),
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

  // A visited list returns with its filters, so the address follows the tab; a new one is visited first.
  const followed = useRef(new Set<string | undefined>())
  const follow = useStable(() => {
    if (!tab || tab.route !== screen?.route || addressOf(tab) === formatAddress(parseAddress(here, screen))) return
    const mark = String(performance.timeOrigin + performance.now())
    followed.current.add(mark)
    go(addressOf(tab), true, { followed: mark })
  })

  // An address is visited when it or its screen changes, not on other renders.
  const arrive = useStable(() => {
    if (location.pathname === '/') return go(bundle.app.home, true)
    if (location.pathname.startsWith('/redirect/')) {
      const target = `${location.pathname.slice('/redirect'.length)}${location.search}`
      const address = parseAddress(target, screens.get(target.split('?')[0]))
      const known = useTabs.getState().tabs.find((each) => each.key === formatAddress({ ...address, state: {} }))
      void Promise.resolve(known && refresh(known.key)).then(() => go(target, true))
      return
    }
    // The tab may have changed again before its address arrived: the tab wins.
    if (followed.current.delete((location.state as Followed)?.followed)) return follow()
    if (!screen) return
    const address = parseAddress(here, screen)
    const { affix: pinned, noCache } = screen
    visit(address, { pinned, noCache, title: titleOf(screen, address.parameters) })
    // Already active when its address arrived, such as after the tab before it was closed.
    if (useTabs.getState().active === active) follow()
  })
  useEffect(arrive, [arrive, here, screen])
  useEffect(follow, [follow, active, tab?.state])

  const title = (each: ScreenSummary, parameters?: Record<string, string>) =>
    textIn(titleOf(each, parameters), language)
  const pageTitle = screen ? title(screen, tab?.parameters) : own && textIn(own.title, language)
  const isSignedOut = isLogin(location.pathname)
  useEffect(() => {
    if (isSignedOut) return
    const app = textIn(bundle.app.title, language)
    document.title = pageTitle === undefined ? app : `${pageTitle} · ${app}`
  })
  return {
    pathname: location.pathname,
    here,
    screen,
    own,
    tab,
    /** The title of the open page; undefined if the address leads nowhere. */
    pageTitle,
    title,
    titleOf(each: Tab): string {
      const known = screens.get(each.route)
      const label = known ? titleOf(known, each.parameters) : each.title
      return label ? textIn(label, language) : each.route
    },
    /** Redirecting to a screen or signed out, so nothing is missing. */
    isPassing: isSignedOut || location.pathname === '/' || location.pathname.startsWith('/redirect/'),
    /** The parent screens of the open one, nearest first. */
    above: screen ? ancestors(screen, bundle.screens) : [],
  }
}

const titleOf = ({ title, variants }: ScreenSummary, parameters: Record<string, string> = {}): Label =>
  (variants && variants.titles[parameters[variants.parameter]]) ?? title

function ancestors(screen: ScreenSummary, screens: ScreenSummary[]): ScreenSummary[] {
  const parent = screens.find(({ name }) => name === screen.parent)
  return parent ? [parent, ...ancestors(parent, screens)] : []
}
