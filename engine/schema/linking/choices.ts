import { textIn } from '../../model/language.ts'
import { literalUses } from '../../expression/index.ts'
import { offer, offerField } from '../issues/issue.ts'
import { refusalOf } from './values.ts'
import type { NamedDictionary, NamedField, Link, Names } from '../named.ts'

/** The dictionary of a field's values, if the files declare all of them. */
export function closedDictionary(field: NamedField | undefined, names: Names): NamedDictionary | undefined {
  const name = field && names.widgets[field.type]?.dictionary?.(field.options)
  const dictionary = name === undefined ? undefined : names.dictionaries[name]
  return dictionary?.sound && !dictionary.mayGrow ? dictionary : undefined
}

/**
 * Checks the text literals of a valid expression: values of the fields they are compared with, or of the field that the
 * expression fills.
 */
export function checkLiterals(
  { name: expression, say, names }: Link,
  entity: string,
  filled: NamedField | undefined,
): void {
  for (const { text, path, start, end, isOrdered, mayDiffer } of literalUses(expression)) {
    if (text === '' || isOrdered) continue // The empty text means that there is no value
    const place = { part: { start, end } }
    if (path.length === 1 && path[0] === 'changed' && !names.field(entity, 'changed')) {
      const { fields, source } = names.entities[entity]
      if (!Object.hasOwn(fields, text))
        say('unknown-field', { ...offerField(text, fields), entity, see: source.path }, place)
      continue
    }
    const field = path.length ? fieldAt(path, entity, names) : filled
    const dictionary = closedDictionary(field, names)
    if (path.length && field && !mayDiffer && isPlainText(field, names)) {
      const refusal = refusalOf(text, field, names)
      if (refusal)
        say(
          'invalid-value',
          { entity, field: field.name, found: `"${text}"`, message: textIn(refusal.message, 'en') },
          place,
        )
    }
    if (!dictionary || dictionary.values.includes(text)) continue
    say(
      'unknown-choice',
      { ...offer(text, dictionary.values), dictionary: dictionary.name, see: dictionary.source.path },
      place,
    )
  }
}

/** For values with one written form, such as days, a warning checks each comparison. */
const isPlainText = ({ type, options }: NamedField, { widgets }: Names): boolean =>
  widgets[type]?.expression === 'string' &&
  widgets[type].dictionary?.(options) === undefined &&
  !widgets[type].operators.includes('between')

/** A field of the record, of the record before the save, or of its rows. */
export function fieldAt([first, ...more]: string[], entity: string, names: Names): NamedField | undefined {
  if (first === 'old' && more.length && !names.field(entity, 'old')) return fieldAt(more, entity, names)
  if (first === 'settings' && more.length && !names.field(entity, 'settings'))
    return fieldAt(more.slice(1), more[0], names)
  const field = names.field(entity, first)
  if (!more.length) return field
  const target = names.target(field)
  return target?.rows && fieldAt(more, target.entity, names)
}
