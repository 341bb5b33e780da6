import { sql } from 'kysely'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/scope.ts'
import { entityOf } from './stored.ts'

/**
 * After budgets or statements of these contracts have changed: each budget points at the statement of its month, and
 * once that is confirmed its lines point at those of the same people.
 */
export async function compareBudgets(context: Context, db: Db, contracts: readonly number[]): Promise<void> {
  const [budgets, lines, statements, statementLines] = ['budget', 'budgetLine', 'statement', 'statementLine'].map(
    (name) => tableOf(context, entityOf(context, name)),
  )
  const stamp = sql`revision = target.revision + 1, "updatedAt" = ${context.now}::timestamp(0)`
  await sql`update ${budgets} as target set statement = found.statement, ${stamp}
    from (select b.id, (select max(s.id) from ${statements} as s where s.contract = b.contract and s."billMonth" = b.month and s.stage <> 'voided' and s."deletedAt" is null) as statement
      from ${budgets} as b where b.contract = any(${contracts}::bigint[]) and b."deletedAt" is null) as found
    where target.id = found.id and target.statement is distinct from found.statement`.execute(db)
  await sql`update ${lines} as target set "statementLine" = found.line, ${stamp}
    from (select l.id, case when s.stage = 'confirmed' then (select max(sl.id) from ${statementLines} as sl where sl.statement = b.statement and sl."deletedAt" is null
        and (sl.person = l.person or l."lineType" = 'company' and sl."lineType" = 'company'
          and l.id = (select min(other.id) from ${lines} as other where other.budget = b.id and other."lineType" = 'company' and other."deletedAt" is null))) end as line
      from ${lines} as l join ${budgets} as b on b.id = l.budget left join ${statements} as s on s.id = b.statement
      where b.contract = any(${contracts}::bigint[]) and l."deletedAt" is null and b."deletedAt" is null) as found
    where target.id = found.id and target."statementLine" is distinct from found.line`.execute(db)
}
