import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Catalog, Entity, Field } from '../../../model/model.ts'
import { viewerKey } from '../../identity/scope.ts'
import type { Constant, Context } from '../../runtime.ts'
import { columnOf, main } from './columnOf.ts'
import { ComputedFields } from './ComputedFields.ts'
import { declaredConditions } from './filters.ts'
import { constantOf } from './writeSql.ts'

/** How fields are read from a table under an alias. */
export interface FieldsSql {
  /** In the select list. */
  columns: RawBuilder<unknown>
  /** Follow the table in `from`; undefined if no field needs any. */
  joins: RawBuilder<unknown> | undefined
}

interface Kept extends FieldsSql {
  /** The constants of its formulas; with other values it no longer holds. */
  constants: readonly Constant[]
}

/** The most queries kept for one catalog: the screens and procedures of a day, for some twenty users. */
const mostKept = 2_000
/** Servers of the same catalog share them; an administrator's changes to dictionaries and settings leave them valid. */
const kept = new WeakMap<Catalog['entities'], Map<string, Kept>>()

/**
 * The SQL of these fields, kept for later queries of the same catalog: many fields over many formulas take longer to
 * write out than the database takes to answer. `scoped`: aggregates cover only what the user may see.
 */
export function fieldsSql(
  context: Context,
  { entity, fields, scoped }: { entity: Entity; fields: readonly Field[]; scoped: boolean },
): FieldsSql {
  const { entities, app } = context.derived.catalog
  const ofCatalog = kept.get(entities) ?? new Map<string, Kept>()
  kept.set(entities, ofCatalog)
  const names = fields.map(({ name }) => name).join(' ')
  const key = [entity.name, context.language, app.languages[0], scoped ? viewerKey(context) : '', names].join('|')
  const known = ofCatalog.get(key)
  if (known?.constants.every(({ of, value }) => isDeepStrictEqual(constantOf(of, context), value))) return known
  if (ofCatalog.size >= mostKept) ofCatalog.clear()
  const constants: Constant[] = []
  const written = { ...write({ ...context, constants }, { entity, fields, scoped }), constants }
  ofCatalog.set(key, written)
  return written
}

function write(
  context: Context,
  { entity, fields, scoped }: { entity: Entity; fields: readonly Field[]; scoped: boolean },
): FieldsSql {
  const computed = new ComputedFields(context, entity, { alias: main, scoped, conditions: declaredConditions })
  const columns = fields.flatMap((field) => {
    const expression = columnOf(context, entity, field, scoped, computed)
    return expression ? [sql`${expression} as ${sql.ref(field.name)}`] : []
  })
  const system = ['id', 'revision']
    .filter((name) => !Object.hasOwn(entity.fields, name))
    .map((name) => sql`${sql.ref(`${main}.${name}`)}`)
  return {
    columns: inOnePiece(context, sql.join([...system, ...columns])),
    joins: computed.isEmpty ? undefined : inOnePiece(context, computed.joins),
  }
}

/** The same SQL as one text with parameters, which is quick to place in a query. */
function inOnePiece({ runtime }: Context, whole: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sql: text, parameters } = whole.compile(runtime.database.kysely)
  const pieces = text.split(/\$\d+/)
  // A dollar sign in a text or a name would look like a parameter.
  if (pieces.length !== parameters.length + 1) return whole
  return sql(Object.assign(pieces, { raw: pieces }), ...parameters)
}
