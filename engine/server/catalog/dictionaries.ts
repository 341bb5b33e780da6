import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import {
  madeDictionaryNames,
  type App,
  type Choice,
  type Dictionary,
  type RecordData,
  type TagColour,
} from '../../model/model.ts'
import {
  dictionaryEntity,
  dictionaryFields,
  dictionaryItemEntity,
  dictionaryItemFields,
  enabled,
} from '../identity/identity.ts'
import { administeredLabel, ownLanguage } from './administeredLabel.ts'
import { mirror, mirrorFields } from './mirror.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'

const entitiesOf = ({ derived }: Context) =>
  [derived.catalog.entities[dictionaryEntity], derived.catalog.entities[dictionaryItemEntity]] as const

/**
 * Stores the files' dictionaries with their values as records. Does nothing if the product has no such entities.
 * @param names of those to synchronise, by default all; one that no file declares any more is marked
 */
export async function mirrorDictionaries(context: Context, db: Db, names?: readonly string[]): Promise<void> {
  const [dictionaries, items] = entitiesOf(context)
  if (!dictionaries || !items) return
  const own = ownLanguage(context.derived.catalog.app)
  const declared = Object.values(context.derived.declared).filter(
    ({ name }) => !madeDictionaryNames.includes(name) && (names?.includes(name) ?? true),
  )
  const ids = await mirror(context, db, {
    entity: dictionaries,
    declared: declared.map(({ name, label, mayGrow }) => ({
      [dictionaryFields.code]: name,
      [dictionaryFields.name]: textIn(label, own),
      [dictionaryFields.nameEn]: textIn(label, 'en'),
      [dictionaryFields.mayGrow]: mayGrow,
    })),
    keyOf: (record) => String(record[dictionaryFields.code]),
    among: names && sql`${sql.ref(`${main}.${dictionaryFields.code}`)} = any(${names})`,
  })
  await mirror(context, db, {
    entity: items,
    declared: declared.flatMap(({ name, choices, mayGrow }) =>
      choices.map(({ value, label, tag }, index) => ({
        [dictionaryItemFields.dictionary]: ids.get(name)!,
        [dictionaryItemFields.value]: value,
        [dictionaryItemFields.label]: textIn(label, own),
        [dictionaryItemFields.labelEn]: textIn(label, 'en'),
        [dictionaryItemFields.tag]: tag ?? null,
        [dictionaryItemFields.sort]: (index + 1) * 10,
        [dictionaryItemFields.fixed]: !mayGrow,
      })),
    ),
    keyOf: (record) =>
      `${String(record[dictionaryItemFields.dictionary])}/${String(record[dictionaryItemFields.value])}`,
    among: names && sql`${sql.ref(`${main}.${dictionaryItemFields.dictionary}`)} = any(${[...ids.values()]})`,
  })
}

/** The dictionaries of the files with the administrators' changes: labels, colours, order, added or disabled values. */
export async function overlaidDictionaries(context: Context, db: Db): Promise<Record<string, Dictionary>> {
  const { declared } = context.derived
  const [dictionaries, items] = entitiesOf(context)
  if (!dictionaries || !items) return declared
  const there = [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`]
  const names = new Map(
    (await readStored(context, db, dictionaries, there)).map((record) => [
      record.id,
      String(record[dictionaryFields.code]),
    ]),
  )
  const order = sql`${sql.ref(`${main}.${dictionaryItemFields.sort}`)} nulls last, ${sql.ref(`${main}.id`)}`
  const byName = new Map<string | undefined, RecordData[]>()
  for (const record of await readStored(context, db, items, there, { order })) {
    const name = names.get(record[dictionaryItemFields.dictionary] as number)
    byName.set(name, [...(byName.get(name) ?? []), record])
  }
  return Object.fromEntries(
    Object.entries(declared).map(([name, dictionary]) => [
      name,
      { ...dictionary, choices: choicesOf(context.derived.catalog.app, dictionary, byName.get(name) ?? []) },
    ]),
  )
}

function choicesOf(app: App, { choices, mayGrow }: Dictionary, records: readonly RecordData[]): Choice[] {
  const known = new Map(choices.map((choice) => [choice.value, choice]))
  const shown = records.flatMap((record): Choice[] => {
    const choice = known.get(String(record[dictionaryItemFields.value]))
    const isAdded = mayGrow && record[mirrorFields.declared] === null
    if (!choice && !isAdded) return []
    const {
      [dictionaryItemFields.label]: own,
      [dictionaryItemFields.labelEn]: english,
      [dictionaryItemFields.tag]: tag,
    } = record
    return [
      {
        value: String(record[dictionaryItemFields.value]),
        label: { ...choice?.label, ...administeredLabel(app, own, english) },
        ...(typeof tag === 'string' && { tag: tag as TagColour }),
        ...(mayGrow && record[dictionaryItemFields.status] !== enabled && { disabled: true }),
      },
    ]
  })
  // Values without a record come last, so that nothing that the files declare is ever missing.
  const there = new Set(shown.map(({ value }) => value))
  return [...shown, ...choices.filter(({ value }) => !there.has(value))]
}
