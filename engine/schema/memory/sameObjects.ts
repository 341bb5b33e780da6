/** Objects that stay the same while what they are made of does, so that cached results stay valid. */
import { placesOf, type JsonObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { ExpandedFile } from '../named.ts'

/** A named object keeps its identity as long as its file does, so that cached results stay valid. */
const named = new WeakMap<SourceFile, { value: JsonObject; sound: boolean; meant: unknown }>()
export function asBefore<T>({ source, value, sound }: ExpandedFile, make: () => T): T {
  const before = named.get(source)
  if (before?.value === value && before.sound === sound) return before.meant as T
  const meant = make()
  named.set(source, { value, sound, meant })
  return meant
}

/** Values derived from many files: equal ones share the first object. */
const equals = new WeakMap<object, Map<string, unknown>>()
export function oneOfEqual<T extends object, R>(owner: object, value: T, make: (value: T) => R): R {
  const known = equals.get(owner) ?? new Map<string, unknown>()
  equals.set(owner, known)
  const text = JSON.stringify(value)
  if (!known.has(text)) {
    if (known.size > 1000) known.clear()
    known.set(text, make(value))
  }
  return known.get(text) as R
}

const structures = new Map<string, object>()
/** Only whether a text exists matters, because its content affects no file that names the entity. */
export function structureOf({ source: { area, name, broken }, value, sound, shape }: ExpandedFile): object {
  const texts = new Set(placesOf(value, shape).flatMap((place) => (place.shape.names === 'label' ? place.value : [])))
  const text = JSON.stringify([area, name, sound, broken, value], (_, each: unknown) => (texts.has(each) ? true : each))
  const known = structures.get(text) ?? {}
  if (structures.size > 5000) structures.clear()
  structures.set(text, known)
  return known
}
