/**
 * Validates a record: pure code that the form and the server share, so that both give the same answer. A field is
 * judged by its widget (`normalize`, then `check`), by `required`, `requiredWhen`, `visibleWhen` and `readOnlyWhen`,
 * and by the entity's rules at it. What only the server can know (whether a value is free, whether a reference exists)
 * is not judged here.
 */
import { compileCondition, compileFormula } from './index.ts'
import type { Field, FieldProblem, RecordData, Rule, Value, Widget } from '../model/model.ts'
import type { VerdictEntity, VerdictContext } from './VerdictContext.ts'
import { holds, variableTypes, scopeOf, inputsOfRule, inputs } from './conditions.ts'
import { requiredProblem, worded } from './worded.ts'
import { isSame, normalizeRecord } from './normalizeRecord.ts'
import { completed } from './withFormulas.ts'

// ─── Fields ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether a client may send it: what the system sets, computes or numbers is never taken from a client. */
export const isWritable = (field: Field, widgets: Record<string, Widget>): boolean =>
  !field.readOnly &&
  !field.computed &&
  (!widgets[field.type].series || widgets[field.type].given?.(field.options) === true)

export const isVisible = (entity: VerdictEntity, field: Field, values: RecordData, context: VerdictContext): boolean =>
  holds(field.visibleWhen, true, entity, values, context)

export const isReadOnly = (entity: VerdictEntity, field: Field, values: RecordData, context: VerdictContext): boolean =>
  !isWritable(field, context.widgets) || holds(field.readOnlyWhen, false, entity, values, context)

/** A secret that the record already has is kept if left empty; nobody learns whether a password is set. */
export const isRequired = (entity: VerdictEntity, field: Field, values: RecordData, context: VerdictContext): boolean =>
  !isKept(field, context) && (field.required || holds(field.requiredWhen, false, entity, values, context))

function isKept(field: Field, { widgets, old }: VerdictContext): boolean {
  const { protect } = widgets[field.type]
  return !!old && (protect === 'hash' || (protect === 'encrypt' && (old[field.name] ?? null) !== null))
}

/**
 * The problems of one field of a record: at most one, or those of its rows (`contacts.0.mobile`). Rules are checked
 * separately.
 */
export function checkField(
  entity: VerdictEntity,
  field: Field,
  values: RecordData,
  context: VerdictContext,
): FieldProblem[] {
  const value: Value = context.widgets[field.type].normalize(values[field.name] ?? null, field.options)
  return checkNormal(entity, field, value, values, context)
}

/** The same for a value in canonical form. */
function checkNormal(
  entity: VerdictEntity,
  field: Field,
  value: Value,
  values: RecordData,
  context: VerdictContext,
): FieldProblem[] {
  const widget = context.widgets[field.type]
  if (isReadOnly(entity, field, values, context) || !isVisible(entity, field, values, context)) return []
  if (value === null) {
    return isRequired(entity, field, values, context)
      ? [{ field: field.name, ...requiredProblem(widget, field.label) }]
      : []
  }
  // A user who may not see the value received its mask, and sends the mask back.
  const mayBeMasked = field.sensitive || widget.protect !== undefined
  if (mayBeMasked && context.old && isSame(field, value, context.old[field.name], context.widgets)) return []
  const problem = widget.check(value, field.options, {
    label: field.label,
    dictionary: context.dictionary,
    now: context.now,
  })
  if (problem) return [{ field: field.name, ...problem }]
  const target = widget.target?.(field.options)
  return target?.rows
    ? checkRows(field, value as RecordData[], context.entities[target.entity], target.rows.by, context)
    : []
}

/** Judges each row as its own record; what must be unique within the parent is compared with the rows above. */
function checkRows(
  field: Field,
  rows: RecordData[],
  entity: VerdictEntity | undefined,
  by: string,
  context: VerdictContext,
): FieldProblem[] {
  if (!entity) return []
  const before = (context.old?.[field.name] ?? []) as RecordData[]
  const names = Object.keys(entity.fields).filter((name) => name !== by)
  const distinct = names.filter((name) => entity.fields[name].uniqueWithin === by)
  return rows.flatMap((row, index) => {
    const old = row.id === undefined || row.id === null ? null : (before.find(({ id }) => id === row.id) ?? null)
    const found = checkRecord(entity, row, { ...context, old, fields: names })
    for (const name of distinct) {
      const same = (other: RecordData) => isSame(entity.fields[name], other[name], row[name], context.widgets)
      const first = (row[name] ?? null) === null ? index : rows.findIndex(same)
      if (first < index && !found.some((problem) => problem.field === name)) {
        found.push({
          field: name,
          code: 'duplicate',
          message: { cn: `与第${first + 1}行重复`, en: `Duplicate of row ${first + 1}` },
        })
      }
    }
    return found.map((problem) => ({ ...problem, field: `${field.name}.${index}.${problem.field}` }))
  })
}

// ─── Rules and whole records ─────────────────────────────────────────────────────────────────────────────────────────────

/** The violated rules (or guards of a transition): false, not merely undecided because a value is missing. */
export function checkRules(
  entity: VerdictEntity,
  rules: readonly Rule[],
  values: RecordData,
  context: VerdictContext,
): FieldProblem[] {
  const types = variableTypes(entity, context)
  const scope = scopeOf(values, context)
  return rules
    .filter(
      (rule) =>
        (rule.when === undefined || compileCondition(rule.when, types)(scope)) &&
        compileFormula(rule.check, types)(scope) === false,
    )
    .map((rule) => ({ field: rule.at, code: 'rule', message: worded(entity, rule.message, values, context) }))
}

/** The problems that a form shows at one field, else the violated rules at it. As in `checkRecord`. */
export function checkAt(
  entity: VerdictEntity,
  field: Field,
  given: RecordData,
  context: VerdictContext,
): FieldProblem[] {
  const values = completed(entity, given, context)
  const own = checkField(entity, field, values, context)
  if (own.length > 0) return own
  const isGood = (name: string) =>
    name === field.name ||
    (context.fields && !context.fields.includes(name)) ||
    checkField(entity, entity.fields[name], values, context).length === 0
  return checkRules(
    entity,
    entity.rules.filter((rule) => rule.at === field.name && inputsOfRule(rule, entity).every(isGood)),
    values,
    context,
  )
}

/** The fields to judge if only these are checked. */
function judged(entity: VerdictEntity, names: readonly string[]): Set<string> {
  const given = new Set(names)
  const reads = (expression: string | undefined) =>
    expression !== undefined && inputs(expression, entity).some((name) => given.has(name))
  return new Set(
    Object.values(entity.fields)
      .filter((field) => given.has(field.name) || reads(field.requiredWhen) || reads(field.visibleWhen))
      .map((field) => field.name),
  )
}

/**
 * All problems of a record, in the order of its fields, then of its rules. `values` is the whole record as it would be
 * saved (references `{ id }` or ids, rows as lists). A rule whose inputs have problems is not judged.
 */
export function checkRecord(entity: VerdictEntity, given: RecordData, context: VerdictContext): FieldProblem[] {
  const values = completed(entity, normalizeRecord(entity, given, context), context)
  const names = context.fields && judged(entity, context.fields)
  const problems: FieldProblem[] = []
  for (const name of Object.keys(entity.fields)) {
    if (names && !names.has(name)) continue
    const field = entity.fields[name]
    const found = Object.hasOwn(values, name)
      ? checkNormal(entity, field, values[name] ?? null, values, context)
      : checkField(entity, field, values, context)
    if (found.length > 0) problems.push(...found)
  }
  const wrong = new Set(problems.map((problem) => problem.field.split('.')[0]))
  const rules = entity.rules.filter((rule) => {
    const read = inputsOfRule(rule, entity)
    return (
      read.every((name) => !wrong.has(name)) && (!names || names.has(rule.at) || read.some((name) => names.has(name)))
    )
  })
  return [...problems, ...checkRules(entity, rules, values, context)]
}
