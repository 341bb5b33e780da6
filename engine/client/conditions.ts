import { useMemo } from 'react'
import { holds } from '../schema/verdict.ts'
import type { EntityPlan, RecordData } from '../schema/model.ts'
import { useClient } from './frame.ts'
import { useEngine } from './view.ts'

export type Holds = (condition: string | undefined, record: RecordData) => boolean

/** Does a condition hold on a record, for the user who looks at it? None at all does. */
export function useConditions(entity: EntityPlan): Holds {
  const { user } = useClient()
  const { widgets, now, dictionary, entity: entityOf } = useEngine()
  const entities = useMemo(() => Object.fromEntries(Object.values(entity.fields).flatMap((field) => {
    const target = widgets[field.type]?.target?.(field.options)
    return target?.rows ? [[target.entity, entityOf(target.entity)]] : []
  })), [entity, widgets, entityOf])
  return (condition, record) => holds(condition, true, entity, record, { widgets, entities, dictionary, now, user })
}
