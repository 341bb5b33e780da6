/**
 * Validates a record: pure code that the form and the server share, so that both give the same answer. A field is
 * judged by its widget (`normalize`, then `check`), by `required`, `requiredWhen`, `visibleWhen` and `readOnlyWhen`,
 * and by the entity's rules at it. What only the server can know (whether a value is free, whether a reference exists)
 * is not judged here.
 */
import { fillText } from '../model/fillText.ts'
import { formulaOf, formulaOrder, readBy } from './formulas.ts'
import { compileCondition, compileFormula } from './index.ts'
import type { Scope, ScopeUser, Settings, VariableTypes } from './index.ts'
import { expressionTypes, settingTypesOf, withSettings } from './variables.ts'
import { composed } from '../model/language.ts'
import type {
  Dictionary,
  Entity,
  Field,
  FieldProblem,
  Label,
  Problem,
  RecordData,
  Rule,
  Value,
  Widget,
} from '../model/model.ts'

/** An Entity or an EntityPlan; a plan lacks the fields that the user may not see, which then count as missing. */
export type VerdictEntity = Pick<Entity, 'name' | 'fields' | 'rules' | 'single'>

/** The mask of a value whose widget has no mask. */
export const hidden = '******'

export interface VerdictContext {
  widgets: Record<string, Widget>
  /** At least the entities of this entity's rows, and those whose settings its expressions read. */
  entities: Record<string, VerdictEntity | undefined>
  dictionary(name: string): Dictionary
  /** The business clock, `yyyy-MM-dd HH:mm:ss`. */
  now(): string
  user?: ScopeUser | null
  settings?: Settings
  /** The record before the save; null or absent during creation. */
  old?: RecordData | null
  /** The fields that the save changes. */
  changed?: readonly string[]
  /**
   * Restricts the check to these fields and what depends on them: fields whose `requiredWhen` or `visibleWhen` reads
   * them, and their rules.
   */
  fields?: readonly string[]
}

const prompts: Record<Widget['prompt'], Label> = {
  enter: { cn: '请输入', en: 'Please enter ' },
  select: { cn: '请选择', en: 'Please select ' },
  upload: { cn: '请上传', en: 'Please upload ' },
}

/** The message of an empty required field: 请输入名称, Please enter Name. */
export function requiredProblem(widget: Pick<Widget, 'prompt'>, label: Label): Problem {
  const prompt = prompts[widget.prompt]
  return {
    code: 'required',
    message: composed([label, prompt], (read) => read(prompt) + read(label)),
  }
}

// ─── How expressions see a record ────────────────────────────────────────────────────────────────────────────────────────

const known = new WeakMap<object, VariableTypes>()

/** The types of an entity's fields in expressions, one object per entity. */
export function variableTypes(
  entity: Pick<VerdictEntity, 'fields'>,
  { widgets, entities }: Pick<VerdictContext, 'widgets' | 'entities'>,
): VariableTypes {
  let types = known.get(entity)
  if (!types) {
    const singles = Object.entries(entities).filter((one): one is [string, VerdictEntity] => one[1]?.single === true)
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

/** Importing a file asks for these for each rule of every row. */
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
const formulasIn = (names: Iterable<string>, { fields }: Pick<VerdictEntity, 'fields'>): string[] =>
  [...names].filter((name) => formulaOf(fields[name]) !== undefined)

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

/** Whether two values of a field are equal in canonical form, references by their ids. */
export function isSame(
  field: Field,
  left: Value | undefined,
  right: Value | undefined,
  widgets: Record<string, Widget>,
): boolean {
  const widget = widgets[field.type]
  const target = widget.target?.(field.options)
  const canonical = (value: Value | undefined): Value => {
    const normal: Value = widget.normalize(value ?? null, field.options)
    if (!target || target.rows) return normal
    return Array.isArray(normal) ? normal.map(idOf) : idOf(normal)
  }
  return equal(canonical(left), canonical(right))
}
const idOf = (value: Value): Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value

/** An absent key is null. */
function equal(left: Value | undefined, right: Value | undefined): boolean {
  const [a, b] = [left ?? null, right ?? null]
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    )
  }
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(a[key], b[key]))
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

/**
 * Fills `{field}` in a message from the record, with formulas recomputed from the current values; sensitive fields are
 * masked.
 */
export function worded(entity: VerdictEntity, message: Label, values: RecordData, context: VerdictContext): Label {
  const { fields } = entity
  const { widgets, dictionary, now } = context
  return Object.fromEntries(
    Object.entries(message).map(([language, text]) => [
      language,
      fillText(
        text,
        (name) => {
          if (!Object.hasOwn(fields, name)) return undefined
          const { type, options, label, sensitive } = fields[name]
          const widget = widgets[type]
          const value: Value = widget.normalize(asFormed(entity, name, values, context)[name] ?? null, options)
          if (value === null) return ''
          if (sensitive) return widget.mask?.(value, options) ?? hidden
          return widget.text(value, options, { label, dictionary, now }, language)
        },
        language,
      ),
    ]),
  )
}

/** The record with this field recomputed from the current values, if it is a formula. */
function asFormed(entity: VerdictEntity, name: string, values: RecordData, context: VerdictContext): RecordData {
  const formula = formulaOf(entity.fields[name])
  if (formula === undefined) return values
  return withFormulas(entity, values, context, formulasIn(new Set([name, ...inputs(formula, entity)]), entity))
}

/** The fields that a rule reads. */
export const inputsOfRule = (rule: Rule, entity: VerdictEntity): readonly string[] =>
  rule.when === undefined
    ? inputs(rule.check, entity)
    : [...new Set([...inputs(rule.check, entity), ...inputs(rule.when, entity)])]

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
function judged(entity: VerdictEntity, names: readonly string[] | undefined): Set<string> {
  if (!names) return new Set(Object.keys(entity.fields))
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
  const names = judged(entity, context.fields)
  const problems = Object.values(entity.fields)
    .filter((field) => names.has(field.name))
    .flatMap((field) =>
      Object.hasOwn(values, field.name)
        ? checkNormal(entity, field, values[field.name] ?? null, values, context)
        : checkField(entity, field, values, context),
    )
  const wrong = new Set(problems.map((problem) => problem.field.split('.')[0]))
  const rules = entity.rules.filter((rule) => {
    const read = inputsOfRule(rule, entity)
    return (
      read.every((name) => !wrong.has(name)) &&
      (!context.fields || names.has(rule.at) || read.some((name) => names.has(name)))
    )
  })
  return [...problems, ...checkRules(entity, rules, values, context)]
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

/** The given fields in canonical form, including their rows. Unknown keys are left for the caller to refuse. */
export function normalizeRecord(
  entity: Pick<VerdictEntity, 'fields'>,
  values: RecordData,
  context: Pick<VerdictContext, 'widgets' | 'entities'>,
): RecordData {
  const normal: RecordData = {}
  for (const name of Object.keys(values)) {
    const given = values[name]
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    if (!field) {
      normal[name] = given
      continue
    }
    const widget = context.widgets[field.type]
    const value: Value = widget.normalize(given ?? null, field.options)
    const target = Array.isArray(value) ? widget.target?.(field.options) : undefined
    const rows = target?.rows && context.entities[target.entity]
    normal[name] = rows && Array.isArray(value) ? value.map((row) => normalRow(rows, row, context)) : value
  }
  return normal
}

function normalRow(
  entity: Pick<VerdictEntity, 'fields'>,
  row: Value,
  context: Pick<VerdictContext, 'widgets' | 'entities'>,
): Value {
  const isRow = typeof row === 'object' && row !== null && !Array.isArray(row)
  return isRow ? (normalizeRecord(entity, row as RecordData, context) as Value) : row
}
