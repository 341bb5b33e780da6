import { offerField } from '../issues/issue.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import type { JsonObject, Place } from '../walk.ts'
import type { ExpandedFile, NamedDictionary, Names } from '../named.ts'

/** The entity of messages, and its field for the type of a message; roles choose among the same values. */
export const messageEntity = 'message'
const typeField = 'type'

/** The types of messages; undefined if no file declares messages. */
export function messageTypes(names: Names): NamedDictionary | undefined {
  const field = names.field(messageEntity, typeField)
  const dictionary = field && names.widgets[field.type]?.dictionary?.(field.options)
  return dictionary === undefined ? undefined : names.dictionaries[dictionary]
}

/** `{field}` in a text for other users: the field must exist, and every receiver must be allowed to see it. */
export function checkHoles(
  { source }: ExpandedFile,
  { value, pointer }: Place,
  entity: string | undefined,
  names: Names,
  report: Report,
): void {
  const target = entity === undefined ? undefined : names.entities[entity]
  if (!target || target.source.broken) return
  for (const [language, text] of Object.entries(value as JsonObject)) {
    for (const { 1: name, index } of String(text).matchAll(/\{([^{}|]*)(?:\|[^{}]*)?\}/g)) {
      const field = names.field(target.name, name)
      const part = { part: { start: index + 1, end: index + 1 + name.length } }
      const at = below(pointer, language)
      if (!field)
        report(
          source,
          at,
          'unknown-field',
          { ...offerField(name, target.fields), entity: target.name, see: target.source.path },
          part,
        )
      else if (field.value.sensitive === true || names.widgets[field.type]?.protect) {
        report(source, at, 'sensitive-in-message', { entity: target.name, found: name }, part)
      }
    }
  }
}
