import { formulaNames } from '../names.ts'
import { fits } from '../checking/fits.ts'
import { offer, offerField } from '../issues/issue.ts'
import { checkDownloads } from '../language/downloads.ts'
import { checkLog } from '../language/log.ts'
import { lookedUp } from './lookup.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { reservedActions } from '../language/standard.ts'
import { isOpenCopy } from './unmasked.ts'
import { unitOf } from './units.ts'
import { checkValue } from './values.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'
import { departmentEntity, userEntity } from '../../model/identityNames.ts'

/**
 * Checks what the names of an entity refer to: references have valid targets, states have values, rows have an owner.
 */
export function checkRelations(entity: NamedEntity, names: Names, reportAll: Report): void {
  const { value, source, name } = entity
  const report: Report = (file, pointer, code, parameters = {}, part) => {
    const field = names.field(String(parameters.entity), String(parameters.found))
    if (code !== 'not-a-reference' || !pointsNowhere(field, names)) reportAll(file, pointer, code, parameters, part)
  }
  const say: Report = (_, ...rest) => report(source, ...rest)
  const mustRefer = (pointer: string, field: unknown, target: string) => {
    const found = names.field(name, String(field))
    if (found && !names.refersTo(found, target))
      say(source, pointer, 'not-a-reference', { entity: name, found: found.name, target })
  }
  if (isObject(value.tree)) mustRefer('/tree/parent', value.tree.parent, name)
  const order = isObject(value.tree) ? names.field(name, String(value.tree.order)) : undefined
  if (order && !names.widgets[order.type]?.counts)
    say(source, '/tree/order', 'not-an-order', { entity: name, found: order.name })
  if (isObject(value.scope)) checkScope(entity, value.scope, names, report)
  const parent = names.entities[String(value.rowOf)]
  const mayHaveRows = parent && Object.values(parent.fields).some((field) => isRowsOfUnknown(field, names))
  if (parent && !parent.source.broken && !mayHaveRows && !rowsField(parent, name, names)) {
    say(source, '/rowOf', 'missing-rows', { parent: parent.name, entity: name, see: parent.source.path })
  }
  const machines = Array.isArray(value.states) ? value.states : value.states === undefined ? [] : [value.states]
  for (const [index, machine] of machines.entries()) {
    const field = isObject(machine) ? names.field(name, String(machine.field)) : undefined
    const pointer = Array.isArray(value.states) ? `/states/${index}/field` : '/states/field'
    if (field && !names.widgets[field.type]?.dictionary)
      say(source, pointer, 'not-a-choice', { entity: name, found: field.name })
  }
  checkActionNames(entity, report)
  const counter = isObject(value.reads) ? names.field(name, String(value.reads.count)) : undefined
  if (counter && (!names.widgets[counter.type]?.counts || counter.value.readOnly !== true)) {
    say(source, '/reads/count', 'not-a-counter', { entity: name, found: counter.name })
  }
  for (const { pointer, by, entity: target } of updatesOf(value)) {
    const found = names.field(name, by)
    const refers = names.target(found)
    if (found && names.entities[target] && (refers?.entity !== target || refers.many || refers.rows))
      say(source, pointer, 'not-a-reference', { entity: name, found: by, target: `one ${target}` })
  }
  checkCopies(entity, names, report)
  checkDownloads(entity, names, report)
  for (const { pointer, field, target } of receiverFields(value, name, names)) {
    if (names.target(field)?.entity !== target)
      say(source, pointer, 'not-a-reference', {
        entity: name,
        found: field.name,
        target,
        allowed: Object.keys(entity.fields).filter((one) => names.target(names.field(name, one))?.entity === target),
      })
  }
  for (const [index, searched] of (Array.isArray(value.search) ? value.search : []).entries()) {
    // A looked-up field is searched at its source, through what finds the record there.
    const field = names.field(name, String(searched))
    const found =
      isObject(field?.computed) && 'from' in field.computed && field.value.sensitive !== true
        ? lookedUp(name, field.computed.from, names)
        : undefined
    const isThere =
      found !== undefined && [names.entities[found.entity]?.value.search ?? []].flat().includes(found.field.name)
    if (field && !isThere && !names.isStored(name, field.name))
      say(source, below('/search', index), 'not-stored', { entity: name, found: field.name, operation: 'search it' })
  }
  for (const field of Object.values(entity.fields)) checkField(entity, field, names, report)
  checkLog(entity, names, report)
}

/** A copied default is as sensitive as its source. */
function checkCopies({ value, source, name }: NamedEntity, names: Names, report: Report): void {
  if (!isObject(value.copies) || !Array.isArray(value.copies.fields)) return
  const target = names.target(names.field(name, String(value.copies.by)))
  for (const [index, copied] of value.copies.fields.map(String).entries()) {
    const copy = names.field(name, copied)
    const copiedEntity = target && names.entities[target.entity]
    if (copiedEntity && !copiedEntity.source.broken && !Object.hasOwn(copiedEntity.fields, copied)) {
      const see = { entity: copiedEntity.name, see: copiedEntity.source.path }
      report(source, below('/copies/fields', String(index)), 'unknown-field', {
        ...offerField(copied, copiedEntity.fields),
        ...see,
      })
    }
    if (target && copy && isOpenCopy(copy, names.field(target.entity, copied)))
      report(source, below('/copies/fields', String(index)), 'unmasked-copy', {
        found: copied,
        from: `${target.entity}.${copied}`,
      })
  }
}

/** Transitions and actions have unique names, because each is a path of the API and a permission. */
function checkActionNames({ value, source, name: entity }: NamedEntity, report: Report): void {
  const at = (index: number) => (Array.isArray(value.states) ? `/states/${index}/transitions` : '/states/transitions')
  const machines = [value.states ?? []]
    .flat()
    .map((machine: unknown, index) => [at(index), isObject(machine) ? machine.transitions : undefined] as const)
  const seen = new Map<string, string>(reservedActions.map((name) => [name, 'the operation']))
  for (const [pointer, named] of [
    ...machines,
    ['/actions', value.actions] as const,
    ['/downloads', value.downloads] as const,
  ]) {
    for (const name of isObject(named) ? Object.keys(named) : []) {
      const what = seen.get(name)
      if (what !== undefined)
        report(source, below(pointer, name), 'duplicate-action', { entity, what, found: name }, { key: true })
      seen.set(
        name,
        pointer === '/actions' ? 'the action' : pointer === '/downloads' ? 'the download' : 'the transition',
      )
    }
  }
}

/** The entity's fields that name receivers of messages, and what they must refer to. */
function receiverFields(
  value: unknown,
  entity: string,
  names: Names,
  pointer = '',
): { pointer: string; field: NamedField; target: string }[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => receiverFields(item, entity, names, below(pointer, String(index))))
  if (!isObject(value)) return []
  const isMessage = /\/notify\/\d+$/.test(pointer)
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = below(pointer, key)
    if (key === 'fields' || key === 'scope') return []
    const target = key === 'departments' ? departmentEntity : key === 'to' && isMessage ? userEntity : undefined
    if (target === undefined || typeof inner !== 'string') return receiverFields(inner, entity, names, at)
    const field = names.field(entity, inner)
    return field ? [{ pointer: at, field, target }] : []
  })
}

/** The updates of other records that the entity declares anywhere. */
function updatesOf(value: unknown, pointer = ''): { pointer: string; by: string; entity: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => updatesOf(item, below(pointer, String(index))))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = below(pointer, key)
    if (key === 'fields') return []
    if (key !== 'updates' || !Array.isArray(inner)) return updatesOf(inner, at)
    return inner.flatMap((one: unknown, index) =>
      isObject(one) ? [{ pointer: `${at}/${index}/by`, by: String(one.by), entity: String(one.entity) }] : [],
    )
  })
}

/** The field of `parent` whose rows are the records of the entity. */
export const rowsField = (parent: NamedEntity, entity: string, names: Names): NamedField | undefined =>
  Object.values(parent.fields).find((field) => names.target(field)?.rows && names.target(field)!.entity === entity)

/** Rows of an entity that there is not, which is reported there. */
function isRowsOfUnknown(field: NamedField, names: Names): boolean {
  const target = names.target(field)
  return target?.rows !== undefined && !names.entities[target.entity]
}

function checkField(entity: NamedEntity, field: NamedField, names: Names, report: Report): void {
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
    checkFind(entity, field, field.computed as unknown as JsonObject, names, report)
  else if (isObject(field.computed) && !('from' in field.computed))
    checkAggregate(entity, field, field.computed as unknown as JsonObject, names, report)
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
    const tell: Report = (file, pointer, code, parameters) =>
      report(file, pointer, code, {
        ...parameters,
        ...(isFormula && code === 'invalid-value' && { message: 'a formula stands under "defaultFrom"' }),
      })
    checkValue(field.value.default, field, {
      file: source,
      pointer: below(at, 'default'),
      entity: name,
      names,
      report: tell,
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
      else if (!fits(option, known[key]))
        report(source, at, 'not-allowed-value', offer(String(option), [...(known[key].enum ?? [])].map(String)))
    }
  }
}

function checkAggregate(
  { name, source }: NamedEntity,
  field: NamedField,
  computed: JsonObject,
  names: Names,
  report: Report,
): void {
  const at = below(below('/fields', field.name), 'computed')
  const kind = ['sum', 'min', 'max', 'count', 'last'].find((word) => word in computed)!
  const [of, summed = computed.distinct as string] = String(computed[kind]).split('.')
  const by = names.field(of, String(computed.by))
  const own = names.field(name, String(computed.of))
  const target = own && names.target(own)
  if (own && target?.many)
    report(source, below(at, 'of'), 'not-a-reference', { entity: name, found: own.name, target: 'one record' })
  // A value shared with other records may be of any type, if both fields have it.
  if (own && !target && by && (by.type !== own.type || names.target(by)))
    report(source, below(at, 'by'), 'lookup-type', { entity: of, found: by.name, type: by.type })
  const about = computed.of === undefined ? name : target?.entity
  if (by && about !== undefined && !names.refersTo(by, about, true))
    report(source, below(at, 'by'), 'not-a-reference', { entity: of, found: by.name, target: about })
  // With `below`, the reference must point at records of the same tree.
  if (
    computed.below === true &&
    (!isObject(names.entities[name].value.tree) || own || (by && !names.refersTo(by, name)))
  )
    report(source, below(at, 'below'), 'not-a-tree', { entity: name, found: String(computed.by) })
  if (isObject(computed.during)) checkDuring({ name, source }, of, computed.during, below(at, 'during'), names, report)
  if (kind === 'last' && names.entities[of] && !names.refersTo(field, of))
    report(source, at, 'not-a-reference', { entity: name, found: field.name, target: of })
  const value = names.field(of, summed)
  if (!value || !Object.hasOwn(names.widgets, value.type)) return
  if (!names.isQueried(of, summed))
    report(source, below(at, kind === 'count' ? 'distinct' : kind), 'not-stored', {
      entity: of,
      found: summed,
      operation: 'aggregate it',
    })
  else if (kind === 'sum' && !names.widgets[value.type].summable)
    report(source, below(at, kind), 'not-summable', { entity: of, found: summed })
  // A sum over many records reveals none of them; a minimum or maximum is the value of one.
  else if ((kind === 'min' || kind === 'max') && isOpenCopy(field, value))
    report(source, below(at, kind), 'unmasked-copy', { found: field.name, from: `${of}.${summed}` })
  const [unit, into] = [unitOf(value, names), unitOf(field, names)]
  if (kind !== 'count' && unit !== undefined && into !== undefined && unit !== into)
    report(source, below(at, kind), 'unequal-units', {
      found: `${of}.${summed}`,
      unit,
      field: field.name,
      other: into,
    })
}

/** `during` compares three fields of one type, which the database can compare. */
function checkDuring(
  { name, source }: Pick<NamedEntity, 'name' | 'source'>,
  of: string,
  during: JsonObject,
  at: string,
  names: Names,
  report: Report,
): void {
  const then = names.field(name, String(during.at))
  for (const [key, entity] of [
    ['at', name],
    ['from', of],
    ['until', of],
  ] as const) {
    const field = names.field(entity, String(during[key]))
    if (!field || !then || !names.widgets[field.type]) continue
    if (!names.isQueried(entity, field.name))
      report(source, below(at, key), 'not-stored', { entity, found: field.name, operation: 'compare it' })
    else if (field.type !== then.type)
      report(source, below(at, key), 'lookup-type', { entity, found: field.name, type: field.type })
  }
}

/** A reference to an unknown entity, which is reported at the reference. */
const pointsNowhere = (field: NamedField | undefined, names: Names): boolean =>
  field !== undefined &&
  names.widgets[field.type]?.target !== undefined &&
  names.entities[names.target(field)?.entity ?? ''] === undefined

/** `find` yields a record of that entity, by values that are comparable with its columns. */
function checkFind(
  { name, source }: NamedEntity,
  field: NamedField,
  computed: JsonObject,
  names: Names,
  report: Report,
): void {
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

function checkScope({ name, source }: NamedEntity, scope: JsonObject, names: Names, report: Report): void {
  const refuse = (pointer: string, entity: string, found: string, target: string) =>
    report(source, `/scope/${pointer}`, 'not-a-reference', { entity, found, target })
  for (const [index, given] of (scope.via === undefined ? [] : [scope.via].flat()).entries()) {
    const field = names.field(name, String(given))
    const pointer = Array.isArray(scope.via) ? `via/${index}` : 'via'
    if (field && (!names.target(field) || names.target(field)!.rows)) refuse(pointer, name, field.name, 'a record')
    else if (field && !names.isStored(name, field.name))
      report(source, `/scope/${pointer}`, 'not-stored', {
        entity: name,
        found: field.name,
        operation: 'apply the data scope by it',
      })
  }
  for (const key of ['owners', 'only']) {
    for (const [index, owner] of (Array.isArray(scope[key]) ? scope[key] : []).entries()) {
      const field = names.field(name, String(owner))
      if (field && names.target(field)?.entity !== userEntity) refuse(`${key}/${index}`, name, field.name, userEntity)
    }
  }
  for (const [index, path] of (Array.isArray(scope.departments) ? scope.departments : []).entries()) {
    let reached = name
    let isWhole = true
    for (const step of String(path).split('.')) {
      const field: NamedField | undefined = names.field(reached, step)
      if (!field && names.entities[reached] && !names.entities[reached].source.broken) {
        const { fields, source: see } = names.entities[reached]
        report(source, `/scope/departments/${index}`, 'unknown-field', {
          ...offerField(step, fields),
          entity: reached,
          see: see.path,
        })
      }
      const target = names.target(field)
      if (field && !target) refuse(`departments/${index}`, reached, step, 'a department')
      isWhole = target !== undefined
      if (!target) break
      reached = target.entity
    }
    // Unknown fields and entities are reported above.
    if (isWhole && reached !== departmentEntity && names.entities[reached])
      refuse(`departments/${index}`, name, String(path), 'a department')
  }
}

/** Reports values that depend on themselves, across any number of entities. */
export function checkCycles(names: Names, report: Report): void {
  const state = new Map<NamedField, 'open' | 'done'>()
  const path: { entity: string; field: NamedField }[] = []
  const visit = (entity: string, field: NamedField) => {
    if (field.computed === undefined || state.get(field) === 'done') return
    if (state.get(field) === 'open') {
      const cycle = [...path.slice(path.findIndex((step) => step.field === field)), { entity, field }]
      const text = cycle.map((step) => `${step.entity}.${step.field.name}`).join(' → ')
      report(names.entities[entity].source, below(below('/fields', field.name), 'computed'), 'computed-cycle', {
        path: text,
      })
      return
    }
    state.set(field, 'open')
    path.push({ entity, field })
    for (const next of inputs(entity, field, names)) visit(...next)
    path.pop()
    state.set(field, 'done')
  }
  for (const [name, { fields }] of Object.entries(names.entities))
    for (const field of Object.values(fields)) visit(name, field)
}

function inputs(entity: string, { computed }: NamedField, names: Names): [string, NamedField][] {
  const list = (of: string, fields: string[]) =>
    fields.flatMap((name): [string, NamedField][] => {
      const field = names.field(of, name)
      return field ? [[of, field]] : []
    })
  if (typeof computed === 'string') return list(entity, formulaNames(computed))
  if (!isObject(computed)) return []
  if (computed.from !== undefined) {
    const found = lookedUp(entity, computed.from, names)
    return found ? [[found.entity, found.field]] : []
  }
  if (computed.find !== undefined)
    return [
      ...list(entity, [String(computed.by)]),
      ...list(String(computed.find), Array.isArray(computed.in) ? computed.in.map(String) : []),
    ]
  const [of, summed] = String(computed.sum ?? computed.min ?? computed.max ?? computed.count ?? computed.last).split(
    '.',
  )
  const during: JsonObject = isObject(computed.during) ? computed.during : {}
  return [
    ...list(entity, [String(computed.of), String(during.at)]),
    ...list(of, [
      summed,
      String(during.from),
      String(during.until),
      ...Object.keys(isObject(computed.where) ? computed.where : {}),
    ]),
  ]
}
