import { outcomes } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { CheckContext, WithWrites } from './checkContext.ts'
import { reasonAt } from './reasons.ts'
import { textsOf } from './writes.ts'
import type { NamedEntity } from '../named.ts'

interface Machine {
  entity: NamedEntity
  field: string
  initial: string
  pointer: string
  transitions: [name: string, transition: JsonObject][]
}

/** Tags of final states. */
const ends = ['success', 'danger', 'info']

/** Warnings about the states of an entity and its transitions. */
export function checkStates(entity: NamedEntity, context: WithWrites): void {
  const { states } = entity.value
  for (const [index, machine] of [states ?? []].flat().entries()) {
    if (!isObject(machine) || !isObject(machine.transitions)) continue
    const found: Machine = {
      entity,
      field: String(machine.field),
      initial: String(machine.initial),
      pointer: Array.isArray(states) ? `/states/${index}` : '/states',
      transitions: Object.entries(machine.transitions).filter((entry): entry is [string, JsonObject] =>
        isObject(entry[1]),
      ),
    }
    checkOpen(found, context)
    checkReached(found, context)
    for (const [name, transition] of found.transitions) checkTransition(found, name, transition, context)
  }
}

function checkOpen({ entity: { name, source }, field }: Machine, { names, warn }: WithWrites): void {
  const { computed, value } = names.field(name, field) ?? {}
  if (!value || computed || value.readOnly === true || value.readOnlyWhen !== undefined) return
  warn(source, below('/fields', field), 'open-state', { entity: name, field })
}

const fromOf = ({ from }: JsonObject): string[] => (Array.isArray(from) ? from.map(String) : [])

function checkReached(machine: Machine, { names, warn, writes }: WithWrites): void {
  const { entity, field: name, initial, pointer, transitions } = machine
  const field = names.field(entity.name, name)
  const dictionary = field && names.dictionaries[names.widgets[field.type]?.dictionary?.(field.options) ?? '']
  if (!dictionary?.sound) return
  const { formulas, rows, takesAnyValue } = writes.writesTo(entity.name, name)
  const set = formulas.map(textsOf)
  // If any state may be set directly, any may be left.
  if (takesAnyValue || set.includes(undefined)) return
  const others = new Set([...set.flatMap((texts) => texts ?? []), ...rows])
  const warnState = (state: string, code: 'never-entered' | 'unreachable-state' | 'dead-end') =>
    warn(entity.source, below(`${pointer}/field`, state), code, { found: state, entity: entity.name, field: name })
  const entered = new Set([initial, ...others, ...transitions.map(([, { to }]) => String(to))])
  const never = dictionary.values.filter((state) => !entered.has(state))
  for (const state of never) warnState(state, 'never-entered')

  const isMeant = (state: string) =>
    reasonAt(entity.source, 'never-entered', below(`${pointer}/field`, state)) !== undefined
  const reached = new Set([initial, ...others, ...never.filter(isMeant)])
  for (let before = -1; before !== reached.size;) {
    before = reached.size
    for (const [, transition] of transitions)
      if (fromOf(transition).some((state) => reached.has(state))) reached.add(String(transition.to))
  }
  const left = new Set(transitions.flatMap(([, transition]) => fromOf(transition)))
  for (const state of dictionary.values) {
    if (!entered.has(state)) continue
    if (!reached.has(state)) warnState(state, 'unreachable-state')
    const tag = dictionary.tags[state]
    const isLeft = left.has(state) || [...others].some((other) => other !== state)
    if (!isLeft && !ends.includes(tag ?? '')) warnState(state, 'dead-end')
  }
}

const effects = ['set', 'append', 'updates', 'notify', 'form'] as const

function checkTransition(
  { entity: { name: entity, source, fields }, field, pointer, transitions: _ }: Machine,
  name: string,
  transition: JsonObject,
  { warn }: CheckContext,
): void {
  const at = below(`${pointer}/transitions`, name)
  const [from, to] = [fromOf(transition), String(transition.to)]
  const hasEffect =
    transition.run !== undefined || effects.some((effect) => Object.keys(transition[effect] ?? {}).length > 0)
  if (from.includes(to) && (from.length === 1 || !hasEffect))
    warn(source, `${at}/to`, 'idle-transition', { found: name, state: to })
  const guards = (Array.isArray(transition.guards) ? transition.guards : []).map((guard, index) => ({
    what: 'The guard',
    check: isObject(guard) ? guard.check : undefined,
    place: `guards/${index}/check`,
  }))
  for (const { what, check: condition, place } of [
    { what: '"when"', check: transition.when, place: 'when' },
    ...guards,
  ]) {
    if (typeof condition !== 'string') continue
    const check = condition
    const isNever = (known?: string[]) =>
      outcomes(check, (term) => (term === field ? known : undefined)).some(
        ({ always, start, end }) => !always && end - start >= check.trim().length,
      )
    if (!isNever() && isNever(from))
      warn(source, `${at}/${place}`, 'contradicting-guard', {
        what,
        found: name,
        field,
        states: from.map((state) => `"${state}"`).join(' or '),
      })
  }
  // A formula may lead to different states.
  const [, set] = /^\s*'([^']*)'\s*$/.exec(isObject(transition.set) ? String(transition.set[field]) : '') ?? []
  if (set !== undefined)
    warn(source, below(`${at}/set`, field), 'own-state-in-set', { found: name, field, value: set, state: to })
  for (const [index, prompt] of (Array.isArray(transition.form) ? transition.form : []).entries()) {
    if (isObject(prompt) && prompt.field === field && Object.hasOwn(fields, field))
      warn(source, `${at}/form/${index}`, 'own-state-in-form', { found: name, entity, field, state: to })
  }
}
