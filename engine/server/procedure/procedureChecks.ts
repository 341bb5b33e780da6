import { checkRecord } from '../../expression/verdict.ts'
import type { Entity, FieldProblem, RecordData, Value } from '../../model/model.ts'
import { accept, verdictContext } from '../records/accept.ts'
import { problemsOf } from '../records/judge.ts'
import type { Context } from '../runtime.ts'
import type { Work } from '../records/Work.ts'
import { widgetContext } from '../records/reading/words.ts'

/** The defaults of a new record. */
export const blank = (context: Context, entity: Entity): RecordData => accept(context, entity, {}, null).record

/** A new record with this input and its defaults, and the problems of these fields. */
export async function drafted(
  { context, db }: Work,
  entity: Entity,
  values: RecordData,
  fields: readonly string[],
): Promise<{ record: RecordData; problems: FieldProblem[] }> {
  const { record, problems } = accept(context, entity, values as Record<string, Value>, null)
  const [judged] = await problemsOf(context, db, [{ entity, record, old: null, already: problems, fields }])
  return { record, problems: [...problems, ...judged] }
}

/** The violated rules of a complete new record, including values that the system usually writes. */
export function verdictOn({ context }: Pick<Work, 'context'>, entity: Entity, record: RecordData): FieldProblem[] {
  const given = Object.entries(entity.fields).map(([name, field]) => [name, { ...field, readOnly: false }])
  return checkRecord({ ...entity, fields: Object.fromEntries(given) }, record, verdictContext(context, null))
}

/** The problem that a field's widget reports for a value. */
export function problemIn(
  { context }: Pick<Work, 'context'>,
  entity: Entity,
  name: string,
  value: Value,
): Omit<FieldProblem, 'field'> | undefined {
  const field = entity.fields[name]
  return context.derived.widget(field).check(value, field.options, widgetContext(context, field)) ?? undefined
}
