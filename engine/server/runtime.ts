import type { CallResult, Entity, Field, Label, RecordData, Value, Widget } from '../model/model.ts'
import type { HelpDocument } from './HelpDocument.ts'
import type { Origins } from '../schema/tools/origins.ts'
import type { Scope, Settings } from '../expression/index.ts'
import type { Db } from './db.ts'
import type { SessionUser } from './SessionUser.ts'
import type { Clock } from './clock.ts'
import type { Database } from './postgres/database.ts'
import type { Derived } from './derived.ts'
import type { Safety } from './safety.ts'
import type { UploadedFiles } from './files/UploadedFiles.ts'
import type { Secrets } from './postgres/secrets.ts'

export type { Db }

/**
 * State shared by the parts of a server. One for each server; it is constant except for `derived`, when a catalog is
 * swapped in, and `overlay`, when a request finds that administrators have changed settings.
 */
export interface Runtime {
  derived: Derived
  overlay: Overlay
  widgets: Record<string, Widget>
  database: Database
  clock: Clock
  uploads: UploadedFiles
  secrets: Secrets
  safety: Safety
  procedures: Record<string, Procedure>
  /** Runs when a record is created, in the same transaction; its return value is added to the result. */
  created(context: Context, db: Db, entity: string, id: number): Promise<Record<string, unknown> | void>
  /** Wakes this process's background workers. */
  workers: Set<() => void>
  /** Signals that there is work, here or in another process. */
  wakeWorkers(): void
  /** Reads the administrators' settings; given the version from a request, only if it differs. */
  refresh(found?: number): Promise<void>
  /** Called when other schema files are in force: reads the files again. */
  follow(): void
  /** Where the parts of the catalog with this hash are declared in the schema files; absent if not kept. */
  origins?(hash: string): Origins | undefined
  /** Pages of the help besides those generated from the catalog. */
  documents: readonly HelpDocument[]
  /** The collation for Chinese readers, if the database has it. */
  collation: string | null
}

/** One request: its user, language and catalog. It keeps its catalog when another is swapped in meanwhile. */
export interface Context {
  runtime: Runtime
  derived: Derived
  settings: Overlay['settings']
  menu: Overlay['menu']
  user: SessionUser
  /** Who asked, while a procedure acts with more rights than theirs: they are told, counted and logged as themselves. */
  asker?: SessionUser
  /** Where the request came from; absent if there was none. */
  origin?: { ip: string; client: string }
  /** When the request came, by `performance.now()`: the log states its duration. */
  begun?: number
  language: string
  /** Identifies a repeated request. */
  request?: RequestKey
  /** The revisions that the user was shown of the records to be written. */
  seen?: Seen
  /** The current work. */
  work?: WorkRecord
  /** Of one call with a work for each record: all of them are shown as one. */
  act?: Act
  /** While a query that is kept is written: the constants of its formulas. */
  constants?: Constant[]
  /** The business clock at the start, so that everything of one request has the same time. */
  now: string
}

/** What a formula computes from the time, the user and the settings, and what it gave. */
export interface Constant {
  of(scope: Scope): unknown
  value: unknown
}

/**
 * What JSON cannot express: the `run` of an entity's action, transition or save. Called in a transaction; throws a
 * `Refusal`. An action calls it once for all chosen records, which exist, are in the user's scope and meet the action's
 * `when`; a transition or a save calls it with what it has just written, and history attributes its further changes of
 * these very objects to the write itself.
 */
export type Procedure = (call: {
  context: Context
  db: Db
  entity: string
  /** The action that runs it. */
  action?: string
  records: RecordData[]
  /** After a write: the records as they were before it, in the same order; null for new ones. */
  before?: (RecordData | null)[]
  /** The values of the action's form: canonical, each valid by itself. */
  values: Record<string, Value>
  /** For an unsaved form: the fields that the user has entered, and the parameters it was opened with. */
  form?: { typed: readonly string[]; parameters: Readonly<Record<string, string>> }
  /** For a procedure named by `foresee`: carries out the foreseen call, and rolls it back. */
  act?(): Promise<CallResult>
}) => Promise<Record<string, unknown> | void>

/** A part of a long call: done in its own work, and named in its refusal. */
export interface CallPart {
  id?: number
  name?: string
  /** Override those of the call. */
  values: Record<string, Value>
}

/** The administrators' settings at run time, laid over the files, as of one version. */
export interface Overlay {
  version: number
  /** Entity → its single record, without sensitive fields. */
  settings: Settings
  menu: readonly MenuNode[]
}

/** An entry of the menu: an area, a directory, or a screen. */
export interface MenuNode {
  /** Its name in the files; for an administrator's own entry a code that no file can have. */
  code: string
  /** For an administrator's own page: its address, with the screen's parameters. */
  address?: string
  /** The code of the parent entry. */
  parent: string | null
  label: Label
  icon: string
  order: number
  badge: boolean
  enabled: boolean
  /** It and its children are hidden from every menu; its screen still opens. */
  hidden: boolean
  /** For a screen: its tab does not keep unsaved input; its tab is always there. */
  noCache: boolean
  affix: boolean
}

/** One call with several works. */
export interface Act {
  /** The first work that was committed: the others refer to it. */
  first?: number
}

/** What identifies a repeated request. */
export interface RequestKey {
  key: string
  /** The operation: `customer.create`. */
  operation: string
  /** Hash of the body. */
  digest: string
  /** The client sent no key: the body serves as one, for some minutes. */
  bare?: boolean
}

/** The revisions that the user was shown of the records to be written. */
export interface Seen {
  /** The entity that the call is about; a refusal names records of others. */
  entity: string
  /** Entity and id → revision. Updated with what the work itself writes, once that commits. */
  revisions: Map<string, number>
}

/**
 * What caused a work. Actions, transitions and calls are identified by name, imports by the entity and id of their
 * batch, daily rules by their entity and name. The server's own work is the system's; a procedure runs within one of
 * these, unless it is called by itself.
 */
export type Cause =
  | 'form'
  | 'cell'
  | 'delete'
  | 'order'
  | 'procedure'
  | 'system'
  | `action:${string}`
  | `transition:${string}`
  | `foresee:${string}`
  | `job:${string}`
  | `import:${string}/${number}`
  | `undo:${string}/${number}`
  | `daily:${string}.${string}`

/** Unique values that the user only sees masked. `id`: 0 for a new record. */
export interface Tried {
  entity: Entity
  fields: ReadonlySet<Field>
  id: number
}

/** The current work, in the context of everything that happens within it. */
export interface WorkRecord {
  cause: Cause
  /** Set by the first write. */
  id?: number
  /** Records being written now, by `keyOf`; their history is recorded once they are finished. */
  open?: Set<string>
  /** How many messages it has sent. */
  messages?: number
  /** The values that it compared with all records, and which of them were rolled back. */
  tries?: { made: Tried[]; lost: Tried[] }
  /** It will be rolled back: it stores no files, and takes no numbers that others wait for. */
  isTrial?: true
  /** The import whose rows are written; its messages are collected into one. */
  batch?: { entity: string; id: number }
}
