import { sql, type RawBuilder } from 'kysely'
import { compileFormula } from '../../../expression/index.ts'
import type { Entity, Field, RecordData, Value } from '../../../model/model.ts'
import { formulaOf, formulaOrder, readBy } from '../../../expression/formulas.ts'
import { may, seesWhole } from '../../identity/access.ts'
import { changedEntity, changeTexts, holdsChanges, loggedEntity, storedChanges } from './changes.ts'
import { declaredConditions } from './filters.ts'
import { main } from './columnOf.ts'
import { fieldsSql } from './fieldsSql.ts'
import { readableTable } from './readableTable.ts'
import { resolveReferences } from './references.ts'
import { holdsMessages, messagesOf, type Quoted, type StoredMessage, worded } from './storedMessages.ts'
import type { Context, Db } from '../../runtime.ts'
import type { Condition } from '../../identity/scope.ts'
import { allOf, seesEvery, visibleConditions } from './visibleConditions.ts'
import { withMasks } from './words.ts'

interface ReadOptions {
  order?: RawBuilder<unknown>
  limit?: number
  offset?: number
  /** In place of `limit`: a subquery of the ids. */
  ids?: RawBuilder<unknown>
  /** The fields to read; all but rows if absent. Rows are read if named, or with `rows`. */
  fields?: readonly string[]
  rows?: boolean
  /** Against other writers, until the transaction ends. */
  lock?: boolean
  /**
   * For a reader: aggregates cover only records that the user may see. The server's rules and formulas cover all,
   * whatever the user may see: a bank in use cannot be disabled by a user who does not see the account.
   */
  scoped?: boolean
}

/**
 * Records in stored form: references are ids, nothing is masked, secrets are encrypted. For the server's own use:
 * conditions and formulas see this.
 */
export async function readStored(
  context: Context,
  db: Db,
  entity: Entity,
  conditions: readonly Condition[],
  options: ReadOptions = {},
): Promise<RecordData[]> {
  const fields = options.fields && withInputs(context, entity, options.fields)
  const wanted = Object.values(entity.fields).filter((field) => !fields || fields.has(field.name))
  const { columns, joins } = fieldsSql(context, { entity, fields: wanted, scoped: options.scoped ?? false })
  const table = sql`${readableTable(context, entity)} as ${sql.ref(main)}`
  const order = options.order ? sql`order by ${options.order}` : sql``
  // A page is found by its ids first, so that formulas of skipped rows are not computed, however far back it is.
  const ids =
    options.ids ??
    (options.limit === undefined
      ? undefined
      : sql`select ${sql.ref(`${main}.id`)} from ${table} where ${allOf(conditions)} ${order} limit ${options.limit} offset ${options.offset ?? 0}`)
  const found = ids ? sql<boolean>`${sql.ref(`${main}.id`)} in (${ids})` : allOf(conditions)
  const lock = options.lock ? sql`for update of ${sql.ref(main)}` : sql``
  // The records are found first, in a subquery of their own, so that the fields of no other record are computed.
  const first = options.lock ? sql`${order} ${lock}` : sql`offset 0`
  const from = joins
    ? sql`(select ${sql.ref(main)}.* from ${table} where ${found} ${first}) as ${sql.ref(main)} ${joins} ${order}`
    : sql`${table} where ${found} ${order} ${lock}`
  const { rows } = await sql<RecordData>`select ${columns} from ${from}`.execute(db)

  for (const field of wanted) {
    const target = context.derived.target(field)
    if (!target?.rows || !(options.rows || fields?.has(field.name)) || rows.length === 0) continue
    const { by, where } = target.rows
    const children = await readStored(
      context,
      db,
      target.entity,
      [
        sql<boolean>`${sql.ref(`${main}.${by}`)} = any(${rows.map((row) => row.id)}::bigint[])`,
        sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
        ...declaredConditions(context, target.entity, main, where),
      ],
      { order: sql.ref(`${main}.id`), rows: true, scoped: options.scoped },
    )
    const ofRecord = new Map<Value, RecordData[]>()
    for (const child of children) {
      const id = child[by]!
      const siblings = ofRecord.get(id)
      if (siblings) siblings.push(child)
      else ofRecord.set(id, [child])
    }
    for (const row of rows) row[field.name] = (ofRecord.get(row.id!) ?? []) as Value
  }
  return evaluated(context, entity, rows, wanted)
}

/** A formula without a column needs its inputs, and theirs in turn. */
function withInputs(context: Context, entity: Entity, fields: readonly string[]): Set<string> {
  const all = new Set(fields)
  for (const name of all) {
    const field = entity.fields[name]
    if (field?.computed?.kind !== 'formula' || context.derived.columns[entity.name][name] !== undefined) continue
    for (const input of readBy(field.computed.formula, entity)) all.add(input)
  }
  return all
}

/** Formulas without a column are computed on reading. */
function evaluated(context: Context, entity: Entity, rows: RecordData[], wanted: Field[]): RecordData[] {
  const names = new Set(wanted.map(({ name }) => name))
  for (const name of formulaOrder(entity)) {
    if (!names.has(name) || context.derived.columns[entity.name][name] !== undefined) continue
    const field = entity.fields[name]
    const widget = context.derived.widget(field)
    const formula = compileFormula(formulaOf(field)!, context.derived.types(entity))
    for (const row of rows) {
      const scope = { record: row, user: context.user, settings: context.settings, now: context.now }
      row[name] = widget.normalize(formula(scope), field.options)
    }
  }
  return rows
}

/** Records in wire form for this user: references `{ id, code, name }`, sensitive values masked. */
export async function readRecords(
  context: Context,
  db: Db,
  entity: Entity,
  conditions: readonly Condition[],
  options: ReadOptions = {},
): Promise<RecordData[]> {
  const stored = await readStored(context, db, entity, conditions, { ...options, scoped: true })
  return present(context, db, entity, options.fields ? only([...options.fields, 'id', 'revision'], stored) : stored)
}

/** The inputs of a formula are not sent with it. */
function only(names: readonly string[], records: RecordData[]): RecordData[] {
  const wanted = new Set(names)
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name))))
}

/** Stored records → in wire form for this user. */
export async function present(context: Context, db: Db, entity: Entity, stored: RecordData[]): Promise<RecordData[]> {
  const records = (await resolveReferences(context, db, entity, stored)).map((record) =>
    withMasks(context, entity, record),
  )
  await presentChanges(context, db, entity, records)
  await presentMessages(context, db, entity, records)
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows) continue
    const children = records.flatMap((record) => (record[field.name] ?? []) as RecordData[])
    if (children.length === 0) continue
    const presented = await present(context, db, target.entity, children)
    let next = 0
    for (const record of records) {
      const count = ((record[field.name] ?? []) as RecordData[]).length
      if (record[field.name] !== undefined) record[field.name] = presented.slice(next, (next += count)) as Value
    }
  }
  return records
}

/**
 * Makes stored changes readable: ids become names, values become texts, and values masked elsewhere are masked here
 * too.
 */
async function presentChanges(context: Context, db: Db, entity: Entity, records: RecordData[]): Promise<void> {
  for (const field of Object.values(entity.fields).filter(
    (each) => holdsChanges(context, each) && seesWhole(context, entity, each),
  )) {
    const holding = records.filter((record) => (record[field.name] ?? null) !== null)
    if (holding.length === 0) continue
    // Each log entry is about a different entity.
    const about = new Map(
      holding.map((record) => [record, entity.engine ? loggedEntity(context, record) : changedEntity(context, entity)]),
    )
    for (const each of new Set(about.values())) {
      const group = holding.filter((record) => about.get(record) === each)
      const texts =
        each &&
        (await changeTexts(
          context,
          db,
          each,
          group.map((record) => storedChanges(record[field.name]!)),
        ))
      group.forEach((record, index) => {
        record[field.name] = (texts?.[index] ?? null) as never
      })
    }
  }
}

async function presentMessages(context: Context, db: Db, entity: Entity, records: RecordData[]): Promise<void> {
  for (const field of Object.values(entity.fields).filter((each) => holdsMessages(context, each))) {
    const holding = records.filter((record) => messagesOf(record, field).length > 0)
    const shown = await messagesSeen(
      context,
      db,
      holding.map((record) => messagesOf(record, field)),
    )
    for (const [index, record] of holding.entries()) record[field.name] = shown[index] as never
  }
}

/** Lists of stored messages as this user may read them: one query for each entity whose records they quote. */
export async function messagesSeen<M extends StoredMessage>(
  context: Context,
  db: Db,
  lists: readonly (readonly M[])[],
): Promise<Omit<M, 'quoted' | 'neutral'>[][]> {
  const quoted = lists.flat().flatMap((each) => each.quoted ?? [])
  const seen = new Map<string, ReadonlySet<number> | 'all'>()
  for (const name of new Set(quoted.map(({ entity }) => entity))) {
    const entity = context.derived.catalog.entities[name]
    if (!entity) continue
    if (seesEvery(context, entity)) {
      seen.set(name, 'all')
      continue
    }
    const ids = quoted.filter((each) => each.entity === name).map(({ id }) => id)
    const isQuoted = sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`
    const conditions = [isQuoted, ...visibleConditions(context, entity)]
    const found = await readStored(context, db, entity, conditions, { fields: ['id'] })
    seen.set(name, new Set(found.map(({ id }) => id!)))
  }
  const isSeen = ({ entity, id, own }: Quoted): boolean => {
    const ids = seen.get(entity)
    if (own && !may(context.user, context.derived.catalog.entities[entity]?.permissions.view ?? '')) return false
    return ids === 'all' || ids?.has(id) === true
  }
  return lists.map((messages) => messages.map((each) => worded(each, isSeen)))
}
