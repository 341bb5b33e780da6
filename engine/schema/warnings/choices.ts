import { meant, type Parameters } from '../issues/issue.ts'
import type { NamedField, Names } from '../named.ts'

/** A value that the files do not declare in a growing dictionary, with the probable correction. */
export function growingChoice(written: unknown, field: NamedField | undefined, names: Names): Parameters | undefined {
  const name = field && names.widgets[field.type]?.dictionary?.(field.options)
  const dictionary = name === undefined ? undefined : names.dictionaries[name]
  if (!dictionary?.sound || !dictionary.mayGrow) return undefined
  const found = [written].flat().find((value) => typeof value === 'string' && value !== '' && !isListed(value))
  return found === undefined
    ? undefined
    : { found, ...meant(String(found), dictionary.values), dictionary: dictionary.name, see: dictionary.source.path }

  function isListed(value: unknown): boolean {
    return dictionary!.values.includes(String(value))
  }
}
