import type { Entity, Field, Value } from '../../engine/model/model.ts'
import { isSame } from '../../engine/expression/normalizeRecord.ts'
import { Random } from '../../src/demo/random.ts'
import { allExamples } from '../contract/widgets.ts'
import { listed } from './app.ts'
import { dictionary, verdictContext, widgets } from './catalog.ts'

/** What a value must be besides valid. */
export interface Wanted {
  /** Unlike that of any other record. */
  fresh?: boolean
  /** Unlike this value. */
  not?: Value
  /** Values of other records are varied until one satisfies this. */
  good?(value: Value): boolean
}

const random = new Random(Date.now())
const context = verdictContext()

/**
 * What to type into a field: an example of its widget that the field accepts, or a text like those of other records.
 * @throws if there is none
 */
export async function typed(
  entity: Entity,
  field: Field,
  { fresh: wantsFresh = false, not, good }: Wanted,
): Promise<{ given: unknown; value: Value }> {
  // A value for a pattern of its own comes from another record, so it must be varied.
  let fresh = wantsFresh || field.unique || field.uniqueWithin !== undefined || field.options.pattern !== undefined
  const widget = widgets[field.type]
  const read = (given: unknown) => ({ given, value: widget.normalize(given, field.options) as Value })
  const accepted = ({ value }: { value: Value }) =>
    value !== null &&
    !isSame(field, value, not, widgets) &&
    !widget.check(value, field.options, { label: field.label, dictionary, now: context.now })
  const isLine = (given: unknown) => typeof given === 'string' && !/[\n\u0000]/.test(given)
  const examples = allExamples[field.type].good.map(({ given, canonical }) => (isLine(given) ? given : canonical))
  let known = examples.map(read).filter(accepted)
  const records = entity.rowOf || (known.length > 0 && !fresh) ? [] : await listed(entity.endpoint)
  if (known.length === 0 && !entity.rowOf) {
    known = records.map((record) => read(record[field.name] ?? null)).filter(({ value }) => value !== null)
    if (!fresh && known.some(accepted)) return known.find(accepted)!
    fresh = true
  }
  if (!fresh && known.length > 0) return known[0]
  const bases = new Set(known.map(({ value }) => String(value)))
  const taken = new Set([...bases, ...records.map((record) => String(record[field.name]))])
  // Looks for a value that no record has yet.
  for (const text of bases.size > 0 ? bases : [random.digits(12)]) {
    for (const like of variations(text, good ? 200 : undefined)) {
      const candidate = read(like)
      if (
        ![like, String(candidate.value)].some((text) => taken.has(text)) &&
        accepted(candidate) &&
        (good?.(candidate.value) ?? true)
      )
        return candidate
    }
  }
  throw new Error(
    `${entity.name}.${field.name}: neither the examples of ${field.type} nor the demo have a value that it accepts`,
  )
}

/**
 * Texts like this one: an address with a parameter, or the text with a number behind it, then other digits and letters
 * in the same places.
 */
function* variations(text: string, rounds = 20_000): Generator<string> {
  if (text.startsWith('/')) yield `${text}?q=${random.digits(6)}`
  for (const length of [8, 4, 2]) yield text.slice(0, length) + random.digits(6)
  for (let round = 0; round < rounds; round++) {
    yield text.replace(/[0-9A-Za-z]/g, (character) =>
      random.chance(0.5)
        ? character
        : /\d/.test(character)
          ? random.digits(1)
          : String.fromCharCode((character > 'Z' ? 97 : 65) + random.integer(0, 25)),
    )
  }
}
