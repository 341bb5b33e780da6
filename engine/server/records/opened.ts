import type { AskedField, Entity, Field } from '../../model/model.ts'

type Opening = Partial<Pick<Field, 'readOnly' | 'readOnlyWhen' | 'visibleWhen' | 'required'>>

const known = new WeakMap<Entity, Map<string, Entity>>()

/** The entity with these fields otherwise, and those that are not named too: the same object for the same openings. */
function changed(entity: Entity, openings: Record<string, Opening>, rest: Opening): Entity {
  const own = known.get(entity) ?? known.set(entity, new Map()).get(entity)!
  // Of a key whose value is undefined JSON says nothing.
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
 * The entity as an operation sees it that asks for some fields: those may be written, also where the system does it
 * otherwise; no others.
 */
export const asking = (entity: Entity, asked: readonly AskedField[]): Entity =>
  changed(
    entity,
    Object.fromEntries(asked.map(({ field, required }) => [field, { ...open, visibleWhen: undefined, required }])),
    { readOnly: true },
  )

/**
 * The entity as a row of a file sees it that says fields which a form only shows.
 * @param shown those of them that are asked for, whatever the record looked like before
 */
export const opened = (entity: Entity, names: readonly string[], shown: readonly string[]): Entity =>
  names.length === 0
    ? entity
    : changed(
        entity,
        Object.fromEntries(
          names.map((name) => [name, { ...open, ...(shown.includes(name) && { visibleWhen: undefined }) }]),
        ),
        {},
      )
