import { dependencies } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { isObject, type JsonObject } from '../walk.ts'
import { excludes } from './prompts.ts'
import { isBrought, type CheckContext, type Whole, type WithWrites } from './checkContext.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'

/** Warnings about the fields of an entity, individually and compared with each other. */
export function checkFields(entity: NamedEntity, context: CheckContext): void {
  const { name, source, value, fields } = entity
  const { names, warn } = context
  const machines = [value.states ?? []].flat().filter(isObject)
  const initials = new Map(machines.map(({ field, initial }) => [String(field), String(initial)]))
  for (const field of Object.values(fields)) {
    const at = below('/fields', field.name)
    const idle = (found: string, reason: string) =>
      warn(source, below(at, found), 'idle-key', { found, reason }, { key: true })
    if (field.computed !== undefined && source.generated === undefined)
      for (const key of ['required', 'requiredWhen', 'default', 'defaultFrom'].filter((each) => field.value[each]))
        idle(key, `${name}.${field.name} is computed, so that nobody fills it in`)
    if (field.value.required === true && field.value.requiredWhen !== undefined)
      idle('requiredWhen', `${name}.${field.name} is always required, as "required" says`)
    const { visibleWhen, requiredWhen } = field.value
    if (typeof visibleWhen === 'string' && typeof requiredWhen === 'string' && excludes(visibleWhen, requiredWhen))
      idle('requiredWhen', `${name}.${field.name} is hidden whenever it would be required`)
    if (field.value.readOnly === true && field.value.readOnlyWhen !== undefined)
      idle('readOnlyWhen', `${name}.${field.name} is always read-only, as "readOnly" says`)
    if (field.value.default !== undefined && field.value.defaultFrom !== undefined)
      idle('defaultFrom', `a new ${name} begins with ${JSON.stringify(field.value.default)}, as "default" says`)
    const { was } = field.value
    // Two fields that swap their names both declare it.
    if (typeof was === 'string' && Object.hasOwn(fields, was) && fields[was].value.was === undefined)
      idle('was', `${name} still has a field "${was}", which keeps its values`)
    const initial = initials.get(field.name)
    const { default: value } = field.value
    if (value !== undefined && initial !== undefined && value !== initial)
      idle('default', `a new ${name} begins in the state "${initial}", as "initial" says`)
    checkHiddenRows(entity, field, context)
  }
  for (const [index, searched] of (Array.isArray(value.search) ? value.search : []).entries()) {
    if (names.field(name, String(searched))?.value.sensitive === true)
      warn(source, below('/search', index), 'searched-secret', { entity: name, found: String(searched) })
  }
}

/**
 * Warns about fields whose visibility depends on themselves, other than on whether they have a value, which something
 * else may have set.
 */
export function checkVisibility(entity: NamedEntity, { names, warn, writes }: WithWrites): void {
  const { name, source, fields } = entity
  for (const field of Object.values(fields)) {
    const { visibleWhen } = field.value
    // A computed field has a value even where it is hidden.
    if (typeof visibleWhen !== 'string' || field.computed !== undefined) continue
    const { formulas, rows, takesAnyValue } = writes.writesTo(name, field.name)
    const maySet = takesAnyValue || formulas.length + rows.size > 0
    // Procedures name the fields of a family by its parameters.
    const isSet = maySet || isFilled(field, names) || isWorked(field, name, names) || source.generated !== undefined
    if (readsItself(visibleWhen, field.name, isSet))
      warn(source, below(below('/fields', field.name), 'visibleWhen'), 'visible-by-itself', {
        entity: name,
        found: field.name,
      })
  }
}

/** @param isSet whether something other than this field's control may give it a value */
function readsItself(condition: string, field: string, isSet: boolean): boolean {
  const others = isSet ? condition.replaceAll(new RegExp(`\\b${field} != (null|'')`, 'g'), 'true') : condition
  try {
    return dependencies(others).includes(field)
  } catch {
    return false
  }
}

/** Whether anything but a user sets this in a new record. */
const isFilled = ({ type, options, value, computed }: NamedField, { widgets }: Names): boolean =>
  value.readOnly === true ||
  value.default !== undefined ||
  value.defaultFrom !== undefined ||
  computed !== undefined ||
  (widgets[type].series?.(options, {}) !== undefined && widgets[type].given?.(options) !== true)

/** Rows are filled in as a table, so each required field needs a column. */
function checkHiddenRows(entity: NamedEntity, field: NamedField, { names, warn }: CheckContext): void {
  for (const hidden of hiddenRows(field, names)) {
    const [rows, found] = hidden.split('.')
    const at = below(below('/fields', field.name), 'columns')
    warn(entity.source, at, 'hidden-required', { entity: rows, found, of: entity.name })
  }
}

/** `entity.field` of the required fields of rows that are none of their columns. */
function hiddenRows(field: NamedField, names: Names): string[] {
  const target = names.target(field)
  const rows = target?.rows && names.entities[target.entity]
  const { columns } = field.options
  if (!rows || !Array.isArray(columns) || field.value.readOnly === true || field.options.fixed === true) return []
  return Object.values(rows.fields).flatMap((other) => {
    const isGiven = other.name === target.rows!.by || Object.hasOwn(target.rows!.where, other.name)
    const isPrompted = columns.includes(other.name) || other.value.visibleWhen !== undefined
    const isHidden = other.value.required === true && !isPrompted && !isGiven && !isFilled(other, names)
    return isHidden ? [`${rows.name}.${other.name}`] : []
  })
}

/** Warns about a required read-only field that nothing sets; a procedure that runs on the entity may set it. */
export function checkUnset(entity: NamedEntity, { names, warn, writes }: WithWrites): void {
  const { name, source, value, fields } = entity
  // Records that no form adds are created by a procedure.
  if (isObject(value.allow) && value.allow.create === false) return
  const machines = [value.states ?? []].flat().flatMap((machine) => (isObject(machine) ? [machine.field] : []))
  for (const field of Object.values(fields)) {
    const { readOnly, required, default: literal, defaultFrom } = field.value
    if (readOnly !== true || required !== true || field.computed !== undefined) continue
    if (literal !== undefined || defaultFrom !== undefined || machines.includes(field.name)) continue
    if (names.widgets[field.type].series?.(field.options, {}) !== undefined || names.target(field)?.rows) continue
    const { formulas, rows, takesAnyValue, isSetAtFirst, steps } = writes.writesTo(name, field.name)
    // Rows restricted by `where` get the value that distinguishes them from other rows.
    const isPart = Object.values(names.entities[String(value.rowOf)]?.fields ?? {}).some((each) => {
      const target = names.target(each)
      return target?.entity === name && Object.hasOwn(target.rows?.where ?? {}, field.name)
    })
    const isParent = typeof value.rowOf === 'string' && names.target(field)?.entity === value.rowOf
    if (isPart || isParent || rows.size) continue
    if (steps.size && !isSetAtFirst)
      warn(source, below(below('/fields', field.name), 'required'), 'late-field', {
        entity: name,
        found: field.name,
        only: `${[...steps].join(' and ')} ${steps.size > 1 ? 'set' : 'sets'} it`,
      })
    if (formulas.length || takesAnyValue) continue
    warn(source, below('/fields', field.name), 'unset-field', { entity: name, found: field.name }, { key: true })
  }
}

/** Whether a procedure reads or writes the field. */
const isWorked = (field: NamedField, entity: string, { uses = {} }: Names): boolean =>
  Object.values(uses).some((use) => use[entity]?.includes(field.name))

/** Warns about records whose display field is a number. */
export function checkDisplay({ name, source, value, fields }: NamedEntity, { names, warn }: CheckContext): void {
  const field = fields[String(value.display)]
  if (!field || value.single === true || value.rowOf !== undefined) return
  if (names.widgets[field.type]?.expression === 'decimal')
    warn(source, '/display', 'numbers-as-names', { entity: name, found: field.name })
}

/** Warns about fields for users, in records that they see, that no screen shows. */
export function checkUnshown({ names, warn, files, uses, filled, writes }: Whole): void {
  const screens = Object.values(names.screens)
  const hidden = new Set(
    Object.values(names.entities).flatMap((entity) =>
      Object.values(entity.fields).flatMap((field) => hiddenRows(field, names)),
    ),
  )
  const shown = new Set(screens.flatMap(({ entity, about }) => [entity, about]))
  const withForm = new Set(screens.flatMap(({ entity, source }) => (source.kind === 'form' ? [entity] : [])))
  for (const { source } of files) {
    const entity = source.kind === 'entity' ? names.entities[source.name] : undefined
    if (!entity || entity.source !== source || isBrought(source)) continue
    if (!shown.has(entity.name) && !shown.has(String(entity.value.rowOf))) continue
    const allow: JsonObject = isObject(entity.value.allow) ? entity.value.allow : {}
    if (allow.create === false && allow.update === false) continue
    // Without any form, its fields are not reported one by one.
    const hasForm = withForm.has(entity.name) || withForm.has(String(entity.value.rowOf))
    for (const field of Object.values(entity.fields)) {
      const target = names.target(field)?.entity
      if (isFilled(field, names) || (target !== undefined && target === entity.value.rowOf)) continue
      const { formulas, takesAnyValue } = writes.writesTo(entity.name, field.name)
      const key = `${entity.name}.${field.name}`
      const isLeft = hasForm && !filled.has(key) && !isWorked(field, entity.name, names)
      const where = !uses.has(key) ? 'on no screen' : isLeft ? 'shown, but on no form' : undefined
      if (where !== undefined && !formulas.length && !takesAnyValue && !hidden.has(key))
        warn(
          source,
          below('/fields', field.name),
          'unshown-field',
          { entity: entity.name, found: field.name, where },
          { key: true },
        )
    }
  }
}
