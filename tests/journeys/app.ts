import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { ListResult, RecordData, WireProblem } from '../../engine/model/model.ts'
import { ask } from './demo.ts'
import { password } from './server.ts'
import { visibleTexts } from './visibleTexts.ts'

export { password }
export type Language = 'cn' | 'en'
export interface OpenOptions {
  language?: Language
  /** '' is nobody. */
  user?: string
  width?: number
  height?: number
  /** Nothing is in the browser's storage, and nothing is left there for others. */
  fresh?: boolean
  /** It outlives the test; whoever opened it closes it. */
  kept?: boolean
  /**
   * The page of an earlier test, or of another screen in this one, may go to it, as an operator goes from screen to
   * screen. What is wanted of it is wanted of the last call.
   */
  stays?: boolean
  /** Scripts from elsewhere may run: for tools of the tests. */
  bypassPolicy?: boolean
}

/** What a page complained about; a journey ends with none of it. */
const complaints: string[] = []
/** The browser's own line about a request that a test makes the server refuse. */
const refusal = /Failed to load resource: the server responded with a status of (401|403|404|409|422|429)/

let browser: Browser | undefined
let address = ''
let hosted: string | undefined
/** What was asked in one state of the database. */
let state = ''
/** Whether it still is that state is asked once in a test, and after each call that may write. */
let isAsked = false
const answers = new Map<string, Promise<unknown>>()
/** Of each kind of user and window one that its pages share. */
const contexts = new Map<string, Promise<BrowserContext>>()
/** Those of the test whose storage is its own, and those that wait for the next: they know the client's files already. */
const fresh: { key: string; context: BrowserContext }[] = []
const rested: { key: string; context: BrowserContext }[] = []
const pages: Page[] = []
/** Context → the page that goes from screen to screen, the routes that it has been to in this test, and how many in all. */
const staying = new Map<string, { page: Page; routes: Set<string>; visits: number }>()
/** After so many visits a page is replaced, so that its memory does not grow. */
const mostVisits = 40
const tokens = new Map<string, string>()
/** The server of this worker's files that leave each other's records alone. */
let shared: Promise<Hosted> | undefined

/** The browser of all journeys; a worker connects to it once. */
export async function connectBrowser(): Promise<void> {
  if (!browser?.isConnected()) browser = await chromium.connect(inject('browser'))
}

/** After each test: what it has opened is closed, and none of it has complained. */
export async function endTest(hasFailed: boolean): Promise<void> {
  isAsked = false
  await leaveStaying(hasFailed)
  await Promise.all(pages.splice(0).map((page) => page.close()))
  for (const one of fresh.splice(0)) {
    await Promise.all(one.context.pages().map((page) => page.close()))
    rested.push(one)
  }
  expect(complaints.splice(0), 'console errors, warnings and policy violations').toEqual([])
}

/**
 * What the open pages say, a line for each dialog, message and main area, for whoever looks for a cause. With
 * SCREENSHOTS=<folder> a picture of each is kept there.
 */
export async function shownNow(name: string): Promise<string> {
  const folder = process.env.SCREENSHOTS
  const failure = (reason: Error) => [reason.message]
  const texts = [...pages, ...[...staying.values()].map(({ page }) => page)].map(async (page, index) => {
    const said = await page.locator('body').evaluate(visibleTexts, undefined, { timeout: 5000 }).catch(failure)
    const picture = folder
      ? await page
          .screenshot({ path: path.join(folder, `${name}-${index}.png`) })
          .then(() => [])
          .catch(failure)
      : []
    return [`— ${page.url()} says —`, ...said, ...picture].map((line) => line.slice(0, mostShown)).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}
const mostShown = 1000

/** After each file: nothing is left in the browser of what it has opened, but on the server that others share. */
export async function endFile(): Promise<void> {
  const stays = (await shared)?.url
  await closeWhere((key) => stays === undefined || !key.includes(`"${stays}"`))
}

/** Before a server ends: a page that stays would go on asking it. */
export const leaveServer = (url: string): Promise<void> => closeWhere((key) => key.includes(`"${url}"`))

async function closeWhere(isGone: (key: string) => boolean): Promise<void> {
  for (const key of [...staying.keys()].filter(isGone)) staying.delete(key)
  for (const key of [...contexts.keys()].filter(isGone)) {
    await (await contexts.get(key)!).close()
    contexts.delete(key)
  }
  for (const one of rested.splice(0)) {
    if (isGone(one.key)) await one.context.close()
    else rested.push(one)
  }
}

interface Hosted {
  id: string
  url: string
}

/**
 * The file's journeys run against a server with the demo data as they are after the first start. `isShared`: other files
 * have been there before or come after it, in any order. What these change is theirs, and what they count may grow.
 */
export function useDemo({ isShared = false } = {}): void {
  let begun: Hosted | undefined
  beforeAll(async () => {
    begun = isShared ? await (shared ??= ask<Hosted>('/begin')) : await ask<Hosted>('/begin')
    useServer(begun.url, begun.id)
  })
  afterAll(async () => {
    if (!begun || isShared) return
    await leaveServer(begun.url)
    await ask(`/end?id=${begun.id}`)
  })
}

/** From now on pages and calls go there. `id`: as the host of the journeys knows it. */
export function useServer(url: string, id?: string): void {
  if (url !== address) tokens.clear()
  address = url
  hosted = id
  isAsked = false
  answers.clear()
}
export const url = (): string => address

/** Signs in through the API; the same token serves all of one user's pages in a file. */
export async function tokenOf(user = 'admin', secret = password): Promise<string> {
  const known = tokens.get(user)
  if (known) return known
  const answer = await fetch(`${address}/api/vue-element-admin/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: user, password: secret }),
  })
  const { code, data, message } = (await answer.json()) as { code: number; data: { token: string }; message: string }
  if (code !== 20000) throw new Error(`${user} cannot sign in: ${message}`)
  tokens.set(user, data.token)
  return data.token
}

/** A page that is in the middle of something, or has been to many screens, is not gone on with. */
async function leaveStaying(hasFailed: boolean): Promise<void> {
  for (const [key, there] of staying) {
    const { page, visits } = there
    const isFree = async () =>
      !page.isClosed() &&
      visits < mostVisits &&
      (await page.getByRole('dialog').or(page.getByRole('menu')).count()) === 0
    if (!hasFailed && (await isFree())) {
      there.routes.clear()
      continue
    }
    staying.delete(key)
    await page.close()
  }
}

/** A page, signed in as `user`, on which the screen of that route has drawn its first data. */
export async function open(route: string, options: OpenOptions = {}): Promise<Page> {
  if (!options.stays) return openNew(route, options)
  const key = keyOf(options)
  const there = staying.get(key)
  const [screen] = route.split('?')
  if (!there || there.page.isClosed() || there.routes.has(screen)) {
    // The test may still look at the one before.
    if (there) pages.push(there.page)
    const page = await openNew(route, { ...options, kept: true })
    staying.set(key, { page, routes: new Set([screen]), visits: 1 })
    return page
  }
  const { page, routes } = there
  const isFirst = routes.size === 0
  if ((await isVisited(page, screen)) && isFirst) {
    // What a screen remembers goes with its tab, and that of another is looked at meanwhile.
    await goTo(
      page,
      neutral.find((other) => other !== screen)!,
    )
    await closeOthers(page)
  }
  routes.add(screen)
  there.visits++
  await goTo(page, route)
  if (isFirst) await closeOthers(page)
  return page
}
/** Screens that ask for little. */
const neutral = ['/setting/notice', '/setting/banner']

async function goTo(page: Page, route: string): Promise<void> {
  const [screen] = route.split('?')
  await page.goto(`${address}/#${route}`)
  await page.waitForFunction((wanted) => {
    const selected = document.querySelector('[role=tab][aria-selected=true]')?.id ?? ''
    return selected.split('?')[0] === `tab-${wanted}`
  }, screen)
  await ready(page)
}

/**
 * Is that screen open from an earlier test? What was told then is gone first: of the same saved once more the same message
 * would only stay longer.
 */
async function isVisited(page: Page, screen: string): Promise<boolean> {
  await page.locator('.ant-message-notice').first().waitFor({ state: 'detached' })
  return page.evaluate(
    (wanted) => [...document.querySelectorAll('[role=tab]')].some(({ id }) => id.split('?')[0] === `tab-${wanted}`),
    screen,
  )
}

/** As the middle button does on each tab but the open one. What an earlier test left unsaved is given up. */
async function closeOthers(page: Page): Promise<void> {
  const others = '.tab-bar > [role=tab][draggable=true][aria-selected=false]'
  const unsaved = await page.locator(others).evaluateAll((tabs) => {
    for (const tab of tabs) tab.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true }))
    return tabs.filter((tab) => tab.querySelector('.tab-dirty')).length
  })
  const sure = page.locator('.ant-modal-confirm-btns .ant-btn-primary')
  for (let asked = unsaved; asked > 0; asked--) {
    await sure.last().click()
    await expect.poll(() => sure.count()).toBe(asked - 1)
  }
  await page.locator(others).first().waitFor({ state: 'detached' })
}

async function openNew(route: string, options: OpenOptions): Promise<Page> {
  const page = await (await contextOf(options)).newPage()
  if (!options.kept) pages.push(page)
  page.setDefaultTimeout(40_000)
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !refusal.test(message.text()))
      complaints.push(`${route}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${route}: ${error.message}`))
  // Who begins to listen only when a key is pressed may miss the window: it is caught from the page's first moment.
  page.on('filechooser', () => undefined)
  await page.goto(`${address}/#${route}`)
  if (options.user !== '') await ready(page)
  return page
}

/**
 * Pages of one user share a browser context, and so the files that the browser has loaded. One that is fresh is an earlier
 * one of its kind where there is any, emptied of all but these.
 */
async function contextOf(options: OpenOptions): Promise<BrowserContext> {
  const key = keyOf(options)
  if (options.fresh ?? options.user === '') {
    const at = rested.findIndex((each) => each.key === key)
    const one = at < 0 ? { key, context: await newContext(options) } : rested.splice(at, 1)[0]
    if (at >= 0) await empty(one.context)
    fresh.push(one)
    return one.context
  }
  if (!contexts.has(key)) contexts.set(key, newContext(options))
  return contexts.get(key)!
}

async function empty(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'all' })
  await page.close()
}

async function newContext({
  language = 'cn',
  user = 'admin',
  width = 1440,
  height = 900,
  bypassPolicy = false,
}: OpenOptions): Promise<BrowserContext> {
  const token = user && (await tokenOf(user))
  const context = await browser!.newContext({
    viewport: { width, height },
    locale: language === 'cn' ? 'zh-CN' : 'en-US',
    timezoneId: 'Asia/Shanghai',
    bypassCSP: bypassPolicy,
    // Nothing moves under the pointer, and nothing is waited for that only looks nice.
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([stored, chosen]) => {
      if (!sessionStorage.getItem('begun')) {
        sessionStorage.setItem('begun', 'yes')
        if (stored) localStorage.setItem('token', stored)
        localStorage.setItem('erp-locale', chosen)
      }
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`),
      )
    },
    [token, language] as const,
  )
  return context
}

const keyOf = ({ language, user, width, height, bypassPolicy }: OpenOptions): string =>
  JSON.stringify([address, language, user, width, height, bypassPolicy])

/** The open screen has drawn its first data. */
export const ready = (page: Page): Promise<void> => page.locator('main[aria-busy="false"]').waitFor()

/** The dialog or drawer that was opened last. */
export const dialog = (page: Page): Locator => page.getByRole('dialog').last()

/** The part of the address after `#`. */
export const route = (page: Page): string => new URL(page.url()).hash.slice(1)

export interface Answer<T> {
  status: number
  code: number
  message: string
  result: T
  errors?: WireProblem[]
}

/** A call of the API as that user; the whole envelope. */
export async function api<T = unknown>(
  method: 'GET' | 'POST',
  path: string,
  body: object = {},
  { user = 'admin', language = 'cn' as Language } = {},
): Promise<Answer<T>> {
  const query =
    method === 'GET'
      ? `?${new URLSearchParams(Object.entries(body).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]))}`
      : ''
  const answer = await fetch(`${address}/api${path}${query}`, {
    method,
    headers: {
      ...(user && { token: await tokenOf(user) }),
      language: language === 'cn' ? 'zh-CN' : 'en-US',
      ...(method === 'POST' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    body: method === 'POST' ? JSON.stringify(body) : undefined,
  })
  if (method === 'POST') isAsked = false
  return { status: answer.status, ...((await answer.json()) as Omit<Answer<T>, 'status'>) }
}

/** The result of a call that must succeed. */
export async function call<T = unknown>(...given: Parameters<typeof api>): Promise<T> {
  const answer = await api<T>(...given)
  expect(answer, `${given[0]} ${given[1]}: ${JSON.stringify(answer.errors ?? answer.message)}`).toMatchObject({
    code: 1,
  })
  return answer.result
}

/**
 * The result of a GET, which is asked again only after something has been written: for choosing what a test works on. A
 * list of a thousand records takes longer than most tests, and many choose among the same.
 */
export async function known<T>(path: string, query: object = {}): Promise<T> {
  if (hosted === undefined) return call<T>('GET', path, query)
  if (!isAsked) {
    const now = await ask<{ state: string }>(`/state?id=${hosted}`)
    if (now.state !== state) answers.clear()
    state = now.state
    isAsked = true
  }
  const key = `${path} ${JSON.stringify(query)}`
  if (!answers.has(key)) answers.set(key, call<T>('GET', path, query))
  return (await answers.get(key)) as T
}

/** The first thousand records, as `known` has them. */
export const listed = async (endpoint: string, query: object = {}): Promise<readonly RecordData[]> =>
  (await known<ListResult>(`${endpoint}/list`, { page: 1, size: 1000, ...query })).list

export const list = (
  endpoint: string,
  query: object = {},
  user = 'admin',
  language: Language = 'cn',
): Promise<ListResult> =>
  call<ListResult>('GET', `${endpoint}/list`, { page: 1, size: 1000, ...query }, { user, language })
export const detail = (endpoint: string, id: number, user = 'admin'): Promise<RecordData> =>
  call<RecordData>('GET', `${endpoint}/detail`, { id }, { user })
