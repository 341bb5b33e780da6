import { sql } from 'kysely'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { column, isAnyOf, readAll } from '../../settlement/stored.ts'
import { choicesOf } from './adjusted.ts'
import { adjustmentOf, type Family } from './family.ts'

/** Enrolments as they are in a month: what was adjusted from a later one on is what it was before. */
export async function enrolmentsIn(
  context: Context,
  db: Db,
  family: Family,
  enrolments: readonly RecordData[],
  month: string,
): Promise<RecordData[]> {
  if (family.pages.fm === null) return [...enrolments]
  const tickets = await readAll(context, db, adjustmentOf(family), [
    isAnyOf(
      'enrolment',
      enrolments.map(({ id }) => id!),
    ),
    sql<boolean>`(${column('status')} = 'success' and ${column('effectiveMonth')} > ${month})`,
  ])
  return enrolments.map((enrolment) =>
    formerly(
      family,
      enrolment,
      tickets.filter((ticket) => ticket.enrolment === enrolment.id),
    ),
  )
}

/** What an enrolment said before these adjustments: of the first of them, what was. */
export function formerly(family: Family, enrolment: RecordData, later: readonly RecordData[]): RecordData {
  const first = [...later]
    .sort((a, b) =>
      String(a.effectiveMonth) < String(b.effectiveMonth)
        ? -1
        : String(a.effectiveMonth) > String(b.effectiveMonth)
          ? 1
          : a.id! - b.id!,
    )
    .at(0)
  return first
    ? { ...enrolment, ...Object.fromEntries(choicesOf(family).map(({ own, old }) => [own, first[old] ?? null])) }
    : enrolment
}
