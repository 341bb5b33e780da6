import type { Entity } from './model.ts'
import { below } from './pointer.ts'

/**
 * One path of the API below `/api`, what it takes, and where the entity's file says so (its head, where it is
 * standard).
 */
export interface EndpointOperation {
  name: string
  method: 'GET' | 'POST'
  path: string
  permission: string
  pointer: string
}

/**
 * The paths at which the records of an entity are served. Rows are reached through the record that they belong to.
 * @param written the entity's file, for the pointers
 */
export function endpointsOf(entity: Entity, written: unknown = {}): EndpointOperation[] {
  const { endpoint, permissions, allow, states, actions, downloads = {} } = entity
  if (entity.rowOf) return []
  const one = (name: string, method: 'GET' | 'POST', permission: string, pointer = ''): EndpointOperation => ({
    name,
    method,
    path: `${endpoint}/${name}`,
    permission,
    pointer,
  })
  const own = [
    ...states.flatMap((machine, index) =>
      Object.values(machine.transitions).map(({ name, permission }) =>
        one(name, 'POST', permission, below(pointerOfTransitions(written, index), name)),
      ),
    ),
    ...Object.values(actions).map(({ name, permission }) => one(name, 'POST', permission, below('/actions', name))),
  ]
  return [
    ...['list', 'detail', 'history'].map((name) => one(name, 'GET', permissions.view)),
    one('export', 'GET', permissions.export),
    ...Object.values(downloads).map(({ name, permission }) => one(name, 'GET', permission, below('/downloads', name))),
    ...(['create', 'update', 'delete'] as const)
      .filter((name) => allow[name] !== false)
      .map((name) => one(name, 'POST', permissions[name])),
    ...own,
  ]
}

/** One machine alone may stand in the file without a list around it. */
export const pointerOfTransitions = (written: unknown, index: number): string =>
  Array.isArray((written as { states?: unknown }).states) ? `/states/${index}/transitions` : '/states/transitions'
