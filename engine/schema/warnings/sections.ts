import { outcomes } from '../../expression/index.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf } from '../walk.ts'
import { knownValues } from './conditions.ts'
import { isWritten, type CheckContext } from './checkContext.ts'
import type { ExpandedFile, NamedField, Names } from '../named.ts'

/** Warns about required fields whose section of a form may be hidden. */
export function checkSections(file: ExpandedFile, { names, warn }: CheckContext): void {
  if (file.source.kind !== 'form') return
  for (const place of placesOf(file.value, file.shape)) {
    const { value: section, parent, pointer } = place
    if (parent?.key !== 'sections' || !isObject(section) || typeof section.visibleWhen !== 'string') continue
    if (!Array.isArray(section.fields) || !isWritten(file.source, `${pointer}/visibleWhen`)) continue
    const entity = scopeOf(place, file, names)
    for (const [index, item] of section.fields.entries()) {
      const field = isObject(item) && item.readOnly !== true ? names.field(entity, String(item.field)) : undefined
      if (!field || isFilled(field, file, names)) continue
      const needed = requiredWhile(field)
      if (needed === undefined || !isMissed(needed, section.visibleWhen, entity, names)) continue
      warn(file.source, `${pointer}/fields/${index}`, 'hidden-by-section', {
        entity,
        found: field.name,
        when: needed === 'true' ? 'in any case' : `while ${needed}`,
        condition: section.visibleWhen,
      })
    }
  }
}

/** The condition under which a field must have a value. */
function requiredWhile({ value }: NamedField): string | undefined {
  const conditions = [value.required === true ? undefined : value.requiredWhen, value.visibleWhen]
  if (value.required !== true && typeof value.requiredWhen !== 'string') return undefined
  const written = [...new Set(conditions.filter((condition) => typeof condition === 'string'))]
  return written.length < 2 ? (written[0] ?? 'true') : written.map((each) => `(${each})`).join(' && ')
}

/** Whether the field is certainly needed while the section is hidden. */
function isMissed(needed: string, shown: string, entity: string | undefined, names: Names): boolean {
  if (needed === 'true') return !isConstant(shown, true, entity, names)
  const isPossible = ![needed, shown].some((condition) => isConstant(condition, false, entity, names))
  return isPossible && isConstant(`(${needed}) && (${shown})`, false, entity, names)
}

function isConstant(condition: string, always: boolean, entity: string | undefined, names: Names): boolean {
  const length = condition.trim().length
  const found = outcomes(condition, knownValues(entity, names))
  return found.some(
    (outcome) => outcome.always === always && (outcome.twice !== undefined || outcome.end - outcome.start >= length),
  )
}

function isFilled({ name, value, computed, type }: NamedField, file: ExpandedFile, { widgets }: Names): boolean {
  const { preset } = file.value
  return (
    value.readOnly === true ||
    value.default !== undefined ||
    value.defaultFrom !== undefined ||
    computed !== undefined ||
    widgets[type]?.series !== undefined ||
    (isObject(preset) && Object.hasOwn(preset, name))
  )
}
