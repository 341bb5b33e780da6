import type { Widget } from '../../model/model.ts'
import { fitsShape } from '../checking/fitsShape.ts'
import { ownEntity } from '../linking/scope.ts'
import { structureOf } from '../memory/sameObjects.ts'
import type { ExpandedFile, NamedDictionary, NamedEntity, NamedField, NamedScreen } from '../named.ts'
import { isObject, type JsonObject } from '../walk.ts'

export function namedEntity(file: ExpandedFile, widgets: Readonly<Record<string, Widget>>): NamedEntity {
  const { source, value, sound } = file
  const written = Object.entries(isObject(value.fields) ? value.fields : {})
  const fields = written
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .map(([name, written]) => {
      const type = String(written.type)
      const known = Object.entries(widgets[type]?.options.properties ?? {})
      // A widget looks up words in its own lists, so it never meets one that they lack.
      const own = known.filter(
        ([key, shape]) => key in written && (sound || !shape.enum || fitsShape(written[key], shape)),
      )
      const options = Object.fromEntries(own.map(([key]) => [key, written[key]]))
      return [name, { name, type, options, computed: written.computed as NamedField['computed'], value: written }]
    })
  return withStructure(file, {
    name: source.name,
    area: source.area,
    source,
    sound,
    value,
    fields: Object.fromEntries(fields) as NamedEntity['fields'],
  })
}

export function namedDictionary(file: ExpandedFile): NamedDictionary {
  const { source, sound, value } = file
  const values = valuesOf(value)
  return withStructure(file, {
    name: source.name,
    source,
    sound: sound && isDistinct(values),
    values: [...new Set(values)],
    tags: tagsOf(value),
    mayGrow: value.mayGrow === true,
  })
}

export function namedScreen(file: ExpandedFile): NamedScreen {
  const { source, value, sound } = file
  const about = ownEntity(file)
  const text = (key: string) => (typeof value[key] === 'string' ? { [key]: value[key] } : {})
  return withStructure(file, {
    name: `${source.name}.${source.kind}`,
    kind: source.kind,
    area: source.area,
    source,
    sound,
    ...text('route'),
    ...text('entity'),
    ...(about !== value.entity && about !== undefined && { about }),
    file: value as unknown as NamedScreen['file'],
    ...(isObject(value.variants) && { variants: value.variants as NonNullable<NamedScreen['variants']> }),
  })
}

/** Computed on first use, because it is only compared once another file has changed. */
function withStructure<T extends object>(file: ExpandedFile, named: T): T & { readonly structure: object } {
  let structure: object | undefined
  return Object.defineProperty(named, 'structure', {
    enumerable: true,
    get: () => (structure ??= structureOf(file)),
  }) as T & { readonly structure: object }
}

export const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length

function valuesOf({ choices }: JsonObject): string[] {
  if (!Array.isArray(choices)) return []
  return choices.flatMap((choice) => (isObject(choice) && typeof choice.value === 'string' ? [choice.value] : []))
}

const tagsOf = ({ choices }: JsonObject): Record<string, string> =>
  Object.fromEntries(
    (Array.isArray(choices) ? choices : []).flatMap((choice) =>
      isObject(choice) && typeof choice.tag === 'string' ? [[String(choice.value), choice.tag]] : [],
    ),
  )
