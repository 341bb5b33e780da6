import type { MissingUse, NamedEntity, Names } from '../named.ts'

/** What a procedure reads and writes but no file declares. */
export function missingUses({ entities, uses }: Pick<Names, 'entities' | 'uses'>, procedure: string): MissingUse[] {
  return Object.entries(uses?.[procedure] ?? {}).flatMap(([pattern, fields]) =>
    entitiesNamed(pattern, entities).flatMap((name): MissingUse[] => {
      const used = entities[name]
      if (!used) return [{ entity: name }]
      if (used.source.broken) return []
      return fields
        .filter((field) => !Object.hasOwn(used.fields, field))
        .map((field) => ({ entity: name, field, now: renamedFrom(field, used) }))
    }),
  )
}

/** A pattern such as `*ExpenseLine` matches the entities of all families, possibly none. */
const entitiesNamed = (pattern: string, entities: Names['entities']): string[] =>
  pattern.includes('*')
    ? Object.keys(entities).filter((each) => entities[each].source.generated?.named === pattern)
    : [pattern]

/** The field that formerly had this name. */
const renamedFrom = (former: string, { fields }: NamedEntity): string | undefined =>
  Object.keys(fields).find((name) => fields[name].value.was === former)
