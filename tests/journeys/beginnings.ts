/** The values of a record before anything is entered. */
import { compileFormula } from '../../engine/expression/index.ts'
import type { Entity, Field, RecordData, Value } from '../../engine/model/model.ts'
import { scopeOf, variableTypes } from '../../engine/expression/conditions.ts'
import { known } from './app.ts'
import { verdictContext, widgets } from './catalog.ts'

const context = verdictContext()

/**
 * The initial values of a new record: those given by the screen, the literal defaults, then the results of formulas.
 */
export function defaultsOf(entity: Entity, given: RecordData = {}): RecordData {
  const values: RecordData = {}
  for (const { name, type, options, default: literal } of Object.values(entity.fields)) {
    values[name] = given[name] ?? (literal === undefined ? null : (widgets[type].normalize(literal, options) as Value))
  }
  // A formula may read the result of another.
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const { name, type, options, defaultFrom } of Object.values(entity.fields)) {
      if (defaultFrom === undefined || values[name] !== null) continue
      const result = compileFormula(defaultFrom, variableTypes(entity, context))(scopeOf(values, context))
      values[name] = widgets[type].normalize(result, options) as Value
      if (values[name] !== null) isSettled = false
    }
  }
  return values
}

/** The same, with the values looked up or copied from the records that it refers to. */
export async function beginningOf(entity: Entity, given: RecordData = {}): Promise<RecordData> {
  let values = { ...given }
  const lookedUp = new Set<string>()
  for (;;) {
    const references = referencesOf(entity).filter(({ name }) => (values[name] ?? null) !== null && !lookedUp.has(name))
    if (references.length === 0) return defaultsOf(entity, values)
    for (const { name } of references) {
      lookedUp.add(name)
      values = { ...values, ...(await lookUp(entity, name, values)) }
    }
  }
}

/** The references through which a record looks up or copies values. */
export const referencesOf = (entity: Entity): Field[] =>
  Object.values(entity.fields).filter(
    ({ name }) =>
      entity.copies?.by === name ||
      Object.values(entity.fields).some(({ computed }) => computed?.kind === 'lookup' && computed.by === name),
  )

export const lookUp = (entity: Entity, name: string, values: RecordData): Promise<RecordData> =>
  known<RecordData>(`${entity.endpoint}/lookup`, { field: name, id: (values[name] as { id: number }).id })
