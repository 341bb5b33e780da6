import type { MissingUse, NamedEntity, Names } from '../named.ts'
import { fits } from './fits.ts'
import { optionalFields } from './optionalFields.ts'

/** What a procedure reads and writes but no file declares. */
export function missingUses({ entities, uses }: Pick<Names, 'entities' | 'uses'>, procedure: string): MissingUse[] {
  return Object.entries(uses?.[procedure] ?? {}).flatMap(([pattern, fields]) => {
    const named = entitiesNamed(pattern, entities)
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
  })
}

/** A pattern such as `*ExpenseLine` matches the entities of all families, possibly none. */
const entitiesNamed = (pattern: string, entities: Names['entities']): string[] =>
  pattern.includes('*')
    ? Object.keys(entities).filter((each) => entities[each].source.generated?.named === pattern)
    : [pattern]

/** Whether the field, or one that fits `*Company`, is there; or would be, if its family had other parameters. */
function mayHave(entity: NamedEntity | undefined, name: string): boolean {
  if (!entity || entity.source.broken) return true
  if (Object.keys(entity.fields).some((field) => fits(field, name))) return true
  const { generated } = entity.source
  return generated !== undefined && optionalFields(generated.origin('').file, generated.madeBy).has(name)
}

/** The field that formerly had this name. */
const renamedFrom = (former: string, { fields }: NamedEntity): string | undefined =>
  Object.keys(fields).find((name) => fields[name].value.was === former)
