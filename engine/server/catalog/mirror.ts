import { sql, type RawBuilder } from 'kysely'
import type { Entity, RecordData, Value } from '../../model/model.ts'
import { accept } from '../records/accept.ts'
import { noteChange } from '../records/overlayVersion.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalRecord, isEqual } from '../records/reading/canonical.ts'
import { insertRecords } from '../records/write.ts'

/**
 * Fields that such a record has besides its own: what the file said when it was last read, and whether a file still
 * declares it.
 */
export const mirrorFields = { declared: 'declared', isDeclared: 'isDeclared' } as const

interface Mirrored {
  entity: Entity
  declared: readonly RecordData[]
  /** Identifies a record; null for one that no file can declare. */
  keyOf(record: RecordData): string | null
  /** The parent reference of a tree; in `declared` it is the key of another record. */
  within?: string
  /** The stored records that `declared` is about; by default all. */
  among?: RawBuilder<boolean>
}

/**
 * Mirrors what files declare as records that administrators list and change. Their changes stay, field by field; the
 * rest follows the files. A record that no file declares any more is marked and stays; other records are not touched.
 * @returns key → id
 */
export async function mirror(
  context: Context,
  db: Db,
  { entity, declared, keyOf, within, among }: Mirrored,
): Promise<Map<string, number>> {
  const there = sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`
  const stored = await readStored(context, db, entity, [there, ...(among ? [among] : [])])
  const known = keyed(stored, keyOf)
  const ids = new Map([...known].map(([key, record]) => [key, record.id!]))
  const wanted = keyed(declared, keyOf)
  const placed = (values: RecordData) =>
    within === undefined ? values : { ...values, [within]: ids.get(String(values[within])) ?? null }
  const resolved = (values: RecordData) => canonicalRecord(context, entity, placed(values))

  let waiting = [...wanted].filter(([key]) => !known.has(key)).map(([, values]) => values)
  let changed = waiting.length
  while (waiting.length > 0) {
    // In a tree parents come first, so that children find them.
    const isReady = (values: RecordData) =>
      within === undefined || !waiting.some((other) => keyOf(other) === values[within])
    const ready = waiting.some(isReady) ? waiting.filter(isReady) : waiting
    const added = ready.map((values) =>
      Object.assign(accept(context, entity, {}, null).record, resolved(values), {
        [mirrorFields.declared]: resolved(values) as Value,
        [mirrorFields.isDeclared]: true,
      }),
    )
    await insertRecords(context, db, entity, added)
    for (const record of added) ids.set(keyOf(record)!, record.id!)
    waiting = waiting.filter((values) => !ready.includes(values))
  }

  for (const [key, record] of known) {
    const values = wanted.get(key)
    const before = record[mirrorFields.declared] as RecordData | null
    const isLeft = !values && before !== null && record[mirrorFields.isDeclared] !== false
    const next = values
      ? followed(record, before, resolved(values))
      : isLeft
        ? { [mirrorFields.isDeclared]: false }
        : {}
    if (Object.keys(next).length === 0) continue
    const set = Object.entries(next).map(
      ([name, value]) => sql`${sql.ref(name)} = ${name === mirrorFields.declared ? JSON.stringify(value) : value}`,
    )
    await sql`update ${tableOf(context, entity)} set ${sql.join(set)} where id = ${record.id}`.execute(db)
    changed++
  }
  if (changed > 0) await noteChange(db, entity)
  return ids
}

const keyed = (records: readonly RecordData[], keyOf: (record: RecordData) => string | null): Map<string, RecordData> =>
  new Map(
    records.flatMap((record): [string, RecordData][] => {
      const key = keyOf(record)
      return key === null ? [] : [[key, record]]
    }),
  )

/** What to write so that the record follows its file. */
function followed(record: RecordData, before: RecordData | null, values: RecordData): RecordData {
  const isUntouched = (name: string) => before !== null && isEqual(record[name], before[name])
  const next = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isEqual(record[name], value) && isUntouched(name)),
  )
  return {
    ...next,
    ...(!isEqual(before, values) && { [mirrorFields.declared]: values as Value }),
    ...(record[mirrorFields.isDeclared] !== true && { [mirrorFields.isDeclared]: true }),
  }
}
