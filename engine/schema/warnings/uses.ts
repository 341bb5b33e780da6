import { dependencies } from '../../expression/index.ts'
import { namesIn } from '../../model/fillText.ts'
import { fieldsOfFilter } from '../linking/filters.ts'
import { ownEntity, scopeOf } from '../linking/scope.ts'
import { isObject, placesOf } from '../walk.ts'
import type { ExpandedFile, Names } from '../named.ts'

const expressions = new Set(['condition', 'formula', 'number'])

/** `entity.field` of every field that a file names, shows, or reads in an expression, except where it is declared. */
export function usesOf(file: ExpandedFile, names: Names): Set<string> {
  const found = new Set<string>()
  const note = (entity: string | undefined, field: string) => {
    if (names.field(entity, field)) found.add(`${entity}.${field}`)
  }
  if (file.source.kind === 'records') return found
  const own = ownEntity(file)
  for (const place of placesOf(file.value, file.shape)) {
    const { shape, value } = place
    const entity = () => scopeOf(place, file, names)
    if (shape.names === 'filter' && isObject(value))
      for (const used of fieldsOfFilter(value, entity() ?? '', names)) note(...used)
    else if (shape.keys === 'field' && isObject(value)) for (const field of Object.keys(value)) note(entity(), field)
    if (shape.names === 'label' && (shape.fills || shape.holes) && isObject(value))
      for (const text of Object.values(value))
        for (const name of namesIn(String(text))) note(own ?? entity(), name.split('.')[0])
    if (typeof value !== 'string') continue
    if (shape.names === 'field') note(entity(), value)
    else if (shape.names === 'ownField') note(own, value)
    else if (shape.names === 'entityField') note(...(value.split('.') as [string, string]))
    else if (shape.names === 'sort') for (const each of value.split(',')) note(entity(), each.replace(/^-/, ''))
    else if (shape.names === 'lookup') {
      const [reference, field] = value.split('.')
      note(own, reference)
      note(names.target(names.field(own, reference))?.entity, field)
    } else if (shape.names === 'link')
      for (const [, field] of value.matchAll(/\{(\w+)\}/g)) note(own ?? entity(), field)
    else if (shape.names === 'setting') note(...(value.split('.') as [string, string]))
    else if (shape.names && expressions.has(shape.names)) readAll(value, own ?? entity())
    else if (shape.names === undefined && value.includes('.') && /^\w+(\.\w+)+$/.test(value)) readPath(value, own)
  }
  return found

  /** The part after a dot may be a field of any row. */
  function readAll(text: string, entity: string | undefined): void {
    for (const name of readIn(text)) readPath(name, entity)
    const parts = new Set([...text.matchAll(/\.(\w+)/g)].map(([, part]) => part))
    for (const field of Object.values((parts.size && names.entities[entity ?? '']?.fields) || {})) {
      const rows = names.target(field)
      if (rows?.rows) for (const part of parts) note(rows.entity, part)
    }
  }

  /** `customer`, `old.customer`, `settings.parameter.rate`, `contacts.mobile` of each row. */
  function readPath(path: string, entity: string | undefined): void {
    if (entity === undefined && !path.startsWith('settings.')) return
    const steps = path.split('.')
    if (steps[0] === 'settings') return note(steps[1], steps[2] ?? '')
    const [first, ...more] = steps[0] === 'old' ? steps.slice(1) : steps
    note(entity, first ?? '')
    const target = names.target(names.field(entity, first ?? ''))
    if (target && more.length) readPath(more.join('.'), target.entity)
  }
}

/** All names that an expression reads, with their members listed separately. */
function readIn(text: string): string[] {
  try {
    return dependencies(text)
  } catch {
    return []
  }
}

/** Of these the fields that a file may fill: those that it names, except a detail, or a list without cells to edit. */
export function filledBy(file: ExpandedFile, names: Names): Set<string> {
  const { source, value } = file
  const isEdited = (column: unknown) => isObject(column) && column.edit === true
  const hasCells = Array.isArray(value.columns) && value.columns.some(isEdited)
  const found = new Set<string>()
  if (source.kind === 'detail' || source.kind === 'records' || (source.kind === 'list' && !hasCells)) return found
  for (const place of placesOf(file.value, file.shape)) {
    const { shape, value: named } = place
    const fields = shape.keys === 'field' && shape.names !== 'filter' && isObject(named) ? Object.keys(named) : []
    const isName = typeof named === 'string' && (shape.names === 'field' || shape.names === 'ownField')
    const entity = shape.names === 'ownField' ? ownEntity(file) : scopeOf(place, file, names)
    for (const field of isName ? [named] : fields) found.add(`${entity}.${field}`)
  }
  return found
}
