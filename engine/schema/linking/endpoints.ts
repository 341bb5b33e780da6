import { meant } from '../issues/issue.ts'
import type { Report } from '../issues/report.ts'
import type { NamedEntity, Link, Names } from '../named.ts'

export const endpointOf = ({ value, area, name }: Pick<NamedEntity, 'value' | 'area' | 'name'>): string =>
  typeof value.endpoint === 'string' ? value.endpoint : `/${area}/${name}`

/** Rows are only reached through their owner. */
const serving = (names: Names): NamedEntity[] =>
  Object.values(names.entities).filter(({ value }) => value.rowOf === undefined)

/** The path that a screen calls for an operation: an entity's own, or one under the prefix of another back end. */
export function checkEndpoint({ names, name: path, place, say }: Link): void {
  const entities = serving(names)
  const served = entities.map((entity) => `${endpointOf(entity)}/${place.key}`)
  if (served.includes(path) || entities.some(({ source }) => source.broken)) return
  if (names.backends.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) return
  const [, ...parts] = path.split('/')
  const foreign = names.backends.map((prefix) => [prefix, ...parts.slice(prefix.split('/').length - 1)].join('/'))
  say('unknown-endpoint', { found: path, ...meant(path, [...served, ...foreign]) })
}

/** Each endpoint belongs to one entity, preferably the one that it is named after. */
export function checkEndpoints(names: Names, report: Report): void {
  const rank = (entity: NamedEntity) =>
    entity.value.endpoint === undefined ? 0 : endpointOf(entity).endsWith(`/${entity.name}`) ? 1 : 2
  const owners = new Map<string, NamedEntity>()
  const entities = serving(names).filter(({ source }) => !source.broken)
  for (const entity of entities.sort((a, b) => rank(a) - rank(b))) {
    const endpoint = endpointOf(entity)
    const owner = owners.get(endpoint)
    if (owner)
      report(entity.source, '/endpoint', 'duplicate-endpoint', {
        found: endpoint,
        other: owner.name,
        see: owner.source.path,
      })
    else owners.set(endpoint, entity)
  }
}
