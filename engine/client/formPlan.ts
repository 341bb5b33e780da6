import { inputs, inputsOfRule } from '../expression/conditions.ts'
import { isVisible, isWritable } from '../expression/verdict.ts'
import { normalizeRecord } from '../expression/normalizeRecord.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import type { EntityPlan, Field, Label, RecordData, SaveEvent, Value, Widget } from '../model/model.ts'
import type { EngineContext } from './view.ts'

/** A field in the layout of a form. */
export interface LaidField {
  field: string
  label?: Label
  hint?: Label
  /** Columns that it spans, of 24. */
  span?: number
  /** Visible but not editable on this screen. */
  readOnly?: boolean
  /** Required here, regardless of the entity. */
  required?: boolean
  /** A small button beside the label that fills in the formula's value. */
  copy?: { label: Label; from: string }
}
export interface PlacedField extends LaidField {
  section: number
  span: number
}
export interface LaidSection {
  title?: Label
  hint?: Label
  visibleWhen?: string
  fields: readonly LaidField[]
}
export interface FormWarning {
  at: string
  when: string
  message: Label
  link?: string
}

export interface FormSource {
  entity: EntityPlan
  sections: readonly LaidSection[]
  warnings?: readonly FormWarning[]
  mode: 'create' | 'edit' | 'read'
  /** The record as read; null for a new one. */
  old: RecordData | null
  /** Initial values of a new record, besides the defaults. */
  initial?: RecordData
  /** Opened with parameters that state more than field values. */
  opened?: boolean
}

/** The entity with this form's labels, hints and required fields. Fields that the user may not see are left out. */
export function formEntity(
  { entity, sections }: FormSource,
  { views }: EngineContext,
): { entity: EntityPlan; laid: Map<string, PlacedField> } {
  const laid = new Map<string, PlacedField>()
  const spanOf = (name: string) => {
    const view = views[entity.fields[name].type]
    return typeof view === 'object' && view.wide ? 24 : 8
  }
  sections.forEach((section, index) =>
    section.fields.forEach((field) => {
      if (Object.hasOwn(entity.fields, field.field))
        laid.set(field.field, { ...field, section: index, span: field.span ?? spanOf(field.field) })
    }),
  )
  const fields = { ...entity.fields }
  for (const { field, label, hint, required } of laid.values()) {
    const own = entity.fields[field]
    fields[field] = { ...own, label: label ?? own.label, hint: hint ?? own.hint, required: required ?? own.required }
  }
  return { entity: { ...entity, fields }, laid }
}

/** What the verdict requires from its surroundings. */
export function verdictContext(
  engine: EngineContext,
  entity: EntityPlan,
  user: VerdictContext['user'],
  old: RecordData | null,
): VerdictContext {
  const entities: VerdictContext['entities'] = { [entity.name]: entity }
  const visit = (fields: Record<string, Field>) =>
    Object.values(fields).forEach((field) => {
      const target = engine.widgets[field.type].target?.(field.options)
      if (!target?.rows || target.entity in entities) return
      const rows = (entities[target.entity] = engine.entity(target.entity))
      if (rows) visit(rows.fields)
    })
  visit(entity.fields)
  for (const name of Object.keys(engine.settings ?? {})) {
    entities[name] ??= engine.entity(name)
    visit(entities[name]?.fields ?? {})
  }
  return {
    widgets: engine.widgets,
    entities,
    dictionary: engine.dictionary,
    now: engine.now,
    user,
    settings: engine.settings,
    old,
  }
}

/** What reads a field, so that a change runs only that code. */
export interface Dependents {
  /** Fields whose required mark, visibility, lock or rules read it. */
  judged: string[]
  /** The fields at which its rules are reported, and the warnings that read it. */
  rules: string[]
  warnings: FormWarning[]
}

export function dependentsOf(
  entity: EntityPlan,
  names: ReadonlySet<string>,
  warnings: readonly FormWarning[] = [],
): Map<string, Dependents> {
  const all = new Map<string, Dependents>()
  const entryOf = (name: string) => {
    let dependents = all.get(name)
    if (!dependents) all.set(name, (dependents = { judged: [], rules: [], warnings: [] }))
    return dependents
  }
  const add = (list: string[], name: string) => {
    if (!list.includes(name)) list.push(name)
  }
  for (const name of names) {
    const { requiredWhen, visibleWhen, readOnlyWhen } = entity.fields[name]
    for (const condition of [requiredWhen, visibleWhen, readOnlyWhen]) {
      if (condition !== undefined) inputs(condition, entity).forEach((input) => add(entryOf(input).judged, name))
    }
  }
  for (const rule of entity.rules) {
    if (names.has(rule.at)) inputsOfRule(rule, entity).forEach((input) => add(entryOf(input).rules, rule.at))
  }
  for (const warning of warnings) {
    if (names.has(warning.at))
      new Set([warning.at, ...inputs(warning.when, entity)]).forEach((input) => entryOf(input).warnings.push(warning))
  }
  return all
}

/** Initial values of a new record: the literal defaults of all fields, then those of the screen. */
export function initialValues(
  entity: EntityPlan,
  widgets: Record<string, Widget>,
  initial: RecordData = {},
): RecordData {
  const defaults = Object.values(entity.fields).flatMap((field): [string, Value][] =>
    field.default === undefined || field.default === null
      ? []
      : [[field.name, widgets[field.type].normalize(field.default, field.options)]],
  )
  return { ...Object.fromEntries(defaults), ...initial }
}

export const isMap = (value: Value | undefined): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** In written form: canonical, a reference as its id. */
function written(field: Field, value: Value, context: VerdictContext): Value {
  const target = context.widgets[field.type].target?.(field.options)
  const idOf = (value: Value): Value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value
  if (!target) return value
  const rows = target.rows && context.entities[target.entity]
  if (!target.rows) return Array.isArray(value) ? value.map(idOf) : idOf(value)
  if (!rows || !Array.isArray(value)) return value
  return value.map((row) =>
    Object.fromEntries(
      Object.entries(row as Record<string, Value>)
        .filter(([name]) => !Object.hasOwn(rows.fields, name) || isWritable(rows.fields[name], context.widgets))
        .map(([name, cell]) => [
          name,
          Object.hasOwn(rows.fields, name) ? written(rows.fields[name], cell, context) : cell,
        ]),
    ),
  )
}

/**
 * What is sent of these fields. A field that is not visible in this record is not part of it: it is sent as null, so
 * that no hidden value remains.
 */
export function writtenValues(
  entity: EntityPlan,
  values: RecordData,
  names: readonly string[],
  context: VerdictContext,
): Record<string, Value> {
  const canonical = normalizeRecord(entity, values, context)
  return Object.fromEntries(
    names.map((name) => {
      const field = entity.fields[name]
      const value = isVisible(entity, field, canonical, context) ? (canonical[name] ?? null) : null
      return [name, written(field, value, context)]
    }),
  )
}

/** The effects of this save that need confirmation. */
export const asking = (
  events: readonly SaveEvent[],
  on: 'create' | 'update',
  changed: readonly string[],
  applies: (when: string) => boolean,
): Label[] =>
  events.flatMap((event) =>
    event.confirm &&
    event.on === on &&
    (!event.changed || event.changed.some((name) => changed.includes(name))) &&
    (event.when === undefined || applies(event.when))
      ? [event.confirm]
      : [],
  )

/** Whether an effect follows even if nothing was changed, such as resubmitting the record. */
export const followsAnyway = (events: readonly SaveEvent[], applies: (when: string) => boolean): boolean =>
  events.some((event) => event.on === 'update' && !event.changed && (event.when === undefined || applies(event.when)))

/**
 * Initial values from the address: `?customer=7` for a reference on the form. Other fields share their names with
 * parameters.
 */
export function initialOf(
  entity: EntityPlan,
  sections: readonly LaidSection[],
  query: Readonly<Record<string, string>>,
  widgets: Record<string, Widget>,
): RecordData {
  const laid = new Set(sections.flatMap(({ fields }) => fields.map(({ field }) => field)))
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]): [string, Value][] => {
      const field = laid.has(name) && Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      const target = field && widgets[field.type].target?.(field.options)
      return field && target && !target.rows ? [[name, widgets[field.type].normalize(given, field.options)]] : []
    }),
  )
}
