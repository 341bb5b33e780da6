import { fillText, namesIn } from '../../../model/fillText.ts'
import { comma, textIn } from '../../../model/language.ts'
import type { Entity, Label, RecordData } from '../../../model/model.ts'
import type { Context } from '../../runtime.ts'
import { translateBroughtText } from './translateBroughtText.ts'
import { textOf } from './words.ts'

/** The fields that these texts name as `{field}`. */
export const fieldsIn = (...labels: readonly Label[]): string[] => [
  ...new Set(labels.flatMap((label) => Object.values(label)).flatMap(namesIn)),
]

/** The text with each `{field}` listing the values of these records, whose references are resolved. */
export const filledFrom = (context: Context, entity: Entity, text: Label, records: readonly RecordData[]): Label =>
  Object.fromEntries(
    Object.entries(text).map(([language, words]) => {
      const valueOf = (name: string) => (record: RecordData) =>
        textOf(
          { ...context, language },
          entity.fields[name],
          translateBroughtText(language, entity.fields[name], record[name] ?? null),
        )
      return [language, fillText(words, (name) => records.map(valueOf(name)).join(textIn(comma, language)), language)]
    }),
  )
