import { grants } from '../../model/model.ts'
import type { DataScope } from '../SessionUser.ts'

/** A user's permissions, message types and data scope. */
export interface Rights {
  /** May do everything, regardless of the other fields. */
  isAdministrator: boolean
  /** Permissions, including patterns: `customer:*:view`. */
  permissions: readonly string[]
  /** Types of messages received. */
  messages: readonly string[]
  /** Codes of roles that some screen is restricted to. */
  codes: readonly string[]
  /** Sees all records; otherwise the user's own, and those of these departments. */
  seesAll: boolean
  departments: ReadonlySet<number>
}

export const noRights: Rights = {
  isAdministrator: false,
  permissions: [],
  messages: [],
  codes: [],
  seesAll: false,
  departments: new Set(),
}

const reaches = (own: Rights, other: Rights): boolean =>
  own.seesAll || (!other.seesAll && [...other.departments].every((id) => own.departments.has(id)))

const beyond = (names: readonly string[], known: readonly string[]) =>
  names.filter((name) => !known.some((each) => grants(each, name)))

const isNothing = ({ isAdministrator, permissions, messages, codes }: Rights): boolean =>
  !isAdministrator && permissions.length + messages.length + codes.length === 0

/**
 * The rights that `after` has beyond `before`. A wider data scope counts as gaining all of them again, for more
 * records.
 */
export function addedRights(before: Rights, after: Rights): Rights {
  if (before.isAdministrator) return noRights
  if (after.isAdministrator || !reaches(before, after)) return after
  return {
    ...after,
    permissions: beyond(after.permissions, before.permissions),
    messages: beyond(after.messages, before.messages),
    codes: beyond(after.codes, before.codes),
  }
}

/** What exceeds `own`: the data scope, or one of the lists; undefined if nothing does. */
export function excessOf(what: Rights, own: Rights): 'reach' | 'permissions' | 'messages' | 'codes' | undefined {
  if (own.isAdministrator || isNothing(what)) return undefined
  if (what.isAdministrator) return 'permissions'
  const excess = (['permissions', 'messages', 'codes'] as const).find(
    (list) => beyond(what[list], own[list]).length > 0,
  )
  return excess ?? (reaches(own, what) ? undefined : 'reach')
}

export const isWithin = (what: Rights, own: Rights): boolean => excessOf(what, own) === undefined

/** Department → its parent. */
export type Parents = ReadonlyMap<number, number | null>

/** The departments that a data scope covers for a user of this department. */
export function departmentsWithin(parents: Parents, dataScope: DataScope, department: number | null): Set<number> {
  if (department === null || (dataScope !== 'department' && dataScope !== 'departmentAndBelow')) return new Set()
  if (dataScope === 'department') return new Set([department])
  const isBelow = (id: number): boolean => {
    // The limit guards against a cycle in the table.
    let node: number | null = id
    for (let steps = parents.size; node !== null && steps >= 0; steps--) {
      if (node === department) return true
      node = parents.get(node) ?? null
    }
    return false
  }
  return new Set([department, ...[...parents.keys()].filter(isBelow)])
}
