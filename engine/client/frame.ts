/* oxlint-disable typescript/no-explicit-any -- a list of screen views holds those of every body */
import { createContext, useContext } from 'react'
import type { ComponentType } from 'react'
import type { ActionPlan, EntityPlan, FilterValue, RecordData, ScreenBundle, ScreenPlan } from '../model/model.ts'
import type { Request } from './request.ts'

/** The record that a screen shows, and what it is called: one line of text, '' where the user may not see its name. */
export interface ShownRecord {
  entity: string
  endpoint: string
  id: number
  name: string
}

/** What the frame around a screen (a tab of the shell, a drawer) does for it. */
export interface ScreenFrame {
  /** A part of another screen counts as a drawer, because that screen has the title. */
  place: 'page' | 'drawer'
  /** Is it the one that is seen? A hidden screen suspends what it watches. */
  active: boolean
  /** Goes to a route of the app, query included: `/customer/detail?id=7`. */
  navigate(to: string): void
  /**
   * Closes this tab or drawer; `changed` makes its opener read its data again; `to` is where a page goes
   * then.
   */
  close(outcome?: { changed?: boolean; to?: string }): void
  /** There is unsaved work: leaving asks first, the tab is never dropped. */
  setDirty(dirty: boolean): void
  /** The first data is not drawn yet: `main` is aria-busy. The same function for good, so that effects may name it. */
  setBusy(busy: boolean): void
  /**
   * Screens of one title are told apart by the records that they show. Absent where the screen has no place among
   * others: in a drawer.
   */
  setRecord?(record: ShownRecord): void
  /** A list says whether it holds nothing, though nobody has narrowed it. The same function for good. */
  setEmpty?(empty: boolean): void
  /** A drawer becomes as wide as what it shows, as far as there is room. */
  setWidth?(pixels: number): void
  /**
   * What the address keeps of this screen beside its parameters: filters, sort, page. Plain strings under the screen's
   * own keys.
   */
  state: Readonly<Record<string, string>>
  setState(state: Record<string, string>): void
  /** Grows when records of an entity were changed elsewhere, so that a visited list reads again. */
  version: number
}

/** What the React half of a screen kind is given. */
export interface ScreenViewProps<Body = unknown> {
  plan: ScreenPlan<Body>
  bundle: ScreenBundle
  /** The screen's own parameters. */
  query: Readonly<Record<string, string>>
  frame: ScreenFrame
  /** Narrows a list to these records, as a tab of a detail does. */
  fixed?: Record<string, FilterValue>
  /** The record that they belong to. */
  owner?: RecordData
  /** The view has changed records: what stands around it may say something else now. */
  onChanged?(): void
}
export type ScreenView = ComponentType<ScreenViewProps<any>>

/** What the shell hands to every screen: the connection, the language, and messages. */
export interface ClientContext {
  request: Request
  language: string
  /** A link to a route of the app, for `<a href>`. */
  href(to: string): string
  user: { id: number; name: string; username: string; roles: string[]; department: number | null }
  /** The permission strings that the session keeps; undefined until they were read, or where nobody keeps any. */
  permissions?(): ReadonlySet<string> | undefined
  /** Tells the other screens that records of an entity changed. */
  announce(entity: string): void
}
export const ClientReact = createContext<ClientContext | null>(null)
export function useClient(): ClientContext {
  const client = useContext(ClientReact)
  if (!client) throw new Error('useClient: no ClientReact.Provider above')
  return client
}

/** Called by lists, details and forms alike: is the action there for this record, and what does it do? */
export interface ActionHost {
  entity: EntityPlan
  bundle: ScreenBundle
  frame: ScreenFrame
  /** Reads the screen's records again. */
  reload(): void
  /** The records as they are known now, where the screen stays with them. */
  newest?: Newest
  /** Called after a stale refusal, to show the records as they are now; `reload` by default. */
  refused?(): void
  /** The records of a list in their order: what is done with one of them is done with the next. */
  rows?: readonly RecordData[]
  /** Filters the list by what an action has made. */
  show?(filters: Record<string, FilterValue>): void
  /** What a new record begins with: the record that the list belongs to. */
  preset?: Readonly<Record<string, string>>
  /** What is known to be wrong with a record: field → message. */
  problems?(record: RecordData): Record<string, string>
  /** For exports: the list's current query, or these records of it. */
  exportQuery?(records: RecordData[]): Record<string, unknown>
}
/** At once, or when what is being read is there. */
export type Newest = () => readonly RecordData[] | Promise<readonly RecordData[]>

/** On these records, or on those that are found once it is clear that the user may. */
export type RunAction = (action: ActionPlan, records: RecordData[] | (() => Promise<RecordData[]>)) => void
