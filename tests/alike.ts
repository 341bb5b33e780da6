import type { Catalog, Entity } from '../engine/model/model.ts'
import { isLong } from './long.ts'

/** The key of each family → that of the family of its template with the most parameters. */
function standIns({ families }: Catalog): Map<string, string> {
  const keys = new Map<string, string>()
  for (const ofTemplate of Object.values(families)) {
    const first = ofTemplate.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0]
    for (const { key } of ofTemplate) keys.set(String(key), String(first.key))
  }
  return keys
}

/**
 * The entities that a suite covers: of those that families make from one file of a template, the one of one family;
 * all of them in the long form.
 */
export function differentEntities(catalog: Catalog): Entity[] {
  const all = Object.values(catalog.entities)
  if (isLong) return all
  const keys = standIns(catalog)
  return all.filter(({ name }) => {
    const key = [...keys.keys()].find((each) => name.startsWith(each) && /^[A-Z]/.test(name.slice(each.length)))
    const standIn = key === undefined ? undefined : keys.get(key)! + name.slice(key.length)
    return standIn === undefined || standIn === name || !catalog.entities[standIn]
  })
}
