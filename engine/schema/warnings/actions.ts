import { actsOf } from './prompts.ts'
import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf } from '../walk.ts'
import { isBrought, type CheckContext, type Whole } from './checkContext.ts'
import type { NamedEntity } from '../named.ts'

const effects = ['update', 'form', 'run', 'set', 'append', 'updates', 'notify']

const keys = '"form", "update", "run", "set", "append", "updates" or "notify"'

/** What an action with "run" and without "update" does only if its procedure makes it. */
const ownEffects = ['set', 'append', 'updates', 'notify']

/** Warns about an action that changes nothing, about effects that it never has, and about dividing what it does not do. */
export function checkActions({ value, source }: NamedEntity, { warn }: CheckContext): void {
  for (const [name, action] of Object.entries(isObject(value.actions) ? value.actions : {})) {
    if (!isObject(action)) continue
    const isIdle = effects.every((effect) => Object.keys(action[effect] ?? {}).length === 0)
    if (isIdle) warn(source, below('/actions', name), 'idle-action', { found: name, keys }, { key: true })
    const isWhole = action.run !== undefined && action.update === undefined
    for (const found of ownEffects.filter((effect) => isWhole && Object.keys(action[effect] ?? {}).length > 0))
      warn(source, below(below('/actions', name), found), 'idle-effect', { act: name, found }, { key: true })
    const isDivided = typeof action.job === 'string' && (action.run === undefined || action.update !== undefined)
    if (isDivided) warn(source, below(below('/actions', name), 'job'), 'undivided-job', { found: name })
  }
}

/** Warns about a step that one person may always do, whatever they did before. */
export function checkSteps({ value, source }: NamedEntity, { warn }: CheckContext): void {
  const place = Array.isArray(value.fourEyes) ? value.fourEyes.indexOf('create') : 0
  if (place > 0) warn(source, below('/fourEyes', String(place)), 'idle-step', { found: 'create' })
}

/** Warns about conditions of a save that creates a record on its values before, of which there are none. */
export function checkSaves({ value, source, name }: NamedEntity, { warn }: CheckContext): void {
  for (const [index, save] of (Array.isArray(value.saves) ? value.saves : []).entries()) {
    const when: unknown = isObject(save) && save.on === 'create' ? save.when : undefined
    const found = typeof when === 'string' ? /\bold\.\w+/.exec(when) : null
    if (!found) continue
    const part = { part: { start: found.index, end: found.index + found[0].length } }
    warn(source, `/saves/${index}/when`, 'nothing-before', { entity: name, found: found[0] }, part)
  }
}

/** Warns about transitions and actions of entities with screens that nothing offers or does. */
export function checkOffered({ files, names, warn }: Whole): void {
  const offered = new Set<string>()
  for (const file of files)
    for (const place of placesOf(file.value, file.shape)) {
      const { names: role } = place.shape
      if (role === 'action' || role === 'transition')
        offered.add(`${scopeOf(place, file, names)}.${String(place.value)}`)
    }
  const shown = new Set(Object.values(names.screens).flatMap(({ entity, about }) => [entity, about]))
  for (const { name: entity, source, value } of Object.values(names.entities)) {
    if (isBrought(source) || !shown.has(entity)) continue
    for (const [found, , at] of actsOf(value))
      if (!offered.has(`${entity}.${found}`)) warn(source, at, 'unoffered-action', { entity, found }, { key: true })
  }
}
