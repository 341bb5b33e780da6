import { randomUUID } from 'node:crypto'
import type { Entity, RecordData } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { nextNumbers } from '../postgres/system.ts'

/** Comes last, because others wait for numbers of the same series until the transaction ends. */
export async function assignNumbers(context: Context, db: Db, entity: Entity, records: RecordData[]): Promise<void> {
  for (const field of Object.values(entity.fields)) {
    const { series } = context.derived.widget(field)
    if (!series) continue
    const groups = new Map<string, RecordData[]>()
    for (const record of records.filter((each) => (each[field.name] ?? null) === null)) {
      const format = series(field.options, record)
      groups.set(format, [...(groups.get(format) ?? []), record])
    }
    for (const [format, without] of groups) {
      const numbers = context.work?.isTrial
        ? without.map(() => randomUUID())
        : await nextNumbers(db, format, without.length, context.now)
      without.forEach((record, index) => {
        record[field.name] = numbers[index]
      })
    }
  }
}
