/** What a client and the server exchange about screens, their sources and the help. Only types, all of plain JSON. */
import type { App, ScreenPlan } from './catalog.ts'
import type { Entity } from './entity.ts'
import type { Dictionary } from './field.ts'
import type { Label } from './shape.ts'
import type { RecordData } from './values.ts'

/** An entity as a screen needs it: only the fields that the user may see. */
export type EntityPlan = Omit<Entity, 'indexes' | 'file' | 'limits'>
/** `GET /plans/screen?route=` or `?name=`: a plan with everything it refers to. */
export interface ScreenBundle {
  hash: string
  plan: ScreenPlan
  entities: Record<string, EntityPlan>
  dictionaries: Record<string, Dictionary>
  /** Entity → the fields of its one record that the screen's expressions read. */
  settings?: Readonly<Record<string, RecordData>>
  /** Permission → whether the user has it, for every permission that the bundle mentions. */
  granted: Record<string, boolean>
  /** For permissions that the user lacks: permission → the names of assigned roles that have it. */
  holders?: Record<string, string[]>
}
/**
 * An issue in a schema file, as `POST /schemas/reload` reports it: line and column from 1, `length` characters of
 * `excerpt` are underlined.
 */
export interface SchemaIssue {
  code: string
  file: string
  line: number
  column: number
  length: number
  message: string
  suggestion?: string
  excerpt: string
}
/** A position in a schema file, from 1. */
export interface Place {
  file: string
  line: number
  column: number
}
/** A key of a part as written; '' if the part itself is a value. */
export interface InspectedKey {
  key: string
  text: string
  place: Place
}
export interface InspectedGroup {
  of: 'screen' | 'menu' | 'field' | 'rule' | 'limit' | 'dictionary' | 'action' | 'transition' | 'allow'
  place: Place
  keys: InspectedKey[]
}
/**
 * `GET /plans/inspect`: the sources of a part of a screen, and the permissions that it needs. `texts`: possible sources
 * of a visible text.
 */
export interface Inspected {
  groups: InspectedGroup[]
  permissions: { value: string; label: Label; granted: boolean }[]
  texts: (Place & { text: string })[]
}
/** A text in every language, or one that is the same in all: a name, a key, an example. */
export type HelpText = Label | string
export interface HelpTable {
  title?: Label
  columns: Label[]
  rows: HelpText[][]
}
/** `id` identifies it on its page: the name of a screen. */
export interface HelpSection {
  id: string
  title: HelpText
  text: HelpText[]
  tables: HelpTable[]
  /** Sanitised by the server; its links into the help begin with `/help/`. */
  html?: string
  route?: string
}
/** `GET /help?page=`: one page of the help, and the list of pages for this user. */
export interface HelpAnswer {
  pages: { name: string; title: Label }[]
  name: string
  /** The language of a page that is written in only one. */
  language?: string
  sections: HelpSection[]
}
/**
 * `GET /plans/app`: what the frame needs before any screen opens, without screens that the user's roles close. `open`:
 * variants that need no other parameter; `keywords`: the title in pinyin and initials.
 */
export interface AppBundle {
  hash: string
  app: App
  screens: {
    name: string
    kind: string
    area: string
    route?: string
    title: Label
    parameters: { name: string; required: boolean }[]
    variants?: { parameter: string; titles: Record<string, Label>; open: string[] }
    noCache: boolean
    parent?: string
    affix: boolean
    permission: string
    opens?: string[]
    keywords: string
  }[]
  /** The screen of the route that the request names, if the user may open it. */
  first?: ScreenBundle
  /** The user's own settings of that screen, by key. */
  preferences?: Record<string, unknown>
}
/** `GET /partner-menu/get-user-nav-menu`: one entry of the menu, names in the request's language. */
export interface MenuItem {
  id: number
  name: string
  front_route: string
  sub_menus: MenuItem[]
  corner_num: number
  corner_max: number
  icon: string
  noCache: boolean
  affix: boolean
}
