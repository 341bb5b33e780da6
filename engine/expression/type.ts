import type { ExpressionType, Label } from '../model/model.ts'

/**
 * The type of a variable as callers declare it. An object is a map with these keys; a list of one object is a list of
 * such maps. `any` is only checked during evaluation.
 */
export type VariableType = ExpressionType | 'any' | VariableTypes | readonly [VariableTypes]
export interface VariableTypes {
  readonly [name: string]: VariableType
  readonly [settingTypes]?: VariableTypes
}

/** Beside the fields of a record: entity → the fields of its one record, as `settings.<entity>.<field>` reads them. */
export const settingTypes: unique symbol = Symbol('settings')

/** The type of a part of an expression. `keys: null`: a map with undeclared keys. */
export type Type =
  | 'string'
  | 'decimal'
  | 'boolean'
  | 'null'
  | 'any'
  | { readonly list: Type }
  | { readonly keys: VariableTypes | null }

const declared: Record<ExpressionType | 'any', Type> = {
  string: 'string',
  decimal: 'decimal',
  boolean: 'boolean',
  any: 'any',
  map: { keys: null },
  'list<string>': { list: 'string' },
  'list<decimal>': { list: 'decimal' },
  'list<map>': { list: { keys: null } },
}

export function typeOf(type: VariableType): Type {
  if (typeof type === 'string') return declared[type]
  return isRows(type) ? { list: { keys: type[0] } } : { keys: type }
}
const isRows = (type: VariableTypes | readonly [VariableTypes]): type is readonly [VariableTypes] => Array.isArray(type)

/** null fits everywhere, and `any` is only known during evaluation. */
export const isOpen = (type: Type) => type === 'any' || type === 'null'
export const fits = (type: Type, wanted: 'string' | 'decimal' | 'boolean') => type === wanted || isOpen(type)

/** The common type of two values; undefined if there is none. */
export function unify(left: Type, right: Type): Type | undefined {
  if (left === right || right === 'null') return left
  if (left === 'null') return right
  if (left === 'any' || right === 'any') return 'any'
  if (typeof left === 'string' || typeof right === 'string') return undefined
  if ('keys' in left && 'keys' in right) return left.keys === right.keys ? left : { keys: null }
  if (!('list' in left && 'list' in right)) return undefined
  const list = unify(left.list, right.list)
  return list && { list }
}

/** As written in a schema: `list<string>`. */
export function notation(type: Type): string {
  if (typeof type === 'string') return type
  return 'list' in type ? `list<${notation(type.list)}>` : 'map'
}

const names: Record<string, Label> = {
  string: { cn: '文本', en: 'text' },
  decimal: { cn: '数值', en: 'number' },
  boolean: { cn: '是/否', en: 'true or false' },
  null: { cn: '空值', en: 'null' },
  any: { cn: '任意值', en: 'any value' },
}
export function nameOf(type: Type): Label {
  if (typeof type === 'string') return names[type]
  return 'list' in type ? { cn: '列表', en: 'list' } : { cn: '对象', en: 'object' }
}

/** `a text`, `an object`, `true or false`; `isFirst`: of the sentence. */
export function withArticle(type: Type, isFirst = false): string {
  const { en } = nameOf(type)
  const hasNone = type === 'boolean' || type === 'null' || type === 'any'
  const text = hasNone ? en : `${/^[aeiou]/.test(en) ? 'an' : 'a'} ${en}`
  return isFirst ? `${text[0].toUpperCase()}${text.slice(1)}` : text
}
