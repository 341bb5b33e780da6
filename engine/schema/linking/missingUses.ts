import { isSameList } from '../memory/lastResults.ts'
import type { MissingUse, NamedEntity, Names } from '../named.ts'
import { fitsPattern } from './fitsPattern.ts'
import { optionalFields } from './optionalFields.ts'

/** What each list of used fields lacked in these entities. */
const known = new WeakMap<readonly string[], { among: readonly unknown[]; missing: readonly MissingUse[] }>()

/** What a procedure reads and writes but no file declares. */
export function missingUses({ entities, uses }: Pick<Names, 'entities' | 'uses'>, procedure: string): MissingUse[] {
  return Object.entries(uses?.[procedure] ?? {}).flatMap(([pattern, fields]) => {
    const named = entitiesNamed(pattern, entities)
    // A template's parameters determine which fields other families may have.
    const among = named.flatMap((name) => [entities[name] ?? name, entities[name]?.source.generated?.madeBy?.data])
    const before = known.get(fields)
    if (before && isSameList(before.among, among)) return before.missing
    const missing = missingIn(named, fields, entities)
    known.set(fields, { among, missing })
    return missing
  })
}

function missingIn(named: readonly string[], fields: readonly string[], entities: Names['entities']): MissingUse[] {
  const demanded = fields.flatMap((field) => {
    if (!field.endsWith('?')) return { name: field, isOptional: false }
    const name = field.slice(0, -1)
    return named.some((each) => mayHave(entities[each], name)) ? [] : { name, isOptional: true }
  })
  return named.flatMap((name): MissingUse[] => {
    const used = entities[name]
    if (!used) return [{ entity: name }]
    if (used.source.broken) return []
    return demanded
      .filter(({ name: field }) => !Object.hasOwn(used.fields, field))
      .map(({ name: field, isOptional }) => ({ entity: name, field, isOptional, now: renamedFrom(field, used) }))
  })
}

/** A pattern such as `*ExpenseLine` matches the entities of all families, possibly none. */
const entitiesNamed = (pattern: string, entities: Names['entities']): readonly string[] =>
  pattern.includes('*') ? (generatedOf(entities).get(pattern) ?? []) : [pattern]

/** The entities of families by the pattern of their name. */
const generated = new WeakMap<Names['entities'], Map<string, string[]>>()
function generatedOf(entities: Names['entities']): Map<string, string[]> {
  let byPattern = generated.get(entities)
  if (!byPattern) {
    byPattern = new Map()
    for (const [name, { source }] of Object.entries(entities)) {
      const pattern = source.generated?.named
      if (pattern !== undefined) byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), name])
    }
    generated.set(entities, byPattern)
  }
  return byPattern
}

/** Whether the field, or one that fits `*Company`, is there; or would be, if its family had other parameters. */
function mayHave(entity: NamedEntity | undefined, name: string): boolean {
  if (!entity || entity.source.broken) return true
  if (Object.keys(entity.fields).some((field) => fitsPattern(field, name))) return true
  const { generated: by } = entity.source
  return by !== undefined && optionalFields(by.origin('').file, by.madeBy).has(name)
}

/** The field that formerly had this name. */
const renamedFrom = (former: string, { fields }: NamedEntity): string | undefined =>
  Object.keys(fields).find((name) => fields[name].value.was === former)
