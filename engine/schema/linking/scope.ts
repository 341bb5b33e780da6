import type { Shape } from '../../model/shape.ts'
import { isObject, type Place } from '../walk.ts'
import type { ExpandedFile, Names } from '../named.ts'

const scoping = new WeakMap<object, string[]>()
/**
 * The keys of an object that set the scope of field names inside it; a kind's own keys take precedence over common
 * ones.
 */
function scopingKeys(shape: Shape<unknown>): string[] {
  let keys = scoping.get(shape)
  if (!keys)
    scoping.set(
      shape,
      (keys = Object.entries(shape.properties ?? {})
        .filter(([, under]) => under.scope)
        .map(([key]) => key)
        .reverse()),
    )
  return keys
}

/** The entity that field names refer to at a place: set by the nearest enclosing object, finally by the file. */
export function scopeOf(place: Place, file: ExpandedFile, names: Names): string | undefined {
  for (let around: Place | undefined = place; around; around = around.parent) {
    if (!isObject(around.value)) continue
    const { value: given, shape } = around
    // The value of a missing key is unknown.
    if (scopingKeys(shape).some((key) => shape.required?.includes(key) && !(key in given))) return undefined
    for (const key of scopingKeys(around.shape)) {
      const value = around.value[key]
      if (typeof value !== 'string') continue
      const role = around.shape.properties![key].names
      if (role === 'screen') return names.screens[value]?.entity
      return role === 'entityField' ? value.split('.')[0] : value
    }
  }
  return ownEntity(file)
}

/** The entity that a file declares or is about, whose records its conditions and formulas read. */
export function ownEntity({
  source,
  value,
  shape,
}: Pick<ExpandedFile, 'source' | 'value' | 'shape'>): string | undefined {
  if (source.kind === 'entity') return source.name
  const key = Object.entries(shape.properties ?? {}).find(([, under]) => under.own)?.[0] ?? 'entity'
  return typeof value[key] === 'string' ? value[key] : undefined
}
