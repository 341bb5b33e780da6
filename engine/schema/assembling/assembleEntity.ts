import type { EntityFile } from '../language/entityShape.ts'
import type { FieldFile } from '../language/fieldShape.ts'
import { filterValues } from '../../model/filter.ts'
import type {
  Append,
  Computed,
  Download,
  Entity,
  EntityAction,
  Field,
  Limit,
  Rule,
  SaveEvent,
  Scope,
  StateMachine,
  Transition,
  Value,
} from '../../model/model.ts'
import { permissionOf, permissionsOf } from '../linking/permissions.ts'
import { rowsField } from '../linking/relations.ts'
import type { ComputedFile, NamedEntity, NamedField, Names } from '../named.ts'

/** A linked entity file → the model, every default written out. */
export function assembleEntity(entity: NamedEntity, names: Names): Entity {
  const file = entity.value as unknown as EntityFile
  const permission = (name: string) => permissionOf(name, entity, names.entities)
  const named = entity.source.generated?.named
  const machines = file.states === undefined ? [] : Array.isArray(file.states) ? file.states : [file.states]
  return {
    name: entity.name,
    area: entity.area,
    label: file.label,
    display: file.display,
    ...(file.code !== undefined && { code: file.code }),
    search: file.search,
    endpoint: file.endpoint ?? `/${entity.area}/${entity.name}`,
    fields: Object.fromEntries(Object.values(entity.fields).map((field) => [field.name, assembleField(field, names)])),
    ...(file.single && { single: true as const }),
    ...(file.engine && { engine: file.engine }),
    ...(file.log && { log: true as const }),
    ...rowOf(entity, file, names),
    ...(file.tree && { tree: file.tree }),
    ...(file.parts && {
      parts: file.parts.map((part) => ({
        where: filterValues(part.where),
        view: permission(part.view),
        export: permission(part.export),
      })),
    }),
    ...(file.offered && { offered: filterValues(file.offered) }),
    ...(file.scope && { scope: file.scope as Scope }),
    rules: file.rules as Rule[],
    limits: file.limits.map((limit): Limit => ({
      ...limit,
      where: filterValues(limit.where),
      within: [limit.within ?? []].flat(),
    })),
    ...(file.fourEyes.length > 0 && { fourEyes: file.fourEyes }),
    ...(file.once.length > 0 && { once: file.once }),
    ...(file.copies && { copies: file.copies }),
    ...(file.reads && { reads: file.reads }),
    ...(file.suggests && { suggests: file.suggests }),
    states: machines.map((machine): StateMachine => ({
      field: machine.field,
      initial: machine.initial,
      transitions: Object.fromEntries(
        Object.entries(machine.transitions).map(([name, transition]): [string, Transition] => [
          name,
          {
            ...transition,
            name,
            field: machine.field,
            permission: permission(transition.permission ?? name),
            guards: transition.guards.map((guard) => ({ ...guard, at: machine.field })),
            append: transition.append as Append[],
          },
        ]),
      ),
    })),
    saves: file.saves.map((event): SaveEvent => ({
      ...event,
      append: event.append as Append[],
      ...(event.permission !== undefined && { permission: permission(event.permission) }),
    })),
    ...(Object.keys(file.daily).length > 0 && {
      daily: Object.fromEntries(
        Object.entries(file.daily).map(([name, rule]) => [
          name,
          {
            ...rule,
            where: filterValues(rule.where),
            ...(rule.create && { create: rule.create as Append }),
          },
        ]),
      ),
    }),
    actions: Object.fromEntries(
      Object.entries(file.actions).map(([name, action]): [string, EntityAction] => [
        name,
        {
          ...action,
          name,
          permission: permission(action.permission ?? name),
          guards: action.guards.map((guard) => ({ ...guard, at: file.display })),
          append: action.append as Append[],
        },
      ]),
    ),
    ...(Object.keys(file.downloads).length > 0 && {
      downloads: Object.fromEntries(
        Object.entries(file.downloads).map(([name, download]) => [
          name,
          {
            ...download,
            name,
            permission: permission(download.permission ?? 'export'),
            guards: download.guards.map((guard) => ({ ...guard, at: file.display })),
            ...(download.where && { where: filterValues(download.where) }),
          } as Download,
        ]),
      ),
    }),
    allow: {
      create: true,
      update: true,
      delete: true,
      ...file.allow,
      ...(file.single && { create: false, delete: false }),
      ...(file.engine && { create: false, update: false, delete: false }),
    },
    permissions: permissionsOf(entity, names.entities),
    indexes: file.indexes,
    ...(file.facts.length > 0 && { facts: file.facts }),
    file: entity.source.path,
    ...(named !== undefined && { named }),
  }
}

function rowOf(entity: NamedEntity, file: EntityFile, names: Names): Pick<Entity, 'rowOf'> {
  if (file.rowOf === undefined) return {}
  const field = rowsField(names.entities[file.rowOf], entity.name, names)!
  return { rowOf: { entity: file.rowOf, field: field.name, by: names.target(field)!.rows!.by } }
}

function assembleField({ name, type, options, value }: NamedField, names: Names): Field {
  const {
    label,
    hint,
    brought,
    required,
    requiredWhen,
    visibleWhen,
    readOnlyWhen,
    readOnly,
    default: literal,
    defaultFrom,
    unique,
    uniqueWithin,
    sensitive,
    sensitiveOf,
    computed,
    kept,
    deletedWith,
    draws,
    was,
  } = value as unknown as FieldFile
  const canonical = literal === undefined ? undefined : (names.widgets[type].normalize(literal, options) as Value)
  const present = {
    hint,
    requiredWhen,
    visibleWhen,
    readOnlyWhen,
    default: canonical,
    defaultFrom,
    uniqueWithin,
    deletedWith,
    was,
  }
  return {
    name,
    type,
    label,
    options,
    required,
    readOnly,
    unique,
    sensitive,
    ...Object.fromEntries(Object.entries(present).filter(([, item]) => item !== undefined)),
    ...(computed !== undefined && { computed: assembleComputed(computed) }),
    ...(brought.length > 0 && { brought }),
    ...(!kept && { kept }),
    ...(draws && { draws }),
    ...(sensitiveOf.length > 0 && {
      seenWith: sensitiveOf.map((of) => permissionsOf(names.entities[of], names.entities).viewSensitive),
    }),
  }
}

function assembleComputed(computed: string | ComputedFile): Computed {
  if (typeof computed === 'string') return { kind: 'formula', formula: computed }
  const { by, where, from, find, of: via, below, during } = computed
  if (find !== undefined) return { kind: 'find', entity: find, by, in: computed.in! }
  if (from !== undefined) {
    const [reference, field] = from.split('.')
    return { kind: 'lookup', by: reference, field }
  }
  for (const word of ['sum', 'min', 'max', 'count', 'last'] as const) {
    const of = computed[word]
    if (of === undefined) continue
    const [entity, field] = of.split('.')
    const counted = field ?? computed.distinct
    const rest = {
      ...(counted !== undefined && { field: counted }),
      by,
      ...(where && { where: filterValues(where) }),
      ...(via !== undefined && { of: via }),
      ...(below && { below }),
      ...(during && { during }),
    }
    return { kind: 'aggregate', function: word, entity, ...rest }
  }
  throw new Error('A checked aggregate names its function')
}
