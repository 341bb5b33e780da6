import type { Label, RecordData } from '../model/model.ts'
import { functions } from './functions.ts'
import type { FunctionDeclaration } from './declare.ts'
import { settingTypes, typeOf, type Type, type VariableType, type VariableTypes } from './type.ts'

/** The acting user. The system itself has no id. */
export interface ScopeUser {
  id: number | null
  name: string
  roles: readonly string[]
  department: unknown
  ip?: string | null
}

/** Entity → its one record, of those that have exactly one. */
export type Settings = Readonly<Record<string, RecordData>>

/** What the expressions of one record are evaluated on. */
export interface Scope {
  record: RecordData
  /** The record before the save; null during creation. */
  old?: RecordData | null
  /** The fields that the save changes. */
  changed?: readonly string[]
  /** What the save changes: field → [before, after]. Only the server knows both. */
  changes?: Readonly<Record<string, readonly unknown[]>>
  user?: ScopeUser | null
  /** Entity → its one record. */
  settings?: Settings
  /** The business clock, `yyyy-MM-dd HH:mm:ss`. */
  now: string
}

export interface Variable<S> {
  type: Type
  read(scope: S): unknown
}
/** The names that an expression may use. */
export interface Environment<S> {
  resolve(name: string): Variable<S> | undefined
  names(): string[]
  functions: Record<string, FunctionDeclaration>
}

interface Name {
  about: Label
  type(types: VariableTypes): VariableType
  read(scope: Scope): unknown
}

/** The names besides the record's own fields. A field of the same name takes precedence. */
export const environmentNames: Record<string, Name> = {
  id: {
    about: { cn: '记录的编号；新建时为空', en: 'The id of the record; null while it is being created' },
    type: () => 'decimal',
    read: (scope) => scope.record.id,
  },
  old: {
    about: {
      cn: '保存之前的记录，如 old.status；新建时为空',
      en: 'The record before the save, as in old.status; null while it is being created',
    },
    type: (types) => (Object.hasOwn(types, 'id') ? types : { ...types, id: 'decimal' }),
    read: (scope) => scope.old,
  },
  changed: {
    about: { cn: '本次保存所修改的字段名', en: 'The names of the fields that the save changes' },
    type: () => 'list<string>',
    read: (scope) => scope.changed ?? [],
  },
  user: {
    about: {
      cn: '当前用户：id、name、roles（角色）、department（部门），以及保存时的 ip（来源地址）',
      en: 'The user: id, name, roles, department; on a write also ip, the address it came from',
    },
    type: () => ({ id: 'decimal', name: 'string', roles: 'list<string>', department: 'decimal', ip: 'string' }),
    read: (scope) => scope.user,
  },
  settings: {
    about: {
      cn: '系统参数，如 settings.parameter.cardDoubleCheck',
      en: 'What administrators set, as in settings.parameter.cardDoubleCheck',
    },
    type: (types) => types[settingTypes] ?? {},
    read: (scope) => scope.settings,
  },
}

/** A record's fields by name, and the names beside them. */
export function recordEnvironment(types: VariableTypes): Environment<Scope> {
  return {
    resolve(name) {
      if (Object.hasOwn(types, name)) return { type: typeOf(types[name]), read: (scope) => scope.record[name] }
      if (!Object.hasOwn(environmentNames, name)) return undefined
      const { type, read } = environmentNames[name]
      return { type: typeOf(type(types)), read }
    },
    names: () => [...Object.keys(types), ...Object.keys(environmentNames)],
    functions,
  }
}

const {
  now: _now,
  today: _today,
  month: _month,
  changes: _changes,
  changesSince: _changesSince,
  ...timeless
} = functions

/** Any name, read from a plain object: the caller ensures that the names exist. A template has no clock. */
export const openEnvironment: Environment<Readonly<Record<string, unknown>>> = {
  resolve: (name) => ({ type: 'any', read: (scope) => scope[name] }),
  names: () => [],
  functions: timeless,
}
