import { carried } from '../../expression/index.ts'
import type { NamedField, Names } from '../named.ts'

/** Checks that a copy of a sensitive value is sensitive too, unless its file gives a reason under `unmasked`. */
export const isOpenCopy = (copy: NamedField, from: NamedField | undefined): boolean =>
  from?.value.sensitive === true && copy.value.sensitive !== true && typeof copy.value.unmasked !== 'string'

/** The sensitive fields that a formula over records of `entity` copies into a field that is not sensitive. */
export function letOut(entity: string, formula: string, into: NamedField, names: Names): string[] {
  if (names.widgets[into.type]?.expression === 'boolean') return []
  return carried(formula).flatMap((path) => {
    const [name, ...members] = path.replace(/^old\./, '').split('.')
    const field = names.field(entity, name)
    const target = names.target(field)
    // The part after the dot is a field of the rows.
    const [owner, last] =
      target?.rows && members.length > 0 ? [target.entity, names.field(target.entity, members[0])] : [entity, field]
    return last && isOpenCopy(into, last) ? [`${owner}.${last.name}`] : []
  })
}
