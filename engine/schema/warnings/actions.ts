import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { Ground } from './ground.ts'
import type { NamedEntity } from '../named.ts'

const effects = ['update', 'form', 'run', 'set', 'append', 'updates', 'notify']

const keys = '"form", "update", "run", "set", "append", "updates" or "notify"'

/** Warns of an action that changes nothing, and of one that divides what it does not do. */
export function checkActions({ value, source }: NamedEntity, { warn }: Ground): void {
  for (const [name, action] of Object.entries(isObject(value.actions) ? value.actions : {})) {
    if (!isObject(action)) continue
    const isIdle = effects.every((effect) => Object.keys(action[effect] ?? {}).length === 0)
    if (isIdle) warn(source, below('/actions', name), 'idle-action', { found: name, keys }, { key: true })
    const isDivided = typeof action.job === 'string' && (action.run === undefined || action.update !== undefined)
    if (isDivided) warn(source, below(below('/actions', name), 'job'), 'undivided-job', { found: name })
  }
}

/** Warns of a step that one person may always do, whatever they did before. */
export function checkSteps({ value, source }: NamedEntity, { warn }: Ground): void {
  const place = Array.isArray(value.fourEyes) ? value.fourEyes.indexOf('create') : 0
  if (place > 0) warn(source, below('/fourEyes', String(place)), 'idle-step', { found: 'create' })
}
