/* oxlint-disable typescript/no-explicit-any -- options and values are known to their widget alone; lists of widgets hold them all */
/** Values in wire form, and their problems. */
import type { Label } from './shape.ts'

/**
 * A value in wire form: JSON. Decimals are strings, dates `yyyy-MM-dd`, months `yyyy-MM`, datetimes `yyyy-MM-dd
 * HH:mm:ss`. Missing is null.
 */
export type Value = null | string | number | boolean | Value[] | { [key: string]: Value | undefined }
/** A record in wire form. A reference is read as `{ id, code, name }` and written as its id. */
export interface RecordData {
  id?: number
  revision?: number
  [field: string]: Value | undefined
}
/** Stands for types that only a widget or a screen kind knows, in lists of all of them. */
export type Opaque = any
/**
 * A value that `normalize` could not read and passes on. Typed as any, because only `check` accepts it or reports its
 * problem.
 */
export type Unread = any
/** A reference as read. */
export interface ReferenceValue {
  id: number
  code: string | null
  name: string
  [key: string]: Value
}
/** An uploaded file as read. */
export interface FileValue {
  url: string
  name: string
  size: number
  status?: 'uploading' | 'success' | 'failed'
  [key: string]: Value | undefined
}

/** A problem of a value, in every language. */
export interface Problem {
  code: string
  message: Label
}
/** A problem and its place: `uscc`, `contacts.0.mobile`. */
export interface FieldProblem extends Problem {
  field: string
}

/** The dictionary that the compiler generates from all permissions: `area:entity:action` → its path in words. */
export const declaredPermissions = 'permissions'
/** The dictionaries that the compiler generates from areas, entities and all operations on records. */
export const declaredAreas = 'areas'
export const declaredEntities = 'entities'
export const declaredOperations = 'operations'
/** The dictionary of the available menu icons. */
export const declaredIcons = 'icons'
/** The dictionaries that are generated rather than written. */
export const madeDictionaryNames: readonly string[] = [
  declaredPermissions,
  declaredAreas,
  declaredEntities,
  declaredOperations,
  declaredIcons,
]
/** Separates the parts of a path in words. */
export const pathSeparator = ' / '

/** `customer:*:view` grants `customer:customer:view`. */
export function grants(pattern: string, permission: string): boolean {
  if (!pattern.includes('*')) return pattern === permission
  const [given, wanted] = [pattern.split(':'), permission.split(':')]
  return given.length === wanted.length && given.every((part, index) => part === '*' || part === wanted[index])
}
