import { meant } from '../issues/issue.ts'
import { pathSeparator } from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import type { App, Choice, Entity, Label, Permission } from '../../model/model.ts'
import { operations, type Operation } from '../language/standard.ts'
import { lastMade } from '../memory/lastResults.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedEntity, Link, Names } from '../named.ts'
import type { DeclaredPermission } from '../named.ts'

const byWord = Object.fromEntries(
  Object.entries(operations).map(([operation, { word }]) => [word, operation]),
) as Record<string, Operation>
export const standardWords: readonly string[] = Object.keys(byWord)

/** The entity that a rows entity is saved with; itself for any other. */
function ownerOf(entity: NamedEntity, entities: Readonly<Record<string, NamedEntity>>): NamedEntity {
  const seen = new Set([entity])
  for (let owner = entity; ;) {
    const above = entities[String(owner.value.rowOf)]
    if (!above || seen.has(above)) return owner
    seen.add((owner = above))
  }
}

/** The prefix of its permissions: `area:entity:`. */
const prefixOf = ({ area, name, value }: NamedEntity): string =>
  `${area}:${typeof value.permissionName === 'string' ? value.permissionName : name}:`

/** Operation → permission. Rows use the permissions of their owner. */
export function permissionsOf(
  entity: NamedEntity,
  entities: Readonly<Record<string, NamedEntity>>,
): Entity['permissions'] {
  const owner = ownerOf(entity, entities)
  const named = (target: NamedEntity, operation: string) => {
    const permission = isObject(target.value.permissions) ? target.value.permissions[operation] : undefined
    return typeof permission === 'string' ? permission : undefined
  }
  return Object.fromEntries(
    Object.entries(operations).map(([operation, { word }]) => [
      operation,
      named(entity, operation) ?? named(owner, operation) ?? `${prefixOf(owner)}${word}`,
    ]),
  ) as Entity['permissions']
}

/** An action name or a whole permission → `area:entity:action`. */
export function permissionOf(
  name: string,
  entity: NamedEntity,
  entities: Readonly<Record<string, NamedEntity>>,
): string {
  if (name.includes(':')) return name
  const owner = ownerOf(entity, entities)
  return byWord[name] ? permissionsOf(entity, entities)[byWord[name]] : `${prefixOf(owner)}${name}`
}

/** The last parts of the entity's own permissions declared so far. */
export const wordsOf = (entity: NamedEntity, { permissions }: Pick<Names, 'permissions'>): string[] => {
  const own = Object.values(permissions).filter(({ value, label }) => label && value.startsWith(prefixOf(entity)))
  return [...new Set([...standardWords, ...own.map(({ value }) => value.slice(prefixOf(entity).length))])]
}

/** The declared permission that an unknown one was probably meant to be. */
export const nearWord = (word: string, entity: NamedEntity, names: Pick<Names, 'permissions'>): string | undefined =>
  meant(word, wordsOf(entity, names)).suggestion

/** What a whole permission was probably meant to be: a near one, or the same of another area, whose folder has the file. */
export function nearPermission(permission: string, known: readonly string[]): string | undefined {
  const restOf = (name: string) => name.slice(Math.max(0, name.indexOf(':')))
  const rest = restOf(permission)
  const isWhole = rest.startsWith(':') && rest !== ':*:*'
  const elsewhere = isWhole ? known.filter((each) => restOf(each) === rest && !each.startsWith('*')) : []
  return elsewhere.length === 1 ? elsewhere[0] : meant(permission, known).suggestion
}

/** The declared permissions of the same entity as an unknown one. */
export function besides(permission: string, known: readonly string[]): string[] {
  const prefix = permission.slice(0, permission.lastIndexOf(':') + 1)
  return prefix ? known.filter((each) => each.startsWith(prefix)) : []
}

/** Operations with a permission besides the standard ones: name → its part of the file. */
export function namedActions({ value }: NamedEntity): Record<string, JsonObject> {
  const machines = Array.isArray(value.states) ? value.states : [value.states]
  const transitions = machines.flatMap((machine) =>
    isObject(machine) && isObject(machine.transitions) ? Object.entries(machine.transitions) : [],
  )
  const actions = isObject(value.actions) ? Object.entries(value.actions) : []
  const downloads = isObject(value.downloads) ? Object.entries(value.downloads) : []
  return Object.fromEntries(
    [...transitions, ...actions, ...downloads].filter(([, action]) => isObject(action)),
  ) as Record<string, JsonObject>
}

/**
 * Permissions that the engine declares for maintainers of schema files, in the area of this name if the product has
 * one.
 */
const enginePermissions: readonly { value: string; label: Label }[] = [
  { value: 'setting:schema:reload', label: { cn: '重新读取', en: 'Read again' } },
  { value: 'setting:schema:inspect', label: { cn: '查看来源', en: 'Inspect' } },
]
const engineGroup: Label = { cn: '配置文件', en: 'Schema files' }

/** A permission that an entity declares by an operation, an action or a label. */
type Declaration = Pick<DeclaredPermission, 'value' | 'label' | 'source'> & {
  name: string
  group: Label
  isOwn: boolean
}

/** Cached: an entity's permissions depend only on its file, its owner and whether it has sensitive fields. */
const declarations = new WeakMap<NamedEntity, { owner: NamedEntity; isSensitive: boolean; all: Declaration[] }>()
function declarationsOf(
  entity: NamedEntity,
  entities: Readonly<Record<string, NamedEntity>>,
  isSensitive: boolean,
): readonly Declaration[] {
  const owner = ownerOf(entity, entities)
  const before = declarations.get(entity)
  if (before?.owner === owner && before.isSensitive === isSensitive) return before.all
  const all = declare(entity, entities, isSensitive)
  declarations.set(entity, { owner, isSensitive, all })
  return all
}

function declare(
  entity: NamedEntity,
  entities: Readonly<Record<string, NamedEntity>>,
  isSensitive: boolean,
): Declaration[] {
  const { value, name, source } = entity
  const actions = namedActions(entity)
  const labels = isObject(value.permissionLabels) ? (value.permissionLabels as Record<string, Label>) : {}
  const all: Declaration[] = []
  const add = (permission: string) => {
    const word = permission.split(':')[2] ?? ''
    const label =
      labels[permission] ??
      labels[word] ??
      (actions[word]?.label as Label | undefined) ??
      (byWord[word] && operations[byWord[word]].label)
    const isOwn = permission.startsWith(prefixOf(entity))
    all.push({ value: permission, label, group: value.label as Label, name, source: source.path, isOwn })
  }
  if (ownerOf(entity, entities) === entity) {
    const standard = permissionsOf(entity, entities)
    const allow = isObject(value.allow) ? value.allow : {}
    const explicit = isObject(value.permissions) ? value.permissions : {}
    for (const operation of Object.keys(operations) as Operation[]) {
      const isAllowed =
        value.single === true
          ? operation === 'view' || operation === 'update'
          : value.engine === undefined
            ? allow[operation] !== false
            : operation === 'view' || operation === 'export'
      if (operation in explicit || (operation === 'viewSensitive' ? isSensitive : isAllowed)) add(standard[operation])
    }
  }
  for (const [word, action] of Object.entries(actions)) {
    const permission = typeof action.permission === 'string' ? action.permission : word
    // A whole permission is declared by its owner; a bare word is the entity's own.
    if (!permission.includes(':')) add(permissionOf(permission, entity, entities))
  }
  for (const word of Object.keys(labels)) {
    const named = Object.values(isObject(value.permissions) ? value.permissions : {})
    const whole = named.some((permission) => String(permission).endsWith(`:${word}`))
    if (!whole) add(permissionOf(word, entity, entities))
  }
  return all
}

/**
 * Every permission that the files declare, and the engine's own. Its label is that of the operation or action, or the
 * one under `permissionLabels`.
 */
export const declarePermissions = ({ entities, screens, areas }: Declaring): Record<string, DeclaredPermission> =>
  recall([...Object.values(entities), ...Object.values(screens), areas.join()], () =>
    declareAll({ entities, screens, areas }),
  )

type Declaring = Pick<Names, 'entities' | 'screens' | 'areas'>
const recall = lastMade<Record<string, DeclaredPermission>>()

function declareAll({ entities, screens, areas }: Declaring): Record<string, DeclaredPermission> {
  const declared = Object.create(null) as Record<string, DeclaredPermission>
  const add = (value: string, label: Label | undefined, group: Label, entity: string, source: string) => {
    const [area, own] = value.split(':')
    const known = declared[value]
    if (known?.label) return
    declared[value] = {
      value,
      group: known?.group ?? group,
      area,
      entity: entity || own,
      source,
      ...(label && { label }),
    }
  }
  const withSensitive = new Set(
    Object.values(entities)
      .filter(({ fields }) => Object.values(fields).some((field) => field.value.sensitive === true))
      .map((entity) => ownerOf(entity, entities)),
  )
  const ofEntities = Object.values(entities).flatMap((entity) =>
    declarationsOf(entity, entities, withSensitive.has(entity)),
  )
  // An entity's or a screen's own permissions come first, so that borrowed ones keep their owner's label.
  for (const { value, label, group, name, source, isOwn } of ofEntities)
    if (isOwn) add(value, label, group, name, source)
  for (const { file, source } of Object.values(screens)) {
    const own = isObject(file.permissionLabels) ? Object.entries(file.permissionLabels as Record<string, Label>) : []
    for (const [permission, label] of own)
      if (permission.includes(':')) add(permission, label, file.title, '', source.path)
  }
  for (const { entity, file, source } of Object.values(screens)) {
    if (entity || typeof file.permission !== 'string' || !file.permission.includes(':')) continue
    const operation = byWord[file.permission.split(':')[2]]
    add(file.permission, operation ? operations[operation].label : file.title, file.title, '', source.path)
  }
  for (const { value, label, group, name, source, isOwn } of ofEntities)
    if (!isOwn) add(value, label, group, name, source)
  for (const { value, label } of enginePermissions)
    if (areas.includes(value.split(':')[0])) add(value, label, engineGroup, '', 'app.json')
  return declared
}

/**
 * A whole permission that is declared by being named: its area exists, its last word has a label, and it is not a
 * misspelling of another.
 */
export function checkDeclared({ names, name, say }: Link): void {
  const [area, own, word] = name.split(':')
  if (word === undefined || !names.knowsPermissions) return
  // A folder that is not an area is reported once, not at everything named after it.
  if (names.areas.length && ![...names.areas, ...names.folders].includes(area)) {
    const { suggestion } = meant(area, names.areas)
    return say('unknown-permission', {
      found: name,
      ...(suggestion !== undefined && { suggestion: `${suggestion}:${own}:${word}` }),
    })
  }
  if (!names.permissions[name]?.label) {
    return say('unlabelled-permission', { found: name, word, suggestion: meant(word, standardWords).suggestion })
  }
  // A name used only once that resembles another is probably a misspelling.
  if (Object.hasOwn(names.entities, own)) return
  const things = Object.keys(names.permissions)
    .filter((permission) => permission !== name && permission.startsWith(`${area}:`))
    .map((permission) => permission.split(':')[1])
  if (things.includes(own)) return
  const { suggestion } = meant(own, things)
  if (suggestion !== undefined) say('unknown-permission', { found: name, suggestion: `${area}:${suggestion}:${word}` })
}

/** Every permission with its path in words, in the order of the areas. */
export function pathsOf(
  permissions: readonly Permission[],
  { areas, languages }: Pick<App, 'areas' | 'languages'>,
): Choice[] {
  const place = (name: string) => areas.findIndex((area) => area.name === name)
  return permissions
    .toSorted((a, b) => place(a.area) - place(b.area))
    .map(({ value, label, group, area }) => ({
      value,
      label: Object.fromEntries(
        languages.map((language) => [
          language,
          [areas[place(area)]?.label ?? { [language]: area }, group, label]
            .map((part) => textIn(part, language))
            .join(pathSeparator),
        ]),
      ) as Label,
    }))
}
