import { composed } from '../../model/language.ts'
import type { Label } from '../../model/model.ts'
import { actionOf } from '../../model/operations.ts'
import { stepLabel } from '../records/stepLabel.ts'
import type { Context } from '../runtime.ts'
import type { Job } from './Job.ts'

/** What a job does, and on which entity. */
export function labelOf({ derived }: Context, { entity: name, operation }: Pick<Job, 'entity' | 'operation'>): Label {
  const entity = derived.catalog.entities[name]
  const action = stepLabel(entity, actionOf(operation))
  return composed([action, entity.label], (read) => `${read(action)} · ${read(entity.label)}`)
}
