import { ownEntity, scopeOf } from './scope.ts'
import { offer } from '../issues/issue.ts'
import type { Report } from '../issues/report.ts'
import type { Place } from '../walk.ts'
import type { ExpandedFile, Names } from '../named.ts'

/** With fewer fields, each may be misspelt. */
const fewest = 2

/**
 * Reports a screen most of whose fields its entity lacks, while another one has them all: then its entity is wrong, and none of them is misspelt.
 * @returns whether it is
 */
export function checkForeign(file: ExpandedFile, places: readonly Place[], names: Names, report: Report): boolean {
  const own = ownEntity(file)
  const entity = own === undefined ? undefined : names.entities[own]
  if (!entity || entity.source.broken || !Object.hasOwn(names.kinds, file.source.kind)) return false
  const named = new Set(
    places.flatMap(({ shape, value, ...rest }) =>
      shape.names === 'field' && typeof value === 'string' && scopeOf({ shape, value, ...rest }, file, names) === own
        ? value
        : [],
    ),
  )
  const absent = [...named].filter((field) => !Object.hasOwn(entity.fields, field)).length
  if (absent < fewest || absent * 2 <= named.size) return false
  const others = Object.values(names.entities).filter(({ fields }) =>
    [...named].every((field) => Object.hasOwn(fields, field)),
  )
  const [other, ...more] = others.map(({ name }) => name)
  if (other === undefined) return false
  const key = Object.entries(file.shape.properties ?? {}).find(([, under]) => under.own)?.[0] ?? 'entity'
  const near = offer(
    entity.name,
    others.map(({ name }) => name),
  ).suggestion
  const suggestion =
    near ?? others.find(({ name }) => name === file.source.name)?.name ?? (more.length ? undefined : other)
  if (suggestion === undefined) return false
  report(file.source, `/${key}`, 'foreign-fields', { found: entity.name, entity: entity.name, suggestion })
  return true
}
