import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { money } from '../../money/amounts.ts'
import { approvedStates } from '../../salary/payrollData.ts'
import { wagesByMonth } from './wagesByMonth.ts'

/** The gross pay of each month's wage payrolls, by person: of those that are approved, because others may still change. */
export async function monthWagesOf(
  work: ProcedureWork,
  persons: readonly number[],
): Promise<Map<number, ReadonlyMap<string, string>>> {
  const found = await wagesByMonth(work, persons, { status: approvedStates })
  return new Map(
    [...found].map(([person, months]) => [person, new Map([...months].map(([month, wages]) => [month, money(wages)]))]),
  )
}
