import { useMemo } from 'react'
import { compileFormula } from '../expression/index.ts'
import { holds, scopeOf, variableTypes } from '../expression/conditions.ts'
import type { EntityPlan } from '../model/model.ts'
import { verdictContext } from './formPlan.ts'
import { useClient } from './frame.ts'
import { useEngine } from './view.ts'

const nothing: Omit<EntityPlan, 'fields'> = {
  name: '',
  area: '',
  label: {},
  display: '',
  search: [],
  endpoint: '',
  rules: [],
  states: [],
  saves: [],
  actions: {},
  allow: { create: true, update: true, delete: true },
  permissions: { view: '', create: '', update: '', delete: '', export: '', viewSensitive: '' },
}

/** Evaluates expressions that read no record, only settings, the user and the time. */
export function useSettingFormulas(): {
  holds(condition: string): boolean
  number(formula: string): number | undefined
} {
  const { user } = useClient()
  const engine = useEngine()
  return useMemo(() => {
    const entity = { ...nothing, fields: {} }
    const context = verdictContext(engine, entity, user, null)
    return {
      holds: (condition) => holds(condition, true, entity, {}, context),
      number(formula) {
        const value = compileFormula(formula, variableTypes(entity, context))(scopeOf({}, context))
        return value === null || value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value)
      },
    }
  }, [engine, user])
}
