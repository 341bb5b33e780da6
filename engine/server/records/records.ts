import { sql } from 'kysely'
import type { Entity, ListQuery, OptionsResult, RecordData, SaveRequest, SaveResult } from '../../model/model.ts'
import { demand, demandAny } from '../identity/access.ts'
import { callOperation } from './call.ts'
import { Refusal } from '../errors.ts'
import { readHistory } from './reading/readHistory.ts'
import { logOperation, showsSensitiveChange, logListed, logSensitive } from './logOperation.ts'
import { nameOf } from './nameOf.ts'
import { type OptionsQuery, readOptions } from './reading/options.ts'
import { orderRecord, type OrderRequest } from './order.ts'
import { readList } from './reading/query.ts'
import { main } from './reading/columnOf.ts'
import { readRecords } from './reading/read.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { inWork, type Work } from './Work.ts'
import { createRecord, refuseMissing, updateRecordOf } from './save.ts'
import { verifyFree } from './unique.ts'
import { permissionsTo } from '../derived.ts'

/** Operations on the records of an entity. Each checks its permission first, then applies the data scope. */
export const reading = {
  async list(context: Context, entity: Entity, query: ListQuery) {
    demandAny(context.user, permissionsTo(entity, 'view'))
    const found = await readList(context, database(context), entity, query)
    await logListed(context, entity, found.list, query)
    return found
  },

  /** Including its rows. */
  async detail(context: Context, entity: Entity, id: number): Promise<RecordData> {
    demandAny(context.user, permissionsTo(entity, 'view'))
    const db = database(context)
    const [record] = await readRecords(context, db, entity, [byId(id), ...visibleConditions(context, entity)], {
      rows: true,
    })
    if (!record) return refuseMissing(context, entity)
    await logSensitive(context, entity, record)
    return record
  },

  /** Filling in a form needs the permission for the form, and none for the records that it refers to. */
  options(context: Context, entity: Entity, query: OptionsQuery): Promise<OptionsResult> {
    demandAny(context.user, context.derived.choosing(entity))
    return readOptions(context, database(context), entity, query)
  },

  async history(context: Context, entity: Entity, id: number, page: number, size: number) {
    demandAny(context.user, permissionsTo(entity, 'view'))
    const db = database(context)
    const { rows } = await visible(context, db, entity, id)
    if (rows.length === 0) refuseMissing(context, entity)
    const found = await readHistory(context, db, entity, id, page, Math.min(size, mostEntries))
    if (found.list.some(({ changes }) => showsSensitiveChange(context, entity, changes)))
      await logOperation(
        context,
        entity,
        'viewSensitive',
        { id, label: nameOf(context, entity, rows[0]) },
        { once: true },
      )
    return found
  },

  /** For a form that checks while the user types; `within` is the value of the field's `uniqueWithin`. */
  async unique(
    context: Context,
    entity: Entity,
    { field, value, id, within }: { field: string; value: string; id?: number; within?: number },
  ) {
    demand(context.user, id === undefined ? entity.permissions.create : entity.permissions.update)
    const known = Object.hasOwn(entity.fields, field) ? entity.fields[field] : undefined
    if (!known || !(known.unique || known.uniqueWithin))
      throw new Refusal('unknownField', { parameters: { entity: entity.label, field } })
    return { unique: await verifyFree(context, database(context), entity, known, value, id, within) }
  },
}

/**
 * Creates or changes a record within the current work.
 * @throws Refusal as `createRecord` and `updateRecordOf`.
 */
export async function save(
  work: Work,
  entity: Entity,
  operation: 'create' | 'update',
  { values = {}, ...request }: Partial<SaveRequest>,
): Promise<SaveResult> {
  if (operation === 'update') return updateRecordOf(work, entity, { ...request, values })
  const result = await createRecord(work, entity, values)
  return { ...result, ...(await work.context.runtime.created(work.context, work.db, entity.name, result.id)) }
}

export const writing = {
  async create(context: Context, entity: Entity, request: SaveRequest) {
    demand(context.user, entity.permissions.create)
    const created = await inWork(context, { cause: 'form' }, (work) => save(work, entity, 'create', request))
    if (context.derived.imports.has(entity.name)) context.runtime.wakeWorkers()
    return created
  },

  update(context: Context, entity: Entity, request: SaveRequest) {
    demand(context.user, entity.permissions.update)
    return inWork(context, { cause: request.cell ? 'cell' : 'form' }, (work) => save(work, entity, 'update', request))
  },

  order(context: Context, entity: Entity, request: OrderRequest) {
    demand(context.user, entity.permissions.update)
    return inWork(context, { cause: 'order' }, (work) => orderRecord(work, entity, request))
  },

  /** A transition, an action or `delete`, by its name. */
  call: callOperation,
}

/** The most entries of a history at a time; each may hold hundreds of rows. */
const mostEntries = 50

const database = (context: Context): Db => context.runtime.database.kysely

const byId = (id: number) => sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`

const visible = async (context: Context, db: Db, entity: Entity, id: number) => ({
  rows: await readRecords(context, db, entity, [byId(id), ...visibleConditions(context, entity)], {
    fields: [entity.display],
  }),
})
