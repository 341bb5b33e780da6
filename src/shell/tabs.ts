import { produce } from 'immer'
import { create } from 'zustand'
import type { ShownRecord } from '../../engine/client/index.ts'
import type { Label } from '../../engine/model/model.ts'
import { formatAddress, tabKey } from './address.ts'
import type { Address } from './address.ts'

/** A visited screen. It stays mounted, hidden, until it is closed or dropped. */
export interface Tab extends Address {
  key: string
  /** Increases when the screen is to be rebuilt. */
  generation: number
  /** Increases when records it may show were changed elsewhere. */
  version: number
  pinned: boolean
  noCache: boolean
  dirty: boolean
  busy: boolean
  /** When it was last viewed: the least recently used is dropped first. */
  used: number
  /** Not mounted at the moment: dropped from the cache, or not shown since the page was loaded. */
  asleep: boolean
  /** The title of its screen when it was visited, for when that has been removed. */
  title?: Label
  /** The record that its screen shows, which distinguishes two tabs with one title. */
  record?: ShownRecord
}

const storageKey = 'visitedTabs'
type StoredTab = Address & Pick<Tab, 'pinned' | 'noCache' | 'title' | 'record'>

/** Tabs are restored after a reload without their screens, which are built when viewed. */
function readVisited(): Tab[] {
  try {
    const stored = JSON.parse(globalThis.sessionStorage?.getItem(storageKey) ?? '[]') as StoredTab[]
    return stored.map(({ route, parameters, state, ...kept }) =>
      newTab({ route, parameters, state }, { ...kept, asleep: true }),
    )
  } catch {
    return []
  }
}

/** How many visited screens stay mounted; beyond it the least recently used clean one is dropped (its tab stays). */
export const cacheLimit = 20

interface TabsState {
  tabs: Tab[]
  active: string
  clock: number
  /** The user whose session ended under the tabs, which stay, hidden, until that user signs in again. */
  waitsFor?: number
  /** Opens or activates the tab of an address. Returns the state that the address should show. */
  visit(address: Address, options: Pick<Tab, 'pinned' | 'noCache' | 'title'>): void
  /** Pinned tabs come first and exist from the start, unmounted until visited. */
  pin(addresses: (Address & Pick<Tab, 'title'>)[]): void
  close(key: string): void
  refresh(key: string): void
  move(from: string, to: string): void
  set(key: string, change: Partial<Pick<Tab, 'dirty' | 'busy' | 'state'>>): void
  /** Sets the record of the tab with that key, and of tabs that already show this record. */
  setRecord(record: ShownRecord, key?: string): void
  announce(): void
  waitFor(user: number): void
  resume(): void
  reset(): void
}

export const useTabs = create<TabsState>()((set) => {
  const change = (recipe: (draft: TabsState) => void) => set(produce(recipe))
  return {
    tabs: readVisited(),
    active: '',
    clock: 0,
    visit: (address, options) =>
      change((draft) => {
        const key = tabKey(address)
        const left = draft.tabs.find((tab) => tab.key === draft.active)
        if (left && left.key !== key && left.noCache && !left.dirty) Object.assign(left, { asleep: true, state: {} })
        let tab = draft.tabs.find((each) => each.key === key)
        if (!tab) {
          tab = newTab(address, { ...options, asleep: false })
          draft.tabs.push(tab)
        }
        if (tab.asleep) {
          tab.asleep = false
          tab.busy = true
          tab.generation++
        }
        if (Object.keys(address.state).length > 0) tab.state = address.state
        tab.title = options.title
        tab.used = ++draft.clock
        draft.active = key
        dropLeastUsed(draft)
      }),
    pin: (addresses) =>
      change((draft) => {
        const missing = addresses.filter((address) => !draft.tabs.some((tab) => tab.key === tabKey(address)))
        draft.tabs.unshift(...missing.map((address) => newTab(address, { pinned: true, noCache: false, asleep: true })))
      }),
    close: (key) =>
      change((draft) => {
        const index = draft.tabs.findIndex((tab) => tab.key === key)
        if (index < 0 || draft.tabs[index].pinned) return
        draft.tabs.splice(index, 1)
        if (draft.active === key) draft.active = (draft.tabs[index] ?? draft.tabs[index - 1])?.key ?? ''
      }),
    refresh: (key) =>
      change((draft) => {
        const tab = draft.tabs.find((each) => each.key === key)
        if (tab) {
          tab.generation++
          tab.dirty = false
          tab.busy = true
        }
      }),
    move: (from, to) =>
      change((draft) => {
        const source = draft.tabs.findIndex((tab) => tab.key === from)
        const target = draft.tabs.findIndex((tab) => tab.key === to)
        if (source < 0 || target < 0 || draft.tabs[source].pinned || draft.tabs[target].pinned) return
        draft.tabs.splice(target, 0, ...draft.tabs.splice(source, 1))
      }),
    set: (key, values) =>
      change((draft) => {
        Object.assign(draft.tabs.find((tab) => tab.key === key) ?? {}, values)
      }),
    // An unchanged record must not cause a render.
    setRecord: (record, key) =>
      change((draft) => {
        for (const tab of draft.tabs) {
          const known = tab.record?.entity === record.entity && tab.record.id === record.id
          if (known) tab.record!.name = record.name
          else if (tab.key === key) tab.record = record
        }
      }),
    announce: () =>
      change((draft) => {
        for (const tab of draft.tabs) if (tab.key !== draft.active) tab.version++
      }),
    waitFor: (user) => set({ waitsFor: user }),
    resume: () => set({ waitsFor: undefined }),
    reset: () => set({ tabs: [], active: '', waitsFor: undefined }),
  }
})

function newTab(address: Address, options: Pick<Tab, 'pinned' | 'noCache' | 'asleep' | 'title' | 'record'>): Tab {
  return { ...address, ...options, key: tabKey(address), generation: 0, version: 0, dirty: false, busy: true, used: 0 }
}

function dropLeastUsed(draft: TabsState): void {
  const awake = draft.tabs.filter((tab) => !tab.asleep)
  if (awake.length <= cacheLimit) return
  const candidates = awake.filter((tab) => !tab.dirty && tab.key !== draft.active).sort((a, b) => a.used - b.used)
  for (const tab of candidates.slice(0, awake.length - cacheLimit)) tab.asleep = true
}

export const addressOf = (tab: Tab): string => formatAddress(tab)

useTabs.subscribe(({ tabs, waitsFor }, before) => {
  if (tabs === before.tabs && waitsFor === before.waitsFor) return
  // A reload while nobody is signed in must not leave them to another user.
  if (waitsFor !== undefined) return globalThis.sessionStorage?.removeItem(storageKey)
  globalThis.sessionStorage?.setItem(
    storageKey,
    JSON.stringify(
      tabs.map(({ route, parameters, state, pinned, noCache, title, record }): StoredTab => ({
        route,
        parameters,
        state,
        pinned,
        noCache,
        title,
        record,
      })),
    ),
  )
})
