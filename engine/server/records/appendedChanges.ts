import { compileFormula } from '../../expression/index.ts'
import { accept } from './accept.ts'
import { canonicalValue } from './reading/canonical.ts'
import type { Change } from './Change.ts'
import { recompute, scopeOf } from './effects.ts'
import { appendedAction } from './history.ts'
import type { Work } from './Work.ts'

/** The records that effects append to other entities, with values computed from the written record. */
export const appendedChanges = ({ context }: Work, changes: readonly Change[]): Change[] =>
  changes.flatMap(({ entity, record: from, old, changed, effects }): Change[] => {
    const scope = scopeOf(context, entity, from, old, changed)
    return effects
      .flatMap(({ append }) => append)
      .map(({ entity: name, set }) => {
        const target = context.derived.catalog.entities[name]
        const { record } = accept(context, target, {}, null)
        for (const [field, formula] of Object.entries(set)) {
          const value = compileFormula(formula, context.derived.types(entity))(scope)
          record[field] = canonicalValue(context, target.fields[field], value)
        }
        recompute(context, target, record)
        return { entity: target, record, old: null, action: appendedAction, effects: [], changed: [] }
      })
  })
