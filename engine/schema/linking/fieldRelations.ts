import { fitsShape } from '../checking/fitsShape.ts'
import { offer } from '../issues/issue.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { checkValue } from './values.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'
import { checkAggregate, checkFind } from './computedRelations.ts'

/** What a field's type, its computed value, `uniqueWithin`, `deletedWith`, `draws` and its default refer to. */
export function checkField(entity: NamedEntity, field: NamedField, names: Names, report: Report): void {
  const at = below('/fields', field.name)
  const { name, source } = entity
  const target = names.target(field)
  const other = target && names.entities[target.entity]
  if (target?.rows && other) {
    const by = names.field(other.name, target.rows.by)
    if (by && !names.refersTo(by, name)) {
      report(source, below(at, 'by'), 'not-a-reference', { entity: other.name, found: by.name, target: name })
    }
    checkByType(field.options.byType, { pointer: below(at, 'byType'), source, names, report })
    // Rows that only the system writes may be records with their own screens.
    const owner = names.entities[String(other.value.rowOf ?? name)]
    if (owner && other.value.rowOf !== name && !other.source.broken && field.value.readOnly !== true) {
      report(source, below(at, 'entity'), 'missing-row-of', { found: other.name, entity: name, see: other.source.path })
    }
  }
  if (isObject(field.computed) && 'find' in field.computed)
    checkFind({ entity, field, computed: field.computed as unknown as JsonObject, names, report })
  else if (isObject(field.computed) && !('from' in field.computed))
    checkAggregate({ entity, field, computed: field.computed as unknown as JsonObject, names, report })
  const within = names.field(name, String(field.value.uniqueWithin))
  if (within && Object.hasOwn(names.widgets, within.type)) {
    const [place, found] = [below(at, 'uniqueWithin'), within.name]
    if (names.target(within)?.many || names.widgets[within.type].expression.startsWith('list'))
      report(source, place, 'not-a-reference', { entity: name, found, target: 'one record' })
    else if (!names.isStored(name, found))
      report(source, place, 'not-stored', { entity: name, found, operation: 'tell values apart within it' })
  }
  if (field.value.deletedWith !== undefined && Object.hasOwn(names.widgets, field.type)) {
    if (!target || target.many || target.rows)
      report(source, below(at, 'deletedWith'), 'not-a-reference', {
        entity: name,
        found: field.name,
        target: 'one record',
      })
    else if (!names.isStored(name, field.name))
      report(source, below(at, 'deletedWith'), 'not-stored', {
        entity: name,
        found: field.name,
        operation: 'delete by it',
      })
  }
  if (field.value.draws === true && Object.hasOwn(names.widgets, field.type)) {
    if (!target || target.rows)
      report(source, below(at, 'draws'), 'not-a-reference', { entity: name, found: field.name, target: 'records' })
    else if (!names.isStored(name, field.name))
      report(source, below(at, 'draws'), 'not-stored', { entity: name, found: field.name, operation: 'draw by it' })
  }
  if (field.value.default !== undefined) {
    const isFormula = /^(\w+\(.*\)|user\.\w+)$/.test(String(field.value.default))
    const reportDefault: Report = (file, pointer, code, parameters) =>
      report(file, pointer, code, {
        ...parameters,
        ...(isFormula && code === 'invalid-value' && { message: 'a formula belongs under "defaultFrom"' }),
      })
    checkValue(field.value.default, field, {
      file: source,
      pointer: below(at, 'default'),
      entity: name,
      names,
      report: reportDefault,
    })
  }
}

/** The options that rows give a field type must exist. */
function checkByType(
  byType: unknown,
  { pointer, source, names, report }: Pick<NamedEntity, 'source'> & { pointer: string; names: Names; report: Report },
): void {
  for (const [type, options] of Object.entries(isObject(byType) ? byType : {})) {
    const widget = Object.hasOwn(names.widgets, type) ? names.widgets[type] : undefined
    if (!widget) {
      report(source, below(pointer, type), 'unknown-widget', offer(type, Object.keys(names.widgets)), { key: true })
      continue
    }
    const known = widget.options.properties
    for (const [key, option] of Object.entries(isObject(options) ? options : {})) {
      const at = below(below(pointer, type), key)
      if (!Object.hasOwn(known, key)) report(source, at, 'unknown-key', offer(key, Object.keys(known)), { key: true })
      else if (!fitsShape(option, known[key]))
        report(source, at, 'not-allowed-value', offer(String(option), [...(known[key].enum ?? [])].map(String)))
    }
  }
}
