import { meant, offer, offerField } from '../issues/issue.ts'
import { nearestName } from '../../expression/index.ts'
import { isMischosen } from './screens.ts'
import type { Range } from '../reading/place.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { Report } from '../issues/report.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { Link, LostLink, NamedScreen, Names } from '../named.ts'

/**
 * What an address stores besides a screen's own parameters: search, sort, page, size, tab, the open one of several
 * parts, a report's grouping and day, and one `f.<field>` for each filter.
 */
const reserved = ['q', 'sort', 'page', 'size', 'tab', 'part', 'group', 'asOf']

/** `/customer/detail?id={id}`: an existing route, with its screen's parameters filled from existing fields. */
export function checkLink(link: Link): void {
  const { names, name: text, say } = link
  const [path] = text.split('?')
  const query: JsonObject = {}
  const places: Record<string, Range> = {}
  let start = path.length + 1
  for (const part of text.slice(start).split('&').filter(Boolean)) {
    const [key, ...value] = part.split('=')
    query[key] = value.join('=')
    places[key] = { start, end: start + part.length }
    start += part.length + 1
  }
  for (const { 0: found, 1: field, index } of text.matchAll(/\$\{([\w.]+)\}/g))
    return say(
      'stray-brace',
      { found, suggestion: `{${field}}` },
      { part: { start: index, end: index + found.length } },
    )
  const screen = names.routes[path]
  if (!screen) {
    if (!names.knowsRoutes) return
    const { lost, entity, place } = link
    lost.push({ path, query, entity, pointer: place.pointer })
    return
  }
  if (names.contested.includes(path)) return
  checkQuery(link, screen, query, (key) => (code, parameters) => say(code, parameters, { part: places[key] }))
}

/** Whether the screen takes these parameters, and needs no others. */
function accepts(screen: NamedScreen, query: JsonObject): boolean {
  const isChosen = Object.entries(screen.variants ?? {}).every(
    ([key, choices]) => !(key in query) || Object.hasOwn(choices, String(query[key])),
  )
  const parameters = parametersOf(screen, query)
  return (
    isChosen &&
    Object.keys(query).every((key) => reserved.includes(key) || parameters.some(({ name }) => name === key)) &&
    parameters.every(({ name, required }) => !required || name in query)
  )
}

/**
 * Reports links to unknown routes: once at the screen that lacks the route, if there is one that these links open, else
 * at each link.
 */
export function checkLost(links: readonly (LostLink & { source: SourceFile })[], names: Names, report: Report): void {
  const routes = Object.keys(names.routes)
  for (const path of new Set(links.map((link) => link.path))) {
    const all = links.filter((link) => link.path === path)
    const named = names.screens[path]?.route
    const near = named === undefined ? meant(path, routes) : { suggestion: named }
    const isMisspelt =
      near.suggestion !== undefined && all.some(({ query }) => accepts(names.routes[near.suggestion!], query))
    const found = isMisspelt ? [] : all.flatMap((link) => withoutRoute(link, names) ?? [])
    const votes = (screen: NamedScreen) => found.filter((each) => each === screen).length
    const [screen] = found.sort((a, b) => votes(b) - votes(a))
    if (screen) report(screen.source, '', 'missing-route', { what: `that links open as "${path}"` })
    else
      for (const { source, pointer } of all)
        report(source, pointer, 'unknown-route', { found: path, ...near }, { part: { start: 0, end: path.length } })
  }
}

/** The only screen without a route that takes these parameters, of the entity whose record the link opens. */
function withoutRoute({ entity, query }: LostLink, names: Names): NamedScreen | undefined {
  const field = /^\{(\w+)\}$/.exec(String(query.id ?? '{id}'))?.[1]
  const target = field === 'id' ? entity : names.target(names.field(entity, field ?? ''))?.entity
  const own = Object.keys(query).filter((key) => !reserved.includes(key))
  if (target === undefined || !own.length) return undefined
  const found = Object.values(names.screens).filter(
    (screen) => screen.entity === target && screen.route === undefined && screen.sound && accepts(screen, query),
  )
  return found.length === 1 ? found[0] : undefined
}

/**
 * The parameters that open a screen, in a link or beside its name.
 * @param sayOf reports at a parameter, or at its name
 */
export function checkQuery(
  { names, entity, say, place }: Link,
  screen: NamedScreen,
  query: JsonObject,
  sayOf: (key: string, isName?: boolean) => Link['say'],
): void {
  if (screen.source.broken || isMischosen(screen)) return
  const wrongChoice = Object.entries(screen.variants ?? {}).find(
    ([key, choices]) =>
      typeof query[key] === 'string' && !query[key].includes('{') && !Object.hasOwn(choices, query[key]),
  )
  if (wrongChoice) {
    const [key, choices] = wrongChoice
    const what = `The screen ${screen.name} has no variant "${String(query[key])}".`
    return sayOf(key)('variant-parameter', {
      ...offer(String(query[key]), Object.keys(choices)),
      what,
      see: screen.source.path,
    })
  }
  const parameters = parametersOf(screen, query)
  const known = parameters.map(({ name }) => name)
  const missing = parameters.filter(({ name, required }) => required && !(name in query)).map(({ name }) => name)
  const isOwn = (key: string) =>
    // If the screen's own file omits a required parameter, that is reported in that file.
    (key === 'id' && names.kinds[screen.kind]?.data === 'one') || Object.hasOwn(screen.variants ?? {}, key)
  const unknown = Object.keys(query).filter(
    (key) => !known.includes(key) && !isReserved(key, screen, names) && !isOwn(key),
  )
  const chooser = missing.find((name) => Object.hasOwn(screen.variants ?? {}, name))
  const misspelt = chooser === undefined ? undefined : nearestName(chooser, unknown)
  // Without it, it is unknown which variant's parameters apply.
  if (misspelt !== undefined)
    return sayOf(misspelt, true)('unknown-parameter', {
      found: misspelt,
      suggestion: chooser,
      screen: screen.name,
      see: screen.source.path,
    })
  // An unknown parameter beside a missing one is probably misspelt, so only one mistake is reported.
  const isMisspelt = missing.length === 1 && unknown.length === 1
  const beside = place.parent?.value
  const filled = ['id', ...(place.shape.names !== 'link' && isObject(beside) && beside.on === 'batch' ? ['ids'] : [])]
  for (const [key, value] of Object.entries(query)) {
    const tabs: unknown = screen.file.tabs
    if ((key === 'tab' || key === 'part') && Array.isArray(tabs) && !String(value).includes('{')) {
      const listed = tabs.flatMap((tab) => (isObject(tab) ? [String(tab.name)] : []))
      if (!listed.includes(String(value)))
        sayOf(key)('not-allowed-value', { ...offer(String(value), listed), see: screen.source.path })
    }
    if (unknown.includes(key)) {
      const meant = isMisspelt ? { found: key, suggestion: missing[0] } : offer(key, known)
      sayOf(key, true)('unknown-parameter', { ...meant, screen: screen.name, see: screen.source.path })
    }
    for (const [, field] of String(value).matchAll(/\{([^{}]*)\}/g)) {
      const target = entity === undefined ? undefined : names.entities[entity]
      if (filled.includes(field) || !target || target.source.broken || Object.hasOwn(target.fields, field)) continue
      const suggested = offerField(field, target.fields)
      const known =
        suggested.certain === 'renamed' ? suggested : offer(field, [...filled, ...Object.keys(target.fields)])
      sayOf(key)('unknown-field', { ...known, entity: target.name, see: target.source.path })
    }
  }
  for (const found of isMisspelt ? [] : missing)
    say('missing-parameter', { found, screen: screen.name, see: screen.source.path })
}

function isReserved(key: string, screen: NamedScreen, names: Names): boolean {
  return reserved.includes(key) || (key.startsWith('f.') && names.field(screen.entity, key.slice(2)) !== undefined)
}

/** The parameters of the variant that the query selects. */
function parametersOf(screen: NamedScreen, query: JsonObject): { name: string; required: boolean }[] {
  const chosen = Object.entries(screen.variants ?? {}).map(([parameter, plans]) =>
    isObject(plans) ? plans[String(query[parameter])] : undefined,
  )
  const own = chosen.find((variant) => isObject(variant) && Array.isArray(variant.parameters))
  const parameters: unknown = own?.parameters ?? screen.file.parameters
  return Array.isArray(parameters)
    ? parameters.filter((parameter) => isObject(parameter) && typeof parameter.name === 'string')
    : []
}
