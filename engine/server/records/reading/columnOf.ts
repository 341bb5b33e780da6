import { sql, type RawBuilder } from 'kysely'
import type { Entity, Field } from '../../../model/model.ts'
import type { Context } from '../../runtime.ts'
import type { ComputedFields } from './ComputedFields.ts'
import { declaredConditions } from './filters.ts'
import { formulaSql } from './formulaSql.ts'

/** The alias of the table that a query reads. */
export const main = 't'

/**
 * The field's column, or its aggregate or look-up (`scoped`: over what the user may see), as one of the `computed`
 * fields of the query if given; undefined if it has neither. A one-way hash is never read.
 */
export function columnOf(
  context: Context,
  entity: Entity,
  field: Field,
  scoped = false,
  computed?: ComputedFields,
): RawBuilder<unknown> | undefined {
  if (context.derived.widget(field).protect === 'hash') return undefined
  if (context.derived.columns[entity.name][field.name] !== undefined) return sql.ref(`${main}.${field.name}`)
  if (!field.computed || field.computed.kind === 'formula') return undefined
  return computed ? computed.valueOf(field) : formulaSql(context, entity, field, main, declaredConditions, scoped)
}
