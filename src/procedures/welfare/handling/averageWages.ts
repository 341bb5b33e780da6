import { sql } from 'kysely'
import { Decimal } from '../../../../engine/expression/index.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { tableOf } from '../../../../engine/server/scope.ts'
import { money, round2 } from '../../settlement/amounts.ts'
import { entityOf } from '../../settlement/stored.ts'

/**
 * What these people earned a month in a year: the gross pay of its wage payrolls that were paid, by the months in which
 * they had one.
 */
export async function averageWages(
  context: Context,
  db: Db,
  persons: readonly number[],
  year: number,
): Promise<Map<number, string>> {
  if (persons.length === 0) return new Map()
  const [line, payroll] = ['payrollLine', 'payroll'].map((name) => tableOf(context, entityOf(context, name)))
  const { rows } = await sql<{ person: number; gross: string; months: number }>`
    select line.person, sum(line."grossPay")::text as gross, count(distinct payroll."payrollMonth")::int as months
    from ${line} as line join ${payroll} as payroll on payroll.id = line.payroll
    where line.person = any(${[...persons]}::bigint[]) and line."deletedAt" is null and payroll."deletedAt" is null and line."lineStatus" <> 'removed'
      and payroll.status = 'paid' and payroll."incomeType" = 'wage' and payroll."payrollMonth" between ${`${year}-01`} and ${`${year}-12`}
    group by line.person`.execute(db)
  return new Map(
    rows
      .filter(({ months, gross }) => months > 0 && gross !== null)
      .map(({ person, gross, months }) => [Number(person), money(round2(new Decimal(gross).dividedBy(months)))]),
  )
}
