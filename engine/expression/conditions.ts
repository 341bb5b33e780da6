import { formulaOf, readBy } from './formulas.ts'
import { compileCondition } from './index.ts'
import type { Scope, VariableTypes } from './index.ts'
import { expressionTypes, settingTypesOf, withSettings } from './variables.ts'
import type { RecordData, Rule } from '../model/model.ts'
import type { VerdictEntity, VerdictContext } from './VerdictContext.ts'

const known = new WeakMap<object, VariableTypes>()

/** The types of an entity's fields in expressions, one object per entity. */
export function variableTypes(
  entity: Pick<VerdictEntity, 'fields'>,
  { widgets, entities }: Pick<VerdictContext, 'widgets' | 'entities'>,
): VariableTypes {
  let types = known.get(entity)
  if (!types) {
    const singles = Object.entries(entities).filter(
      (entry): entry is [string, VerdictEntity] => entry[1]?.single === true,
    )
    const settings = settingTypesOf(Object.fromEntries(singles), widgets, (name) => entities[name])
    known.set(
      entity,
      (types = withSettings(
        expressionTypes(entity.fields, widgets, (name) => entities[name]),
        settings,
      )),
    )
  }
  return types
}

export const scopeOf = (values: RecordData, context: VerdictContext): Scope => ({
  record: values,
  old: context.old ?? null,
  changed: context.changed ?? [],
  user: context.user ?? null,
  settings: context.settings,
  now: context.now(),
})

/** Whether the condition holds on the record; without a condition, `otherwise`. */
export function holds(
  condition: string | undefined,
  otherwise: boolean,
  entity: VerdictEntity,
  values: RecordData,
  context: VerdictContext,
): boolean {
  if (condition === undefined) return otherwise
  return compileCondition(condition, variableTypes(entity, context))(scopeOf(values, context))
}

/** Cached, because an import looks these up for each rule of every row. */
const knownInputs = new WeakMap<VerdictEntity['fields'], Map<string, readonly string[]>>()

/**
 * The record's fields that an expression reads, including those that its formulas are computed from; `old`, `user` and
 * the like are left out.
 */
export function inputs(expression: string, { fields }: Pick<VerdictEntity, 'fields'>): readonly string[] {
  let own = knownInputs.get(fields)
  if (!own) knownInputs.set(fields, (own = new Map()))
  let names = own.get(expression)
  if (!names) {
    const read = new Set<string>()
    const add = (text: string) => {
      for (const name of readBy(text, { fields })) {
        if (read.has(name)) continue
        read.add(name)
        const formula = formulaOf(fields[name])
        if (formula !== undefined) add(formula)
      }
    }
    add(expression)
    own.set(expression, (names = [...read]))
  }
  return names
}

/** The formulas among these fields. */
export const formulasIn = (names: Iterable<string>, { fields }: Pick<VerdictEntity, 'fields'>): string[] =>
  [...names].filter((name) => formulaOf(fields[name]) !== undefined)

/** The fields that a rule reads. */
export const inputsOfRule = (rule: Rule, entity: VerdictEntity): readonly string[] =>
  rule.when === undefined
    ? inputs(rule.check, entity)
    : [...new Set([...inputs(rule.check, entity), ...inputs(rule.when, entity)])]
