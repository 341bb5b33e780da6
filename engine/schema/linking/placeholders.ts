import { meant, offerField, type Parameters } from '../issues/issue.ts'
import { placeholder } from '../../model/fillText.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { ownEntity } from './scope.ts'
import type { JsonObject, Place } from '../walk.ts'
import type { ExpandedFile, NamedEntity, Names } from '../named.ts'

/** `{…}` in a text for users: one of the words that are filled in there, or a field of the record. */
export function checkPlaceholders(
  file: ExpandedFile,
  { value, pointer, shape }: Place,
  names: Names,
  report: Report,
): void {
  const { words, fields } = shape.fills!
  const entity = names.entities[ownEntity(file) ?? '']
  if (fields && (!entity || entity.source.broken)) return
  const known = [...words, ...(fields ? ['id', ...Object.keys(entity.fields)] : [])]
  for (const [language, text] of Object.entries(value as JsonObject)) {
    for (const { 0: found, 1: name, index } of String(text).matchAll(placeholder)) {
      // Parts of a reference may be named: {customer.name}.
      if (known.includes(name.split('.')[0])) continue
      report(
        file.source,
        below(pointer, language),
        'unknown-placeholder',
        {
          found,
          allowed: known.map((name) => `{${name}}`),
          ...braced(fields ? (renamed(name, entity) ?? meant(name, known)) : meant(name, known)),
        },
        { part: { start: index, end: index + found.length } },
      )
    }
  }
}

/** `{{name}}`, `${name}` and an unclosed `{name`: braces of other tools, which would be shown as they are. */
export function checkBraces({ source }: ExpandedFile, { value, pointer }: Place, report: Report): void {
  for (const [language, text] of Object.entries(value as JsonObject)) {
    for (const { 0: found, index } of String(text).matchAll(/\{\{([\w.]+)\}\}|\$\{([\w.]+)\}|\{([\w.]+)(?![\w.|}])/g)) {
      const part = { start: index, end: index + found.length }
      const suggestion = `{${/[\w.]+/.exec(found)![0]}}`
      report(source, below(pointer, language), 'stray-brace', { found, suggestion }, { part })
    }
  }
}

/** `{n|line|lines}`: two words, singular and plural. */
export function checkWordForms({ source }: ExpandedFile, { value, pointer }: Place, report: Report): void {
  for (const [language, text] of Object.entries(value as JsonObject)) {
    for (const { 0: found, index } of String(text).matchAll(/\{[\w.]+\|[^{}]*\}/g)) {
      if (found.split('|').length === 3) continue
      const part = { start: index, end: index + found.length }
      report(source, below(pointer, language), 'word-forms', { found }, { part })
    }
  }
}

type Suggestion = Pick<Parameters, 'suggestion' | 'certain'>

function renamed(name: string, { fields }: NamedEntity): Suggestion | undefined {
  const offered = offerField(name, fields)
  return offered.certain === 'renamed' ? offered : undefined
}

const braced = ({ suggestion, certain }: Suggestion): Suggestion =>
  suggestion === undefined ? {} : { suggestion: `{${suggestion}}`, ...(certain && { certain }) }
