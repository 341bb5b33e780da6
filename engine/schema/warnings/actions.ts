import type { NamedEntity } from '../names.ts'
import { below } from '../pointer.ts'
import { isObject } from '../walk.ts'
import type { Ground } from './ground.ts'

const effects = ['update', 'form', 'run', 'set', 'append', 'updates', 'notify']

/** Warns of an action that changes nothing. */
export function checkActions({ value, source }: NamedEntity, { warn }: Ground): void {
  for (const [name, action] of Object.entries(isObject(value.actions) ? value.actions : {})) {
    if (!isObject(action)) continue
    const isIdle = effects.every((effect) => Object.keys(action[effect] ?? {}).length === 0)
    if (isIdle) warn(source, below('/actions', name), 'idle-action', { found: name }, { key: true })
  }
}
