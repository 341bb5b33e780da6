import type { EntityFile } from '../language/entityShape.ts'
import { filterValues } from '../../model/filter.ts'
import { entityKeys, type EntityKeys } from '../../model/entityKeys.ts'
import type { Entity, Limit, Rule, Scope } from '../../model/model.ts'
import { permissionOf, permissionsOf } from '../linking/permissions.ts'
import { rowsField } from '../linking/relations.ts'
import type { NamedEntity, Names } from '../named.ts'
import { assembleField } from './assembleField.ts'
import { assembleSteps } from './assembleSteps.ts'

const scopeOf = (scope: NonNullable<EntityFile['scope']>): Scope =>
  'via' in scope ? { via: [scope.via].flat() } : scope

/** Those that stay as they are. */
const keysOf = (file: EntityFile): EntityKeys =>
  Object.fromEntries(
    Object.entries(file).filter(([key]) => Object.hasOwn(entityKeys.properties, key)),
  ) as unknown as EntityKeys

/** A linked entity file → the model, with every default filled in. */
export function assembleEntity(entity: NamedEntity, names: Names): Entity {
  const file = entity.value as unknown as EntityFile
  const permission = (name: string) => permissionOf(name, entity, names.entities)
  const named = entity.source.generated?.named
  return {
    ...keysOf(file),
    name: entity.name,
    area: entity.area,
    endpoint: file.endpoint ?? `/${entity.area}/${entity.name}`,
    fields: Object.fromEntries(Object.values(entity.fields).map((field) => [field.name, assembleField(field, names)])),
    ...(file.single && { single: true as const }),
    ...(file.log && { log: true as const }),
    ...rowOf(entity, file, names),
    ...(file.parts && {
      parts: file.parts.map((part) => ({
        where: filterValues(part.where),
        view: permission(part.view),
        export: permission(part.export),
      })),
    }),
    ...(file.offered && { offered: filterValues(file.offered) }),
    ...(file.scope && { scope: scopeOf(file.scope) }),
    rules: file.rules as Rule[],
    limits: file.limits.map((limit): Limit => ({
      ...limit,
      where: filterValues(limit.where),
      within: [limit.within ?? []].flat(),
    })),
    ...assembleSteps(file, permission),
    allow: {
      create: true,
      update: true,
      delete: true,
      ...file.allow,
      ...(file.single && { create: false, delete: false }),
      ...(file.engine && { create: false, update: false, delete: false }),
    },
    ...(file.undo && { undo: { guards: file.undo.guards.map((guard) => ({ ...guard, at: file.display })) } }),
    permissions: permissionsOf(entity, names.entities),
    file: entity.source.path,
    ...(named !== undefined && { named }),
  }
}

function rowOf(entity: NamedEntity, file: EntityFile, names: Names): Pick<Entity, 'rowOf'> {
  if (file.rowOf === undefined) return {}
  const field = rowsField(names.entities[file.rowOf], entity.name, names)!
  return { rowOf: { entity: file.rowOf, field: field.name, by: names.target(field)!.rows!.by } }
}
