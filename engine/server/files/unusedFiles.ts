import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { type FileStore, filesPrefix, type StoredName } from './FileStore.ts'

/** A younger file may be of a request that has not committed yet. */
const longAgo = 24 * 3_600_000
const atOnce = 1000

/**
 * Files that the database does not know and that are at least a day old: a process was killed after it had stored
 * them and before it committed, or their transaction was rolled back.
 */
export async function* unusedFiles(files: FileStore, db: Db): AsyncGenerator<StoredName> {
  let old: StoredName[] = []
  for await (const stored of files.names()) {
    if (!stored.name.startsWith(filesPrefix) || stored.modified.getTime() > Date.now() - longAgo) continue
    old.push(stored)
    if (old.length < atOnce) continue
    yield* await unknownOf(db, old)
    old = []
  }
  yield* await unknownOf(db, old)
}

async function unknownOf(db: Db, stored: readonly StoredName[]): Promise<StoredName[]> {
  const idOf = ({ name }: StoredName) => name.slice(name.lastIndexOf('/') + 1)
  const { rows } = await sql<{ path: string }>`
    select path from system_file where path = any(${stored.map(idOf)}::text[])`.execute(db)
  const known = new Set(rows.map(({ path }) => path))
  return stored.filter((name) => !known.has(idOf(name)))
}
