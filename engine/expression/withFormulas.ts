import { formulaOf, formulaOrder } from './formulas.ts'
import { compileFormula } from './index.ts'
import type { Field, RecordData, Value } from '../model/model.ts'
import type { VerdictEntity, VerdictContext } from './VerdictContext.ts'
import { inputs, formulasIn, variableTypes, scopeOf } from './conditions.ts'

const knownFormulas = new WeakMap<VerdictEntity['fields'], readonly string[]>()

/** The formulas that the entity's conditions and rules read. */
function judgedBy(entity: VerdictEntity): readonly string[] {
  let names = knownFormulas.get(entity.fields)
  if (!names) {
    const conditions = Object.values(entity.fields).flatMap(({ visibleWhen, requiredWhen, readOnlyWhen }) => [
      visibleWhen,
      requiredWhen,
      readOnlyWhen,
    ])
    const rules = entity.rules.flatMap(({ check, when }) => [check, when])
    const read = [...conditions, ...rules].flatMap((text) => (text === undefined ? [] : inputs(text, entity)))
    knownFormulas.set(entity.fields, (names = formulasIn(new Set(read), entity)))
  }
  return names
}

/** Whether the value is the mask that the user was shown, which would not be valid in the field. */
function isMask({ sensitive, type, options, label }: Field, value: Value, context: VerdictContext): boolean {
  if (!sensitive || value === null) return false
  const { widgets, dictionary, now } = context
  return widgets[type].check(widgets[type].normalize(value, options), options, { label, dictionary, now }) !== undefined
}

/** An unsaved record with the formulas that its conditions and rules read. */
export function completed(entity: VerdictEntity, values: RecordData, context: VerdictContext): RecordData {
  const names = judgedBy(entity)
  return names.length === 0 ? values : withFormulas(entity, values, context, names)
}

/** Evaluates a formula on an unsaved record, after computing the formulas that it reads. */
export function computeFormula(
  formula: string,
  entity: VerdictEntity,
  values: RecordData,
  context: VerdictContext,
): Value {
  const names = formulasIn(inputs(formula, entity), entity)
  const whole = names.length === 0 ? values : withFormulas(entity, values, context, names)
  return compileFormula(formula, variableTypes(entity, context))(scopeOf(whole, context))
}

/**
 * The record with its formulas, or those of these names, recomputed as on reading, because conditions may read them.
 * Look-ups and aggregates stay as they are.
 */
export function withFormulas(
  entity: VerdictEntity,
  values: RecordData,
  context: VerdictContext,
  names: readonly string[] = formulasIn(Object.keys(entity.fields), entity),
): RecordData {
  // A formula over a mask would yield another value than the one that was read.
  const isOfMask = (field: Field) =>
    inputs(formulaOf(field)!, entity).some((name) => isMask(entity.fields[name], values[name] ?? null, context))
  const wanted = new Set(names)
  const worked = { ...values }
  for (const name of formulaOrder(entity)) {
    const field = entity.fields[name]
    if (!wanted.has(name) || isOfMask(field)) continue
    const formula = compileFormula(formulaOf(field)!, variableTypes(entity, context))
    worked[name] = context.widgets[field.type].normalize(formula(scopeOf(worked, context)), field.options)
  }
  return worked
}
