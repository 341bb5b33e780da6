import { sql } from 'kysely'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { column, isAnyOf, readAll } from '../settlement/stored.ts'
import { averageBase } from './averageBase.ts'

/** The average insured wage: the mean base of work-injury insurance in the twelve months before the accident. What was typed stays. */
export const suggestInjury: Procedure = async ({ context, db, records, values, form }) => {
  const { person, accidentTime } = { ...records.at(0), ...values }
  if (typeof person !== 'number' || typeof accidentTime !== 'string' || form?.typed.includes('avgWage12')) return { values: {} }
  const lines = await readAll(context, db, 'costLine', [isAnyOf('person', [person]), sql<boolean>`${column('feeItem')} = 'injury'`], ['costMonth', 'base'])
  return { values: { avgWage12: averageBase(lines.map(({ costMonth, base }) => ({ month: String(costMonth), base: base as string | null })), accidentTime.slice(0, 7)) } }
}
