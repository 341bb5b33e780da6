import type { Field } from '../../../model/model.ts'
import type { Condition } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'
import { declaredConditions } from './filters.ts'
import { main } from './columnOf.ts'

/** The records that a reference offers, besides the user's scope. */
export function offeredBy(context: Context, field: Field): Condition[] {
  const { entity } = context.derived.target(field)!
  return [
    ...(field.options.offersAll === true ? [] : declaredConditions(context, entity, main, entity.offered)),
    ...declaredConditions(context, entity, main, field.options.filter),
  ]
}
