import { type RawBuilder, sql } from 'kysely'
import { broughtHole as hole, broughtParts, broughtPattern as patternOf } from '../../../model/broughtText.ts'
import { textIn } from '../../../model/language.ts'
import type { Field, Label, Value } from '../../../model/model.ts'

/** A text that the product writes: its pattern and wording in each language. */
interface BroughtText {
  looks: string[]
  says: Label
}
const known = new WeakMap<readonly Label[], BroughtText[]>()

/** A value in the reader's language, if it is a text that the product itself writes into the field. */
export function translateBroughtText<V extends Value>(
  language: string,
  { brought }: Pick<Field, 'brought'>,
  value: V,
): V | string {
  if (!brought || typeof value !== 'string') return value
  for (const { looks, says } of broughtTextsOf(brought)) {
    for (const look of looks) {
      const parts = broughtParts(look, value)
      if (!parts) continue
      const pieces = textIn(says, language).split(hole)
      return pieces.map((piece, index) => piece + (index < pieces.length - 1 ? (parts[index] ?? '') : '')).join('')
    }
  }
  return value
}

function broughtTextsOf(labels: readonly Label[]): BroughtText[] {
  const before = known.get(labels)
  if (before) return before
  const made = labels.map((says) => ({ says, looks: Object.values(says) }))
  known.set(labels, made)
  return made
}

type Languages = readonly string[]

/** The same for a column: texts are stored in the first language. Undefined if readers see the stored text. */
export function translateBroughtTextSql(
  language: string,
  [stored]: Languages,
  { brought }: Pick<Field, 'brought'>,
  column: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  if (!brought || language === stored) return undefined
  const cases = brought.map((says) => {
    const pattern = patternOf(textIn(says, stored))
    let part = 0
    const replacement = textIn(says, language)
      .replaceAll('\\', '\\\\')
      .replaceAll(hole, () => `\\${++part}`)
    return sql`when ${column} ~ ${pattern} then regexp_replace(${column}, ${pattern}, ${replacement})`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${column} end`
}

/**
 * What must be stored if the word appears in the reader's language: the longest fixed part of each text that contains
 * it.
 */
export const storedAround = (
  word: string,
  language: string,
  [stored]: Languages,
  { brought = [] }: Pick<Field, 'brought'>,
): string[] =>
  brought
    .filter((says) => textIn(says, language).toLowerCase().includes(word.toLowerCase()))
    .map(
      (says) =>
        textIn(says, stored)
          .split(hole)
          .toSorted((a, b) => b.length - a.length)[0],
    )
