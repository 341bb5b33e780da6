import type { FastifyInstance } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Waiting, WaitingRecords } from '../../model/model.ts'
import { demand, isOpenTo, may } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { clientConditions, declaredConditions, queriedField } from '../records/reading/filters.ts'
import { ComputedFields } from '../records/reading/ComputedFields.ts'
import { logListed } from '../records/logOperation.ts'
import { columnOf, main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { readableTable } from '../records/reading/readableTable.ts'
import type { Context } from '../runtime.ts'

/**
 * `GET /plans/waiting?screen=`: how many records wait under each card of a board, with the earliest date, in one
 * answer.
 */
export function waitingRoute(api: FastifyInstance): void {
  api.get<{ Querystring: { screen?: string } }>('/plans/waiting', async ({ context, query }) => {
    const { screens } = context.derived.catalog
    const plan = Object.hasOwn(screens, query.screen ?? '') ? screens[query.screen!] : undefined
    const waiting = (plan?.body as { waiting?: WaitingRecords[] } | undefined)?.waiting
    if (!plan || !waiting) throw new Refusal('unknownScreen')
    if (!isOpenTo(context.user, plan)) throw new Refusal('permission')
    demand(context.user, plan.permission)
    return answer(
      await readWaiting(
        context,
        waiting.filter(({ permission }) => may(context.user, permission)),
      ),
    )
  })
}

/** One statement counts all of them, because a board has dozens. */
async function readWaiting(context: Context, waiting: readonly WaitingRecords[]): Promise<Waiting> {
  const counts = waiting.flatMap((records) => countOf(context, records) ?? [])
  if (counts.length === 0) return {}
  const { rows } = await sql<{ name: string; total: number; first: string | null }>`${sql.join(
    counts,
    sql` union all `,
  )}`.execute(context.runtime.database.kysely)
  for (const { entity, name, dated } of waiting) {
    const first = rows.find((row) => row.name === name)?.first ?? undefined
    if (dated !== undefined && first !== undefined)
      await logListed(context, context.derived.catalog.entities[entity], [{ id: 0, [dated]: first }])
  }
  return Object.fromEntries(rows.map(({ name, total, first }) => [name, { total, ...(first !== null && { first }) }]))
}

/** Undefined if the user may not query it, because the number would reveal what is hidden from them. */
function countOf(
  context: Context,
  { name, entity: entityName, filters, dated }: WaitingRecords,
): RawBuilder<unknown> | undefined {
  const entity = context.derived.catalog.entities[entityName]
  try {
    const computed = new ComputedFields(context, entity, { alias: main, scoped: true, conditions: declaredConditions })
    const waiting = clientConditions(context, entity, main, filters, computed)
    const date = dated === undefined ? undefined : queriedField(context, entity, dated)
    const first = date
      ? sql`min(${columnOf(context, entity, date, true, computed) ?? computed.valueOf(date)})`
      : sql`null`
    return sql`select ${name}::text as name, count(*)::integer as total, ${first}::text as first
      from ${readableTable(context, entity)} as ${sql.ref(main)} ${computed.joins}
      where ${allOf([...visibleConditions(context, entity), ...waiting])}`
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return undefined
    throw error
  }
}
