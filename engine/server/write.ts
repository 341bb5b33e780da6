import { sql } from 'kysely'
import type { Entity, FieldProblem, RecordData, Value } from '../schema/model.ts'
import { Refusal, invalid } from './errors.ts'
import { noteChange } from './overlayVersion.ts'
import { hashPassword, md5 } from './passwords.ts'
import type { Context, Db } from './runtime.ts'
import { tableOf } from './scope.ts'
import { searchColumn, searchTextOf } from './search.ts'
import { isEqual } from './stored.ts'
import { nextNumbers } from './system.ts'
import { constraintName, recordColumns } from './tables.ts'
import { holdItems, releaseItems } from './uniqueItems.ts'
import { uniqueProblem } from './verify.ts'

/** The fields that hold a value in clear text which is to be protected before it is written. */
type Plain = ReadonlySet<string>

/** PostgreSQL takes 65535 parameters in a statement. */
const mostParameters = 30_000

/**
 * Who wrote a record and when is this request, unless the records come with a past of their own, or nobody edits them.
 */
export interface WriteOptions {
  keepStamps?: boolean
}

/** Writes new records with their rows; they get their numbers, `id` and `revision`. */
export async function insertRecords(
  context: Context,
  db: Db,
  entity: Entity,
  records: RecordData[],
  { keepStamps = false }: WriteOptions = {},
): Promise<void> {
  if (records.length === 0) return
  const by = context.user.id || null
  const now = { createdBy: by, createdAt: context.now, updatedBy: by, updatedAt: context.now }
  const own = (record: RecordData) =>
    Object.fromEntries(Object.entries(now).map(([name, value]) => [name, keepStamps ? (record[name] ?? value) : value]))
  await assignNumbers(context, db, entity, records)
  const plain = new Set(
    Object.keys(entity.fields).filter((name) => context.derived.widget(entity.fields[name]).protect),
  )
  const names = [
    ...Object.keys(context.derived.columns[entity.name]).filter((name) => !(name in recordColumns)),
    ...Object.keys(now),
    searchColumn,
  ]
  const size = Math.max(1, Math.floor(mostParameters / names.length))
  for (let start = 0; start < records.length; start += size) {
    const batch = records.slice(start, start + size)
    const tuples = []
    for (const record of batch) {
      const stamps = own(record)
      Object.assign(record, stamped(entity, stamps))
      const values: Record<string, unknown> = { ...(await columnValues(context, entity, record, plain)), ...stamps }
      tuples.push(sql`(${sql.join(names.map((name) => values[name] ?? null))})`)
    }
    const { rows } = await guarded(
      context,
      entity,
      sql<{ id: number; revision: number }>`
      insert into ${tableOf(context, entity)} (${sql.join(names.map((name) => sql.ref(name)))}) values ${sql.join(tuples)} returning id, revision`.execute(
        db,
      ),
    )
    rows.forEach((row, index) => Object.assign(batch[index], row))
    await takeItems(context, db, entity, batch)
  }
  for (const record of records) await writeRows(context, db, entity, record, null)
  await noteChange(db, entity)
}

/** Others wait for numbers of the same series until the transaction ends, so it is done last. */
async function assignNumbers(context: Context, db: Db, entity: Entity, records: RecordData[]): Promise<void> {
  for (const field of Object.values(entity.fields)) {
    const { series } = context.derived.widget(field)
    if (!series) continue
    const groups = new Map<string, RecordData[]>()
    for (const record of records.filter((one) => (one[field.name] ?? null) === null)) {
      const format = series(field.options, record)
      groups.set(format, [...(groups.get(format) ?? []), record])
    }
    for (const [format, without] of groups) {
      const numbers = await nextNumbers(db, format, without.length, context.now)
      without.forEach((record, index) => {
        record[field.name] = numbers[index]
      })
    }
  }
}

/** Writes what differs from `old`, rows too, and counts the revision on. */
export async function updateRecord(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  old: RecordData,
  plain: Plain,
): Promise<void> {
  const by = context.user.id || null
  Object.assign(record, stamped(entity, { updatedBy: by, updatedAt: context.now }))
  const values = await columnValues(context, entity, record, plain, old)
  const set = Object.entries({ ...values, updatedBy: by, updatedAt: context.now }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  const {
    rows: [row],
  } = await guarded(
    context,
    entity,
    sql<{ revision: number }>`
    update ${tableOf(context, entity)} set ${sql.join([...set, sql`revision = revision + 1`])} where id = ${record.id} returning revision`.execute(
      db,
    ),
  )
  record.revision = row.revision
  await takeItems(context, db, entity, [record], old)
  await writeRows(context, db, entity, record, old)
  await noteChange(db, entity)
}

/**
 * Writes what differs in many records at once, their rows apart, and counts their revisions on where they are stamped.
 * Protected fields are none of it.
 */
export async function updateRecords(
  context: Context,
  db: Db,
  entity: Entity,
  pairs: readonly { record: RecordData; old: RecordData }[],
  { keepStamps = false }: WriteOptions = {},
): Promise<void> {
  if (pairs.length === 0) return
  const by = context.user.id || null
  const stamps: RecordData = keepStamps ? {} : { updatedBy: by, updatedAt: context.now }
  const changed = await Promise.all(
    pairs.map(({ record, old }) => columnValues(context, entity, record, new Set(), old)),
  )
  const names = [...new Set(changed.flatMap((values) => Object.keys(values)))].filter((name) => !(name in stamps))
  const types: Record<string, string> = { ...context.derived.columns[entity.name], [searchColumn]: 'text' }
  const rows = pairs.map(({ record }) =>
    Object.fromEntries([
      ['id', record.id],
      ...names.map((name) => [
        name,
        name === searchColumn ? searchTextOf(context, entity, record) : (record[name] ?? null),
      ]),
    ]),
  )
  const set = names.map((name) => sql`${sql.ref(name)} = source.${sql.ref(name)}`)
  if (!keepStamps)
    set.push(
      sql`"updatedBy" = ${by}::bigint`,
      sql`"updatedAt" = ${context.now}::timestamp(0)`,
      sql`revision = target.revision + 1`,
    )
  const { rows: written } = await guarded(
    context,
    entity,
    sql<{ id: number; revision: number }>`
    update ${tableOf(context, entity)} as target set ${sql.join(set)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (id bigint${names.length > 0 ? sql`, ${sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name])}`))}` : sql``})
    where target.id = source.id returning target.id, target.revision`.execute(db),
  )
  const revisions = new Map(written.map(({ id, revision }) => [id, revision]))
  for (const { record, old } of pairs) {
    Object.assign(record, stamped(entity, stamps), { revision: revisions.get(record.id!) })
    await takeItems(context, db, entity, [record], old)
  }
}

/** The record stays in its table, for history and for what is read of old references. */
export async function softDelete(context: Context, db: Db, entity: Entity, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const by = context.user.id || null
  await sql`update ${tableOf(context, entity)} set "deletedAt" = ${context.now}, "updatedBy" = ${by}, "updatedAt" = ${context.now},
    revision = revision + 1 where id = any(${ids}::bigint[])`.execute(db)
  await releaseItems(context, db, entity, ids)
  await noteChange(db, entity)
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

const stamped = (entity: Entity, values: RecordData): RecordData =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(entity.fields, name)))

async function writeRows(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
): Promise<void> {
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows || record[field.name] === undefined || isEqual(record[field.name], old?.[field.name])) continue
    const { by, where } = target.rows
    const before = new Map(((old?.[field.name] ?? []) as RecordData[]).map((row) => [row.id!, row]))
    const rows = (record[field.name] ?? []) as RecordData[]
    const kept = new Set(rows.map((row) => row.id))
    await softDelete(
      context,
      db,
      target.entity,
      [...before.keys()].filter((id) => !kept.has(id)),
    )
    const plainIn = (row: RecordData, former?: RecordData) =>
      new Set(
        Object.keys(target.entity.fields).filter(
          (name) => context.derived.widget(target.entity.fields[name]).protect && !isEqual(row[name], former?.[name]),
        ),
      )
    for (const row of rows) Object.assign(row, where, { [by]: record.id })
    for (const row of rows) {
      const former = row.id === undefined ? undefined : before.get(row.id)
      if (former && !isEqual(row, former))
        await updateRecord(context, db, target.entity, row, former, plainIn(row, former))
    }
    await insertRecords(
      context,
      db,
      target.entity,
      rows.filter((row) => row.id === undefined),
    )
  }
}

/** Column → value as the driver takes it; only what differs from `old`. */
async function columnValues(
  context: Context,
  entity: Entity,
  record: RecordData,
  plain: Plain,
  old?: RecordData,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(context.derived.columns[entity.name])) {
    const value = record[name]
    if (name in recordColumns || value === undefined || (old && isEqual(value, old[name]) && Object.hasOwn(old, name)))
      continue
    const protect = context.derived.widget(entity.fields[name]).protect
    if (value !== null && protect && plain.has(name)) {
      values[name] =
        protect === 'hash' ? await hashPassword(md5(String(value))) : context.runtime.secrets.encrypt(String(value))
    } else {
      values[name] = value === null ? null : encoded(value, type)
    }
  }
  const search = searchTextOf(context, entity, record)
  if (search !== null && (!old || search !== searchTextOf(context, entity, old))) values[searchColumn] = search
  return values
}

const encoded = (value: Value, type: string): unknown =>
  type === 'jsonb' || type === 'json' ? JSON.stringify(value) : value

/** Items of lists that are unique over all records. @throws Refusal invalid. */
async function takeItems(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly RecordData[],
  before?: RecordData,
): Promise<void> {
  const taken = await holdItems(context, db, entity, records, before)
  if (taken) throw invalid([uniqueProblem(taken.field, taken.field.name, taken.item)])
}

/** Someone else was quicker with a unique value: that is a problem of the field, like the one found by looking. */
async function guarded<T>(context: Context, entity: Entity, query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23505') throw error
    const table = context.derived.catalog.tables[entity.name]
    const columns = table.unique.find(
      (one) => constraintName(table.name, one.columns, 'unique') === constraint,
    )?.columns
    const field =
      columns &&
      entity.fields[
        columns.findLast((name) => entity.fields[name]?.unique || entity.fields[name]?.uniqueWithin) ??
          columns[columns.length - 1]
      ]
    throw field ? invalid([uniqueProblem(field)] satisfies FieldProblem[]) : new Refusal('busy')
  }
}
