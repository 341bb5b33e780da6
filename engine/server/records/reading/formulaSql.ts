import { sql, type RawBuilder } from 'kysely'
import type { Entity, Field } from '../../../model/model.ts'
import type { Context } from '../../runtime.ts'
import { ComputedFields, type Conditions } from './ComputedFields.ts'

/**
 * A formula without a column, a look-up, or an aggregate (over records that the user may see, if `scoped`), computed by
 * the database for the records under `alias`, with the time and the user of the request. Undefined if the database
 * cannot compute it.
 */
export const formulaSql = (
  context: Context,
  entity: Entity,
  field: Field,
  alias: string,
  conditions: Conditions,
  scoped = true,
): RawBuilder<unknown> | undefined =>
  new ComputedFields(context, entity, { alias, conditions, scoped }).expression(field)

/** A record's name, in its own column or in that of the record that it refers to. */
export function displaySql(context: Context, entity: Entity, alias: string): RawBuilder<unknown> {
  const isStored = context.derived.columns[entity.name][entity.display] !== undefined
  return isStored
    ? sql.ref(`${alias}.${entity.display}`)
    : formulaSql(context, entity, entity.fields[entity.display], alias, () => [], false)!
}
