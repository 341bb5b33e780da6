/** What stands around the screens, found as an operator finds it. */
import type { CDPSession, Locator, Page } from 'playwright-core'
import { ready, url } from './app.ts'
import type { Language } from './app.ts'

const words = {
  cn: { visited: '已打开的页面', menu: '主菜单', settings: '界面设置' },
  en: { visited: 'Visited pages', menu: 'Main menu', settings: 'Display settings' },
}

export const tabBar = (page: Page, language: Language = 'cn'): Locator =>
  page.getByRole('tablist', { name: words[language].visited, exact: true })
export const tab = (page: Page, title: string, language: Language = 'cn'): Locator =>
  tabBar(page, language).getByRole('tab', { name: title, exact: true })
export const tabTitles = (page: Page): Promise<string[]> => tabBar(page).getByRole('tab').allInnerTexts()
export const menu = (page: Page, language: Language = 'cn'): Locator =>
  page.getByRole('navigation', { name: words[language].menu, exact: true })

/**
 * Goes to an address of the app, and waits until the tab of that key (the route with its own parameters) is open and
 * drawn.
 */
export async function visit(page: Page, address: string, key = address): Promise<void> {
  await page.goto(`${url()}/#${address}`)
  await isOpen(page, key)
}
export async function isOpen(page: Page, key: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    // A key has its parameters in the order of the screen.
    const sorted = (text: string) => {
      const [route, query] = text.split('?')
      return [route, ...[...new URLSearchParams(query)].map(String).sort()].join()
    }
    return sorted(document.querySelector('[role=tab][aria-selected=true]')?.id ?? '') === sorted(wanted)
  }, `tab-${key}`)
  await ready(page)
}

export async function openSettings(page: Page, language: Language = 'cn'): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: words[language].settings, exact: true }).click()
  const drawer = page.getByRole('dialog', { name: words[language].settings, exact: true })
  await drawer.waitFor()
  return drawer
}

/** Nothing moves any more. */
export const still = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
}

/** What the page holds after garbage was collected: DOM nodes, and bytes of JavaScript. */
export async function memoryOf(session: CDPSession): Promise<{ nodes: number; heap: number }> {
  // What the first collection lets go may hold on to what only the next one finds.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
  return { nodes: value('Nodes'), heap: value('JSHeapUsedSize') }
}
