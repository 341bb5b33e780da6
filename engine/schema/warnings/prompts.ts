import { outcomes } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { CheckContext } from './checkContext.ts'
import type { NamedEntity } from '../named.ts'

/** Keys of a form field that concern user input. */
const ofInput = ['required', 'defaultFrom', 'consecutive']

/** Warnings about the forms of transitions and actions, in which a computed field is only shown. */
export function checkPrompts(entity: NamedEntity, { warn }: CheckContext): void {
  const { name, source, value, fields } = entity
  const isComputed = (field: unknown) => typeof field === 'string' && fields[field]?.computed !== undefined
  const states = [value.states ?? []].flat().flatMap((machine) => (isObject(machine) ? [String(machine.field)] : []))
  for (const [act, { form, update, when }, at, reached] of actsOf(value)) {
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
    const prompts = form.map((each: unknown) => (isObject(each) ? each : { field: each }))
    for (const [index, { field }] of prompts.entries()) {
      const condition = typeof field === 'string' ? fields[field]?.value.visibleWhen : undefined
      if (typeof condition !== 'string' || isNever(condition)) continue
      if (reached ? isNever(condition, reached) : typeof when === 'string' && excludes(when, condition))
        warn(source, `${at}/form/${index}`, 'hidden-prompt', {
          act,
          found: String(field),
          condition,
          known: reached ? `the record is then "${reached.state}"` : `"when" is ${String(when)}`,
        })
    }
    if (prompts.every(({ field }) => isComputed(field))) {
      const found = prompts.map(({ field }) => String(field)).join(', ')
      warn(source, `${at}/form`, 'nothing-to-enter', { entity: name, act, found })
    } else if (source.generated === undefined) {
      for (const [index, prompt] of prompts.entries())
        for (const key of ofInput.filter((input) => isComputed(prompt.field) && isObject(prompt) && prompt[input]))
          warn(
            source,
            `${at}/form/${index}/${key}`,
            'idle-key',
            { found: key, reason: `${name}.${String(prompt.field)} is computed, so that nobody fills it in` },
            { key: true },
          )
    }
  }
}

/** The state that a transition moves its record to. */
interface Reached {
  field: string
  state: string
}
type Act = [name: string, act: Record<string, unknown>, at: string, reached?: Reached]

/** The transitions and actions of an entity. */
export function* actsOf(value: NamedEntity['value']): Generator<Act> {
  const several = Array.isArray(value.states)
  for (const [index, machine] of [value.states ?? []].flat().entries()) {
    if (!isObject(machine)) continue
    const at = several ? `/states/${index}/transitions` : '/states/transitions'
    for (const [name, act] of objectsIn(machine.transitions))
      yield [name, act, below(at, name), { field: String(machine.field), state: String(act.to) }]
  }
  for (const [name, act] of objectsIn(value.actions)) yield [name, act, below('/actions', name)]
}

const objectsIn = (value: unknown): [string, Record<string, unknown>][] =>
  Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, Record<string, unknown>] =>
    isObject(entry[1]),
  )

/** Whether a condition holds for no record, or for none in this state. */
const isNever = (condition: string, reached?: Reached): boolean =>
  outcomes(condition, (term) => (term === reached?.field ? [reached.state] : undefined)).some(
    ({ always, start, end }) => !always && end - start >= condition.trim().length,
  )

/** Whether two conditions that may each hold never hold together. */
export function excludes(condition: string, other: string): boolean {
  const text = `(${condition}) && (${other})`
  return (
    !isNever(condition) && outcomes(text).some(({ always, start, end }) => !always && end - start >= text.length - 2)
  )
}
