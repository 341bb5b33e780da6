import type { Entity } from './entity.ts'
import { form, isStored, type OperationKind, type OperationRow, operations, type Surroundings } from './operations.ts'

/** One path of the API below `/api`. */
export interface EntityOperation {
  kind: OperationKind
  name: string
  method: 'GET' | 'POST'
  path: string
  /** Any one of them is enough; empty if the operation checks them itself. */
  permissions: readonly string[]
  summary: string
  /** A pointer to its declaration in the entity's file; empty for a standard operation. */
  pointer: string
}

/**
 * The operations of an entity.
 * @param written the entity's file, for the pointers
 */
export function operationsOf(
  entity: Entity,
  surroundings: Surroundings = {},
  written: unknown = {},
): EntityOperation[] {
  return (Object.entries(operations) as [OperationKind, OperationRow][]).flatMap(([kind, row]) => {
    if (row.when ? !row.when(entity, surroundings) : !isStored(entity)) return []
    return (row.names?.(entity) ?? [kind]).map((name) => ({
      kind,
      name,
      method: row.method,
      path: `${entity.endpoint}/${name}`,
      permissions: permissionsOf(entity, name, row.permission),
      summary: (typeof row.summary === 'function' ? row.summary(entity, name) : row.summary) ?? name,
      pointer: row.pointer?.(entity, name, written) ?? '',
    }))
  })
}

function permissionsOf(entity: Entity, name: string, permission: OperationRow['permission']): string[] {
  if (typeof permission === 'function') return [permission(entity, name)]
  // With `parts`, the permission depends on the record.
  if (entity.parts && (permission === 'view' || permission === 'export'))
    return entity.parts.map((part) => part[permission])
  return [permission ?? []].flat().map((word) => entity.permissions[word])
}

/** Whether the entity's file closes it to everybody (`allow: false`). */
export const isClosed = ({ allow }: Entity, { name }: Pick<EntityOperation, 'name'>): boolean =>
  Object.hasOwn(allow, name) && allow[name as keyof Entity['allow']] === false

/** An operation with one of its permissions, for listing what each permission allows. */
export interface EndpointOperation extends EntityOperation {
  permission: string
}

export const endpointsOf = (entity: Entity, written?: unknown): EndpointOperation[] =>
  operationsOf(entity, {}, written)
    .filter((operation) => !isClosed(entity, operation))
    .flatMap((operation) => {
      const { permission }: OperationRow = operations[operation.kind]
      if (permission === undefined || permission === form) return []
      return {
        ...operation,
        permission: typeof permission === 'string' ? entity.permissions[permission] : operation.permissions[0],
      }
    })
