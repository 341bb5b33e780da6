import { namesIn } from '../model/fillText.ts'
import type { EntityPlan, Label, RecordData, Value } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import { fill } from './fill.ts'
import type { EngineContext } from './view.ts'

/** Placeholder for an empty value. */
const nothing = '–'

/** A question about records, filled with their number and the values of the first, as screens show them. */
export function questionOf(
  question: Label,
  entity: Pick<EntityPlan, 'fields'>,
  records: readonly RecordData[],
  engine: EngineContext,
): string {
  const questionText = engine.text(question)
  const [record = {}] = records
  const named = namesIn(questionText).flatMap((name): [string, Value][] => {
    const field = entity.fields[name]
    return field ? [[name, fieldText(record[name] ?? null, field, engine) || nothing]] : []
  })
  return fill(questionText, { ...record, ...Object.fromEntries(named), n: records.length }) ?? questionText
}
