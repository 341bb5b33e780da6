import { withBroughtFiles } from '../memory/withBroughtFiles.ts'
import type { Lists } from '../compile.ts'
import { examplesOf } from '../docs/examples.ts'
import { languageReference } from '../docs/language.ts'
import { expandFamilies } from '../families/family.ts'
import { fileShapes } from '../language/fileShapes.ts'
import type { HelpSection, InspectedKey, Place } from '../../model/model.ts'
import { positionOf, rangeOf, treeOf } from '../reading/place.ts'
import { below } from '../../model/pointer.ts'
import { readSources } from '../read.ts'
import { Reporter } from '../issues/report.ts'
import { isObject } from '../walk.ts'
import type { SourceFile, SourceText } from '../reading/SourceFile.ts'

/**
 * Positions in the schema files behind a catalog. A file is identified by its kind and name, a generated file by its
 * own.
 */
export interface Origins {
  /** The value as written, unchecked and without defaults; undefined if there is none. */
  valueAt(kind: string, name: string, pointer: string): unknown
  place(kind: string, name: string, pointer: string): Place | undefined
  /** The keys of the object there, or the value itself as one, each with its position. */
  keysAt(kind: string, name: string, pointer: string): InspectedKey[]
  /** Pointers to this item in the lists under these keys, given as itself or under `field` or `action`. */
  itemsOf(kind: string, name: string, keys: readonly string[], item: string): string[]
  /** The reference of the language, with examples from these files. */
  reference(): HelpSection[]
  /** Texts in the files that could read like this once their placeholders are filled, up to a limit. */
  textsLike(text: string, limit: number): (Place & { text: string })[]
}

/** Parses the sources, which must be those of a valid catalog, on first use. */
export function originsOf(sources: readonly SourceText[], { widgets, kinds }: Lists): Origins {
  let known: SourceFile[] | undefined
  const files = () => {
    if (known) return known
    const reporter = new Reporter()
    const read = readSources(sources, Object.keys(fileShapes(widgets, kinds)), reporter)
    return (known = withBroughtFiles(expandFamilies(read, ['cn', 'en'], reporter.report).files, kinds))
  }
  const trees = new Map<string, ReturnType<typeof treeOf>>()
  const fileOf = (kind: string, name: string) => files().find((file) => file.kind === kind && file.name === name)
  const valueAt = (file: SourceFile | undefined, pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce(
        (value: unknown, segment) =>
          (value as Record<string, unknown> | undefined)?.[segment.replaceAll('~1', '/').replaceAll('~0', '~')],
        file?.data,
      )

  function placeIn(file: SourceFile, pointer: string): Place {
    const origin = file.generated?.origin(pointer)
    const where = origin?.file ?? file
    if (!trees.has(where.path)) trees.set(where.path, treeOf(where.text))
    const { start } = rangeOf(trees.get(where.path), where.text, origin?.pointer ?? pointer, { key: true })
    const { line, column } = positionOf(where.text, start)
    return { file: where.path, line, column }
  }

  let reference: HelpSection[] | undefined
  return {
    reference: () =>
      (reference ??= languageReference({ widgets, kinds }, examplesOf(sources, fileShapes(widgets, kinds)))),
    valueAt: (kind, name, pointer) => valueAt(fileOf(kind, name), pointer),
    place(kind, name, pointer) {
      const file = fileOf(kind, name)
      return file && placeIn(file, pointer)
    },
    keysAt(kind, name, pointer) {
      const file = fileOf(kind, name)
      const value = valueAt(file, pointer)
      if (!file || value === undefined) return []
      const entries = isObject(value)
        ? Object.entries(value).map(([key, item]) => [key, item, below(pointer, key)] as const)
        : [['', value, pointer] as const]
      return entries.map(([key, item, at]) => ({
        key,
        text: typeof item === 'string' ? item : JSON.stringify(item),
        place: placeIn(file, at),
      }))
    },
    itemsOf: (kind, name, keys, item) => itemPointers(fileOf(kind, name)?.data, keys, item),
    textsLike(text, limit) {
      const found: (Place & { text: string })[] = []
      const visit = (file: SourceFile, value: unknown, pointer: string): void => {
        if (found.length >= limit) return
        if (typeof value === 'string') {
          if (readsAs(value, text)) found.push({ ...placeIn(file, pointer), text: value })
        } else if (typeof value === 'object' && value !== null)
          for (const [key, inner] of Object.entries(value)) visit(file, inner, below(pointer, key))
      }
      // The rows of records files are values, not texts of a screen.
      for (const file of files()) if (file.kind !== 'records') visit(file, file.data, '')
      return found.filter((each, index) => found.findIndex((other) => isSamePlace(each, other)) === index)
    },
  }
}

const isSamePlace = (a: Place, b: Place) => a.file === b.file && a.line === b.line && a.column === b.column

function itemPointers(data: unknown, keys: readonly string[], item: string): string[] {
  const found: string[] = []
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const at = below(pointer, key)
      if (keys.includes(key) && Array.isArray(inner)) {
        inner.forEach((each: unknown, index) => {
          if (each === item || (isObject(each) && [each.field, each.action].includes(item)))
            found.push(below(at, index))
        })
      }
      visit(inner, at)
    }
  }
  visit(data, '')
  return found
}

/**
 * Whether the text can be filled in to read like this; a text of nothing but placeholders is left out, because it fits
 * everything.
 */
function readsAs(written: string, shown: string): boolean {
  if (written === shown) return true
  const fixed = written.split(/\{[^{}]*\}/)
  if (fixed.length === 1 || fixed.join('').length < 2) return false
  const last = fixed.at(-1)!
  if (!shown.startsWith(fixed[0]) || !shown.endsWith(last)) return false
  let from = fixed[0].length
  for (const part of fixed.slice(1, -1)) {
    const at = shown.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= shown.length - last.length
}
