import type { Kysely } from 'kysely'

/** Tables come from the catalog at run time, so no column's type is known here. */
export type Tables = Record<string, Record<string, unknown>>

/** A connection of the pool, or the open transaction. */
export type Db = Kysely<Tables>
