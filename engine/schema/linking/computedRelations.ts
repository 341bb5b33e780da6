import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isOpenCopy } from './unmasked.ts'
import { unitOf } from './units.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'

/** A field of an entity that is computed from other records, as its file says. */
export interface Computing {
  entity: NamedEntity
  field: NamedField
  computed: JsonObject
  names: Names
  report: Report
}

/** An aggregate reads values that the database has, of records that refer to this one. */
export function checkAggregate(computing: Computing): void {
  const { entity, field, computed, names, report } = computing
  const { name, source } = entity
  const at = below(below('/fields', field.name), 'computed')
  const kind = ['sum', 'min', 'max', 'count', 'last'].find((word) => word in computed)!
  const [counted, summed = computed.distinct as string] = String(computed[kind]).split('.')
  const by = names.field(counted, String(computed.by))
  const own = names.field(name, String(computed.of))
  const target = own && names.target(own)
  if (own && target?.many)
    report(source, below(at, 'of'), 'not-a-reference', { entity: name, found: own.name, target: 'one record' })
  // A value shared with other records may be of any type, if both fields have it.
  if (own && !target && by && (by.type !== own.type || names.target(by)))
    report(source, below(at, 'by'), 'lookup-type', { entity: counted, found: by.name, type: by.type })
  const about = computed.of === undefined ? name : target?.entity
  if (by && about !== undefined && !names.refersTo(by, about, true))
    report(source, below(at, 'by'), 'not-a-reference', { entity: counted, found: by.name, target: about })
  // With `below`, the reference must point at records of the same tree.
  if (
    computed.below === true &&
    (!isObject(names.entities[name].value.tree) || own || (by && !names.refersTo(by, name)))
  )
    report(source, below(at, 'below'), 'not-a-tree', { entity: name, found: String(computed.by) })
  if (isObject(computed.during)) checkDuring(computing, counted, computed.during)
  if (kind === 'last' && names.entities[counted] && !names.refersTo(field, counted))
    report(source, at, 'not-a-reference', { entity: name, found: field.name, target: counted })
  const value = names.field(counted, summed)
  if (!value || !Object.hasOwn(names.widgets, value.type)) return
  if (!names.isQueried(counted, summed))
    report(source, below(at, kind === 'count' ? 'distinct' : kind), 'not-stored', {
      entity: counted,
      found: summed,
      operation: 'aggregate it',
    })
  else if (kind === 'sum' && !names.widgets[value.type].summable)
    report(source, below(at, kind), 'not-summable', { entity: counted, found: summed })
  // A sum over many records reveals none of them; a minimum or maximum is the value of one.
  else if ((kind === 'min' || kind === 'max') && isOpenCopy(field, value))
    report(source, below(at, kind), 'unmasked-copy', { found: field.name, from: `${counted}.${summed}` })
  const [unit, into] = [unitOf(value, names), unitOf(field, names)]
  if (kind !== 'count' && unit !== undefined && into !== undefined && unit !== into)
    report(source, below(at, kind), 'unequal-units', {
      found: `${counted}.${summed}`,
      unit,
      field: field.name,
      other: into,
    })
}

/** `during` compares three fields of one type, which the database can compare. */
function checkDuring(
  { entity: { name, source }, field: own, names, report }: Computing,
  counted: string,
  during: JsonObject,
): void {
  const at = below(below(below('/fields', own.name), 'computed'), 'during')
  const then = names.field(name, String(during.at))
  for (const [key, entity] of [
    ['at', name],
    ['from', counted],
    ['until', counted],
  ] as const) {
    const field = names.field(entity, String(during[key]))
    if (!field || !then || !names.widgets[field.type]) continue
    if (!names.isQueried(entity, field.name))
      report(source, below(at, key), 'not-stored', { entity, found: field.name, operation: 'compare it' })
    else if (field.type !== then.type)
      report(source, below(at, key), 'lookup-type', { entity, found: field.name, type: field.type })
  }
}

/** `find` yields a record of that entity, by values that are comparable with its columns. */
export function checkFind({ entity: { name, source }, field, computed, names, report }: Computing): void {
  const at = below(below('/fields', field.name), 'computed')
  const target = String(computed.find)
  if (names.entities[target] && !names.refersTo(field, target))
    report(source, at, 'not-a-reference', { entity: name, found: field.name, target })
  const by = names.field(name, String(computed.by))
  const type = by && names.widgets[by.type]?.expression
  if (by && !names.isStored(name, by.name))
    report(source, below(at, 'by'), 'not-stored', { entity: name, found: by.name, operation: 'find by it' })
  for (const [index, wanted] of (Array.isArray(computed.in) ? computed.in : []).entries()) {
    const found = names.field(target, String(wanted))
    if (!found || !names.widgets[found.type]) continue
    const place = below(below(at, 'in'), String(index))
    if (!names.isStored(target, found.name))
      report(source, place, 'not-stored', { entity: target, found: found.name, operation: 'find by it' })
    else if (type && ![type, `list<${type}>`].includes(names.widgets[found.type].expression))
      report(source, place, 'lookup-type', { entity: target, found: found.name, type: found.type })
  }
}
