import type { PromptedField, Entity, Field } from '../../model/model.ts'

type Opening = Partial<Pick<Field, 'readOnly' | 'readOnlyWhen' | 'visibleWhen' | 'required'>>

const known = new WeakMap<Entity, Map<string, Entity>>()

/** The entity with these changes to fields, and `rest` for all others: the same object for the same changes. */
function changed(entity: Entity, openings: Record<string, Opening>, rest: Opening): Entity {
  const own = known.get(entity) ?? known.set(entity, new Map()).get(entity)!
  // JSON omits keys whose value is undefined.
  const key = JSON.stringify([openings, rest], (_, value: unknown) => value ?? null)
  let made = own.get(key)
  if (!made) {
    const fields = Object.entries(entity.fields).map(([name, field]) => [
      name,
      { ...field, ...(openings[name] ?? rest) },
    ])
    own.set(key, (made = { ...entity, fields: Object.fromEntries(fields) as Entity['fields'] }))
  }
  return made
}

const open: Opening = { readOnly: false, readOnlyWhen: undefined }

/**
 * The entity as seen by an operation that prompts for some fields: those may be written, even system fields; no others.
 */
export const openedForPrompts = (entity: Entity, prompted: readonly PromptedField[]): Entity =>
  changed(
    entity,
    Object.fromEntries(prompted.map(({ field, required }) => [field, { ...open, visibleWhen: undefined, required }])),
    { readOnly: true },
  )

/**
 * The entity as seen by a file row that fills in fields that forms only show.
 * @param shown those of them that are prompted for, whatever the record looked like before
 */
export const openedEntity = (entity: Entity, names: readonly string[], shown: readonly string[]): Entity =>
  names.length === 0
    ? entity
    : changed(
        entity,
        Object.fromEntries(
          names.map((name) => [name, { ...open, ...(shown.includes(name) && { visibleWhen: undefined }) }]),
        ),
        {},
      )
