import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf, type JsonObject, type Place } from '../walk.ts'
import type { CheckContext } from './checkContext.ts'
import type { ExpandedFile, NamedEntity, NamedField, Names } from '../named.ts'

/** Warns about records that the system adds without a value that they must have. */
export function checkAddedRecords(file: ExpandedFile, { names, warn }: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    const how = howAdded(place)
    if (!how) continue
    const { entity, set } = place.value as JsonObject
    const added = names.entities[String(entity)]
    if (!added || added.source.broken) continue
    const given = new Set([...Object.keys(isObject(set) ? set : {}), ...(how === 'create' ? ofSaves(added) : [])])
    const found = Object.values(added.fields)
      .filter((field) => field.value.required === true && !given.has(field.name) && !isFilled(field, added, how, names))
      .map(({ name }) => name)
    if (found.length)
      warn(file.source, `${place.pointer}/entity`, 'incomplete-record', {
        entity: added.name,
        found: found.join(', '),
        see: added.source.path,
      })
  }
}

/** Warns about formulas for a field that is computed. */
export function checkSets(file: ExpandedFile, { names, warn }: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    const { shape, value, pointer, key: act } = place
    const under = shape.additionalProperties
    if (shape.keys !== 'field' || !isObject(value) || typeof under !== 'object' || under.names !== 'formula') continue
    const entity = scopeOf(place, file, names)
    for (const found of Object.keys(value))
      if (names.field(entity, found)?.computed !== undefined)
        warn(file.source, below(pointer, found), 'idle-update', { act, entity, found }, { key: true })
  }
}

type How = 'append' | 'create'
function howAdded({ value, key, parent }: Place): How | undefined {
  if (!isObject(value) || typeof value.entity !== 'string') return undefined
  if (parent?.key === 'append') return 'append'
  return key === 'create' && parent?.parent?.key === 'daily' ? 'create' : undefined
}

/** What saving a new record sets. */
const ofSaves = ({ value }: NamedEntity): string[] =>
  (Array.isArray(value.saves) ? value.saves : []).flatMap((save) =>
    isObject(save) && save.on === 'create' && isObject(save.set) ? Object.keys(save.set) : [],
  )

function isFilled(field: NamedField, { value }: NamedEntity, how: How, names: Names): boolean {
  const { default: literal, defaultFrom, visibleWhen, readOnly } = field.value
  const machines = [value.states ?? []].flat()
  return (
    literal !== undefined ||
    defaultFrom !== undefined ||
    visibleWhen !== undefined ||
    field.computed !== undefined ||
    // Only users fill in the others.
    (how === 'create' && readOnly === true) ||
    machines.some((machine) => isObject(machine) && machine.field === field.name) ||
    (isObject(value.copies) && Array.isArray(value.copies.fields) && value.copies.fields.includes(field.name)) ||
    names.widgets[field.type]?.series !== undefined ||
    names.target(field)?.rows !== undefined
  )
}
