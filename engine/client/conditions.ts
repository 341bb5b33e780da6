import { useMemo } from 'react'
import { compileFormula } from '../expression/index.ts'
import { holds, scopeOf, variableTypes } from '../expression/conditions.ts'
import type { EntityPlan, Field, RecordData, Value } from '../model/model.ts'
import { verdictContext } from './formPlan.ts'
import { useClient } from './frame.ts'
import { useEngine } from './view.ts'

export type Holds = (condition: string | undefined, record: RecordData) => boolean

/** Evaluates a formula on a record to a value of the field. */
export type Work = (formula: string, field: Field, record: RecordData) => Value

export function useFormulas(entity: EntityPlan): Work {
  const { user } = useClient()
  const engine = useEngine()
  const context = useMemo(() => verdictContext(engine, entity, user, null), [engine, entity, user])
  return (formula, field, record) =>
    engine.widgets[field.type].normalize(
      compileFormula(formula, variableTypes(entity, context))(scopeOf(record, context)),
      field.options,
    ) as Value
}

/** Whether a condition holds on a record for the current user; no condition always holds. */
export function useConditions(entity: EntityPlan): Holds {
  const { user } = useClient()
  const engine = useEngine()
  const context = useMemo(() => verdictContext(engine, entity, user, null), [engine, entity, user])
  return (condition, record) => holds(condition, true, entity, record, context)
}
