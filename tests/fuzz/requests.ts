import { parametersOf } from '../../engine/model/operations.ts'
import type { Derived, Operation } from '../../engine/server/derived.ts'
import { fixedOperations } from '../../engine/server/http/fixedOperations.ts'
import type { FuzzedRequest } from './FuzzedRequest.ts'
import { signIn, upload } from './outside.ts'
import type { Random } from './random.ts'
import { type InputFields, anyFilters, anyId, anyText, anyValue, anyValues } from './values.ts'

/** Left out, because reading the schema files takes seconds. */
const left = new Set(['/schemas/reload'])

/** Calls that belong to no entity, except the reports below and what is not JSON from a signed-in user. */
const others = Object.entries(fixedOperations).flatMap(([key, { parameters = {}, body }]) => {
  const [method, path] = key.split(' ') as ['GET' | 'POST', string]
  const names = method === 'GET' ? Object.keys(parameters) : Object.keys((body?.properties ?? {}) as object)
  const isElsewhere = left.has(path) || /report|grouped|login|upload/.test(path)
  return isElsewhere ? [] : { method, path, names }
})

/** Percent-encoded as a client would; lone surrogates, which cannot be encoded, as invalid bytes. */
const encoded = (text: string) => (/\p{Surrogate}/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text))

function addressOf(random: Random, path: string, query: [string, string][]): string {
  const all = query.flatMap((pair) => (random.chance(0.02) ? [pair, pair] : [pair]))
  const tail = random.chance(0.02) ? random.pick(['/%00', '/..%2f', '%', '/%ff', '//', '?', '?a&a=1']) : ''
  return `/api${path}${tail}${all.length > 0 ? `?${all.map(([name, text]) => `${name}=${encoded(text)}`).join('&')}` : ''}`
}

/** JSON, sometimes damaged. */
const bodyOf = (random: Random, value: unknown): string => {
  const text = JSON.stringify(value)
  return random.chance(0.02) ? text.slice(0, random.below(text.length)) : text
}

// oxlint-disable-next-line max-lines-per-function -- its parts draw from one catalog
export function requestsOf(derived: Derived) {
  const operations = [...derived.operations.values()]
  // Operations that run a procedure come more often, because procedures take arbitrary values.
  const runs = operations.filter(
    ({ entity, name, method, path }) =>
      method === 'POST' && (path.endsWith('/suggest') || path.endsWith('/prepare') || entity.actions[name]?.run),
  )
  const screens = Object.values(derived.catalog.screens)
  const reports = screens.filter(({ kind }) => kind === 'report')

  return (random: Random): FuzzedRequest => {
    const kind = random.below(22)
    if (kind === 20) return signIn(random)
    if (kind === 21) return upload(random)
    if (kind === 0) return other(random, random.pick(others))
    if (kind === 1 && reports.length > 0) return report(random)
    const operation = random.pick(kind < 8 ? runs : operations)
    if (left.has(operation.path)) return { method: 'GET', url: '/api/health' }
    return operation.method === 'GET' ? read(random, operation) : write(random, operation)
  }

  function inputFieldsOf({ entity, kind, name }: Operation): InputFields {
    const { catalog } = derived
    const all = Object.values(entity.fields)
    const called = entity.actions[name] ?? entity.states.flatMap(({ transitions }) => transitions[name] ?? [])[0]
    const needed =
      kind === 'action' || kind === 'transition'
        ? (called?.form ?? []).flatMap(({ field }) => entity.fields[field] ?? [])
        : all.filter(({ required, readOnly, computed }) => required && !readOnly && !computed)
    return { catalog, entity, needed }
  }

  function report(random: Random): FuzzedRequest {
    const screen = random.pick(reports)
    const body = screen.body as { tabs?: { name: string }[]; groups?: { name: string }[] }
    const path = random.pick(['/plans/report', '/plans/report/export', '/plans/grouped'])
    const nameAmong = (names: { name: string }[] | undefined) =>
      names && names.length > 0 && random.chance(0.8) ? random.pick(names).name : anyText(random)
    const entity = derived.catalog.entities[screen.entity!] ?? Object.values(derived.catalog.entities)[0]
    const query: [string, string][] = [
      ['screen', random.chance(0.9) ? screen.name : anyText(random)],
      ['tab', nameAmong(body.tabs)],
      ['group', nameAmong(body.groups)],
    ]
    if (random.chance(0.6)) query.push(['filters', JSON.stringify(anyFilters(random, entity))])
    if (random.chance(0.3)) query.push(['asOf', anyText(random)])
    if (random.chance(0.3)) query.push(['sort', anyText(random)])
    if (random.chance(0.3)) query.push(['id', anyId(random)])
    const { parameters = {} } = fixedOperations[`GET ${path}`]
    const known = query.filter(([name]) => name in parameters || random.chance(0.02))
    return { method: 'GET', url: addressOf(random, path, known) }
  }

  function read(random: Random, { entity, kind, path }: Operation): FuzzedRequest {
    const parameters = parametersOf(kind)
    const name = () => random.pick(Object.keys(entity.fields))
    const parts: [string, () => string][] = [
      ['id', () => usualId(random)],
      ['page', () => usualId(random)],
      ['size', () => usualId(random)],
      ['sort', () => (random.chance(0.8) ? `${random.pick(['', '-'])}${name()}` : anyText(random))],
      ['search', () => anyText(random)],
      ['filters', () => JSON.stringify(anyFilters(random, entity))],
      ['tab', () => JSON.stringify(anyFilters(random, entity))],
      ['counts', () => JSON.stringify([anyFilters(random, entity)])],
      ['sums', () => JSON.stringify([random.chance(0.8) ? name() : anyText(random)])],
      ['fields', () => JSON.stringify([random.chance(0.8) ? name() : anyText(random)])],
      ['field', () => (random.chance(0.8) ? name() : anyText(random))],
      ['value', () => anyText(random)],
      ['within', () => anyId(random)],
      ['countTo', () => anyId(random)],
      ['after', () => JSON.stringify(anyKey(random))],
      ['before', () => JSON.stringify(anyKey(random))],
      ['counted', () => JSON.stringify(anyFilters(random, entity))],
      ['summary', () => (random.chance(0.5) ? random.pick(screens).name : anyText(random))],
      ['ids', () => anyId(random)],
      ['screen', () => (random.chance(0.5) ? random.pick(screens).name : anyText(random))],
    ]
    // Unknown parameters are refused at once, and would test nothing more.
    const known = parts.filter(([key]) => key in parameters || random.chance(0.02))
    const needed = known.filter(([key]) => (key === 'id' || parameters[key]?.required) && random.chance(0.95))
    const others = Array.from({ length: known.length > 0 ? random.below(4) : 0 }, () => random.pick(known))
    const query = [...needed, ...others].map(([key, value]): [string, string] => [key, value()])
    return { method: 'GET', url: addressOf(random, path, [...new Map(query)]) }
  }

  function write(random: Random, operation: Operation): FuzzedRequest {
    const { entity, path } = operation
    const id = () => (random.chance(0.97) ? 1 + random.below(6) : anyValue(random))
    const body: Record<string, unknown> = {}
    if (random.chance(operation.kind === 'create' ? 0.1 : 0.75)) body.id = id()
    else if (random.chance(0.8)) body.ids = [id(), id()]
    if (random.chance(0.7)) body.revision = random.chance(0.95) ? 1 + random.below(3) : anyValue(random)
    if (random.chance(0.95)) body.values = anyValues(random, inputFieldsOf(operation))
    if (path.endsWith('/suggest')) {
      body.typed = [random.pick(Object.keys(entity.fields))]
      body.parameters = random.chance(0.5) ? {} : { [random.pick(Object.keys(entity.fields))]: anyText(random) }
      if (random.chance(0.6)) delete body.id
    }
    if (random.chance(0.2)) body.seen = { [entity.name]: { [anyId(random)]: random.below(3) } }
    if (random.chance(0.2)) body.cell = random.chance(0.9) ? true : anyValue(random)
    if (path.endsWith('/order')) Object.assign(body, { parent: random.chance(0.5) ? null : id(), before: null })
    return {
      method: 'POST',
      url: addressOf(random, path, []),
      body: bodyOf(random, random.chance(0.98) ? body : anyValue(random)),
      headers: {
        // Few keys, so that requests repeat those of others, and some new ones, which some operations require.
        ...(random.chance(0.6) && { 'idempotency-key': `key ${random.below(random.chance(0.3) ? 20 : 1_000_000)}` }),
        ...(random.chance(0.2) && { prefer: 'respond-async' }),
      },
    }
  }
}

/** Mostly one that may exist. */
const usualId = (random: Random): string => (random.chance(0.8) ? String(1 + random.below(6)) : anyId(random))

/** The key of a page: mostly as many texts as a list is sorted by. */
const anyKey = (random: Random): unknown =>
  random.chance(0.1)
    ? anyValue(random)
    : Array.from({ length: 1 + random.below(3) }, () => (random.chance(0.3) ? null : anyText(random)))

function other(random: Random, { method, path: pattern, names }: (typeof others)[number]): FuzzedRequest {
  const path = pattern.replaceAll(/:\w+/g, () => (random.chance(0.5) ? anyId(random) : encoded(anyText(random))))
  const value = (name: string) => (name === 'id' ? anyId(random) : anyText(random))
  if (method === 'GET')
    return {
      method,
      url: addressOf(
        random,
        path,
        names.map((name): [string, string] => [name, value(name)]),
      ),
    }
  return {
    method,
    url: addressOf(random, path, []),
    body: bodyOf(random, Object.fromEntries(names.map((name) => [name, anyValue(random)]))),
  }
}
