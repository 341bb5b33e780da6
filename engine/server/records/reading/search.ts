import { sql } from 'kysely'
import type { Entity, Field, RecordData, Value } from '../../../model/model.ts'
import { seesWhole } from '../../identity/access.ts'
import { translateBroughtTextSql, storedAround } from './translateBroughtText.ts'
import { escapeLike } from './filters.ts'
import { searchText } from './pinyin.ts'
import { widgetContext } from './words.ts'
import type { Context } from '../../runtime.ts'
import { tableOf, type Condition } from '../../identity/scope.ts'

/** The column that `search` looks in. */
export const searchColumn = 'searchText'

/**
 * Every word must match: in a text, its pinyin or its initials. A sensitive field matches only as a whole, for users
 * who may see it; a looked-up field, by whatever finds its source record.
 */
export function searchConditions(
  context: Context,
  entity: Entity,
  alias: string,
  search: string | undefined,
): Condition[] {
  const words = (search ?? '').split(/\s+/).filter(Boolean).slice(0, 10)
  const sensitive = entity.search
    .map((name) => entity.fields[name])
    .filter((field) => field.sensitive && seesWhole(context, entity, field))
  const referred = new Set(entity.search.flatMap((name) => lookedUp(entity.fields[name])?.by ?? []))
  return words.map((word) => {
    const pattern = `%${escapeLike(word.toLowerCase())}%`
    const found = sql<boolean>`${sql.ref(`${alias}.${searchColumn}`)} ilike ${pattern}`
    const others = [...referred].map((by) => {
      const target = context.derived.target(entity.fields[by])!.entity
      const own = [
        sql<boolean>`${sql.ref(searchColumn)} ilike ${pattern}`,
        ...asRead(context, target, 'referred', word),
      ]
      return sql<boolean>`${sql.ref(`${alias}.${by}`)} in (
      select id from ${tableOf(context, target)} as referred where ${sql.join(own, sql` or `)})`
    })
    const whole = sensitive.map(
      (field) =>
        sql<boolean>`${sql.ref(`${alias}.${field.name}`)}::text = ${String(context.derived.widget(field).normalize(word, field.options))}`,
    )
    const all = [found, ...asRead(context, entity, alias, word), ...whole, ...others]
    return all.length === 1 ? found : sql<boolean>`(${sql.join(all, sql` or `)})`
  })
}

/** For texts that the product writes: finds the word in this reader's language by what is stored in its place. */
function asRead(context: Context, entity: Entity, alias: string, word: string): Condition[] {
  const { languages } = context.derived.catalog.app
  return entity.search.flatMap((name) => {
    const field = entity.fields[name]
    const read = translateBroughtTextSql(context.language, languages, field, sql.ref(`${alias}.${name}`))
    const around = storedAround(word, context.language, languages, field).map(
      (text) => `%${escapeLike(text.toLowerCase().trim())}%`,
    )
    if (!read || around.length === 0 || field.sensitive || lookedUp(field)) return []
    return [
      sql<boolean>`(${sql.ref(`${alias}.${searchColumn}`)} ilike any(${around}::text[]) and ${read} ilike ${`%${escapeLike(word)}%`})`,
    ]
  })
}

const lookedUp = ({ computed }: Field) => (computed?.kind === 'lookup' ? computed : undefined)

/**
 * The content of a record's search column; null if the entity is not searched. Sensitive and protected fields are left
 * out.
 */
export function searchTextOf(
  context: Pick<Context, 'derived' | 'language' | 'now'>,
  entity: Entity,
  record: RecordData,
): string | null {
  const { derived, language } = context
  const fields = entity.search
    .map((name) => entity.fields[name])
    .filter((field) => !field.sensitive && !lookedUp(field) && !derived.widget(field).protect)
  if (fields.length === 0) return null
  const texts = fields.map((field) => {
    const value = record[field.name] as Value | undefined
    if (value === null || value === undefined || derived.widget(field).target) return null
    return derived.widget(field).text(value, field.options, widgetContext(context, field), language)
  })
  return searchText(texts)
}
