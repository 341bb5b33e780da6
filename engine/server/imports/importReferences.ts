import { sql } from 'kysely'
import type { Entity, Field, Label, Value } from '../../model/model.ts'
import { offeredBy } from '../records/reading/offered.ts'
import { allOf, main, visibleConditions } from '../records/reading/read.ts'
import { readPaths } from '../records/reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalValue } from '../records/reading/canonical.ts'

/** What a text of a column means: an id, several records, or none that is offered and that the user may see. */
export type Found = { id: number } | 'ambiguous' | undefined

const separator = ' / '

/**
 * The texts of one column → the records that they name: by code, in a tree by path, by exact name, or by what no other
 * record has. One query for all of them.
 * @param chosen the record that was named at the upload: of several that a text may mean, it is meant
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
  return new Map(wanted.map((text) => [text, meant(context, text, target, { rows, paths, chosen })]))
}

/** By which fields a text may name a record of the entity, in this order. */
const namesOf = (context: Context, { code, display, fields }: Entity): string[] => [
  ...new Set([
    ...(code === undefined ? [] : [code]),
    display,
    ...Object.values(fields)
      .filter((field) => field.unique && context.derived.widget(field).expression === 'string')
      .map(({ name }) => name),
  ]),
]

/** What a cell is to say instead of a name that several records have. */
export function codeOf(context: Context, field: Field): Label | undefined {
  const { entity } = context.derived.target(field)!
  const { code, fields } = entity
  const name = namesOf(context, entity).find((one) => one === code || fields[one].unique)
  return name === undefined ? undefined : fields[name].label
}

/**
 * As it stands there, which may be how the record is called, or else with its full-width characters as half-width ones.
 */
const readings = (text: string): string[] => [...new Set([text, text.normalize('NFKC')])]

/** The code goes before the name, a whole path before its last part, the name before what else is unique. */
function meant(
  context: Context,
  text: string,
  target: Entity,
  {
    rows,
    paths,
    chosen,
  }: {
    rows: (Record<string, Value> & { id: number })[]
    paths: Map<number, string[]> | undefined
    chosen: Value | undefined
  },
): Found {
  for (const reading of readings(text)) {
    const named = (name: string) => {
      const kept = canonicalValue(context, target.fields[name], reading)
      return kept === null ? [] : rows.filter((row) => row[name] === String(kept))
    }
    const pathed = rows.filter(({ id }) => paths?.get(id)?.join(separator) === reading)
    const byCode = target.code === undefined ? [] : named(target.code)
    for (const found of [byCode, pathed, ...namesOf(context, target).map(named)]) {
      const one = found.length > 1 ? found.find(({ id }) => id === chosen) : found[0]
      if (found.length > 0) return one ? { id: one.id } : 'ambiguous'
    }
  }
  return undefined
}
