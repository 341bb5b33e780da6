import type { Kysely } from 'kysely'
import type { RecordData, Value, Widget } from '../schema/model.ts'
import type { SessionUser } from './access.ts'
import type { Clock } from './clock.ts'
import type { Database, Tables } from './database.ts'
import type { Derived } from './derived.ts'
import type { FileStorage } from './storage.ts'
import type { Secrets } from './secrets.ts'

/** A connection of the pool, or the open transaction. */
export type Db = Kysely<Tables>

/** What the parts of a server share. One for each server; nothing in it changes but `derived`, when a catalog is swapped in. */
export interface Runtime {
  derived: Derived
  widgets: Record<string, Widget>
  database: Database
  clock: Clock
  storage: FileStorage
  secrets: Secrets
  procedures: Record<string, Procedure>
  /** Entity → what else happens when one of its records is created, in the same transaction; what it answers goes with the result. */
  created: Record<string, (context: Context, db: Db, id: number) => Promise<Record<string, unknown> | void>>
  /** The collation by which a Chinese reader sorts, where the database has it. */
  collation: string | null
}

/** One request: who asks, in which language, on which catalog. It keeps its catalog when another is swapped in meanwhile. */
export interface Context {
  runtime: Runtime
  derived: Derived
  user: SessionUser
  language: string
  /** The business clock at the start, so that everything of one request carries one time. */
  now: string
}

/** What JSON cannot say: an entity action's `run`. Called in a transaction, once for all chosen records; throws a `Refusal`. */
export type Procedure = (call: {
  context: Context
  db: Db
  entity: string
  /** The chosen records: they exist, are in the user's scope, and meet the action's `when`. */
  records: RecordData[]
  values: Record<string, Value>
}) => Promise<Record<string, unknown> | void>
