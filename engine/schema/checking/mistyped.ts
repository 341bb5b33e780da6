import { fieldCommon } from '../language/fieldShape.ts'
import { isObject } from '../walk.ts'
import type { NameRole, Shape } from '../../model/shape.ts'

const words: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** What a text means, if that is more specific than its type. */
const named: { [role in NameRole]?: string } = {
  entity: 'the name of an entity',
  field: 'the name of a field',
  ownField: 'the name of a field',
  dictionary: 'the name of a dictionary',
  screen: 'the name of a screen',
  procedure: 'the name of a procedure',
  condition: 'a condition in quotes',
  formula: 'a formula in quotes',
  number: 'a formula in quotes',
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const capital = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}`

/** What belongs in the place of a value of another type, and how to correct it. */
export function mistyped(
  value: unknown,
  types: string | readonly string[],
  shape?: Shape<unknown>,
  key = '',
): { wanted: string; found: string } {
  const all = [...new Set([types].flat())]
  const [only] = all.length === 1 ? all : []
  const role = shape?.names && named[shape.names]
  const text = role ?? all.map((type) => words[type] ?? type).join(' or ')
  const isLabel = shape?.names === 'label'
  const isFilter = shape?.names === 'filter'
  const isInexact = only === 'integer' && typeof value === 'number'
  const hint = role?.endsWith('quotes') ? quoted(value) : isLabel ? undefined : rightForm(value, only, shape)
  const sample = only === 'object' && !isLabel && !isFilter ? sampleOf(shape) : undefined
  const instead =
    only === 'boolean' && /[=<>!()]/.test(String(value)) && `${key}When` in fieldCommon.properties
      ? `: a condition stands under "${key}When"`
      : ''
  return {
    wanted: isLabel
      ? 'A text in each language belongs here, such as { "cn": "…", "en": "…" }'
      : isFilter
        ? 'A filter such as { "field": "value" } belongs here'
        : `${capital(text)}${sample === undefined ? '' : ` such as ${sample}`} belongs here`,
    found: `${isInexact ? String(value) : words[kindOf(value)]}${hint === undefined ? instead : `: write ${hint}`}`,
  }
}

const quoted = (value: unknown) => (isObject(value) || Array.isArray(value) ? undefined : JSON.stringify(String(value)))

const takesText = ({ type, anyOf }: Shape<unknown>): boolean => type === 'string' || anyOf?.some(takesText) === true

/** An object of this shape, in short: the keys that it needs, or its first one. */
function sampleOf({ properties = {}, required = [], additionalProperties, keys }: Shape<unknown> = {}): string {
  const own = required.length ? required : Object.keys(properties).slice(0, 1)
  const isRecord = typeof additionalProperties === 'object' && own.length === 0
  const named = isRecord ? [keys === 'field' || keys === 'ownField' ? 'field' : 'name'] : own.slice(0, 3)
  return `{ ${named.map((name) => `"${name}": …`).join(', ')} }`
}

function rightForm(value: unknown, type: string | undefined, shape: Shape<unknown> = {}): string | undefined {
  const { like, items, names } = shape
  if (type === 'array' && isObject(value) && items && items.type === 'object') return '[{ … }]'
  if (type === 'string' && Array.isArray(value) && value.length === 1 && typeof value[0] === 'string')
    return JSON.stringify(value[0])
  if (type === 'string' && typeof value === 'number')
    return like !== undefined ? `it as ${like}` : names === undefined ? JSON.stringify(String(value)) : undefined
  if (typeof value !== 'string') return undefined
  if (type === 'array') return items && takesText(items) ? JSON.stringify([value]) : undefined
  const isBare =
    type === 'boolean'
      ? /^(true|false)$/.test(value)
      : type === 'integer'
        ? /^-?\d{1,9}$/.test(value)
        : type === 'number' && /^-?\d{1,9}(\.\d{1,9})?$/.test(value)
  return isBare ? `${value}, without quotes` : undefined
}

/** Such as `1 item is` or `2 items are`. */
export const counted = (keyword: string, limit: number): string => {
  const unit = keyword.endsWith('Length') ? 'character' : keyword.endsWith('Items') ? 'item' : 'key'
  return `${limit} ${unit}${limit === 1 ? ' is' : 's are'}`
}
