import { below } from '../../model/pointer.ts'
import { isObject, placesOf, type Place } from '../walk.ts'
import type { ExplainedLine, Explanation, Known } from './explained.ts'
import type { ExpandedFile, NamedField } from '../named.ts'

/** Anything with a name that can be explained. */
export interface Thing extends Omit<Explanation, 'sections'> {
  has: Record<string, ExplainedLine[]>
  /** Whether this place of a file names it, so that it would break without it. */
  isNamed(place: Place, file: ExpandedFile): boolean
  /** Whether this value of a preset record names it. */
  isInRow?(field: NamedField, value: string, file: ExpandedFile): boolean
}

/** What decides whether a place names it. */
type Used = Pick<Thing, 'name' | 'isNamed' | 'isInRow'>

/** What would break without the thing: every place in all files that names it, or that nothing does. */
export function breaks(thing: Used, known: Known): Record<string, ExplainedLine[]> {
  const uses = usesOf(thing, known)
  return { 'Would break if it went': uses.length > 0 ? uses : [{ text: 'nothing' }] }
}

/** Every place in all files that names the thing. */
export function usesOf(thing: Used, known: Known): ExplainedLine[] {
  const lines = new Map<string, ExplainedLine>()
  const add = (file: ExpandedFile, pointer: string, under: readonly string[]) => {
    const at = known.where(file.source, pointer)
    const text = [`${file.source.name}.${file.source.kind}`, ...under].join(' › ')
    // Many rows may be on one line.
    const key = file.source.kind === 'records' ? `${text} ${at.file}` : `${at.file}:${at.line}`
    if (!lines.has(key)) lines.set(key, { text, at })
  }
  for (const file of known.files) {
    for (const place of placesOf(file.value, file.shape)) {
      if (isAdded(place, file) || !thing.isNamed(place, file)) continue
      const parts = place.pointer.split('/').slice(1)
      add(
        file,
        place.pointer,
        parts.filter((part) => !/^\d+$/.test(part)),
      )
    }
    for (const { pointer, under } of thing.isInRow ? rowsNaming(thing, file, known) : []) add(file, pointer, under)
  }
  return [...lines.values()]
}

/** The values of preset records that name it, each under the key of its row. */
function rowsNaming({ name, isInRow }: Used, file: ExpandedFile, { names }: Known) {
  const { source, value } = file
  const entity = source.kind === 'records' ? names.entities[String(value.entity)] : undefined
  if (!entity || !Array.isArray(value.rows)) return []
  return value.rows.flatMap((row, index) =>
    !isObject(row)
      ? []
      : Object.values(entity.fields).flatMap((field) => {
          const held = [row[field.name] ?? []].flat()
          const naming = held.filter((each): each is string => typeof each === 'string' && isInRow!(field, each, file))
          const at = held.indexOf(naming[0])
          const pointer = below(below('/rows', index), field.name)
          // Permissions contain the area's name: each of them would disappear.
          const all = naming.some((each) => !name.split('.').includes(each)) ? ` (${inBrief(naming)})` : ''
          const under = [String(row[String(value.key)]), `${field.name}${all}`]
          return naming.length === 0
            ? []
            : [{ pointer: Array.isArray(row[field.name]) ? below(pointer, at) : pointer, under }]
        }),
  )
}

const mostNamed = 12
const inBrief = (all: readonly string[]): string =>
  [...all.slice(0, mostNamed), ...(all.length > mostNamed ? [`… ${all.length} in all`] : [])].join(', ')

/** A field that every entity has: nobody wrote it, so nothing breaks without it. */
function isAdded({ pointer }: Place, { source: { kind, data } }: ExpandedFile): boolean {
  const [, field] = /^\/fields\/(\w+)/.exec(pointer) ?? []
  return kind === 'entity' && field !== undefined && isObject(data) && !(isObject(data.fields) && field in data.fields)
}
