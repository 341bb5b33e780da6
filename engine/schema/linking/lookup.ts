import { offerField, type Parameters } from '../issues/issue.ts'
import { ownEntity } from './scope.ts'
import { unitOf } from './units.ts'
import { isOpenCopy } from './unmasked.ts'
import { isObject } from '../walk.ts'
import type { NamedEntity, NamedField, Link, Names } from '../named.ts'

/**
 * The look-up field to use instead, if a field is named through a reference where only the entity's own fields are
 * allowed.
 */
export function beyond({ fields }: NamedEntity, reference: string, path: string, target: string): Parameters {
  const found = `${reference}.${path}`
  const looking = Object.values(fields).find(
    ({ computed }) => isObject(computed) && 'from' in computed && computed.from === found,
  )
  return { found, reference, target, suggestion: looking?.name }
}

/** Why the database cannot compute a formula. */
export const whyNot = ({ computed }: NamedField): Parameters =>
  typeof computed === 'string' && computed.includes('/') && !computed.includes('round(')
    ? { why: '; it can where the quotient is rounded, as in round(a / b, 2)' }
    : {}

/** `reference.field` of a look-up → the field of the other entity; undefined if either is unknown. */
export function lookedUp(
  entity: string,
  from: unknown,
  names: Names,
): { entity: string; field: NamedField } | undefined {
  const [reference, name] = String(from).split('.')
  const target = names.target(names.field(entity, reference))
  const field = target && !target.many ? names.field(target.entity, name ?? '') : undefined
  return field && { entity: target!.entity, field }
}

/** A look-up follows one reference to a field of the same type that the database stores or computes. */
export function checkLookup({ names, file, place, name: from, say }: Link): void {
  const own = ownEntity(file)
  const entity = own === undefined ? undefined : names.entities[own]
  if (!entity) return
  const [reference, field, ...more] = from.split('.')
  const first = { part: { start: 0, end: reference.length } }
  const rest = { part: { start: reference.length + 1, end: from.length } }
  if (!Object.hasOwn(entity.fields, reference))
    return say(
      'unknown-field',
      { ...offerField(reference, entity.fields), entity: entity.name, see: entity.source.path },
      first,
    )
  const target = names.target(entity.fields[reference])
  if (!target || target.many)
    return say('not-a-reference', { entity: entity.name, found: reference, target: 'one record' }, first)
  const other = names.entities[target.entity]
  if (!other || other.source.broken) return
  if (field === undefined) return say('wrong-pattern', { found: from, pattern: 'as reference.field' })
  const path = [field, ...more].join('.')
  const beyondIt = more.length ? names.target(names.field(other.name, field)) : undefined
  if (beyondIt && names.field(beyondIt.entity, more.join('.')))
    return say(
      'dotted-field',
      {
        found: path,
        target: beyondIt.entity,
        reference: `${other.name}.${field}`,
        of: `of ${other.name} `,
        see: other.source.path,
      },
      rest,
    )
  if (!Object.hasOwn(other.fields, path))
    return say('unknown-field', { ...offerField(path, other.fields), entity: other.name, see: other.source.path }, rest)
  if (!names.isQueried(other.name, path))
    return say('not-stored', { entity: other.name, found: path, operation: 'look it up' }, rest)
  const looking = names.field(entity.name, place.parent?.parent?.key ?? '')
  const found = other.fields[path]
  const sameTarget = JSON.stringify(names.target(looking)) === JSON.stringify(names.target(found))
  const dictionaryOf = (field: NamedField | undefined) =>
    field && names.widgets[field.type]?.dictionary?.(field.options)
  if (looking && (looking.type !== found.type || !sameTarget || dictionaryOf(looking) !== dictionaryOf(found))) {
    say('lookup-type', { entity: other.name, found: path, type: found.type }, rest)
  }
  const [unit, into] = [unitOf(found, names), unitOf(looking, names)]
  if (looking && unit !== undefined && into !== undefined && unit !== into)
    say('unequal-units', { found: `${other.name}.${path}`, unit, field: looking.name, other: into }, rest)
  if (looking && isOpenCopy(looking, found))
    say('unmasked-copy', { found: looking.name, from: `${other.name}.${path}` }, rest)
}
