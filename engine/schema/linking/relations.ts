import { offerField } from '../issues/issue.ts'
import { checkDownloads } from '../language/downloads.ts'
import { checkLog } from '../language/log.ts'
import { lookedUp } from './lookup.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { reservedActions } from '../language/standard.ts'
import { isOpenCopy } from './unmasked.ts'
import { isObject } from '../walk.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'
import { departmentEntity, userEntity } from '../../model/identityNames.ts'
import { checkField } from './fieldRelations.ts'
import { checkScope } from './scopeRelations.ts'

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
        allowed: Object.keys(entity.fields).filter((each) => names.target(names.field(name, each))?.entity === target),
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
    return inner.flatMap((each: unknown, index) =>
      isObject(each) ? [{ pointer: `${at}/${index}/by`, by: String(each.by), entity: String(each.entity) }] : [],
    )
  })
}

/** The field of `parent` whose rows are the records of the entity. */
export const rowsField = (parent: NamedEntity, entity: string, names: Names): NamedField | undefined =>
  Object.values(parent.fields).find((field) => names.target(field)?.rows && names.target(field)!.entity === entity)

/** Rows of an unknown entity, which is reported there. */
function isRowsOfUnknown(field: NamedField, names: Names): boolean {
  const target = names.target(field)
  return target?.rows !== undefined && !names.entities[target.entity]
}

/** A reference to an unknown entity, which is reported at the reference. */
const pointsNowhere = (field: NamedField | undefined, names: Names): boolean =>
  field !== undefined &&
  names.widgets[field.type]?.target !== undefined &&
  names.entities[names.target(field)?.entity ?? ''] === undefined
