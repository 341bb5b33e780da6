import type { VariableTypes } from '../expression/index.ts'
import { variableTypes } from '../expression/conditions.ts'
import type {
  ActionPlan,
  Catalog,
  Dictionary,
  Entity,
  Field,
  ImportPlan,
  RowsOf,
  ScreenPlan,
  TablePlan,
  Widget,
} from '../model/model.ts'
import type { Surroundings } from '../model/operations.ts'
import { type EntityOperation, operationsOf } from '../model/operationsOf.ts'

/** A field of another entity that points at this one. */
export interface Incoming {
  entity: Entity
  field: Field
  many: boolean
}

/** The operation of a path under `/api`: `GET /customer/list`. */
export interface Operation extends EntityOperation {
  entity: Entity
}

/** What the server derives from a catalog once. */
export interface Derived {
  /** The number of the generation; absent without a database. */
  generation?: number
  /** With the administrators' changes to dictionaries. */
  catalog: Catalog
  /** The dictionaries as the files declare them. */
  declared: Readonly<Record<string, Dictionary>>
  widgets: Record<string, Widget>
  /** `GET /customer/list` → its operation. */
  operations: ReadonlyMap<string, Operation>
  /** The entity of its batches → an import. */
  imports: ReadonlyMap<string, ImportPlan>
  /** Paths of actions that a screen offers without a record. */
  alone: ReadonlySet<string>
  /** Entity → the fields elsewhere that point at it. */
  incoming: Readonly<Record<string, Incoming[]>>
  /**
   * The permissions, any of which lets a user choose among the records of an entity: to see them, or to see or work on
   * records that refer to them.
   */
  choosing(entity: Entity): readonly string[]
  /** Entity → column → its PostgreSQL type. */
  columns: Readonly<Record<string, Readonly<Record<string, string>>>>
  types(entity: Entity): VariableTypes
  widget(field: Field): Widget
  /** The entity that a field points at, if any. */
  target(field: Field): { entity: Entity; many: boolean; rows?: RowsOf } | undefined
}

/** Columns of every table that are fields too. */
const stampColumns = { createdBy: 'bigint', createdAt: 'timestamp(0)', updatedBy: 'bigint', updatedAt: 'timestamp(0)' }

export function derive(catalog: Catalog, widgets: Record<string, Widget>): Derived {
  const entities = Object.values(catalog.entities)
  const operations = new Map<string, Operation>()
  const plans = Object.values(catalog.screens).flatMap(({ body }) => (body as { import?: ImportPlan }).import ?? [])
  const imports = new Map(plans.map((plan) => [plan.batches, plan]))
  const incoming: Record<string, Incoming[]> = Object.fromEntries(entities.map((entity) => [entity.name, []]))

  for (const entity of entities) {
    for (const field of Object.values(entity.fields)) {
      const target = widgets[field.type].target?.(field.options)
      if (target && !target.rows && incoming[target.entity])
        incoming[target.entity].push({ entity, field, many: target.many })
    }
  }

  for (const entity of entities) {
    const isOwn = ({ entity: other }: Incoming) => other === entity || other.rowOf?.entity === entity.name
    const surroundings = { isBatches: imports.has(entity.name), isReferred: !incoming[entity.name].every(isOwn) }
    for (const [path, operation] of operationsOnce(entity, surroundings)) operations.set(path, operation)
  }

  // Computed on first use, because after a file is edited, a screen waits that needs only a few.
  let filtering: ReturnType<typeof filteringScreens> | undefined
  const choosable = new Map<string, readonly string[]>()
  // Looked up for each value of each row of a file.
  const targets = new WeakMap<Field, { entity: Entity; many: boolean; rows?: RowsOf } | null>()
  return {
    catalog,
    declared: catalog.dictionaries,
    widgets,
    operations,
    imports,
    alone: callsAlone(Object.values(catalog.screens)),
    incoming,
    choosing(entity) {
      const known =
        choosable.get(entity.name) ??
        choosing((filtering ??= filteringScreens(Object.values(catalog.screens))), entity, incoming[entity.name])
      choosable.set(entity.name, known)
      return known
    },
    columns: Object.fromEntries(Object.entries(catalog.tables).map(([name, table]) => [name, columnsOnce(table)])),
    types: (entity) => variableTypes(entity, { widgets, entities: catalog.entities }),
    widget: (field) => widgets[field.type],
    target(field) {
      let known = targets.get(field)
      if (known === undefined) {
        const target = widgets[field.type].target?.(field.options)
        const entity = target && catalog.entities[target.entity]
        targets.set(field, (known = entity ? { entity, many: target.many, rows: target.rows } : null))
      }
      return known ?? undefined
    },
  }
}

/** An entity or a table whose file was not edited is the same object in the next catalog. */
const operationsKnown = new WeakMap<Entity, Surroundings & { byPath: readonly (readonly [string, Operation])[] }>()
function operationsOnce(entity: Entity, { isBatches, isReferred }: Surroundings) {
  const before = operationsKnown.get(entity)
  if (before && before.isBatches === isBatches && before.isReferred === isReferred) return before.byPath
  const byPath = operationsOf(entity, { isBatches, isReferred }).map(
    (operation) => [`${operation.method} ${operation.path}`, { ...operation, entity }] as const,
  )
  operationsKnown.set(entity, { isBatches, isReferred, byPath })
  return byPath
}

const columnsKnown = new WeakMap<TablePlan, Readonly<Record<string, string>>>()
function columnsOnce(table: TablePlan): Readonly<Record<string, string>> {
  const columns = columnsKnown.get(table) ?? {
    ...stampColumns,
    ...Object.fromEntries(table.columns.map(({ name, type }) => [name, type])),
  }
  columnsKnown.set(table, columns)
  return columns
}

/** All other actions apply to records, and are refused without one. */
function callsAlone(screens: readonly ScreenPlan[]): Set<string> {
  const plans = screens.flatMap((screen) => [screen, ...Object.values(screen.variants?.plans ?? {})])
  const actions = plans.flatMap(({ body }) => (body as { actions?: ActionPlan[] }).actions ?? [])
  return new Set(actions.flatMap(({ on, do: what }) => (on === 'toolbar' && what.kind === 'call' ? [what.path] : [])))
}

function choosing(
  filtering: ReturnType<typeof filteringScreens>,
  entity: Entity,
  incoming: readonly Incoming[],
): string[] {
  const permissions = new Set(permissionsTo(entity, 'view'))
  for (const {
    entity: other,
    field: { name, readOnly },
  } of incoming) {
    const narrowed = filtering(other.name, name)
    // A screen that is filtered by it may have its own permission.
    for (const { permission } of narrowed) permissions.add(permission)
    // System fields, such as a record's creator, are only chosen where a list filters by them.
    if (name in stampColumns || readOnly) {
      if (narrowed.length > 0) for (const permission of permissionsTo(other, 'view')) permissions.add(permission)
    } else for (const operation of ['view', 'create', 'update'] as const) permissions.add(other.permissions[operation])
    const asking = [
      ...other.states.flatMap(({ transitions }) => Object.values(transitions)),
      ...Object.values(other.actions),
    ]
    for (const { form, permission, ...more } of asking) {
      const formFields = [...form.map(({ field }) => field), ...('update' in more ? (more.update ?? []) : [])]
      if (formFields.includes(name)) permissions.add(permission)
    }
  }
  return [...permissions]
}

/** The screens of an entity that offer a field as a filter, whatever their kind. */
function filteringScreens(screens: readonly ScreenPlan[]): (entity: string, field: string) => readonly ScreenPlan[] {
  const found = new Map<string, Set<ScreenPlan>>()
  for (const screen of screens) {
    for (const { entity, body } of [screen, ...Object.values(screen.variants?.plans ?? {})]) {
      for (const { field } of (body as { filters?: { field: string }[] }).filters ?? []) {
        const key = `${entity}.${field}`
        found.set(key, (found.get(key) ?? new Set()).add(screen))
      }
    }
  }
  return (entity, field) => [...(found.get(`${entity}.${field}`) ?? [])]
}

/** The permissions, any of which lets a user see or export some of the records. */
export const permissionsTo = (
  { parts, permissions }: Pick<Entity, 'parts' | 'permissions'>,
  operation: 'view' | 'export',
): string[] => (parts ? parts.map((part) => part[operation]) : [permissions[operation]])
