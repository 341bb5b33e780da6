import { sql, type RawBuilder } from 'kysely'
import type { Field } from '../../../model/model.ts'
import { scopeCondition, tableOf } from '../../identity/scope.ts'
import { hasUniqueItems, uniqueItemTable } from '../../postgres/uniqueItems.ts'
import type { Context } from '../../runtime.ts'

/**
 * The record with this value in one of the fields: the first field with a match decides, and of several records the
 * oldest.
 */
export function findSql(
  context: Pick<Context, 'derived'>,
  { entity: name, in: fields }: Extract<Field['computed'], { kind: 'find' }>,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const entity = context.derived.catalog.entities[name]
  const found = fields.map((field) => {
    if (hasUniqueItems(context, entity, entity.fields[field])) {
      return sql`(select record_id from ${sql.table(uniqueItemTable)} where entity = ${name} and field = ${field} and item = ${value}::text)`
    }
    const column = sql.ref(`found.${field}`)
    const columnType = context.derived.columns[name][field]
    const isList = columnType.endsWith('[]')
    return sql`(select min(found.id) from ${tableOf(context, entity)} as found where ${isList ? sql`${column} @> array[${value}]::${sql.raw(columnType)}` : sql`${column} = ${value}`} and found."deletedAt" is null)`
  })
  return sql`coalesce(${sql.join(found)})`
}

/** The same; `scoped`: only if the user may see it. */
export function foundSql(
  context: Context,
  find: Extract<Field['computed'], { kind: 'find' }>,
  value: RawBuilder<unknown>,
  scoped: boolean,
): RawBuilder<unknown> {
  const id = findSql(context, find, value)
  const entity = context.derived.catalog.entities[find.entity]
  const scope = scoped ? scopeCondition(context, entity, 'meant') : undefined
  return scope
    ? sql`(select meant.id from ${tableOf(context, entity)} as meant where meant.id = ${id} and ${scope})`
    : id
}
