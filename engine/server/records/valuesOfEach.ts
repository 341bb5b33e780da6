import type { PromptedField, Entity, FileValue, Value } from '../../model/model.ts'
import { promptedValues } from './promptedValues.ts'
import { fill, invalid, problems as messages } from '../errors.ts'
import type { Context } from '../runtime.ts'

type Given = Record<string, Value>

/**
 * Distributes values given once for several records: consecutive numbers, and each record's own files. They are checked
 * before, so that no long text is copied or searched for every record.
 * @throws Refusal invalid, if one of them is, or if a file belongs to none of the records, or to more than one.
 */
export function valuesOfEach(
  context: Context,
  entity: Entity,
  form: readonly PromptedField[],
  { count, values = {} }: { count: number; values?: Given },
): Given[] {
  if (count < 2) return [values]
  const shared = form
    .filter(({ consecutive, namedBy }) => consecutive || namedBy !== undefined)
    .map((field) => ({ ...field, required: false }))
  const given: Given = { ...values, ...promptedValues(context, entity, shared, values) }
  const counted = shared.filter(({ field, consecutive }) => consecutive && typeof given[field] === 'string')
  const each = Array.from({ length: count }, (_, place): Given => ({
    ...given,
    ...Object.fromEntries(counted.map(({ field }) => [field, numberAfter(given[field] as string, place)])),
  }))
  for (const { field, namedBy, label } of shared) {
    const files = given[field]
    if (namedBy === undefined || !Array.isArray(files)) continue
    const owners = (files as FileValue[]).map(({ name }) => each.filter((values) => holds(name, values[namedBy])))
    const strange = (files as FileValue[]).filter((_, index) => owners[index].length !== 1)
    if (strange.length > 0) {
      const values = { label: label ?? entity.fields[field].label, files: strange.map(({ name }) => name).join(', ') }
      throw invalid([{ field, code: 'unnamedFiles', message: fill(messages.unnamedFiles, values) }])
    }
    for (const values of each) {
      const own = (files as FileValue[]).filter((_, index) => owners[index][0] === values)
      values[field] = own.length > 0 ? (own as unknown as Value) : null
    }
  }
  return each
}

/** As a separate word: 00000099 is not in 100000099, but it is in `INV00000099.pdf`. */
function holds(name: unknown, number: Value | undefined): boolean {
  if (typeof name !== 'string' || typeof number !== 'string' || number === '') return false
  const [text, wanted] = [name.toLowerCase(), number.toLowerCase()]
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (
      !isJoined(text.slice(Math.max(0, at - 1), at), wanted[0]) &&
      !isJoined(wanted.at(-1)!, text.slice(end, end + 1))
    )
      return true
  }
  return false
}
/** Whether both characters belong to one number, or to one word. */
const isJoined = (left: string, right: string): boolean => /^(\p{N}{2}|\p{L}{2})$/u.test(left + right)

/** `No-0099` and 1 → `No-0100`; a text without trailing digits stays as it is. */
export const numberAfter = (number: string, by: number): string =>
  number.replace(/(?<!\d)\d+$/, (digits) => String(BigInt(digits) + BigInt(by)).padStart(digits.length, '0'))
