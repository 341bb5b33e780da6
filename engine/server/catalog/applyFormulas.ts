import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { systemUser } from '../identity/access.ts'
import type { Derived } from '../derived.ts'
import { recompute, storedFormulas } from '../records/effects.ts'
import { quote } from '../postgres/quote.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { createContext } from '../identity/session.ts'
import { canonicalRecord, changedFields } from '../records/reading/canonical.ts'
import { changeTables } from '../postgres/changeTables.ts'
import { updateRecords } from '../records/write.ts'

/** How many records are held in memory at once. */
const step = 1000

/** Marks the engine's own column comments, so that comments by people are kept. */
const prefix = 'formula: '

/** Table → column → formula, for all values that are computed on saving. */
export const formulaColumns = (derived: Derived): Record<string, Record<string, string>> =>
  Object.fromEntries(
    tabled(derived).map((entity) => [
      entity.name,
      Object.fromEntries(storedFormulas(derived, entity).map(({ field, formula }) => [field.name, formula])),
    ]),
  )

const tabled = ({ catalog }: Derived) =>
  Object.values(catalog.entities).filter(({ name }) => catalog.tables[name] && !catalog.tables[name].view)

/**
 * Recomputes stored formulas in the records of every entity whose formulas differ from those that computed its values:
 * a new formula, a changed one, or one over rows with such a change. Each column stores its formula as its comment.
 * Revision, stamps and history stay unchanged, because nobody edited the records. @returns how many records changed.
 */
export const applyFormulas = (runtime: Runtime): Promise<number> =>
  changeTables(runtime.database, async (db) => {
    const context = createContext(runtime, systemUser)
    const wanted = formulaColumns(context.derived)
    const known = await readFormulas(db)
    const stale = new Set(Object.keys(wanted).filter((table) => !isSame(wanted[table], known[table] ?? {})))
    if (stale.size === 0) return 0
    let count = 0
    for (const entity of rowsFirst(context)) {
      const names = Object.keys(wanted[entity.name])
      if (rowEntities(context, entity).some(({ name }) => stale.has(name))) stale.add(entity.name)
      if (stale.has(entity.name) && names.length > 0) count += await recomputeAll(context, db, entity)
    }
    for (const table of stale) {
      for (const column of Object.keys({ ...known[table], ...wanted[table] })) {
        const formula = wanted[table][column]
        if (formula !== known[table]?.[column])
          await sql`comment on column ${sql.raw(`${quote(table)}.${quote(column)}`)} is ${formula === undefined ? sql`null` : sql.lit(prefix + formula)}`.execute(
            db,
          )
      }
    }
    return count
  })

const isSame = (left: Record<string, string>, right: Record<string, string>) =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([name, formula]) => right[name] === formula)

/** The formulas that computed the tables' values. */
async function readFormulas(db: Db): Promise<Record<string, Record<string, string>>> {
  const { rows } = await sql<{ table: string; name: string; comment: string }>`
    select c.relname as "table", a.attname as name, d.description as comment
    from pg_description d join pg_class c on c.oid = d.objoid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
    where d.classoid = 'pg_class'::regclass and c.relnamespace = 'public'::regnamespace and not a.attisdropped and d.description like ${`${prefix}%`}`.execute(
    db,
  )
  const found: Record<string, Record<string, string>> = {}
  for (const { table, name, comment } of rows) (found[table] ??= {})[name] = comment.slice(prefix.length)
  return found
}

const rowEntities = (context: Context, entity: Entity): Entity[] =>
  Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)
    return target?.rows ? [target.entity] : []
  })

/** Every entity after those of its rows, whose values it may add up. */
function rowsFirst(context: Context): Entity[] {
  const ordered = new Set<Entity>()
  const visit = (entity: Entity, above: readonly Entity[]) => {
    if (ordered.has(entity) || above.includes(entity)) return
    for (const row of rowEntities(context, entity)) visit(row, [...above, entity])
    ordered.add(entity)
  }
  for (const entity of tabled(context.derived)) visit(entity, [])
  return [...ordered]
}

async function recomputeAll(context: Context, db: Db, entity: Entity): Promise<number> {
  let count = 0
  for (let last = 0; ;) {
    const stored = await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} > ${last}`], {
      order: sql.ref(`${main}.id`),
      limit: step,
      lock: true,
      rows: true,
    })
    if (stored.length === 0) return count
    last = stored[stored.length - 1].id!
    const pairs = stored
      .map((each) => {
        const old = canonicalRecord(context, entity, each)
        const record = { ...old }
        recompute(context, entity, record)
        return { record, old }
      })
      .filter(({ record, old }) => changedFields(entity, old, record).length > 0)
    await updateRecords(context, db, entity, pairs, { keepStamps: true })
    count += pairs.length
  }
}
