/** The frame around the screens, found as an operator finds it. */
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
 * Goes to an address of the app and waits until the tab with that key (the route with its own parameters) is open and
 * rendered.
 */
export async function visit(page: Page, address: string, key = address): Promise<void> {
  await page.goto(`${url()}/#${address}`)
  await isOpen(page, key)
}
export async function isOpen(page: Page, key: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    // The parameters of a key follow the order of the screen, so both are sorted.
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

/** Waits until no animation is running. */
export const still = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
}

/** The memory of the page after garbage collection: DOM nodes, and bytes of JavaScript. */
export async function memoryOf(session: CDPSession): Promise<{ nodes: number; heap: number }> {
  // Objects freed by one collection may hold others that only the next one frees.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
  return { nodes: value('Nodes'), heap: value('JSHeapUsedSize') }
}
