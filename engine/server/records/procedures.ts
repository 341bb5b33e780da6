import type { Entity } from '../../model/model.ts'
import type { Context, Procedure } from '../runtime.ts'
import { byEntity, type Change } from './Change.ts'
import { keyOf, whileOpen, type Work } from './Work.ts'

/** Runs the procedures that the effects name: each once, with all of its records. */
export async function goOn({ context, db }: Work, changes: readonly Change[]): Promise<void> {
  for (const [entity, group] of byEntity(changes)) {
    for (const name of new Set(group.flatMap(({ effects }) => effects.flatMap(({ run }) => run ?? [])))) {
      const theirs = group.filter(({ effects }) => effects.some(({ run }) => run === name))
      const records = theirs.map(({ record }) => record)
      const before = theirs.map(({ old }) => old)
      const keys = records.map((record) => keyOf(entity, record))
      await whileOpen({ context, db }, keys, async () => {
        await procedureOf(context, entity, name)({ context, db, entity: entity.name, records, before, values: {} })
      })
    }
  }
}

export function procedureOf(context: Context, entity: Entity, name: string): Procedure {
  const procedure = context.runtime.procedures[name]
  if (!procedure) throw new Error(`${entity.file}: there is no procedure "${name}"`)
  return procedure
}
