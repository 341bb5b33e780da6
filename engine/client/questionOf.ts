import { namesIn } from '../model/fillText.ts'
import type { EntityPlan, Label, RecordData, Value } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import { fill } from './fill.ts'
import type { EngineContext } from './view.ts'

/** Where a record says nothing. */
const nothing = '–'

/** A question about records, with how many they are and with what the first one says, as screens show it. */
export function questionOf(
  question: Label,
  entity: Pick<EntityPlan, 'fields'>,
  records: readonly RecordData[],
  engine: EngineContext,
): string {
  const asked = engine.text(question)
  const [record = {}] = records
  const named = namesIn(asked).flatMap((name): [string, Value][] => {
    const field = entity.fields[name]
    return field ? [[name, fieldText(record[name] ?? null, field, engine) || nothing]] : []
  })
  return fill(asked, { ...record, ...Object.fromEntries(named), n: records.length }) ?? asked
}
