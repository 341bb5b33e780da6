import { isSameJson } from '../isSameJson.ts'
import type { Catalog, Entity, Label } from '../../model/model.ts'

export const differenceGroups = ['screens', 'columns', 'validators', 'endpoints', 'permissions', 'tables'] as const

/** One change in the words of the business. `of`: the screen, entity or role that it happens to. */
export interface Difference {
  group: (typeof differenceGroups)[number]
  change: 'added' | 'removed' | 'renamed' | 'changed' | 'stricter' | 'looser' | 'lossy'
  of: string
  text: string
}

export const words = (label: Label | undefined): string => (label ? Object.values(label).join(' · ') : '')

/** What is called the same on both sides, and what is there on one side alone. */
export function paired<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>) {
  return {
    added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    both: Object.keys(after).filter((name) => Object.hasOwn(before, name)),
  }
}

/** Entity → former name of a field → the name that it has now, as `was` says it. */
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

/** How a field reads: its name, and what people call it. */
export const fieldWords = (entity: Entity | undefined, name: string): string => {
  const label = words(entity?.fields[name]?.label)
  return label ? `${name} (${label})` : name
}

export const differs = (a: unknown, b: unknown): boolean => !isSameJson(a, b)
