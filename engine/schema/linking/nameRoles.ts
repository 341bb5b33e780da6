import { meant, offer, offerField, type Parameters } from '../issues/issue.ts'
import { below } from '../../model/pointer.ts'
import type { NameRole } from '../../model/shape.ts'
import type { Link, NamedEntity, Names } from '../named.ts'
import type { Part } from '../reading/place.ts'
import { isObject } from '../walk.ts'
import { checkEndpoint } from './endpoints.ts'
import { checkFilterDefault } from './filters.ts'
import { checkFormula } from './formulas.ts'
import { beyond, checkLookup, whyNot } from './lookup.ts'
import { messageEntity, messageTypes } from './messages.ts'
import { patternFault } from './pattern.ts'
import { besides, checkDeclared, namedActions, nearPermission, nearWord, permissionOf, wordsOf } from './permissions.ts'
import { checkSetting } from './policies.ts'
import { checkLink, checkQuery } from './route.ts'
import { ownEntity } from './scope.ts'
import { directoriesOf } from './screens.ts'

/** Role of a name → what it must refer to. */
export const nameRoles: { [role in NameRole]?: (link: Link) => void } = {
  entity: ({ names, name, say }) => {
    if (!names.entities[name] && !mayBeUnread(name, names))
      say('unknown-entity', offer(name, Object.keys(names.entities)))
  },
  field: (link) => {
    resolveField(link, link.entity)
  },
  ownField: (link) => {
    resolveField(link, ownEntity(link.file))
  },
  entityField: (link) => {
    const [entity, field, ...more] = link.name.split('.')
    if (field === undefined) return link.say('wrong-pattern', { found: entity, pattern: 'as entity.field' })
    if (!link.names.entities[entity])
      link.say('unknown-entity', offer(entity, Object.keys(link.names.entities)), {
        part: { start: 0, end: entity.length },
      })
    else
      resolveField({ ...link, name: [field, ...more].join('.') }, entity, {
        part: { start: entity.length + 1, end: link.name.length },
      })
  },
  lookup: checkLookup,
  setting: checkSetting,
  sort: (link) => {
    const { names, entity, say } = link
    // By `createdAt` rather than by `createdBy`.
    const inOrder = (fields: NamedEntity['fields']) =>
      Object.fromEntries(
        Object.entries(fields).sort(([, a], [, b]) => Number(!!names.target(a)) - Number(!!names.target(b))),
      )
    let start = 0
    for (const written of link.name.split(',')) {
      const name = written.replace(/^-/, '')
      const part = link.name.includes(',') ? { part: { start, end: start + written.length } } : undefined
      start += written.length + 1
      const [, spelled, direction] = /^(\w+) +(asc|desc)$/i.exec(name) ?? []
      if (spelled !== undefined && names.field(entity, spelled)) {
        const suggestion = `${direction.toLowerCase() === 'desc' ? '-' : ''}${spelled}`
        say('unknown-field', { entity, found: name, suggestion, see: names.entities[entity!].source.path }, part)
        continue
      }
      const signed: Link['say'] = (code, { suggestion, ...others }, at) =>
        say(
          code,
          {
            ...others,
            ...(suggestion !== undefined && { suggestion: written.replace(name, suggestion), written }),
          },
          at,
        )
      if (!resolveField({ ...link, name, say: signed }, entity, part, inOrder)) continue
      const field = names.field(entity, name)!
      if (!names.isQueried(entity!, name))
        say('not-stored', { entity, found: name, operation: 'sort by it', ...whyNot(field) }, part)
      else if (names.widgets[field.type]?.sortable === false) say('not-sortable', { entity, found: name }, part)
    }
  },
  dictionary: ({ names, name, say }) => {
    if (!names.dictionaries[name] && !mayBeUnread(name, names))
      say('unknown-dictionary', offer(name, Object.keys(names.dictionaries)))
  },
  screen: (link) => {
    const { names, name, place, say } = link
    const screen = names.screens[name]
    if (!screen)
      return mayBeUnread(name, names)
        ? undefined
        : say('unknown-screen', offerScreen(name, names, link.file.source.generated !== undefined))
    const beside = place.parent?.value
    if (isObject(beside) && place.parent?.shape.properties?.query) {
      const query = isObject(beside.query) ? beside.query : {}
      const at = below(place.parent.pointer, 'query')
      checkQuery(
        link,
        screen,
        query,
        (key, isKey) => (code, parameters) =>
          link.report(link.file.source, below(at, key), code, parameters, { key: isKey }),
      )
    }
  },
  directory: ({ names, file, name, say }) => {
    const known = directoriesOf(names.app, file.source.area)
    if (names.knowsDirectories && !known.includes(name))
      say('unknown-directory', { ...offer(name, known), area: file.source.area })
  },
  procedure: (link) => {
    const { names, name, say } = link
    if (!names.procedures.includes(name)) say('unknown-procedure', offer(name, [...names.procedures]))
  },
  state: ({ names, file, place, name, say }) => {
    let machine = place.parent
    while (machine && !(isObject(machine.value) && typeof machine.value.field === 'string')) machine = machine.parent
    const field = names.field(ownEntity(file), (machine?.value as { field: string } | undefined)?.field ?? '')
    const dictionary = field && names.dictionaries[names.widgets[field.type]?.dictionary?.(field.options) ?? '']
    if (dictionary?.sound && !dictionary.values.includes(name)) {
      say('unknown-state', {
        ...offer(name, dictionary.values),
        dictionary: dictionary.name,
        see: dictionary.source.path,
      })
    }
  },
  permission: (link) => {
    const { names, file, name, entity, say } = link
    const target = entity === undefined ? undefined : names.entities[entity]
    if (target?.source.broken) return
    if (!target && !name.includes(':')) {
      const kind = Object.hasOwn(names.kinds, file.source.kind) ? names.kinds[file.source.kind] : undefined
      // A screen that lacks its entity is reported as that.
      if (entity === undefined && (kind?.data ?? 'none') === 'none')
        say('wrong-pattern', { found: name, pattern: 'as area:entity:action' })
      return
    }
    const permission = target ? permissionOf(name, target, names.entities) : name
    const declared = names.permissions[permission]
    const own = target && ownEntity(file) === target.name && file.source.kind === 'entity' && !name.includes(':')
    if (own && !declared?.label)
      return say('unlabelled-permission', { found: permission, word: name, suggestion: nearWord(name, target, names) })
    if (declared) {
      if (entity === undefined) checkDeclared(link)
      return
    }
    const known = target && !name.includes(':') ? wordsOf(target, names) : Object.keys(names.permissions)
    if (name.includes(':') && name.split(':').length !== 3)
      return say('wrong-pattern', { found: name, pattern: 'as area:entity:action' })
    // A permission similar to a declared one may be a new one, so `--fix` leaves it alone.
    say('unknown-permission', { found: name, suggestion: nearPermission(name, known), allowed: besides(name, known) })
  },
  transition: (link) => {
    const target = knownEntity(link)
    const known = target ? Object.keys(namedActions(target)) : []
    if (!target || known.includes(link.name)) return
    link.say('unknown-transition', { ...offer(link.name, known), entity: target.name, see: target.source.path })
  },
  action: (link) => {
    const { place, name, say } = link
    const own = isObject(place.parent?.value) ? place.parent.value : {}
    const target = knownEntity(link)
    const known = [...standardActions, ...(target ? Object.keys(namedActions(target)) : [])]
    if (known.includes(name)) return
    const unknown = () =>
      say('unknown-action', {
        ...offer(name, known),
        entity: target?.name ?? 'This screen',
        see: target?.source.path,
        why: ', and there is no link, drawer or review to say what it does',
      })
    if (!['link', 'drawer', 'review'].some((key) => key in own)) {
      // A screen that shows records without naming their entity is reported for that alone.
      const { kind } = link.file.source
      const isOfNone = link.entity === undefined && link.names.kinds[kind]?.data === 'none'
      if (target || isOfNone) unknown()
      return
    }
    const missing = ['label', 'permission'].filter((key) => !(key in own))
    // If not declared, it belongs to the entity of its name.
    if (missing.length === 2 && meant(name, known).suggestion !== undefined) return unknown()
    for (const key of missing) say('missing-key', { found: key })
  },
  step: (link) => {
    const target = knownEntity(link)
    if (!target) return
    const known = [...savingSteps, ...Object.keys(namedActions(target))]
    if (!known.includes(link.name))
      link.say('unknown-action', { ...offer(link.name, known), entity: target.name, see: target.source.path })
  },
  repeatable: (link) => {
    const target = knownEntity(link)
    if (!target) return
    const known = ['create', ...(isObject(target.value.actions) ? Object.keys(target.value.actions) : [])]
    if (!known.includes(link.name))
      link.say('unknown-action', { ...offer(link.name, known), entity: target.name, see: target.source.path })
  },
  link: checkLink,
  filterDefault: checkFilterDefault,
  endpoint: checkEndpoint,
  pattern: ({ name, say }) => {
    const reason = patternFault(name)
    if (reason !== undefined) say('invalid-pattern', { found: name, reason })
  },
  declaredPermission: checkDeclared,
  messageType: ({ names, name, say }) => {
    const type = messageTypes(names)
    if (!type) say('unknown-entity', { found: messageEntity })
    else if (type.sound && !type.values.includes(name))
      say('unknown-message-type', { ...offer(name, type.values), see: type.source.path })
  },
  role: ({ names, name, say }) => {
    if (names.knowsRoles && !names.roles.includes(name)) say('unknown-role', offer(name, names.roles))
  },
  condition: (link) => checkFormula(link, 'boolean'),
  formula: (link) => checkFormula(link),
  number: (link) => checkFormula(link, 'decimal'),
}

/** A file of an unknown kind may be the missing one. */
const mayBeUnread = (name: string, { unnamed }: Names): boolean => unnamed.includes(name.split('.')[0])

/** The names of screens include their kind, which is easily forgotten or mistaken. */
function offerScreen(name: string, { screens, kinds }: Names, isMade: boolean): Parameters {
  const all = Object.keys(screens)
  const [stem, kind = ''] = name.split('.')
  const own = all.filter((screen) => screen.startsWith(`${stem}.`))
  if (!own.length) return offer(name, all)
  // A screen of this kind was meant, but its file is missing or has another name.
  if (Object.hasOwn(kinds, kind)) {
    const words = (screen: string) => screen.split(/(?=[A-Z])/).length
    const alike = all.filter((screen) => screen.endsWith(`.${kind}`) && words(screen) === words(name))
    return { ...offer(name, alike), allowed: own, ...(!isMade && { missing: `: no file is called ${name}.json` }) }
  }
  const near = offer(name, own)
  const suggestion =
    near.suggestion ?? own.find((screen) => screen === `${stem}.list`) ?? (own.length === 1 ? own[0] : undefined)
  return {
    found: name,
    allowed: own,
    ...(suggestion !== undefined && { suggestion }),
    ...(near.suggestion && { certain: near.certain }),
  }
}

/** Actions that every list, detail or form has without a declaration. */
const standardActions = ['create', 'edit', 'detail', 'delete', 'export', 'import']

const knownEntity = ({ names, entity }: Link): NamedEntity | undefined =>
  entity === undefined || names.entities[entity]?.source.broken ? undefined : names.entities[entity]

/** What `fourEyes` may name besides transitions and actions. */
const savingSteps = ['create', 'edit', 'delete']

/** An unknown entity is already reported where it is named. */
function resolveField(
  { names, name, say }: Link,
  entityName: string | undefined,
  part?: Part,
  offered = (fields: NamedEntity['fields']) => fields,
): boolean {
  const entity = entityName === undefined ? undefined : names.entities[entityName]
  if (!entity || entity.source.broken) return false
  if (Object.hasOwn(entity.fields, name)) return true
  const [reference, ...path] = name.split('.')
  const target = names.target(names.field(entity.name, reference))
  const beyondIt = target && path.length === 1 ? names.entities[target.entity] : undefined
  if (target && names.field(target.entity, path.join('.')))
    say('dotted-field', beyond(entity, reference, path.join('.'), target.entity), part)
  else if (beyondIt && !beyondIt.source.broken) {
    const owner = `${beyondIt.name}, which ${reference} points at,`
    say(
      'unknown-field',
      { ...offerField(path[0], beyondIt.fields), certain: undefined, entity: owner, see: beyondIt.source.path },
      part,
    )
  } else
    say(
      'unknown-field',
      { ...offerField(name, offered(entity.fields)), entity: entity.name, see: entity.source.path },
      part,
    )
  return false
}
