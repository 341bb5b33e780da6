import type { CallResult, Entity, Field, Label, RecordData, Value, Widget } from '../model/model.ts'
import type { HelpDocument } from './HelpDocument.ts'
import type { Origins } from '../schema/tools/origins.ts'
import type { Settings } from '../expression/index.ts'
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
 * What the parts of a server share. One for each server; nothing in it changes but `derived`, when a catalog is swapped
 * in, and `overlay`, when a request finds that administrators have set something.
 */
export interface Runtime {
  derived: Derived
  overlay: Overlay
  widgets: Record<string, Widget>
  database: Database
  clock: Clock
  storage: UploadedFiles
  secrets: Secrets
  safety: Safety
  procedures: Record<string, Procedure>
  /** What else happens when a record is created, in the same transaction; what it answers goes with the result. */
  created(context: Context, db: Db, entity: string, id: number): Promise<Record<string, unknown> | void>
  /** How those in this process are woken who work in the background. */
  workers: Set<() => void>
  /** There is something for them to do, here or in another process. */
  wakeWorkers(): void
  /** Reads what administrators have set; with the version that a request has found, only if it differs. */
  refresh(found?: number): Promise<void>
  /** Called when other schema files are in force: reads the files again. */
  follow(): void
  /** Where the parts of the catalog with this hash are declared in the schema files; absent if nobody keeps that. */
  origins?(hash: string): Origins | undefined
  /** Pages of the help beside those made from the catalog. */
  documents: readonly HelpDocument[]
  /** The collation by which a Chinese reader sorts, where the database has it. */
  collation: string | null
}

/**
 * One request: who asks, in which language, on which catalog. It keeps its catalog when another is swapped in
 * meanwhile.
 */
export interface Context {
  runtime: Runtime
  derived: Derived
  settings: Overlay['settings']
  menu: Overlay['menu']
  user: SessionUser
  /** Where the request came from; absent where nobody asked. */
  origin?: { ip: string; client: string }
  /** When the request came, by `performance.now()`: the log says how long it took. */
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
  /** The business clock at the start, so that everything of one request carries one time. */
  now: string
}

/**
 * What JSON cannot say: the `run` of an entity's action, transition or save. Called in a transaction; throws a
 * `Refusal`. An action calls it once for all chosen records, which exist, are in the user's scope and meet the action's
 * `when`; a transition or a save calls it with what it has just written, and history tells of what it changes further
 * in these very objects, as of the write itself.
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
  /** What the action's form asked for: canonical, and good by itself. */
  values: Record<string, Value>
  /**
   * Of a form that is being filled in: the fields that the user has put in, and the parameters with which it was
   * opened.
   */
  form?: { typed: readonly string[]; parameters: Readonly<Record<string, string>> }
  /** Of `foresee`: carries out what is to be foreseen; nothing of it stays. */
  act?(): Promise<CallResult>
}) => Promise<Record<string, unknown> | void>

/** A part of a call that takes long: done in a work of its own, and told under its name where it is refused. */
export interface CallPart {
  id?: number
  name?: string
  /** Over those of the call. */
  values: Record<string, Value>
}

/** What administrators have set at run time, over what the files say, as of one version. */
export interface Overlay {
  version: number
  /** Entity → its one record, without what not everybody may see. */
  settings: Settings
  menu: readonly MenuNode[]
}

/** An entry of the menu: an area, which is a directory, or a screen. */
export interface MenuNode {
  /** Its name in the files; of an administrator's own entry one that no file can have. */
  code: string
  /** Of an administrator's own page: where it leads, with what it says of the screen's parameters. */
  address?: string
  /** The code of the entry above. */
  parent: string | null
  label: Label
  icon: string
  order: number
  badge: boolean
  enabled: boolean
  /** It and what stands below it are in nobody's menu; its screen opens as ever. */
  hidden: boolean
  /** Of a screen: its tab does not keep what was typed; its tab is always there. */
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
  /** The client sent no key: the body stands for one, for some minutes. */
  bare?: boolean
}

/** The revisions that the user was shown of the records to be written. */
export interface Seen {
  /** The entity that the call is about; a refusal names records of others. */
  entity: string
  /** Entity and id → revision. Kept up to date with what the work itself writes, once that commits. */
  revisions: Map<string, number>
}

/**
 * What caused a work. Actions, transitions and calls have their names, imports the entity and id of their batch, daily
 * rules their entity and name. What the server itself sees to is the system's; a procedure runs within one of these,
 * unless it is called by itself.
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

/** Values that nobody else may have and that the user sees only masked. `id`: 0 for a new record. */
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
  /** Records being written now, by `keyOf`; their history is recorded when all is done to them. */
  open?: Set<string>
  /** How many messages it has sent. */
  messages?: number
  /** What it compared with the values of all records, and what of it was rolled back. */
  tries?: { made: Tried[]; lost: Tried[] }
  /** The import whose rows are written; its messages are collected into one. */
  batch?: { entity: string; id: number }
}
