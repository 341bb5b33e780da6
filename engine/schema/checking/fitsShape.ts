import type { Shape } from '../../model/shape.ts'
import { isObject } from '../walk.ts'

/** Keywords that are understood here, and those that do not constrain the value. */
const keywords = new Set([
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'discriminator',
  'pattern',
  'minLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'names',
  'keys',
  'scope',
  'own',
  'holes',
  'fills',
  'distinct',
  'alsoCalled',
  'shorthand',
  'about',
  'default',
  'optional',
  'title',
  'description',
])

const understood = new WeakMap<object, boolean>()
function isUnderstood(shape: Shape<unknown>): boolean {
  let known = understood.get(shape)
  if (known === undefined) {
    const { oneOf, discriminator } = shape
    understood.set(shape, (known = Object.keys(shape).every((key) => keywords.has(key)) && !oneOf === !discriminator))
  }
  return known
}

const patterns = new Map<string, RegExp>()
function patternOf(text: string): RegExp {
  let pattern = patterns.get(text)
  if (!pattern) patterns.set(text, (pattern = new RegExp(text, 'u')))
  return pattern
}

/**
 * True only if the value certainly fits the shape. False means that it does not fit, or that the shape uses unknown
 * keywords (a template's own JSON Schema may use any). The exact issues require compiling the shape, which takes far
 * longer than this check, and nearly all files fit.
 */
export function fitsShape(value: unknown, shape: Shape<unknown>): boolean {
  if (!isUnderstood(shape)) return false
  const { type, anyOf, oneOf, discriminator } = shape
  if (type !== undefined && !isOf(type, value)) return false
  if ('const' in shape && value !== shape.const) return false
  if (shape.enum && !shape.enum.includes(value)) return false
  if (anyOf && !anyOf.some((branch) => fitsShape(value, branch))) return false
  if (typeof value === 'string') return fitsText(value, shape)
  if (typeof value === 'number') return !(value < shape.minimum!) && !(value > shape.maximum!)
  if (Array.isArray(value)) {
    const { items } = shape
    return (
      !(value.length < shape.minItems!) &&
      !(value.length > shape.maxItems!) &&
      (!items || value.every((item) => fitsShape(item, items)))
    )
  }
  if (!isObject(value)) return true
  if (oneOf && discriminator) {
    const word = value[discriminator.propertyName]
    const branch = oneOf.find(({ properties }) => properties?.[discriminator.propertyName]?.const === word)
    if (!branch || !fitsShape(value, branch)) return false
  }
  return fitsKeys(value, shape)
}

const fitsText = (value: string, { minLength, pattern }: Shape<unknown>): boolean =>
  (minLength === undefined || [...value].length >= minLength) &&
  (pattern === undefined || patternOf(pattern).test(value))

function fitsKeys(
  value: Record<string, unknown>,
  { required, properties, additionalProperties: other }: Shape<unknown>,
): boolean {
  if (required?.some((key) => !Object.hasOwn(value, key))) return false
  if (!properties && other === undefined) return true
  for (const key in value) {
    const under = properties && Object.hasOwn(properties, key) ? properties[key] : other
    if (under === false || (typeof under === 'object' && !fitsShape(value[key], under))) return false
  }
  return true
}

function isOf(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return false
  }
}
