import type { Issue } from '../issues/issue.ts'
import { segments } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

/** The key under which a file says which of its warnings are intended, and why: code → place → reason. */
export const reasonsKey = 'meant'

/** A place as a reason names it: `/fields/total` → `fields.total`; the file itself is `.`. */
export const placeOf = (pointer: string): string => segments(pointer).join('.') || '.'

/** The place with a reason at or above this warning's place. */
export function reasonAt({ data }: SourceFile, code: string, pointer: string): string | undefined {
  const place = placeOf(pointer)
  return reasonsOf(data, code).find((named) => named === '.' || place === named || place.startsWith(`${named}.`))
}

/** Every reason of a file: code and place. */
export function reasonsIn({ data }: SourceFile): [code: Issue['code'], place: string][] {
  const meant = isObject(data) ? data[reasonsKey] : undefined
  return Object.keys(isObject(meant) ? meant : {}).flatMap((code) =>
    reasonsOf(data, code).map((place): [string, string] => [code, place]),
  )
}

function reasonsOf(data: unknown, code: string): string[] {
  const meant = isObject(data) ? data[reasonsKey] : undefined
  const places = isObject(meant) ? meant[code] : undefined
  return isObject(places) ? Object.keys(places) : []
}
