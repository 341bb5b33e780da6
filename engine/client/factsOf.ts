import { Decimal, decimalOf } from '../expression/index.ts'
import { comma, textIn } from '../model/language.ts'
import type { EntityPlan, Field, RecordData } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import type { EngineContext } from './view.ts'
import type { words as engineWords } from './words.ts'

type Words = ReturnType<typeof engineWords.use>

export interface Fact {
  label: string
  value: string
}

/** Placeholder for an empty value. */
const nothing = '–'

/** The most records, values or rows that a dialog names. */
const mostNamed = 5

/**
 * What a dialog says about its records: number, name and facts of a single one; of several their names, the sums of
 * amounts, and what else they have in common or differ in.
 */
export function factsOf(
  words: Words,
  engine: EngineContext,
  { entity, records }: { entity: EntityPlan; records: readonly RecordData[] },
): Fact[] {
  const named = [...(entity.code ? [entity.code] : []), entity.display]
  const facts = (entity.facts ?? []).filter((name) => !named.includes(name))
  const read = (name: string, record: RecordData) => {
    const field = entity.fields[name]
    return rowsText(words, engine, { field, value: record[name] }) ?? fieldText(record[name], field, engine)
  }
  const factIn = (name: string, value: string | undefined): Fact[] =>
    value ? [{ label: engine.text(entity.fields[name].label), value }] : []

  if (records.length === 1) {
    const [record] = records
    const wanted = [...new Set([...named, ...facts])].filter((name) => entity.fields[name] !== undefined)
    return wanted.flatMap((name) => factIn(name, read(name, record)))
  }
  if (records.length === 0) return []
  const names = listed(
    words,
    engine,
    records.map((record) => read(entity.display, record)),
  )
  return [
    { label: words('chosenRecords'), value: names },
    ...facts.flatMap((name) => {
      const field = entity.fields[name]
      const { isAmount, summable } = engine.widgets[field.type]
      if (isAmount) {
        const total = totalOf(records, name)
        return total === undefined
          ? []
          : [
              {
                label: words('totalOf', { label: engine.text(field.label), n: records.length }),
                value: fieldText(total, field, engine),
              },
            ]
      }
      const all = [...new Set(records.map((record) => read(name, record)).filter((text) => text !== ''))]
      return summable && all.length > 1 ? [] : factIn(name, listed(words, engine, all))
    }),
  ]
}

/** The exact sum; undefined if an amount is unknown or masked. */
function totalOf(records: readonly RecordData[], name: string): string | undefined {
  const amounts = records.map((record) => (record[name] === null ? new Decimal(0) : decimalOf(record[name])))
  if (amounts.includes(null)) return undefined
  return amounts.reduce<Decimal>((sum, amount) => sum.plus(amount!), new Decimal(0)).toFixed()
}

/** What a field says of several records: the value that they share, or that of each beside its name. */
export function valuesOf(
  words: Words,
  engine: EngineContext,
  { entity, records, field }: { entity: EntityPlan; records: readonly RecordData[]; field: Field },
): string {
  const texts = records.map((record) => fieldText(record[field.name], field, engine))
  if (new Set(texts).size === 1) return texts[0]
  const nameOf = (record: RecordData) => fieldText(record[entity.display], entity.fields[entity.display], engine)
  return listed(
    words,
    engine,
    records.map((record, index) => `${nameOf(record)} ${texts[index] || nothing}`),
  )
}

/** Each row by its name and facts; undefined if the field has no rows. */
function rowsText(
  words: Words,
  engine: EngineContext,
  { field, value }: { field: Field; value: RecordData[string] | undefined },
): string | undefined {
  const target = engine.widgets[field.type].target?.(field.options)
  const entity = target?.rows && engine.entity(target.entity)
  if (!entity || !Array.isArray(value)) return undefined
  const all = (value as RecordData[]).map((row) =>
    [entity.display, ...(entity.facts ?? [])]
      .map((name) => fieldText(row[name], entity.fields[name], engine))
      .join(' '),
  )
  return listed(words, engine, all)
}

/** The first few texts, and the number of the rest. */
function listed(words: Words, engine: EngineContext, all: readonly string[]): string {
  const list = all.slice(0, mostNamed).join(textIn(comma, engine.language))
  return all.length > mostNamed ? words('andMore', { list, n: all.length - mostNamed }) : list
}
