/* oxlint-disable typescript/no-explicit-any -- options and values are known to their widget alone; lists of widgets hold them all */
/** Values as they travel, and what is wrong with them. */
import type { Label } from './shape.ts'

/**
 * A value as it travels: JSON. Decimals are strings, dates `yyyy-MM-dd`, months `yyyy-MM`, datetimes `yyyy-MM-dd
 * HH:mm:ss`. Missing is null.
 */
export type Value = null | string | number | boolean | Value[] | { [key: string]: Value | undefined }
/** A record as it travels. A reference is read as `{ id, code, name }` and written as its id. */
export interface RecordData {
  id?: number
  revision?: number
  [field: string]: Value | undefined
}
/** What only a widget knows of its options and values, and a screen kind of its files. Lists hold all of them. */
export type Opaque = any
/**
 * What `normalize` could not read and hands on. Typed as anything, because only `check` makes it a value or names what
 * is wrong.
 */
export type Unread = any
/** What a reference reads as. */
export interface ReferenceValue {
  id: number
  code: string | null
  name: string
  [key: string]: Value
}
/** What an uploaded file reads as. */
export interface FileValue {
  url: string
  name: string
  size: number
  status?: 'uploading' | 'success' | 'failed'
  [key: string]: Value | undefined
}

/** What is wrong with a value, in every language. */
export interface Problem {
  code: string
  message: Label
}
/** A problem and where it is: `uscc`, `contacts.0.mobile`. */
export interface FieldProblem extends Problem {
  field: string
}

/** The dictionary that the compiler makes of all permissions: `area:entity:action` → its path in words. */
export const declaredPermissions = 'permissions'
/** The dictionaries that the compiler makes of areas, entities and all that can be done to records. */
export const declaredAreas = 'areas'
export const declaredEntities = 'entities'
export const declaredOperations = 'operations'
/** The dictionary of the pictures that entries of the menu may have. */
export const declaredIcons = 'icons'
/** The dictionaries that no file writes. */
export const madeDictionaryNames: readonly string[] = [
  declaredPermissions,
  declaredAreas,
  declaredEntities,
  declaredOperations,
  declaredIcons,
]
/** Between the parts of a path in words. */
export const pathSeparator = ' / '

/** `customer:*:view` grants `customer:customer:view`. */
export function grants(pattern: string, permission: string): boolean {
  if (!pattern.includes('*')) return pattern === permission
  const [given, wanted] = [pattern.split(':'), permission.split(':')]
  return given.length === wanted.length && given.every((part, index) => part === '*' || part === wanted[index])
}
