import { below } from '../model/pointer.ts'
import type { Shape } from '../model/shape.ts'

/** A value in a file, with its shape and position. */
export interface Place {
  value: unknown
  shape: Shape<unknown>
  pointer: string
  /** The key or index under which `parent` holds it. */
  key: string
  parent?: Place
}
export interface JsonObject {
  [key: string]: unknown
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const is: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
}
/** A shape without a type accepts anything; a choice accepts what one of its branches accepts. */
const takes = (shape: Shape<unknown>, value: unknown): boolean =>
  shape.type ? is[shape.type](value) : !shape.anyOf || shape.anyOf.some((branch) => takes(branch, value))

/** The branch of a shape that applies to this value; undefined if none does. */
export function branchOf(shape: Shape<unknown>, value: unknown): Shape<unknown> | undefined {
  if (shape.discriminator && shape.oneOf) {
    const word = isObject(value) ? value[shape.discriminator.propertyName] : undefined
    return shape.oneOf.find((branch) => branch.properties![shape.discriminator!.propertyName].const === word)
  }
  if (!shape.anyOf) return takes(shape, value) ? shape : undefined
  const [index] = branchIndex(shape.anyOf, value)
  return index === undefined ? undefined : branchOf(shape.anyOf[index], value)
}

/** The branches whose JSON type fits, the one that declares most of the object's keys first. */
export function branchIndex(branches: Shape<unknown>[], value: unknown): number[] {
  const fitting = branches.flatMap((branch, index) => (takes(branch, value) ? [index] : []))
  if (fitting.length < 2 || !isObject(value)) return fitting
  const known = (index: number) => Object.keys(value).filter((key) => branches[index].properties?.[key]).length
  return fitting.sort((a, b) => known(b) - known(a))
}

/** The shape of the value under a key. */
export function shapeUnder(shape: Shape<unknown>, key: string): Shape<unknown> | undefined {
  if (shape.items) return shape.items
  return (
    shape.properties?.[key] ?? (typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined)
  )
}

/**
 * A value of any type that names nothing needs no visit, such as the cells of records, of which there are tens of
 * thousands.
 */
const saysAnything = (shape: Shape<unknown>) =>
  shape.type !== undefined || shape.anyOf !== undefined || shape.names !== undefined

const known = new WeakMap<object, { shape: Shape<unknown>; places: Place[] }>()
/**
 * Every value that has a shape, parents first. The same object is walked once, because an unedited file is the same
 * object.
 */
export function placesOf(value: object, shape: Shape<unknown>): readonly Place[] {
  const before = known.get(value)
  if (before?.shape === shape) return before.places
  const places: Place[] = []
  walk(value, shape, (place) => places.push(place))
  known.set(value, { shape, places })
  return places
}

/**
 * Visits every value that has a shape, parents first. What does not fit its shape is skipped, because `check` reports
 * it.
 */
export function walk(
  value: unknown,
  shape: Shape<unknown>,
  visit: (place: Place) => void,
  pointer = '',
  key = '',
  parent?: Place,
): void {
  const branch = branchOf(shape, value)
  if (!branch) return
  const place: Place = { value, shape: branch, pointer, key, ...(parent && { parent }) }
  visit(place)
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    const under = shapeUnder(branch, name)
    if (under && saysAnything(under)) walk(item, under, visit, below(pointer, name), name, place)
  }
}
