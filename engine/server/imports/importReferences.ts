import { sql } from 'kysely'
import type { Entity, Field, Label, Value } from '../../model/model.ts'
import { offeredBy } from '../records/reading/offered.ts'
import { mapWithPauses } from '../records/mapWithPauses.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { readPaths } from '../records/reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { seesWhole } from '../identity/access.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalValue } from '../records/reading/canonical.ts'

/**
 * The meaning of a text in a column: an id, several records, or no record that is offered to and visible for the user.
 */
export type Found = { id: number } | 'ambiguous' | undefined

const separator = ' / '

/** Records by a text that identifies them. */
type Named = ReadonlyMap<string, { id: number }[]>

function byText<T extends { id: number }>(rows: readonly T[], textOf: (row: T) => Value | undefined): Named {
  const found = new Map<string, T[]>()
  for (const row of rows) {
    const text = textOf(row) ?? null
    if (text === null) continue
    const same = found.get(String(text))
    if (same) same.push(row)
    else found.set(String(text), [row])
  }
  return found
}

/**
 * The texts of one column → the records that they identify: by code, in a tree by path, by exact name, or by a unique
 * value. One query for all of them.
 * @param chosen the record chosen at the upload, preferred if a text is ambiguous
 */
export async function findReferences(
  context: Context,
  db: Db,
  field: Field,
  texts: readonly string[],
  chosen?: Value,
): Promise<Map<string, Found>> {
  const target = context.derived.target(field)!.entity
  const wanted = [...new Set(texts)]
  if (wanted.length === 0) return new Map()
  const keys = [...new Set(wanted.flatMap(readings).flatMap((text) => [text, text.split(separator).at(-1)!]))]
  const columns = namesOf(context, target)
  const asKept = (name: string) =>
    keys.map((key) => canonicalValue(context, target.fields[name], key)).filter((value) => typeof value === 'string')
  const conditions = [
    sql<boolean>`(${sql.join(
      columns.map((name) => sql`${sql.ref(`${main}.${name}`)}::text = any(${asKept(name)}::text[])`),
      sql` or `,
    )})`,
    ...visibleConditions(context, target),
    ...offeredBy(context, field),
  ]
  const { rows } = await sql<Record<string, Value> & { id: number }>`
    select ${sql.ref(`${main}.id`)} as id, ${sql.join(columns.map((name) => sql`${sql.ref(`${main}.${name}`)}::text as ${sql.ref(name)}`))}
    from ${tableOf(context, target)} as ${sql.ref(main)} where ${allOf(conditions)}`.execute(db)
  const paths = target.tree
    ? await readPaths(
        context,
        db,
        target,
        rows.map(({ id }) => id),
      )
    : undefined
  const named = columns.map((name) => ({ name, rows: byText(rows, (row) => row[name]) }))
  const pathed = byText(rows, ({ id }) => paths?.get(id)?.join(separator))
  const found = await mapWithPauses(wanted, (text) => meant(context, text, target, { named, pathed, chosen }))
  return new Map(wanted.map((text, index) => [text, found[index]]))
}

/**
 * The fields by which a text may identify a record of the entity, in order. A value that the user sees masked identifies
 * none, unless it is the record's code or name: finding it would confirm a guess.
 */
const namesOf = (context: Context, entity: Entity): string[] => [
  ...new Set([
    ...(entity.code === undefined ? [] : [entity.code]),
    entity.display,
    ...Object.values(entity.fields)
      .filter((field) => field.unique && context.derived.widget(field).expression === 'string')
      .filter((field) => seesWhole(context, entity, field))
      .map(({ name }) => name),
  ]),
]

/** What a cell should contain instead of an ambiguous name. */
export function codeOf(context: Context, field: Field): Label | undefined {
  const { entity } = context.derived.target(field)!
  const { code, fields } = entity
  const name = namesOf(context, entity).find((each) => each === code || fields[each].unique)
  return name === undefined ? undefined : fields[name].label
}

/**
 * The text as it is, in case the record is named exactly so, or else with full-width characters converted to
 * half-width.
 */
const readings = (text: string): string[] => [...new Set([text, text.normalize('NFKC')])]

/** Precedence: the code before the name, a whole path before its last part, the name before other unique values. */
function meant(
  context: Context,
  text: string,
  target: Entity,
  {
    named,
    pathed,
    chosen,
  }: {
    /** The found records by their values, for each field in order. */
    named: readonly { name: string; rows: Named }[]
    /** The same by their paths in the tree. */
    pathed: Named
    chosen: Value | undefined
  },
): Found {
  for (const reading of readings(text)) {
    const byName = named.map(({ name, rows }) => {
      const kept = canonicalValue(context, target.fields[name], reading)
      return { name, found: kept === null ? [] : (rows.get(String(kept)) ?? []) }
    })
    const byCode = byName.filter(({ name }) => name === target.code)
    for (const { found } of [...byCode, { found: pathed.get(reading) ?? [] }, ...byName]) {
      const match = found.length > 1 ? found.find(({ id }) => id === chosen) : found[0]
      if (found.length > 0) return match ? { id: match.id } : 'ambiguous'
    }
  }
  return undefined
}
