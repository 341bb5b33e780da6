import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { invalid } from '../../../engine/server/errors.ts'
import { writeHistories } from '../../../engine/server/history.ts'
import { readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { canonicalRecord } from '../../../engine/server/stored.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { Label, RecordData } from '../../../engine/schema/model.ts'
import { column, entityOf, isAnyOf } from '../settlement/stored.ts'
import { carriedOn, type Deductions } from './specialDeduction.ts'

/**
 * Whoever is at work, had deductions in the month before and has none in the month goes on with what that month has
 * added. Answers how many did, and who could not and why. @throws Refusal invalid: a year begins with nothing.
 */
export const carryDeductions: Procedure = async ({ context, db, values }) => {
  const month = String(values.taxMonth)
  if (month.endsWith('-01')) throw invalid([{ field: 'taxMonth', code: 'january', message: notInJanuary }])
  const [entity, person] = [entityOf(context, 'specialDeduction'), entityOf(context, 'person')]
  const [before, last] = [addMonths(month, -2)!, addMonths(month, -1)!]
  const rows = (
    await readStored(
      context,
      db,
      entity,
      [...visibleConditions(context, entity), sql<boolean>`${column('taxMonth')} = any(${[before, last, month]})`],
      { order: column('id'), lock: true },
    )
  ).map((row) => canonicalRecord(context, entity, row))
  const of = (taxMonth: string) =>
    new Map(rows.filter((row) => row.taxMonth === taxMonth).map((row) => [keyOf(row), row]))
  const [grown, known, there] = [of(before), of(last), of(month)]
  const active = new Map(
    (
      await readStored(
        context,
        db,
        person,
        [
          ...visibleConditions(context, person),
          isAnyOf(
            'id',
            [...known.values()].map((row) => row.person as number),
          ),
          sql<boolean>`${column('employmentStatus')} in ('active', 'leaving')`,
        ],
        { fields: ['name'] },
      )
    ).map((one) => [one.id, one]),
  )

  const made: RecordData[] = []
  const failed: { id: number; name: string; message: string }[] = []
  for (const [key, row] of known) {
    const who = active.get(row.person as number)
    if (there.has(key) || !who) continue
    const first = grown.get(key)
    if (!first && !last.endsWith('-01')) {
      failed.push({ id: row.person as number, name: String(who.name), message: unknownGrowth[context.language] })
      continue
    }
    const { taxSubject, customer, agency } = row
    const record: RecordData = {
      person: row.person,
      personName: who.name,
      taxSubject,
      customer,
      agency,
      taxMonth: month,
      ...carriedOn(row as unknown as Deductions, (first ?? null) as unknown as Deductions | null, month),
      source: 'carry',
      status: 'valid',
      remark: null,
    }
    recompute(context, entity, record)
    made.push(record)
  }
  await insertRecords(context, db, entity, made)
  await writeHistories(
    context,
    db,
    entity,
    made.map((record) => ({ action: 'carry', record, old: null })),
  )
  return { succeeded: made.length, failed }
}

/** Deductions are told to one withholding agent: us by our entity, or the customer itself. */
const keyOf = ({ person, taxSubject, customer, agency }: RecordData) =>
  [person, taxSubject, taxSubject === 'customer' ? customer : agency].join(' ')
const notInJanuary: Label = {
  cn: '跨年不能结转，请导入本年数据',
  en: 'A year begins anew: import the deductions of January',
}
const unknownGrowth: Record<string, string> = {
  cn: '没有上上月的数据，无法得知上月新增额',
  en: 'Without data of the month before last it is not known what the last month has added',
}
