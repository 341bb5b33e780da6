import type { VariableTypes } from '../expression/index.ts'
import { variableTypes } from '../schema/verdict.ts'
import type { Catalog, Entity, Field, Widget } from '../schema/model.ts'

/** A field of another entity that points at this one. */
export interface Incoming { entity: Entity; field: Field; many: boolean }

/** What a path under `/api` does: `GET /customer/list`. */
export interface Operation { entity: Entity; name: string; method: 'GET' | 'POST' }

/** What the server works out of a catalog once. */
export interface Derived {
  catalog: Catalog
  widgets: Record<string, Widget>
  /** `GET /customer/list` → its operation. */
  operations: ReadonlyMap<string, Operation>
  /** Entity → the fields elsewhere that point at it. */
  incoming: Readonly<Record<string, Incoming[]>>
  /** Entity → column → its PostgreSQL type. */
  columns: Readonly<Record<string, Readonly<Record<string, string>>>>
  types(entity: Entity): VariableTypes
  widget(field: Field): Widget
  /** The entity that a field points at, if any. */
  target(field: Field): { entity: Entity; many: boolean; rows?: { by: string } } | undefined
}

/** Columns of every table that are fields too. */
const stampColumns = { createdBy: 'bigint', createdAt: 'timestamp(0)', updatedBy: 'bigint', updatedAt: 'timestamp(0)' }

/** Operations that every entity has, beside its transitions and actions. */
export const standardOperations = {
  GET: ['list', 'detail', 'options', 'history', 'export', 'unique'],
  POST: ['create', 'update', 'delete'],
} as const

export function derive(catalog: Catalog, widgets: Record<string, Widget>): Derived {
  const entities = Object.values(catalog.entities)
  const operations = new Map<string, Operation>()
  const incoming: Record<string, Incoming[]> = Object.fromEntries(entities.map((entity) => [entity.name, []]))

  for (const entity of entities) {
    for (const field of Object.values(entity.fields)) {
      const target = widgets[field.type].target?.(field.options)
      if (target && !target.rows && incoming[target.entity]) incoming[target.entity].push({ entity, field, many: target.many })
    }
    // Rows are reached through their owner only.
    if (entity.rowOf) continue
    for (const method of ['GET', 'POST'] as const) {
      const own = method === 'GET' ? [] : [...entity.states.flatMap((machine) => Object.keys(machine.transitions)), ...Object.keys(entity.actions)]
      for (const name of [...standardOperations[method], ...own]) operations.set(`${method} ${entity.endpoint}/${name}`, { entity, name, method })
    }
  }

  return {
    catalog, widgets, operations, incoming,
    columns: Object.fromEntries(Object.entries(catalog.tables).map(([name, table]) =>
      [name, { ...stampColumns, ...Object.fromEntries(table.columns.map((column) => [column.name, column.type])) }])),
    types: (entity) => variableTypes(entity, { widgets, entities: catalog.entities }),
    widget: (field) => widgets[field.type],
    target(field) {
      const target = widgets[field.type].target?.(field.options)
      const entity = target && catalog.entities[target.entity]
      return target && entity && { entity, many: target.many, rows: target.rows }
    },
  }
}
