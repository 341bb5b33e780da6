import { sql } from 'kysely'
import type { Entity, RecordData } from '../../model/model.ts'
import { refuseEscalation } from './refuseEscalation.ts'
import { noteChange } from './overlayVersion.ts'
import { endSessions, endSessionsOfDisabled } from './endSessions.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { searchColumn, searchTextOf } from './reading/search.ts'
import { isEqual } from './reading/canonical.ts'
import { recordColumns } from '../postgres/recordColumns.ts'
import { releaseItems } from '../postgres/uniqueItems.ts'
import { columnValues, protectedFields } from './columnValues.ts'
import { raiseDrawnRevisions, raiseDrawnRevisionsOf } from './drawnRecords.ts'
import { keepAdministrator } from './keepAdministrator.ts'
import { noteWritten } from './seen.ts'
import { assignNumbers } from './assignNumbers.ts'
import { guarded, takeItems } from './refuseTaken.ts'

/** A PostgreSQL value can only contain so much JSON. */
const mostInserted = 2_000

/** A record to be written, and its stored state. */
export interface Pair {
  record: RecordData
  old: RecordData
  /** Fields that hold a new secret in clear text. */
  plain?: ReadonlySet<string>
}

/**
 * By default the request's user and time are recorded as the writer, unless records come with their own past, or nobody
 * edits them.
 */
export interface WriteOptions {
  keepStamps?: boolean
}

/** Writes new records with their rows; assigns numbers, `id` and `revision`. */
export async function insertRecords(
  context: Context,
  db: Db,
  entity: Entity,
  records: RecordData[],
  { keepStamps = false }: WriteOptions = {},
): Promise<void> {
  if (records.length === 0) return
  await raiseDrawnRevisions(context, db, entity, records)
  const by = context.user.id || null
  const now = { createdBy: by, createdAt: context.now, updatedBy: by, updatedAt: context.now }
  const own = (record: RecordData): RecordData =>
    keepStamps ? Object.fromEntries(Object.entries(now).map(([name, value]) => [name, record[name] ?? value])) : now
  await assignNumbers(context, db, entity, records)
  const plain = new Set(protectedFields(context, entity))
  const types: Record<string, string> = { ...context.derived.columns[entity.name], [searchColumn]: 'text' }
  const names = Object.keys(types).filter((name) => !(name in recordColumns) || name in now || name === searchColumn)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const source = sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name])}`))
  for (let start = 0; start < records.length; start += mostInserted) {
    const batch = records.slice(start, start + mostInserted)
    const rows: Record<string, unknown>[] = []
    for (const record of batch) {
      const stamps = own(record)
      Object.assign(record, stamped(entity, stamps))
      rows.push(Object.assign(await columnValues(context, entity, record, plain), stamps))
    }
    // As one value, so that the statement is the same for one record and for many, and is prepared once. Its rows are
    // inserted in order.
    const { rows: made } = await guarded(
      context,
      entity,
      sql<{ id: number; revision: number }>`insert into ${tableOf(context, entity)} (${columns})
      select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (${source}) returning id, revision`.execute(
        db,
      ),
    )
    made.forEach((row, index) => Object.assign(batch[index], row))
  }
  const pairs = records.map((record) => ({ record, old: null }))
  await takeItems(context, db, entity, pairs)
  await writeRows(context, db, entity, pairs)
  await noteChange(db, entity)
  await refuseEscalation(context, db, entity, pairs)
}

/**
 * Writes the differences of these records and of their rows, and raises their revisions, with one statement for all
 * that write the same columns.
 */
export async function updateRecords(
  context: Context,
  db: Db,
  entity: Entity,
  pairs: readonly Pair[],
  { keepStamps = false }: WriteOptions = {},
): Promise<void> {
  if (pairs.length === 0) return
  await raiseDrawnRevisions(
    context,
    db,
    entity,
    pairs.flatMap(({ record, old }) => [record, old]),
  )
  const changes = await Promise.all(
    pairs.map(async (pair) => ({
      pair,
      values: await columnValues(context, entity, pair.record, pair.plain ?? new Set(), pair.old),
    })),
  )
  const all = new Set(changes.flatMap(({ values }) => Object.keys(values)))
  const secret = protectedFields(context, entity)
  // A column missing in one record, or an unchanged secret, must not be overwritten by the shared statement.
  const groups = new Map<string, typeof changes>()
  for (const change of changes) {
    const left = [...all].filter(
      (name) => !(name in change.values) && (secret.includes(name) || lacks(change.pair.record, name)),
    )
    const key = left.sort().join(' ')
    const group = groups.get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  for (const group of groups.values()) await updateGroup(context, db, entity, group, keepStamps)
  await takeItems(context, db, entity, pairs)
  await writeRows(context, db, entity, pairs)
  await noteChange(db, entity)
  await refuseEscalation(context, db, entity, pairs)
  await endSessionsOfDisabled(db, entity, pairs)
  await keepAdministrator(
    { context, db },
    pairs.map(({ old }) => ({ entity, old })),
  )
}

const lacks = (record: RecordData, name: string) => name !== searchColumn && record[name] === undefined

async function updateGroup(
  context: Context,
  db: Db,
  entity: Entity,
  group: readonly { pair: Pair; values: Record<string, unknown> }[],
  keepStamps: boolean,
): Promise<void> {
  const by = context.user.id || null
  const stamps: RecordData = keepStamps ? {} : { updatedBy: by, updatedAt: context.now }
  const names = [...new Set(group.flatMap(({ values }) => Object.keys(values)))].filter((name) => !(name in stamps))
  const types: Record<string, string> = { ...context.derived.columns[entity.name], [searchColumn]: 'text' }
  const rows = group.map(({ pair: { record }, values }) =>
    Object.fromEntries([
      ['id', record.id],
      ...names.map((name) => [name, name in values ? values[name] : restOf(context, entity, record, name)]),
    ]),
  )
  const set = names.map((name) => sql`${sql.ref(name)} = source.${sql.ref(name)}`)
  if (!keepStamps)
    set.push(
      sql`"updatedBy" = ${by}::bigint`,
      sql`"updatedAt" = ${context.now}::timestamp(0)`,
      sql`revision = target.revision + 1`,
    )
  if (set.length === 0) return
  const { rows: written } = await guarded(
    context,
    entity,
    sql<{ id: number; revision: number }>`
    update ${tableOf(context, entity)} as target set ${sql.join(set)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (id bigint${names.length > 0 ? sql`, ${sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name])}`))}` : sql``})
    where target.id = source.id returning target.id, target.revision`.execute(db),
  )
  noteWritten(context, entity.name, written)
  const revisions = new Map(written.map(({ id, revision }) => [id, revision]))
  for (const {
    pair: { record },
  } of group)
    Object.assign(record, stamped(entity, stamps), { revision: revisions.get(record.id!) })
}

/** Columns that do not differ in this record are rewritten unchanged. */
const restOf = (context: Context, entity: Entity, record: RecordData, name: string): unknown =>
  name === searchColumn ? searchTextOf(context, entity, record) : (record[name] ?? null)

/** The record stays in its table, for history and for old references. */
export async function softDelete(context: Context, db: Db, entity: Entity, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await raiseDrawnRevisionsOf(context, db, entity, ids)
  const by = context.user.id || null
  await sql`update ${tableOf(context, entity)} set "deletedAt" = ${context.now}, "updatedBy" = ${by}, "updatedAt" = ${context.now},
    revision = revision + 1 where id = any(${ids}::bigint[])`.execute(db)
  await releaseItems(context, db, entity, ids)
  await noteChange(db, entity)
  await endSessions(db, entity, ids)
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows) continue
    const { rows } = await sql<{ id: number }>`select id from ${tableOf(context, target.entity)}
      where ${sql.ref(target.rows.by)} = any(${ids}::bigint[]) and "deletedAt" is null`.execute(db)
    await softDelete(
      context,
      db,
      target.entity,
      rows.map((row) => row.id),
    )
  }
}

/** Restores deleted records, with the rows that were deleted with them. @throws Refusal invalid. */
export async function bringBack(context: Context, db: Db, entity: Entity, records: RecordData[]): Promise<void> {
  if (records.length === 0) return
  const ids = records.map(({ id }) => id!)
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows) continue
    await sql`update ${tableOf(context, target.entity)} as part set "deletedAt" = null, revision = part.revision + 1
      from ${tableOf(context, entity)} as whole where part.${sql.ref(target.rows.by)} = whole.id and whole.id = any(${ids}::bigint[])
        and part."deletedAt" = whole."deletedAt"`.execute(db)
  }
  await guarded(
    context,
    entity,
    sql`update ${tableOf(context, entity)} set "deletedAt" = null where id = any(${ids}::bigint[])`.execute(db),
  )
  await takeItems(
    context,
    db,
    entity,
    records.map((record) => ({ record, old: null })),
  )
}

const stamped = (entity: Entity, values: RecordData): RecordData =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(entity.fields, name)))

/** The rows of all these records: one delete, one update and one insert for each field that has rows. */
async function writeRows(
  context: Context,
  db: Db,
  entity: Entity,
  pairs: readonly { record: RecordData; old: RecordData | null }[],
): Promise<void> {
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows) continue
    const { by, where } = target.rows
    const secret = protectedFields(context, target.entity)
    const removed: number[] = []
    const changed: Pair[] = []
    const added: RecordData[] = []
    for (const { record, old } of pairs) {
      if (record[field.name] === undefined || isEqual(record[field.name], old?.[field.name])) continue
      const before = new Map(((old?.[field.name] ?? []) as RecordData[]).map((row) => [row.id!, row]))
      const rows = (record[field.name] ?? []) as RecordData[]
      const kept = new Set(rows.map((row) => row.id))
      removed.push(...[...before.keys()].filter((id) => !kept.has(id)))
      for (const row of rows) {
        Object.assign(row, where, { [by]: record.id })
        const former = row.id === undefined ? undefined : before.get(row.id)
        if (row.id === undefined) added.push(row)
        else if (former && !isEqual(row, former)) {
          const plain = new Set(secret.filter((name) => !isEqual(row[name], former[name])))
          changed.push({ record: row, old: former, plain })
        }
      }
    }
    await softDelete(context, db, target.entity, removed)
    await updateRecords(context, db, target.entity, changed)
    await insertRecords(context, db, target.entity, added)
  }
}
