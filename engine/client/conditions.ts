import { useMemo } from 'react'
import { holds } from '../schema/verdict.ts'
import type { EntityPlan, RecordData } from '../schema/model.ts'
import { verdictContext } from './formPlan.ts'
import { useClient } from './frame.ts'
import { useEngine } from './view.ts'

export type Holds = (condition: string | undefined, record: RecordData) => boolean

/** Does a condition hold on a record, for the user who looks at it? None at all does. */
export function useConditions(entity: EntityPlan): Holds {
  const { user } = useClient()
  const engine = useEngine()
  const context = useMemo(() => verdictContext(engine, entity, user, null), [engine, entity, user])
  return (condition, record) => holds(condition, true, entity, record, context)
}
