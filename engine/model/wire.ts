/** What travels between a client and the server. Types only; everything here is plain JSON. */
import type { App, ScreenPlan } from './catalog.ts'
import type { Dictionary, Entity } from './entity.ts'
import type { RecordData, ReferenceValue, Value } from './values.ts'
import type { FilterValue } from './widget.ts'
import type { Label } from './shape.ts'

/**
 * Every answer of the API. 1 success; 400, 401, 403, 404, 409, 422, 429, 500, 503 as HTTP. `texts`: the message of a refusal in every
 * language.
 */
export interface Envelope<T = unknown> {
  code: number
  message: string
  texts?: Label
  result: T
  errors?: WireProblem[]
  conflict?: Conflict
  /** Only for unexpected errors and outages: the number under which the server's log says more. */
  incident?: string
}
/**
 * A problem in the request's language; `texts`: in every language, for what stays in sight when another one is chosen.
 */
export interface WireProblem {
  field: string
  code: string
  message: string
  texts?: Label
}
/** A stale save that touches what someone else has changed: field → what it was, is now, and was to become. */
export interface Conflict {
  revision: number
  fields: Record<string, { base: Value; theirs: Value; mine: Value }>
  by: string
  at: string
}

/** `GET {endpoint}/list`: the parameters; `filters` and `counts` travel as JSON text. */
export interface ListQuery {
  page: number
  size: number
  /** `field` or `-field`; several with commas between them. */
  sort?: string
  /** Text search over the entity's `search` fields. */
  search?: string
  filters?: Record<string, FilterValue>
  /** The filter of the open tab. */
  tab?: Record<string, FilterValue>
  /** One count for each of these filters (the tabs), under `search` and `filters`. */
  counts?: Record<string, FilterValue>[]
  /** Fields to sum over all matching records. */
  sums?: string[]
  /** Of those, the ones that the sums add up. */
  counted?: Record<string, FilterValue>
  /** Fields wanted; default all that may be seen. */
  fields?: string[]
  /** The list whose summary covers the matching records. */
  summary?: string
  /** Counts no further than this: what comes of more is asked for without it. */
  countTo?: number
  /** The `last` of a page: `page` 1 is the one that follows it, 2 the next. */
  after?: SortKey
  /** The `first` of a page: `page` 1 is the one before it, 2 the one before that. */
  before?: SortKey
}
/** The values by which a record is sorted, and its id. */
export type SortKey = readonly (string | null)[]
/** `summary`: measure → its number. */
export interface ListResult {
  list: RecordData[]
  total: number
  /** Absent, with `counts` and `summary`, where more than `countTo` records would have to be looked at. */
  sums?: Record<string, string>
  counts?: number[]
  summary?: Record<string, Value>
  /** With `countTo`: is there a next page? */
  next?: boolean
  /** With `countTo`: there are more than `total`. */
  more?: true
  /** With `countTo`, of pages far from the beginning. */
  first?: SortKey
  last?: SortKey
}
/**
 * `GET {endpoint}/options?search=&id=&page=`: what a reference offers; `id` (several, with commas) reads labels of
 * chosen ones.
 */
export interface OptionsResult {
  list: (ReferenceValue & { parent?: number | null; disabled?: boolean })[]
  total: number
}
/** `POST {endpoint}/update`. Only what changed; `revision` is the one that was read. */
export interface SaveRequest {
  id?: number
  revision?: number
  values: Record<string, Value>
  /** It was typed into a cell of a list rather than a form. */
  cell?: boolean
}
/** `password`: the one that was made up for a new user, who is told it by whoever made them. */
export interface SaveResult {
  id: number
  revision: number
  password?: string
}
export interface GivenPassword {
  id: number
  password: string
}
/** Entity → id → the revision that the user was shown. */
export type SeenRevisions = Record<string, Record<string, number>>
/**
 * `POST {endpoint}/{transition or action}` on one or several records. `revision`: the one read of `id`; `seen`: those
 * of several, and of what their dialog was made from. A record with a newer revision is not written.
 */
export interface CallRequest {
  id?: number
  ids?: number[]
  revision?: number
  seen?: SeenRevisions
  values?: Record<string, Value>
}
/**
 * `POST {endpoint}/suggest`: what a form holds, which fields of it the user has put in, and with which parameters it
 * was opened.
 */
export interface SuggestRequest {
  id?: number
  values: Record<string, Value>
  typed: string[]
  parameters: Record<string, string>
}
/**
 * `POST {endpoint}/{action}/prepare` on one or several records: what the dialog begins with. Of `suggest`: what the
 * form is to take. `seen`: of what it is drawn from, to be sent with the call.
 */
export interface PrepareResult {
  values: Record<string, Value>
  seen?: SeenRevisions
}
/**
 * `name` of what failed, where it is none of the chosen records. `files`: what a procedure gives whoever called it to
 * download; `passwords`: what it has made up, told this once. `told`: what came of it, in the place of the count; `tally`:
 * what a procedure counts, of which `told` is made, so that the parts of a long call add up; `show`: filters by which the
 * list shows what was made.
 */
export interface CallResult {
  succeeded: number
  failed: { id: number; name?: string; message: string }[]
  files?: { url: string; name: string }[]
  passwords?: GivenPassword[]
  told?: Label
  tally?: Counted[]
  show?: Record<string, FilterValue>
  [key: string]: unknown
}
/** A part of a sentence with `{n}` in it, left out where it is 0. */
export interface Counted {
  label: Label
  n: number
}
/**
 * A call that is carried out in the background, in steps. What it came to stands in `result`, why it was refused in
 * `refusal`; a cancelled one has done what it had done by then.
 */
export interface JobProgress {
  id: number
  entity: string
  label: Label
  done: number
  steps: number
  state: 'waiting' | 'done' | 'cancelled' | 'refused'
  result?: object
  refusal?: Envelope
}
/**
 * `POST {endpoint}/{transition or action}/foresee`: what the call would come to, as texts that say what they are.
 * `more`: how many are not in a list.
 */
export interface Outlook {
  facts: { label: Label; value: Label }[]
  lists: { label: Label; items: { name: string; about: Label }[]; more: number }[]
}
/**
 * `GET /messages?size=&before=<id>`: one's own, the newest first, in the request's language; `unread` counts to 100 at
 * most.
 */
export interface MessageItem {
  id: number
  type: string
  title: string
  content: string
  link: string | null
  at: string
  read: boolean
}
export interface MessageList {
  list: MessageItem[]
  more: boolean
  unread: number
}
/** `GET {endpoint}/history?id=&page=&size=`. */
export interface HistoryEntry {
  id: number
  at: string
  by: { id: number; name: string } | null
  action: string
  label: Label
  changes: ChangeText[]
  /** The id of its work; null for changes from before works were recorded. */
  work: number | null
  /** How many other records the same work changed, by entity, and how many messages it sent. */
  with: { entity: string; label: Label; count: number }[]
}
/** What one work changed, as far as the reader may see it. */
export interface WorkDetail {
  id: number
  at: string
  by: { id: number; name: string } | null
  cause: string
  /** How many it sent. */
  messages: number
  entities: {
    entity: string
    label: Label
    count: number
    changes: { id: number; name: string | null; action: string; label: Label; fields: ChangeText[] }[]
  }[]
}
/** One changed field, as its reader sees it. */
export interface ChangeText {
  field: string
  label: Label
  old: string
  new: string
}

/** An entity as a screen needs it: its fields are already cut to what the user may see. */
export type EntityPlan = Omit<Entity, 'indexes' | 'file' | 'limits'>
/** `GET /plans/screen?route=` or `?name=`: a plan with everything it refers to. */
export interface ScreenBundle {
  hash: string
  plan: ScreenPlan
  entities: Record<string, EntityPlan>
  dictionaries: Record<string, Dictionary>
  /** Entity → of its one record what the expressions of the screen read. */
  settings?: Readonly<Record<string, RecordData>>
  /** Permission → has the user got it? For every permission that the bundle mentions. */
  granted: Record<string, boolean>
  /** Of those that the user has not got: permission → the names of roles that have it and are given to somebody. */
  holders?: Record<string, string[]>
}
/**
 * Something wrong in a schema file, as `POST /schemas/reload` refuses it: line and column from 1, `length` characters
 * of `excerpt` are meant.
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
/** Where something stands in a schema file; from 1. */
export interface Place {
  file: string
  line: number
  column: number
}
/** A key of a part as it is written; '' where the part is a value by itself. */
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
 * `GET /plans/inspect`: where a part of a screen comes from, and the permissions that it takes. `texts`: where a text
 * that is seen may come from.
 */
export interface Inspected {
  groups: InspectedGroup[]
  permissions: { value: string; label: Label; granted: boolean }[]
  texts: (Place & { text: string })[]
}
/** A text in every language, or one that is the same in all of them: a name, a key, an example. */
export type HelpText = Label | string
export interface HelpTable {
  title?: Label
  columns: Label[]
  rows: HelpText[][]
}
/** `id` tells it from the others of its page: of a screen its name. */
export interface HelpSection {
  id: string
  title: HelpText
  text: HelpText[]
  tables: HelpTable[]
  /** Sanitised by the server; its links into the help begin with `/help/`. */
  html?: string
  route?: string
}
/** `GET /help?page=`: one page of the help, and all that there are for this user. */
export interface HelpAnswer {
  pages: { name: string; title: Label }[]
  name: string
  /** The language of a page that is written in only one. */
  language?: string
  sections: HelpSection[]
}
/**
 * `GET /plans/app`: what the frame needs before any screen is open; screens that the user's roles close are not among
 * them. `open`: variants that need no other parameter; `keywords`: the title in pinyin and initials.
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
