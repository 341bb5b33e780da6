import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { GroupedBlock, RecordsBlock } from '../../model/model.ts'
import { demand, isOpenTo } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { logListed } from '../records/logOperation.ts'
import { orderOf, orderSql } from '../records/reading/sorting.ts'
import { main } from '../records/reading/columnOf.ts'
import { readRecords } from '../records/reading/read.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import { readGroupedBlock } from './reports.ts'
import { withinDepartments } from '../identity/scope.ts'

/**
 * `GET /plans/block?screen=&name=`: the records of a block of a screen, or the figures of one that counts. Only the
 * plan decides which records and fields, so that a screen may show a part of them to users who may not open their list.
 */
export function blockRoute(api: FastifyInstance): void {
  api.get<{ Querystring: { screen?: string; name?: string } }>('/plans/block', async ({ context, query }) => {
    const { screens, entities } = context.derived.catalog
    const plan = Object.hasOwn(screens, query.screen ?? '') ? screens[query.screen!] : undefined
    const block = (plan?.body as { blocks?: (RecordsBlock | GroupedBlock)[] } | undefined)?.blocks?.find(
      ({ name }) => name === query.name,
    )
    if (!plan || !block) throw new Refusal('unknownScreen')
    if (!isOpenTo(context.user, plan)) throw new Refusal('permission')
    demand(context.user, plan.permission)
    demand(context.user, block.permission)
    const entity = entities[block.entity]
    if ('measures' in block) return answer(await readGroupedBlock(context, entity, block))
    const { department } = context.user
    const conditions = [
      ...visibleConditions(context, entity),
      ...declaredConditions(context, entity, main, block.filter),
      ...(block.departments === undefined
        ? []
        : [withinDepartments(context, entity, main, block.departments, sql`${department}::bigint`)]),
    ]
    const records = await readRecords(context, context.runtime.database.kysely, entity, conditions, {
      order: orderSql(orderOf(context, entity, block.sort)),
      limit: block.limit,
      fields: block.fields,
    })
    await logListed(context, entity, records)
    return answer(records)
  })
}
