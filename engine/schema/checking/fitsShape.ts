import { Ajv } from 'ajv'
import type { Shape } from '../../model/shape.ts'
import { isObject } from '../walk.ts'

/** What is checked here: the keywords of our shapes, and the usual ones of the JSON Schemas in template files. */
const checked = new Set([
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'contains',
  'uniqueItems',
  'anyOf',
  'oneOf',
  'allOf',
  'discriminator',
  'if',
  'then',
  'else',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
])
/** Keywords of JSON Schema that constrain nothing. */
const remarks = new Set(['default', 'title', 'description'])
/** The keywords of JSON Schema. Any other is an annotation of ours, which ajv ignores as well. */
const { keywords } = new Ajv({ discriminator: true }).RULES

interface TemplateShape extends Shape<unknown> {
  maxLength?: number
  contains?: TemplateShape
  uniqueItems?: boolean
  allOf?: TemplateShape[]
  if?: TemplateShape
  then?: TemplateShape
  else?: TemplateShape
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null

const understood = new WeakMap<object, boolean>()
function isUnderstood(shape: TemplateShape): boolean {
  let known = understood.get(shape)
  if (known === undefined) {
    const { oneOf, discriminator } = shape
    known =
      Object.keys(shape).every((key) => checked.has(key) || remarks.has(key) || !Object.hasOwn(keywords, key)) &&
      !oneOf === !discriminator &&
      isPlain(shape.const) &&
      (shape.enum ?? []).every(isPlain)
    understood.set(shape, known)
  }
  return known
}

/** The same with all that is below it, and nothing undecided: what does not fit then certainly does not. */
function isWhollyUnderstood(shape: TemplateShape): boolean {
  const { properties = {}, additionalProperties: other, items, contains, anyOf, oneOf, allOf } = shape
  const below = [
    ...Object.values(properties),
    ...[other, items, contains, shape.if, shape.then, shape.else].filter((each) => typeof each === 'object'),
    ...[anyOf, oneOf, allOf].flatMap((each) => each ?? []),
  ]
  return isUnderstood(shape) && !shape.uniqueItems && below.every(isWhollyUnderstood)
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
export function fitsShape(value: unknown, shape: TemplateShape): boolean {
  if (!isUnderstood(shape)) return false
  const { type, anyOf, oneOf, allOf, discriminator } = shape
  if (type !== undefined && !isOf(type, value)) return false
  if ('const' in shape && value !== shape.const) return false
  if (shape.enum && !shape.enum.includes(value)) return false
  if (anyOf && !anyOf.some((branch) => fitsShape(value, branch))) return false
  if (allOf && !allOf.every((each) => fitsShape(value, each))) return false
  if (shape.if && !fitsOutcome(value, shape.if, shape)) return false
  if (typeof value === 'string') return fitsText(value, shape)
  if (typeof value === 'number') return !(value < shape.minimum!) && !(value > shape.maximum!)
  if (Array.isArray(value)) {
    const { items, contains, uniqueItems } = shape
    return (
      !(value.length < shape.minItems!) &&
      !(value.length > shape.maxItems!) &&
      (!items || value.every((item) => fitsShape(item, items))) &&
      (!contains || value.some((item) => fitsShape(item, contains))) &&
      (!uniqueItems || (value.every(isPlain) && new Set(value).size === value.length))
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

/** Whether it certainly fits what follows from the condition. */
function fitsOutcome(value: unknown, condition: TemplateShape, shape: TemplateShape): boolean {
  if (!isWhollyUnderstood(condition)) return false
  const outcome = fitsShape(value, condition) ? shape.then : shape.else
  return !outcome || fitsShape(value, outcome)
}

const fitsText = (value: string, { minLength, maxLength, pattern }: TemplateShape): boolean =>
  (minLength === undefined || [...value].length >= minLength) &&
  (maxLength === undefined || [...value].length <= maxLength) &&
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
