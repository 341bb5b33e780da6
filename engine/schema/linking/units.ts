import { unitsOf } from '../../expression/index.ts'
import { fieldAt } from './choices.ts'
import type { Link, NamedField, Names } from '../named.ts'

/** The unit of a field's numbers; undefined if they are plain. */
export const unitOf = (field: NamedField | undefined, names: Names): string | undefined =>
  field && names.widgets[field.type]?.unit?.(field.options)

/** Amounts in different currencies must not be added up, compared or assigned to one another. */
export function checkUnits({ names, name: text, say }: Link, entity: string, filled: NamedField | undefined): void {
  const { yields, mixed } = unitsOf(text, (path) => unitOf(fieldAt(path, entity, names), names))
  for (const { start, end, units } of mixed)
    say(
      'expression-type',
      { found: text.slice(start, end), message: `${text.slice(start, end)} puts ${units.join(' and ')} together` },
      { part: { start, end } },
    )
  const wanted = unitOf(filled, names)
  if (yields !== undefined && wanted !== undefined && yields !== wanted)
    say('unequal-units', { found: text, unit: yields, field: filled!.name, other: wanted })
}
