import type { Kysely } from 'kysely'
import type { RecordData, Value, Widget } from '../schema/model.ts'
import type { Origins } from '../schema/origins.ts'
import type { SessionUser } from './access.ts'
import type { Clock } from './clock.ts'
import type { Database, Tables } from './database.ts'
import type { Derived } from './derived.ts'
import type { Overlay } from './overlay.ts'
import type { Safety } from './safety.ts'
import type { FileStorage } from './storage.ts'
import type { RequestKey } from './records/idempotency.ts'
import type { Seen } from './records/seen.ts'
import type { WorkRecord } from './records/Work.ts'
import type { Secrets } from './secrets.ts'

/** A connection of the pool, or the open transaction. */
export type Db = Kysely<Tables>

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
  storage: FileStorage
  secrets: Secrets
  safety: Safety
  procedures: Record<string, Procedure>
  /** What else happens when a record is created, in the same transaction; what it answers goes with the result. */
  created(context: Context, db: Db, entity: string, id: number): Promise<Record<string, unknown> | void>
  /** Somebody has to work on imports, here or in another process. */
  wakeImports(): void
  /** Called when other schema files are in force: reads the files again. */
  follow(): void
  /** Where the parts of the catalog with this hash are declared in the schema files; absent if nobody keeps that. */
  origins?(hash: string): Origins | undefined
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
  language: string
  /** Identifies a repeated request. */
  request?: RequestKey
  /** The revisions that the user was shown of the records to be written. */
  seen?: Seen
  /** The current work. */
  work?: WorkRecord
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
}) => Promise<Record<string, unknown> | void>
