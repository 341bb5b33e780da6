import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { ListResult, RecordData, WireProblem } from '../../engine/model/model.ts'
import { constants } from '../../src/shell/constants.ts'
import { callHost } from './demo.ts'
import { password } from './server.ts'
import { visibleTexts } from './visibleTexts.ts'

export { password }
export type Language = 'cn' | 'en'
export interface OpenOptions {
  language?: Language
  /** '' opens the page signed out. */
  user?: string
  width?: number
  height?: number
  /** The browser's storage is empty at first and not shared with other pages. */
  fresh?: boolean
  /** The page outlives the test; its caller closes it. */
  kept?: boolean
  /**
   * A page of an earlier test, or of another screen in this one, may navigate here, as an operator goes from screen to
   * screen. Only the screen opened last may then be used.
   */
  stays?: boolean
}

/** Console errors and warnings of the pages; a journey must end without any. */
const complaints: string[] = []
/** The browser's console message about a request that the server is meant to refuse. */
const refusal = /Failed to load resource: the server responded with a status of (401|403|404|409|422|429)/

let browser: Browser | undefined
let address = ''
let hosted: string | undefined
/** The state of the database in which `answers` were read. */
let state = ''
/** Whether the state was checked in this test and since the last call that may write. */
let isStateChecked = false
const answers = new Map<string, Promise<unknown>>()
/** One context for each kind of user and window, shared by its pages. */
const contexts = new Map<string, Promise<BrowserContext>>()
/**
 * Contexts with storage of their own: those of this test, and those free for the next, which have the client's files
 * cached.
 */
const fresh: { key: string; context: BrowserContext }[] = []
const rested: { key: string; context: BrowserContext }[] = []
const pages: Page[] = []
/** Context → the page that goes from screen to screen, the routes it visited in this test, and the visits in all. */
const staying = new Map<string, { page: Page; routes: Set<string>; visits: number }>()
/** After this many visits a page is replaced, so that its memory does not grow. */
const mostVisits = 40
const tokens = new Map<string, string>()
/** The server for those files of this worker that leave each other's records alone. */
let shared: Promise<Hosted> | undefined

/** Connects to the browser of all journeys, once in each worker. */
export async function connectBrowser(): Promise<void> {
  if (!browser?.isConnected()) browser = await chromium.connect(inject('browser'))
}

/** After each test: closes everything it has opened, and expects no complaints. */
export async function endTest(hasFailed: boolean): Promise<void> {
  isStateChecked = false
  await leaveStaying(hasFailed)
  await Promise.all(pages.splice(0).map((page) => page.close()))
  for (const item of fresh.splice(0)) {
    await Promise.all(item.context.pages().map((page) => page.close()))
    rested.push(item)
  }
  expect(complaints.splice(0), 'console errors, warnings and policy violations').toEqual([])
}

/**
 * The texts of the open pages, with a line for each dialog, message and main area, to help find the cause of a failure.
 * With SCREENSHOTS=<folder>, a picture of each page is saved there.
 */
export async function shownNow(name: string): Promise<string> {
  const folder = process.env.SCREENSHOTS
  const failure = (reason: Error) => [reason.message]
  const texts = [...pages, ...[...staying.values()].map(({ page }) => page)].map(async (page, index) => {
    const bodyTexts = await page.locator('body').evaluate(visibleTexts, undefined, { timeout: 5000 }).catch(failure)
    const picture = folder
      ? await page
          .screenshot({ path: path.join(folder, `${name}-${index}.png`) })
          .then(() => [])
          .catch(failure)
      : []
    return [`— ${page.url()} says —`, ...bodyTexts, ...picture].map((line) => line.slice(0, mostShown)).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}
const mostShown = 1000

/** After each file: closes everything it has opened in the browser, except on the server shared with other files. */
export async function endFile(): Promise<void> {
  const stays = (await shared)?.url
  await closeWhere((key) => stays === undefined || !key.includes(`"${stays}"`))
}

/** Call before a server ends, because a page that stays open would go on sending requests. */
export const leaveServer = (url: string): Promise<void> => closeWhere((key) => key.includes(`"${url}"`))

async function closeWhere(isGone: (key: string) => boolean): Promise<void> {
  for (const key of [...staying.keys()].filter(isGone)) staying.delete(key)
  for (const key of [...contexts.keys()].filter(isGone)) {
    await (await contexts.get(key)!).close()
    contexts.delete(key)
  }
  for (const item of rested.splice(0)) {
    if (isGone(item.key)) await item.context.close()
    else rested.push(item)
  }
}

interface Hosted {
  id: string
  url: string
}

/** A start that failed does not fail the files that follow. */
const beginShared = (): Promise<Hosted> =>
  (shared ??= callHost<Hosted>('/begin').catch((error: unknown) => {
    shared = undefined
    throw error
  }))

/**
 * Runs the journeys of the file against a server with the demo as it is after the first start. With `isShared`, other
 * files use the same server before or after, in any order: each changes only records of its own, and counts may grow.
 */
export function useDemo({ isShared = false } = {}): void {
  let begun: Hosted | undefined
  beforeAll(async () => {
    begun = await (isShared ? beginShared() : callHost<Hosted>('/begin'))
    useServer(begun.url, begun.id)
  })
  afterAll(async () => {
    if (!begun || isShared) return
    await leaveServer(begun.url)
    await callHost(`/end?id=${begun.id}`)
  })
}

/**
 * Directs all further pages and calls to this server.
 * @param id the id of the server at the host of the journeys
 */
export function useServer(url: string, id?: string): void {
  if (url !== address) tokens.clear()
  address = url
  hosted = id
  isStateChecked = false
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

/**
 * Closes each staying page that a failed test may have left in the middle of something, that shows a dialog or menu, or
 * that has made many visits.
 */
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

/** A page signed in as `user`, on which the screen of that route has rendered its first data. */
export async function open(route: string, options: OpenOptions = {}): Promise<Page> {
  if (!options.stays) return openNew(route, options)
  const key = keyOf(options)
  const there = staying.get(key)
  const [screen] = route.split('?')
  if (!there || there.page.isClosed() || there.routes.has(screen)) {
    // The test may still use the previous page.
    if (there) pages.push(there.page)
    const page = await openNew(route, { ...options, kept: true })
    staying.set(key, { page, routes: new Set([screen]), visits: 1 })
    return page
  }
  const { page, routes } = there
  const isFirst = routes.size === 0
  if ((await isVisited(page, screen)) && isFirst) {
    // Closing the tab of a screen discards its state, but needs another screen to be open meanwhile.
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
/** Screens that request little. */
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
 * Whether an earlier test has left that screen open. Earlier messages must go first, because a repeated message would
 * only stay longer.
 */
async function isVisited(page: Page, screen: string): Promise<boolean> {
  await page.evaluate(() => (window as Window & { endMessages?(): void }).endMessages?.())
  await page.locator('.ant-message-notice').first().waitFor({ state: 'detached' })
  return page.evaluate(
    (wanted) => [...document.querySelectorAll('[role=tab]')].some(({ id }) => id.split('?')[0] === `tab-${wanted}`),
    screen,
  )
}

/** Closes every tab but the open one, as the middle button does, and discards unsaved work of an earlier test. */
async function closeOthers(page: Page): Promise<void> {
  const others = '.tab-bar > [role=tab][draggable=true][aria-selected=false]'
  const unsaved = await page.locator(others).evaluateAll((tabs) => {
    for (const tab of tabs) tab.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true }))
    return tabs.filter((tab) => tab.querySelector('.tab-dirty')).length
  })
  const sure = page.locator('.ant-modal-confirm-btns .ant-btn-primary')
  for (let remaining = unsaved; remaining > 0; remaining--) {
    await sure.last().click()
    await expect.poll(() => sure.count()).toBe(remaining - 1)
  }
  await page.locator(others).first().waitFor({ state: 'detached' })
}

async function openNew(route: string, options: OpenOptions): Promise<Page> {
  const page = await (await contextOf(options)).newPage()
  if (!options.kept) pages.push(page)
  page.setDefaultTimeout(60_000)
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !refusal.test(message.text()))
      complaints.push(`${route}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${route}: ${error.message}`))
  // Listens from the start, because a listener added only when a key is pressed may miss the file chooser.
  page.on('filechooser', () => undefined)
  await page.goto(`${address}/#${route}`)
  if (options.user !== '') await ready(page)
  return page
}

/**
 * Pages of one user share a browser context, and with it the cached files. A fresh page reuses an earlier context of
 * its kind if there is one, with everything but these files cleared.
 */
async function contextOf(options: OpenOptions): Promise<BrowserContext> {
  const key = keyOf(options)
  if (options.fresh ?? options.user === '') {
    const at = rested.findIndex((each) => each.key === key)
    const opened = at < 0 ? { key, context: await newContext(options) } : rested.splice(at, 1)[0]
    if (at >= 0) await empty(opened.context)
    fresh.push(opened)
    return opened.context
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
}: OpenOptions): Promise<BrowserContext> {
  const token = user && (await tokenOf(user))
  const context = await browser!.newContext({
    viewport: { width, height },
    locale: language === 'cn' ? 'zh-CN' : 'en-US',
    timezoneId: 'Asia/Shanghai',
    // Nothing moves under the pointer, and no test waits for animations.
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
  if (user) await context.addInitScript(keepMessageTimers, constants.errorToast)
  return context
}

/** Messages disappear by timers of this length: the page keeps them for `endMessages`. */
function keepMessageTimers(length: number): void {
  const { setTimeout: begin, clearTimeout: end } = window
  const pending = new Map<number | undefined, () => void>()
  const beginKept = (run: (...given: unknown[]) => void, delay?: number, ...given: unknown[]) => {
    const timer: number = begin(() => {
      pending.delete(timer)
      run(...given)
    }, delay)
    if (delay === length) pending.set(timer, () => run(...given))
    return timer
  }
  const endKept = (timer?: number) => {
    pending.delete(timer)
    end(timer)
  }
  const endMessages = () => {
    const shown = [...pending]
    for (const [timer, run] of shown) {
      endKept(timer)
      run()
    }
  }
  Object.assign(window, { setTimeout: beginKept, clearTimeout: endKept, endMessages })
}

const keyOf = ({ language, user, width, height }: OpenOptions): string =>
  JSON.stringify([address, language, user, width, height])

/** Waits until the open screen has rendered its first data. */
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

/**
 * Calls the API as that user.
 * @returns the whole envelope
 */
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
  if (method === 'POST') isStateChecked = false
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
 * The result of a GET, which is requested again only after something was written; for choosing the records of a test. A
 * list of a thousand records takes longer than most tests, and many choose from the same one.
 */
export async function known<T>(path: string, query: object = {}): Promise<T> {
  if (hosted === undefined) return call<T>('GET', path, query)
  if (!isStateChecked) {
    const now = await callHost<{ state: string }>(`/state?id=${hosted}`)
    if (now.state !== state) answers.clear()
    state = now.state
    isStateChecked = true
  }
  const key = `${path} ${JSON.stringify(query)}`
  if (!answers.has(key)) answers.set(key, call<T>('GET', path, query))
  return (await answers.get(key)) as T
}

/** The first thousand records, cached as by `known`. */
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
