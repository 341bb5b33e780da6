/** The effects that the schema declares for an action, checked through the API. */
import { expect } from 'vitest'
import { compileFormula } from '../../engine/expression/index.ts'
import { isSame } from '../../engine/expression/normalizeRecord.ts'
import { scopeOf, variableTypes } from '../../engine/expression/conditions.ts'
import type { ActionPlan, Effects, Entity, RecordData, Value } from '../../engine/model/model.ts'
import { call, detail, list } from './app.ts'
import { verdictContext, catalog, holds, widgets } from './catalog.ts'
import { isKept } from './fillings.ts'
import type { Filling } from './fillings.ts'
import { transitionOf } from './records.ts'

/**
 * Notes the state before an action.
 * @param given the values entered meanwhile, read after the action
 * @returns a function to call after the action, which expects its effects on the record
 */
export async function effectsOf(
  entity: Entity,
  action: Pick<ActionPlan, 'name'>,
  record: RecordData,
  given: readonly Filling[],
): Promise<() => Promise<void>> {
  const before = await detail(entity.endpoint, record.id!)
  const transition = transitionOf(entity, action.name)
  const { set, append: appends, updates } = transition ?? entity.actions[action.name]
  const appended = await Promise.all(appends.map((append) => countOf(append, before)))
  const started = verdictContext().now()
  const read = () => detail(entity.endpoint, before.id!)
  // A procedure may leave the record itself alone, but always leaves a trace in the history.
  const trace = async () =>
    transition || !entity.actions[action.name].run
      ? (await read()).revision
      : (await call<{ total: number }>('GET', `${entity.endpoint}/history`, { id: before.id })).total
  const untouched = await trace()
  return async () => {
    const message = `${action.name} writes the record`
    await expect.poll(trace, { message }).not.toBe(untouched)
    const after = await read()
    // The input of a procedure may be meant for other records.
    const kept = transition || !entity.actions[action.name].run ? given : []
    // With several records, the later ones get the numbers that follow.
    const counted = transition?.form.flatMap(({ field, consecutive }) => (consecutive ? [field] : [])) ?? []
    const lost = kept
      .filter(
        (filling) => !isKept(filling, after) && !(counted.includes(filling.field.name) && after[filling.field.name]),
      )
      .map(({ field }) => field.name)
    expect(lost, 'what was put in and is not kept').toEqual([])
    // If the action sets the state by a formula, the formula decides.
    if (transition && !Object.hasOwn(set, transition.field)) expect(after[transition.field]).toBe(transition.to)
    const values = { ...before, ...Object.fromEntries(given.map(({ field, value }) => [field.name, value])) }
    for (const [name, formula] of Object.entries(set))
      expectSet(entity, name, formula, { values, old: before, started }, after[name] ?? null)
    for (const { entity: other, by, when, set: sets } of updates) {
      const referred = before[by] as { id: number } | null
      if (!referred || !holds(when, entity, values)) continue
      const changed = await detail(catalog.entities[other].endpoint, referred.id)
      for (const [name, formula] of Object.entries(sets))
        expectSet(
          entity,
          name,
          formula,
          { values, old: before, started },
          changed[name] ?? null,
          catalog.entities[other],
        )
    }
    for (const [index, append] of appends.entries()) {
      expect(await countOf(append, before), `records of ${append.entity}`).toBe(appended[index] + 1)
    }
  }
}

function expectSet(
  entity: Entity,
  name: string,
  formula: string,
  { values, old, started }: { values: RecordData; old: RecordData; started: string },
  value: Value,
  holder = entity,
) {
  const message = `${name} is set to ${formula}: ${JSON.stringify(value)}`
  // Recomputes the formula as of a given time; a value that depends on the time only has to be later than the start.
  const at = (now: string) => {
    const context = { ...verdictContext(old), now: () => now }
    return compileFormula(formula, variableTypes(entity, context))(scopeOf(values, context)) as Value
  }
  const isTimed =
    /\bnow\(\)/.test(formula) &&
    !isSame(holder.fields[name], at('2000-01-01 00:00:00'), at('2000-01-02 00:00:00'), widgets)
  if (isTimed) return expect(String(value) >= started, message).toBe(true)
  const expected = at(started)
  expect(isSame(holder.fields[name], expected, value, widgets), message).toBe(true)
}

/** The number of records appended to this one. */
async function countOf({ entity: name, set }: Effects['append'][number], record: RecordData): Promise<number> {
  const entity = catalog.entities[name]
  const [by] = Object.entries(set).find(([, formula]) => formula === 'id') ?? []
  return (await list(entity.endpoint, by === undefined ? {} : { filters: { [by]: { equals: record.id } } })).total
}
