import { Decimal, decimalOf } from './decimal.ts'
import { typeOf, type Type } from './type.ts'

/** A value during evaluation. Maps stay in wire form: their members are read, and converted, one by one. */
export type Operand = null | string | boolean | Decimal | Operand[] | OperandMap
export interface OperandMap {
  readonly [key: string]: unknown
}

export const isMap = (value: unknown): value is OperandMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal)

/** Wire form → what expressions see. A value that is not of its declared type is missing. */
export function bind(value: unknown, type: Type): Operand {
  if (value === null || value === undefined) return null
  if (type === 'decimal') return decimalOf(value)
  if (type === 'string') return typeof value === 'string' && value !== '' ? value : null
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (typeof type === 'string') return bindAny(value)
  if ('list' in type) return Array.isArray(value) ? value.map((item) => bind(item, type.list)) : null
  return isMap(value) ? value : null
}

function bindAny(value: unknown): Operand {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return decimalOf(value)
  if (Array.isArray(value)) return value.map((item) => bindAny(item ?? null))
  return typeof value === 'object' ? (value as Decimal | OperandMap) : null
}

/** Read directly, so that a reactive map tracks which of its members matter, even those that do not exist yet. */
export function member(map: OperandMap, key: string, keys: OperandTypes): Operand {
  return key === '__proto__' ? null : bind(map[key], keys && Object.hasOwn(keys, key) ? typeOf(keys[key]) : 'any')
}
type OperandTypes = Extract<Type, { keys: unknown }>['keys']

/** What expressions see → wire form. `decimal` converts decimals. */
export function unbind<T>(value: unknown, decimal: (value: Decimal) => T): unknown {
  if (value instanceof Decimal) return decimal(value)
  if (Array.isArray(value)) return value.map((item) => unbind(item, decimal))
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unbind(item, decimal)]))
  return value ?? null
}

/** The type of a value, for messages. */
export function typeOfOperand(value: Operand): Type {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (value instanceof Decimal) return 'decimal'
  return Array.isArray(value) ? { list: 'any' } : { keys: null }
}
