import { below, segments } from '../../model/pointer.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

interface Place {
  file: SourceFile
  pointer: string
}

/**
 * The family's parameter that caused an issue in a generated file, unless the template itself wrote it.
 * @param given the faulty value
 * @param made the string that contains it
 */
export function blamed(
  origin: Place,
  families: readonly SourceFile[],
  given: unknown,
  made: unknown,
): Place | undefined {
  const found = bare(given)
  const written = valueAt(origin.file.data, origin.pointer)
  const key = segments(origin.pointer).at(-1) ?? ''
  const template = typeof written === 'string' && written.includes('${') ? written : key
  if (!template.includes('${')) return undefined
  const own = template.replace(/\$\{[^}]*\}/g, ' ')
  const name = typeof found === 'string' && found.length > 0 && !hasWord(own, found) ? found : undefined
  const whole = /^\$\{[^}]*\}$/.test(template) && typeof made === 'string' && made.length > 1 ? made : undefined
  for (const isMeant of [
    (leaf: string) => leaf === name,
    (leaf: string) => leaf === whole,
    (leaf: string) => name !== undefined && hasWord(leaf, name),
  ]) {
    for (const family of families) {
      const leaf = leavesOf(family).find(({ text }) => isMeant(text))
      if (leaf) return { file: family, pointer: leaf.pointer }
    }
  }
  return undefined
}

/** A family's text appears in quotes or braces. */
export const bare = (found: unknown): unknown =>
  typeof found === 'string' ? (/^"(.+)"$|^\{(.+)\}$/s.exec(found)?.slice(1).find(Boolean) ?? found) : found

/** The parameter that makes an expression of a template fail: the first one that it names and the family sets. */
export function stumbled(expression: unknown, { data }: SourceFile): string {
  const given = (data as { parameters?: object } | null)?.parameters ?? {}
  const names = typeof expression === 'string' ? (expression.match(/[A-Za-z_]\w*/g) ?? []) : []
  const name = names.find((each) => Object.hasOwn(given, each))
  return name === undefined ? '/parameters' : below('/parameters', name)
}

/** Matches whole words only. */
function hasWord(text: string, word: string): boolean {
  const isPart = (character: string | undefined) => character !== undefined && /\w/.test(character)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!(isPart(word[0]) && isPart(text[at - 1])) && !(isPart(word.at(-1)) && isPart(text[at + word.length])))
      return true
  }
  return false
}

interface Leaf {
  pointer: string
  text: string
}
const known = new WeakMap<object, Leaf[]>()
function leavesOf({ data }: SourceFile): Leaf[] {
  const parameters = (data as { parameters?: object } | null)?.parameters ?? {}
  let leaves = known.get(parameters)
  if (!leaves) known.set(parameters, (leaves = collect(parameters, '/parameters')))
  return leaves
}

function collect(value: unknown, pointer: string): Leaf[] {
  if (typeof value === 'string') return [{ pointer, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => collect(item, below(pointer, key)))
}

export const valueAt = (root: unknown, pointer: string): unknown =>
  segments(pointer).reduce(
    (value: unknown, segment) => (value as Record<string, unknown> | null | undefined)?.[segment],
    root,
  )
