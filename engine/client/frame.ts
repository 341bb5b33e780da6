/* oxlint-disable typescript/no-explicit-any -- a list of screen views holds those of every body */
import { createContext, useContext } from 'react'
import type { ComponentType } from 'react'
import type {
  ActionPlan,
  EntityPlan,
  FilterValue,
  RecordData,
  ScreenBundle,
  ScreenPlan,
  Value,
} from '../model/model.ts'
import type { Request } from './request.ts'

/** The record that a screen shows with its name: one line of text, '' if the user may not see it. */
export interface ShownRecord {
  entity: string
  endpoint: string
  id: number
  name: string
}

/** What the frame around a screen (a tab of the shell, a drawer) provides. */
export interface ScreenFrame {
  /** A part of another screen counts as a drawer, because the other screen owns the title. */
  place: 'page' | 'drawer'
  /** Whether it is visible: a hidden screen suspends its watchers. */
  active: boolean
  /** Navigates to a route of the app, query included: `/customer/detail?id=7`. */
  navigate(to: string): void
  /** Closes this tab or drawer; `changed` makes its opener reload its data; `to` is where a page goes then. */
  close(outcome?: { changed?: boolean; to?: string }): void
  /**
   * Marks unsaved work: leaving prompts first, and the tab is never dropped. What is on top of the screen or within it
   * reports as a `part` of its own. The function is stable.
   */
  setDirty(dirty: boolean, part?: string): void
  /**
   * Marks the first data as not drawn yet: `main` is aria-busy. The function is stable, so that effects may depend on
   * it.
   */
  setBusy(busy: boolean): void
  /**
   * Distinguishes screens of one title by their records. Absent in a drawer, which has no place among other screens.
   */
  setRecord?(record: ShownRecord): void
  /** A list reports that it is empty without any filter. The function is stable. */
  setEmpty?(empty: boolean): void
  /** Widens a drawer to fit its content, as far as there is room. */
  setWidth?(pixels: number): void
  /**
   * The screen's state in the address beside its parameters: filters, sort, page. Plain strings under the screen's own
   * keys.
   */
  state: Readonly<Record<string, string>>
  setState(state: Record<string, string>): void
  /** Increases when records of an entity were changed elsewhere, so that a visited list reloads. */
  version: number
}

/** Whether the screen around is visible. Its dialogs and drawers lie outside it on the page, and are hidden with it. */
export const ShownReact = createContext(true)
export const useShown = (): boolean => useContext(ShownReact)

/** The props of the React half of a screen kind. */
export interface ScreenViewProps<Body = unknown> {
  plan: ScreenPlan<Body>
  bundle: ScreenBundle
  /** The screen's own parameters. */
  query: Readonly<Record<string, string>>
  frame: ScreenFrame
  /** Restricts a list to these records, as a tab of a detail does. */
  fixed?: Record<string, FilterValue>
  /** The record that owns them. */
  owner?: RecordData
  /** Called when the view has changed records, because its surroundings may show them. */
  onChanged?(): void
}
export type ScreenView = ComponentType<ScreenViewProps<any>>

/** What the shell provides to every screen: the connection, the language, and messages. */
export interface ClientContext {
  request: Request
  language: string
  /** A link to a route of the app, for `<a href>`. */
  href(to: string): string
  user: { id: number; name: string; username: string; roles: string[]; department: number | null }
  /** The permission strings of the session; undefined until read, or if nothing keeps any. */
  permissions?(): ReadonlySet<string> | undefined
  /** Notifies the other screens that records of an entity changed. */
  announce(entity: string): void
}
export const ClientReact = createContext<ClientContext | null>(null)
export function useClient(): ClientContext {
  const client = useContext(ClientReact)
  if (!client) throw new Error('useClient: no ClientReact.Provider above')
  return client
}

/** Shared by lists, details and forms: whether an action is offered for a record, and what it does. */
export interface ActionHost {
  entity: EntityPlan
  bundle: ScreenBundle
  frame: ScreenFrame
  /** Reloads the screen's records. */
  reload(): void
  /** The newest known records, if the screen stays on them. */
  newest?: Newest
  /** Called after a stale refusal, to show the current records; `reload` by default. */
  refused?(): void
  /** The records of a list in order, so that an action on one can go on to the next. */
  rows?: readonly RecordData[]
  /**
   * Filters the list by the records that an action created: as it says, else by the values that it was given without
   * records.
   */
  show?(filters: Record<string, FilterValue> | undefined, given: Record<string, Value>): void
  /** Initial values of a new record: the record that owns the list. */
  preset?: Readonly<Record<string, string>>
  /** Known problems of a record: field → message. */
  problems?(record: RecordData): Record<string, string>
  /** For exports: the list's current query, or these of its records. */
  exportQuery?(records: RecordData[]): Record<string, unknown>
}
/** Immediately, or once pending data has arrived. */
export type Newest = () => readonly RecordData[] | Promise<readonly RecordData[]>

/** Runs on these records, or on those resolved once the permission is confirmed. */
export type RunAction = (action: ActionPlan, records: RecordData[] | (() => Promise<RecordData[]>)) => void
