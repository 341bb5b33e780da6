import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { Ground } from './ground.ts'
import type { NamedEntity } from '../named.ts'

/** Keys of a form field that concern user input. */
const ofInput = ['required', 'defaultFrom', 'consecutive']

/** Warnings about the forms of transitions and actions, in which a computed field is only shown. */
export function checkAsked(entity: NamedEntity, { warn }: Ground): void {
  const { name, source, value, fields } = entity
  const isComputed = (field: unknown) => typeof field === 'string' && fields[field]?.computed !== undefined
  const states = [value.states ?? []].flat().flatMap((machine) => (isObject(machine) ? [String(machine.field)] : []))
  for (const [act, { form, update }, at] of actsOf(value)) {
    for (const [index, found] of (Array.isArray(update) ? update.map(String) : []).entries()) {
      const place = `${at}/update/${index}`
      if (isComputed(found)) warn(source, place, 'idle-update', { entity: name, act, found })
      if (states.includes(found))
        warn(source, place, 'past-transitions', {
          entity: name,
          act,
          field: found,
          what: 'lets users choose any value',
          instead: 'name the transitions among the actions',
        })
    }
    if (!Array.isArray(form) || form.length === 0) continue
    const asked = form.map((one: unknown) => (isObject(one) ? one : { field: one }))
    if (asked.every(({ field }) => isComputed(field))) {
      const found = asked.map(({ field }) => String(field)).join(', ')
      warn(source, `${at}/form`, 'nothing-asked', { entity: name, act, found })
    } else if (source.generated === undefined) {
      for (const [index, one] of asked.entries())
        for (const key of ofInput.filter((input) => isComputed(one.field) && isObject(one) && one[input]))
          warn(
            source,
            `${at}/form/${index}/${key}`,
            'idle-key',
            { found: key, reason: `${name}.${String(one.field)} is computed, so that nobody fills it in` },
            { key: true },
          )
    }
  }
}

/** The transitions and actions of an entity. */
function* actsOf(value: NamedEntity['value']): Generator<[name: string, act: Record<string, unknown>, at: string]> {
  const several = Array.isArray(value.states)
  const machines = [value.states ?? []]
    .flat()
    .map((states, index): [unknown, string] => [
      isObject(states) ? states.transitions : undefined,
      several ? `/states/${index}/transitions` : '/states/transitions',
    ])
  for (const [acts, at] of [...machines, [value.actions, '/actions'] as [unknown, string]])
    for (const [name, act] of Object.entries(isObject(acts) ? acts : {}))
      if (isObject(act)) yield [name, act, below(at, name)]
}
