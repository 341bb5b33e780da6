import { literalUses } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { fieldAt } from '../linking/choices.ts'
import { messageTypes } from '../linking/messages.ts'
import { ownEntity, scopeOf } from '../linking/scope.ts'
import { isObject } from '../walk.ts'
import { actLines } from './actLines.ts'
import { sections, text, type ExplainedLine, type Explanation, type Known } from './explained.ts'
import { standardNames, standardThing } from './standardThing.ts'
import { breaks, usesOf, type Thing } from './thing.ts'
import type { Entity, Label } from '../../model/model.ts'

/** In order of precedence. */
const finders: readonly ((query: string, known: Known) => Thing | undefined)[] = [
  entityThing,
  dictionaryThing,
  actionThing,
  valueThing,
  messageThing,
  roleThing,
  procedureThing,
  areaThing,
  standardThing,
]

/**
 * Explains an entity, dictionary, value, action, transition, download, role, procedure, area or standard field by its
 * name; undefined if there is none. An ambiguous name means the first of these; the others need a qualified name
 * (`customer.area`).
 */
export function explainNamed(query: string, known: Known): Explanation | undefined {
  const things = finders.flatMap((find) => find(query, known) ?? [])
  const [, name, kind] = /^(.+)\.(\w+)$/.exec(query) ?? []
  const [thing, ...others] = things.length
    ? things
    : finders
        .flatMap((find) => (name === undefined ? undefined : find(name, known)) ?? [])
        .filter((each) => each.kind === kind)
  if (!thing) return undefined
  const { has, label, at } = thing
  const also = others.map((other) => ({
    text: `${other.name}.${other.kind} ${text(other.label)}`,
    ...(other.at && { at: other.at }),
  }))
  return {
    kind: thing.kind,
    name: thing.name,
    label,
    ...(at && { at }),
    sections: sections({
      'Is also': also,
      ...has,
      ...(thing.kind === 'field' ? { 'Is used by': usesOf(thing, known) } : breaks(thing, known)),
    }),
  }
}

/** All known names, for suggesting the nearest. */
export const namedThings = ({ catalog, names, roles, lists }: Known): string[] => [
  ...Object.keys(catalog.entities),
  ...Object.keys(catalog.dictionaries),
  ...Object.values(catalog.entities).flatMap((entity) => deedsOf(entity).map((word) => `${entity.name}.${word}`)),
  ...(messageTypes(names)?.values ?? []),
  ...roles.map(({ code }) => code),
  ...lists.procedures,
  ...catalog.app.areas.map(({ name }) => name),
  ...standardNames,
]

/** An entity's actions, transitions and downloads, by name. */
export const deedsOf = ({ actions, states, downloads = {} }: Entity): string[] =>
  [actions, ...states.map(({ transitions }) => transitions), downloads].flatMap((named) => Object.keys(named))

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

function entityThing(name: string, { catalog, fileOf, where, whoMay, lists }: Known): Thing | undefined {
  const entity = own(catalog.entities, name)
  if (!entity) return undefined
  const { source } = fileOf('entity', name)!
  const shown = Object.values(catalog.screens).filter((screen) => screen.entity === name)
  return {
    kind: 'entity',
    name,
    label: entity.label,
    at: where(source),
    has: {
      Fields: Object.values(entity.fields).map((field): ExplainedLine => ({
        text: `${field.name} ${field.type}: ${text(field.label)}`,
        at: where(source, below('/fields', field.name), true),
      })),
      'Is shown by': shown.map((screen) => ({ text: `${screen.route ?? screen.name} ${text(screen.title)}` })),
      'Is used by the procedures': Object.entries(lists.uses ?? {})
        .filter(([, entities]) => Object.hasOwn(entities, name))
        .map(([procedure, entities]) => ({ text: `${procedure}: ${entities[name].join(', ')}` })),
      'Who may see it': whoMay(entity.permissions.view),
    },
    isNamed: ({ shape, value }, file) =>
      file.source !== source &&
      ((shape.names === 'entity' && value === name) ||
        (shape.names === 'entityField' && String(value).split('.')[0] === name)),
  }
}

function dictionaryThing(name: string, { catalog, fileOf, where }: Known): Thing | undefined {
  const dictionary = own(catalog.dictionaries, name)
  const source = fileOf('dictionary', name)?.source
  if (!dictionary || !source) return undefined
  return {
    kind: 'dictionary',
    name,
    label: dictionary.label,
    at: where(source),
    has: {
      Values: dictionary.choices.map(({ value, label }, index) => ({
        text: `${value}: ${text(label)}`,
        at: where(source, `/choices/${index}`),
      })),
    },
    isNamed: ({ shape, value }) => shape.names === 'dictionary' && value === name,
  }
}

function actionThing(query: string, { catalog, names, fileOf, where, whoMay }: Known): Thing | undefined {
  const [name, word, ...more] = query.split('.')
  const entity = more.length ? undefined : own(catalog.entities, name)
  if (!entity || word === undefined) return undefined
  const machine = entity.states.findIndex(({ transitions }) => Object.hasOwn(transitions, word))
  const action =
    own(entity.actions, word) ?? entity.states[machine]?.transitions[word] ?? own(entity.downloads ?? {}, word)
  if (!action) return undefined
  const { source } = fileOf('entity', name)!
  const states = isObject(source.data) && Array.isArray(source.data.states) ? `/states/${machine}` : '/states'
  const isDownload = machine < 0 && !Object.hasOwn(entity.actions, word)
  const pointer = below(machine >= 0 ? `${states}/transitions` : isDownload ? '/downloads' : '/actions', word)
  const roles = ['action', 'transition']
  return {
    kind: machine >= 0 ? 'transition' : isDownload ? 'download' : 'action',
    name: query,
    label: action.label,
    at: where(source, pointer, true),
    has: {
      Becomes: [
        { text: `${isDownload ? 'GET' : 'POST'} ${entity.endpoint}/${word}, with the permission ${action.permission}` },
      ],
      ...actLines(action),
      'Who may': whoMay(action.permission),
    },
    isNamed: (place, file) =>
      roles.includes(String(place.shape.names)) &&
      place.value === word &&
      (ownEntity(file) ?? scopeOf(place, file, names)) === name,
  }
}

function valueThing(query: string, known: Known): Thing | undefined {
  const [name, word, ...more] = query.split('.')
  const { catalog, names, fileOf, where } = known
  const dictionary = more.length ? undefined : own(catalog.dictionaries, name)
  const source = fileOf('dictionary', name)?.source
  const index = dictionary?.choices.findIndex(({ value }) => value === word) ?? -1
  if (!dictionary || !source || index < 0) return undefined
  const isOf = (entity: string | undefined, path: readonly string[]) => {
    const field = entity === undefined ? undefined : fieldAt([...path], entity, names)
    return field !== undefined && names.widgets[field.type]?.dictionary?.(field.options) === name
  }
  return {
    kind: 'value',
    name: query,
    label: dictionary.choices[index].label,
    at: where(source, `/choices/${index}`),
    has: {},
    isInRow: ({ type, options }, value) => names.widgets[type].dictionary?.(options) === name && value === word,
    isNamed: (place, file) => {
      const { shape, value, parent, key } = place
      const entity = ownEntity(file) ?? scopeOf(place, file, names)
      if (shape.names === 'state' && value === word) {
        const machines = catalog.entities[entity ?? '']?.states ?? []
        return machines.some(({ field }) => isOf(entity, [field]))
      }
      if (['condition', 'formula'].includes(String(shape.names)) && typeof value === 'string')
        return literalUses(value).some((use) => use.text === word && isOf(entity, use.path))
      const isFilter = shape.names === 'filter' && isObject(value)
      if (isFilter)
        return Object.entries(value).some(([field, given]) => [given].flat().includes(word) && isOf(entity, [field]))
      return key === 'default' && value === word && isOf(entity, [parent?.key ?? ''])
    },
  }
}

function messageThing(name: string, { names, catalog, where, fileOf }: Known): Thing | undefined {
  const types = messageTypes(names)
  const index = types?.values.indexOf(name) ?? -1
  if (!types || index < 0) return undefined
  return {
    kind: 'message',
    name,
    label: catalog.dictionaries[types.name].choices[index].label,
    at: where(fileOf('dictionary', types.name)!.source, `/choices/${index}`),
    has: {},
    isInRow: ({ type, options }, value) => names.widgets[type].dictionary?.(options) === types.name && value === name,
    isNamed: ({ shape, value }) => shape.names === 'messageType' && value === name,
  }
}

function roleThing(name: string, { roles }: Known): Thing | undefined {
  const role = roles.find(({ code }) => code === name)
  if (!role) return undefined
  return {
    kind: 'role',
    name,
    label: role.label ?? { cn: name, en: name },
    ...(role.at && { at: role.at }),
    has: { 'Is granted': role.patterns.map((pattern) => ({ text: pattern })) },
    isNamed: ({ shape, value }) =>
      (shape.names === 'role' && value === name) ||
      (['condition', 'formula'].includes(String(shape.names)) &&
        typeof value === 'string' &&
        literalUses(value).some((use) => use.text === name && use.path.join('.') === 'user.roles')),
  }
}

function procedureThing(name: string, { lists }: Known): Thing | undefined {
  if (!lists.procedures.includes(name)) return undefined
  const uses = Object.entries(lists.uses?.[name] ?? {})
  return {
    kind: 'procedure',
    name,
    label: { cn: name, en: name },
    has: { 'Reads and writes': uses.map(([entity, fields]) => ({ text: `${entity}: ${fields.join(', ')}` })) },
    isNamed: ({ shape, value }) => shape.names === 'procedure' && value === name,
  }
}

function areaThing(name: string, { catalog, files, names, where, fileOf }: Known): Thing | undefined {
  const index = catalog.app.areas.findIndex((area) => area.name === name)
  const app = files.find(({ source }) => source.kind === 'app')?.source
  if (index < 0 || !app) return undefined
  const isOf = (kind: string, fileName: string) => fileOf(kind, fileName)?.source.area === name
  return {
    kind: 'area',
    name,
    label: catalog.app.areas[index].label as Label,
    at: where(app, `/areas/${index}`),
    has: {
      'Has the files': files
        .filter(({ source }) => source.area === name)
        .map(({ source }) => ({ text: `${source.name}.${source.kind}`, at: where(source) })),
    },
    isInRow: ({ type, options }, value, { source }) =>
      source.area !== name && names.widgets[type].permissions?.(options) !== undefined && value.startsWith(`${name}:`),
    isNamed: ({ shape, value }, file) =>
      file.source.area !== name &&
      typeof value === 'string' &&
      (shape.names === 'entityField'
        ? isOf('entity', value.split('.')[0])
        : ['entity', 'dictionary'].includes(String(shape.names))
          ? isOf(String(shape.names), value)
          : shape.names === 'screen' && isOf(catalog.screens[value]?.kind ?? '', value.replace(/\.\w+$/, ''))),
  }
}
