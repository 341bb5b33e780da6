import { expandTemplate, type ExpandedTemplate } from '../../expression/index.ts'
import type { Value } from '../../model/model.ts'

/** The same template is expanded only once for the same parameters, also in later compilations. */
const known = new WeakMap<object, Map<string, ExpandedTemplate>>()

/**
 * @param owner what the result is part of: one that is equal to the owner's last is the same object, so that cached
 * results about it stay valid
 */
export function expandOnce(template: object, parameters: Record<string, Value>, owner: string): ExpandedTemplate {
  const words = wordsOf(template)
  // Parameters that a template does not name cannot affect its result.
  const key = Object.entries(parameters)
    .filter(([name]) => words.has(name))
    .map(([name, value]) => `${name} ${keyOf(value)}`)
    .join()
  const before = known.get(template) ?? new Map<string, ExpandedTemplate>()
  known.set(template, before)
  const found = before.get(key) ?? asBefore(template, owner, expandTemplate(template as Value, parameters))
  if (before.size > 50) before.clear()
  before.set(key, found)
  return found
}

const named = new WeakMap<object, ReadonlySet<string>>()
function wordsOf(template: object): ReadonlySet<string> {
  // An escape such as \n is not part of the following name.
  const words =
    named.get(template) ??
    new Set(
      JSON.stringify(template)
        .replace(/\\(u[\da-f]{4}|.)/g, ' ')
        .match(/\w+/g),
    )
  named.set(template, words)
  return words
}

/** Equal values have equal numbers; an object is serialised once. */
const numbers = new Map<string, number>()
const keys = new WeakMap<object, number>()
let count = 0
function keyOf(value: Value): number {
  const before = typeof value === 'object' && value !== null ? keys.get(value) : undefined
  if (before !== undefined) return before
  const text = JSON.stringify(value)
  const key = numbers.get(text) ?? ++count
  if (numbers.size > 5000) numbers.clear()
  numbers.set(text, key)
  if (typeof value === 'object' && value !== null) keys.set(value, key)
  return key
}

/** Template → owner → the last result. */
const latest = new WeakMap<object, Map<string, Value | undefined>>()
function asBefore(template: object, owner: string, made: ExpandedTemplate): ExpandedTemplate {
  const last = latest.get(template) ?? new Map<string, Value | undefined>()
  latest.set(template, last)
  const before = last.get(owner)
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(made.value)) return { ...made, value: before }
  last.set(owner, made.value)
  return made
}
