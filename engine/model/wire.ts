/** What a client and the server exchange about records. Only types; everything here is plain JSON. */
import type { RecordData, ReferenceValue, Value } from './values.ts'
import type { FilterValue } from './widget.ts'
import type { Label } from './shape.ts'

/**
 * Every answer of the API. 1 success; 400, 401, 403, 404, 409, 422, 429, 500, 503 as in HTTP. `texts`: the message of a
 * refusal in every language.
 */
export interface Envelope<T = unknown> {
  code: number
  message: string
  texts?: Label
  result: T
  errors?: WireProblem[]
  conflict?: Conflict
  /** Only for unexpected errors and outages: the number under which the server's log has the details. */
  incident?: string
}
/**
 * A problem in the request's language; `texts`: in every language, for messages that stay visible when the language
 * changes.
 */
export interface WireProblem {
  field: string
  code: string
  message: string
  texts?: Label
}
/**
 * A stale save that touches what someone else has changed: field → its value as read, as it is now, and as it would
 * become.
 */
export interface Conflict {
  revision: number
  fields: Record<string, { base: Value; theirs: Value; mine: Value }>
  by: string
  at: string
}

/** `GET {endpoint}/list`: the parameters; `filters` and `counts` are sent as JSON text. */
export interface ListQuery {
  page: number
  size: number
  /** `field` or `-field`; several separated by commas. */
  sort?: string
  /** Text search over the entity's `search` fields. */
  search?: string
  filters?: Record<string, FilterValue>
  /** The filter of the open tab. */
  tab?: Record<string, FilterValue>
  /** Filters (the tabs) to count records for, each combined with `search` and `filters`. */
  counts?: Record<string, FilterValue>[]
  /** Fields to sum over all matching records. */
  sums?: string[]
  /** Restricts the sums to these records. */
  counted?: Record<string, FilterValue>
  /** The fields to return; by default all that the user may see. */
  fields?: string[]
  /** The list whose summary covers the matching records. */
  summary?: string
  /** Stops counting here; if there are more, the figures are requested again without it. */
  countTo?: number
  /** The `last` of a page: `page` 1 is the one that follows it, 2 the next. */
  after?: SortKey
  /** The `first` of a page: `page` 1 is the one before it, 2 the one before that. */
  before?: SortKey
}
/** The values by which a record is sorted, and its id. */
export type SortKey = readonly (string | null)[]
/** `summary`: measure → figure. */
export interface ListResult {
  list: RecordData[]
  total: number
  /** Absent, with `counts` and `summary`, if more than `countTo` records would have to be read. */
  sums?: Record<string, string>
  counts?: number[]
  summary?: Record<string, Value>
  /** With `countTo`: whether there is a next page. */
  next?: boolean
  /** With `countTo`: there are more than `total`. */
  more?: true
  /** With `countTo`, on pages far from the beginning. */
  first?: SortKey
  last?: SortKey
}
/**
 * `GET {endpoint}/options?search=&id=&page=`: the options of a reference; `id` (several, separated by commas) reads the
 * labels of chosen ones.
 */
export interface OptionsResult {
  list: (ReferenceValue & { parent?: number | null; disabled?: boolean })[]
  total: number
}
/** `POST {endpoint}/update`. Only changed values; `revision` is the one that was read. */
export interface SaveRequest {
  id?: number
  revision?: number
  values: Record<string, Value>
  /** It was entered in a cell of a list rather than a form. */
  cell?: boolean
}
/** `password`: the generated password of a new user, for the caller to pass on. */
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
 * `POST {endpoint}/{transition or action}` on one or several records. `revision`: as read of `id`; `seen`: of several
 * records, and of what their dialog was based on. A record with a newer revision is not written.
 */
export interface CallRequest {
  id?: number
  ids?: number[]
  revision?: number
  seen?: SeenRevisions
  values?: Record<string, Value>
  /** Of a preview: takes the time to preview everything. */
  thorough?: boolean
}
/**
 * `POST {endpoint}/suggest`: the form's values, the fields that the user has entered, and the parameters it was opened
 * with.
 */
export interface SuggestRequest {
  id?: number
  values: Record<string, Value>
  typed: string[]
  parameters: Record<string, string>
}
/**
 * `POST {endpoint}/{action}/prepare` on one or several records: the dialog's initial values. Of `suggest`: the
 * suggested values. `seen`: revisions of what they were derived from, to be sent with the call.
 */
export interface PrepareResult {
  values: Record<string, Value>
  seen?: SeenRevisions
}
/**
 * `name`: what failed, if it is none of the chosen records. `files`: files from a procedure for the caller to download;
 * `passwords`: generated ones, returned only this once. `summary`: the outcome, in place of the count; `tally`: counts of
 * a procedure that make up `summary`, so that the parts of a long call add up; `show`: filters by which the list shows the
 * new records.
 */
export interface CallResult {
  succeeded: number
  failed: { id: number; name?: string; message: string }[]
  files?: { url: string; name: string }[]
  passwords?: GivenPassword[]
  summary?: Label
  tally?: Counted[]
  show?: Record<string, FilterValue>
  [key: string]: unknown
}
/** A part of a sentence with `{n}` in it, omitted if it is 0. */
export interface Counted {
  label: Label
  n: number
}
/**
 * A call that runs in the background, in steps. `result` holds its outcome, `refusal` why it was refused; a cancelled
 * job keeps what it had done by then.
 */
export interface JobProgress {
  id: number
  entity: string
  label: Label
  /** It only shows what the call would lead to, and changes nothing. */
  preview?: true
  done: number
  steps: number
  state: 'waiting' | 'done' | 'cancelled' | 'refused'
  result?: object
  refusal?: Envelope
}
/**
 * `POST {endpoint}/{transition or action}/foresee`: what the call would lead to, as labelled texts. `more`: how many
 * are not listed; `note`: why there is nothing to report; `partial`: there was no time for all of it.
 */
export interface Outlook {
  note?: Label
  partial?: true
  facts: { label: Label; value: Label }[]
  lists: { label: Label; items: { name: string; about: Label }[]; more: number }[]
}
/**
 * `GET /messages?size=&before=<id>`: the user's own messages, newest first, in the request's language; `unread` counts
 * to 100 at most.
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
  /**
   * How many other records the same work changed, by entity, and how many messages it sent; with `more`, at least so
   * many.
   */
  with: { entity: string; label: Label; count: number; more?: true }[]
}
/** What one work changed, as far as the reader may see it. */
export interface WorkDetail {
  id: number
  at: string
  by: { id: number; name: string } | null
  cause: string
  /** The number of messages sent. */
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
