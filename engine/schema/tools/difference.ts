import { isSameJson } from '../isSameJson.ts'
import type { Catalog, Entity, Label } from '../../model/model.ts'

export const differenceGroups = [
  'screens',
  'columns',
  'dictionaries',
  'validators',
  'endpoints',
  'permissions',
  'tables',
] as const

/** One change in business terms. `of`: the screen, entity or role that it affects. */
export interface Difference {
  group: (typeof differenceGroups)[number]
  change: 'added' | 'removed' | 'renamed' | 'changed' | 'stricter' | 'looser' | 'lossy'
  of: string
  text: string
}

export const words = (label: Label | undefined): string => (label ? Object.values(label).join(' · ') : '')

/** Pairs entries of the same name on both sides, and lists those on one side only. */
export function paired<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>) {
  return {
    added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    both: Object.keys(after).filter((name) => Object.hasOwn(before, name)),
  }
}

/** Entity → former name of a field → its current name, from `was`. */
export type Renames = Readonly<Record<string, Readonly<Record<string, string>>>>
export function renamesOf({ entities }: Pick<Catalog, 'entities'>, after: Pick<Catalog, 'entities'>): Renames {
  return Object.fromEntries(
    Object.values(after.entities).map(({ name, fields }) => {
      const former = entities[name]?.fields ?? {}
      const renamed = Object.values(fields).flatMap((field) =>
        field.was !== undefined &&
        Object.hasOwn(former, field.was) &&
        !Object.hasOwn(former, field.name) &&
        !Object.hasOwn(fields, field.was)
          ? [[field.was, field.name]]
          : [],
      )
      return [name, Object.fromEntries(renamed) as Record<string, string>]
    }),
  )
}

/** A field in words: its name and its label. */
export const fieldWords = (entity: Entity | undefined, name: string): string => {
  const label = words(entity?.fields[name]?.label)
  return label ? `${name} (${label})` : name
}

export const differs = (a: unknown, b: unknown): boolean => !isSameJson(a, b)
