import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isObject, type Place } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

interface Item {
  name: string
  identity: string
  pointer: string
}

/** Reports duplicates in a list: every item but the first. */
export function checkDistinct(file: SourceFile, place: Place, report: Report): void {
  const {
    value,
    pointer,
    shape: { distinct },
  } = place
  if (!Array.isArray(value)) return
  if (!distinct) return checkRepeated(file, place, report)
  const seen = new Set<string>()
  for (const { name, identity, pointer: at } of value.flatMap((item, index) =>
    identitiesOf(item, below(pointer, index), distinct),
  )) {
    if (seen.has(identity)) report(file, at, 'duplicate-item', { found: name, list: listName(place, distinct) })
    seen.add(identity)
  }
}

/** A duplicate object in any list is a mistake, except that rows of records are identified by their key. */
function checkRepeated(file: SourceFile, { value, pointer, shape, key, parent }: Place, report: Report): void {
  if (shape.items?.keys) return
  // An enclosing list that requires its items to be distinct together checks these.
  const around = parent?.parent?.shape.distinct
  if (Array.isArray(around) && String(around[0]).startsWith(`${key}.`)) return
  const seen = new Set<string>()
  for (const [index, item] of (value as unknown[]).entries()) {
    if (typeof item !== 'object') continue
    const text = JSON.stringify(item)
    if (seen.has(text)) report(file, below(pointer, index), 'repeated-item')
    seen.add(text)
  }
}

function identitiesOf(item: unknown, pointer: string, distinct: true | readonly string[]): Item[] {
  if (distinct === true)
    return typeof item === 'object' ? [] : [{ name: String(item), identity: String(item), pointer }]
  const [first, ...more] = distinct
  const named = valuesAt(item, first.split('.'), pointer)
  const rest = isObject(item) ? more.map((key) => item[key]) : []
  return named.map(({ value, pointer: at }) => ({
    name: value,
    identity: JSON.stringify([value, ...rest]),
    pointer: at,
  }))
}

/** The texts under a path, including those inside lists along it. */
function valuesAt(value: unknown, path: string[], pointer: string): { value: string; pointer: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => valuesAt(item, path, below(pointer, index)))
  const [key, ...more] = path
  if (key === undefined) return typeof value === 'string' ? [{ value, pointer }] : []
  return isObject(value) ? valuesAt(value[key], more, below(pointer, key)) : []
}

/** The key of the list, or of the lists that the path leads through. */
function listName(place: Place, distinct: true | readonly string[]): string {
  const path = distinct === true ? [] : distinct[0].split('.')
  if (path.length > 1) return path.at(-2)!
  let named: Place | undefined = place
  while (named.parent && Array.isArray(named.parent.value)) named = named.parent
  return named.key
}
