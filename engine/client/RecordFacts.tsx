import { comma, textIn } from '../model/language.ts'
import type { EntityPlan, RecordData } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import type { EngineContext } from './view.ts'
import type { words as engineWords } from './words.ts'

type Words = ReturnType<typeof engineWords.use>

export interface Fact {
  label: string
  value: string
}

/** The most records that a dialog lists by name. */
const mostNamed = 5

/** The records that a dialog is about: number, name and key fields of a single one, only names of several. */
export function factsOf(
  words: Words,
  engine: EngineContext,
  { entity, records }: { entity: EntityPlan; records: readonly RecordData[] },
): Fact[] {
  const read = (name: string, record: RecordData) => fieldText(record[name], entity.fields[name], engine)
  if (records.length > 1) {
    const names = records.slice(0, mostNamed).map((record) => read(entity.display, record))
    const list = names.join(textIn(comma, engine.language))
    const value = records.length > mostNamed ? words('andMore', { list, n: records.length - mostNamed }) : list
    return [{ label: words('chosenRecords'), value }]
  }
  const wanted = new Set([...(entity.code ? [entity.code] : []), entity.display, ...(entity.facts ?? [])])
  return records.flatMap((record) =>
    [...wanted]
      .filter((name) => entity.fields[name] !== undefined && (record[name] ?? null) !== null)
      .map((name) => ({ label: engine.text(entity.fields[name].label), value: read(name, record) })),
  )
}

export function RecordFacts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="record-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
