import type { Field, Label, Value } from '../../../model/model.ts'

/** A text that the product brings: what it looks like in each language, and how it is said there. */
interface Brought {
  looks: RegExp[]
  says: Label
}
const known = new WeakMap<readonly Label[], Brought[]>()
const hole = '{}'

/** A value in the reader's language, where it is one of the texts that the product itself writes into the field. */
export function readIn<V extends Value>(language: string, { brought }: Pick<Field, 'brought'>, value: V): V | string {
  if (!brought || typeof value !== 'string') return value
  for (const { looks, says } of broughtOf(brought)) {
    for (const look of looks) {
      const parts = look.exec(value)?.slice(1)
      if (!parts) continue
      const pieces = (says[language] ?? value).split(hole)
      return pieces.map((piece, index) => piece + (index < pieces.length - 1 ? (parts[index] ?? '') : '')).join('')
    }
  }
  return value
}

function broughtOf(labels: readonly Label[]): Brought[] {
  const before = known.get(labels)
  if (before) return before
  const made = labels.map((says) => ({ says, looks: Object.values(says).map(lookOf) }))
  known.set(labels, made)
  return made
}

const lookOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(hole)
      .map((piece) => piece.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&'))
      .join('(.+)')}$`,
    's',
  )
