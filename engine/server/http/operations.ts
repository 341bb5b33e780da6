import type { FastifyReply } from 'fastify'
import type { CallRequest, Entity, ImportPlan, SaveRequest, SuggestRequest } from '../../model/model.ts'
import { actionOf, type operations, type OperationKind } from '../../model/operations.ts'
import { sendDownload } from '../exports/downloads.ts'
import { exportRecords } from '../exports/exports.ts'
import { inExportTurn } from '../exports/exportTurns.ts'
import { problemGroups, sendFailures, sendOriginal, sendTemplate } from '../imports/importRoutes.ts'
import { exportQuery, filterOf, idsIn, listQuery, pageOf, type Query, positiveInteger } from './listQuery.ts'
import { callAsJob } from '../jobs/callJobs.ts'
import { isLong } from '../jobs/callSteps.ts'
import { readLookups } from '../records/reading/lookups.ts'
import { countReader } from '../records/readers.ts'
import { prepareAction } from '../records/prepareAction.ts'
import { foreseeCall } from '../jobs/foresee.ts'
import type { OrderRequest } from '../records/order.ts'
import { reading, writing } from '../records/records.ts'
import type { Context } from '../runtime.ts'
import { singleId } from '../catalog/singles.ts'
import { suggest } from '../records/suggest.ts'
import { takeAsLongAsItTakes } from '../postgres/allowance.ts'

interface Bodies {
  save: SaveRequest
  call: CallRequest
  read: { id: number }
  order: OrderRequest
  suggest: SuggestRequest
}

/** A request with its permission and shape already checked. */
export interface OperationRequest<Body = unknown> {
  context: Context
  entity: Entity
  name: string
  query: Query
  body: Body
  reply: FastifyReply
  /** The caller can follow a job (`Prefer: respond-async`). */
  follows: boolean
}

type BodyOf<K extends OperationKind> = (typeof operations)[K] extends { body: infer B extends keyof Bodies }
  ? Bodies[B]
  : undefined

/** What each operation does with the records in the user's data scope. One that returns a file sends it itself. */
export const run: { [K in OperationKind]: (request: OperationRequest<BodyOf<K>>) => Promise<object> } = {
  list: ({ context, entity, query }) => reading.list(context, entity, listQuery(query)),

  detail: async ({ context, entity, query }) => reading.detail(context, entity, await idOf(context, entity, query)),

  options: async ({ context, entity, query }) =>
    reading.options(context, entity, {
      search: query.search,
      ids: query.id ? idsIn('id', query.id) : undefined,
      filter: filterOf(query),
      all: query.all === 'true',
      ...pageOf(query, 50),
    }),

  async history({ context, entity, query }) {
    const { page, size } = pageOf(query, 20)
    return reading.history(context, entity, await idOf(context, entity, query), page, size)
  },

  async export({ context, entity, query, reply }) {
    takeAsLongAsItTakes()
    return inExportTurn(context, reply, () => exportRecords(context, entity, exportQuery(query), reply))
  },

  unique: async ({ context, entity, query }) =>
    reading.unique(context, entity, {
      field: query.field ?? '',
      value: query.value ?? '',
      ...(query.id && { id: positiveInteger('id', query.id) }),
      ...(query.within && { within: positiveInteger('within', query.within) }),
    }),

  lookup: async ({ context, entity, query }) =>
    readLookups(context, entity, query.field ?? '', positiveInteger('id', query.id ?? '')),

  async download({ context, entity, name, query, reply }) {
    takeAsLongAsItTakes()
    return inExportTurn(context, reply, () =>
      sendDownload(context, entity, entity.downloads![name], exportQuery(query), reply),
    )
  },

  async template({ context, entity, reply }) {
    takeAsLongAsItTakes()
    return inExportTurn(context, reply, () => sendTemplate(context, importInto(context, entity), reply))
  },

  async original({ context, entity, query, reply }) {
    takeAsLongAsItTakes()
    return sendOriginal(context, importInto(context, entity), positiveInteger('id', query.id ?? ''), reply)
  },

  async failures({ context, entity, query, reply }) {
    takeAsLongAsItTakes()
    return inExportTurn(context, reply, () =>
      sendFailures(context, importInto(context, entity), positiveInteger('id', query.id ?? ''), reply),
    )
  },

  async problems({ context, entity, query, reply }) {
    takeAsLongAsItTakes()
    // A large file has as many rows to read as its export.
    return inExportTurn(context, reply, () =>
      problemGroups(context, importInto(context, entity), positiveInteger('id', query.id ?? '')),
    )
  },

  create: (request) => followed(request, ({ context, entity, body }) => writing.create(context, entity, body)),
  update: (request) => followed(request, ({ context, entity, body }) => writing.update(context, entity, body)),
  delete: call,
  order: ({ context, entity, body }) => writing.order(context, entity, body),
  transition: call,
  action: call,
  foresee: (request) =>
    followed(request, ({ context, entity, name, body }) => foreseeCall(context, entity, actionOf(name), body)),
  prepare: ({ context, entity, name, body }) => prepareAction(context, entity, entity.actions[actionOf(name)], body),
  read: ({ context, entity, body }) => countReader(context, entity, body.id),
  suggest: ({ context, entity, body }) => suggest(context, entity, body),
}

function call(request: OperationRequest<CallRequest>): Promise<object> {
  return followed(request, ({ context, entity, name, body }) => writing.call(context, entity, name, body))
}

/** Long calls run in the background for callers that can follow them: 202, unless done quickly. */
async function followed<Body extends CallRequest | SaveRequest>(
  request: OperationRequest<Body>,
  act: (request: OperationRequest<Body>) => Promise<object>,
): Promise<object> {
  const { context, entity, name, body, reply, follows } = request
  if (!follows || !isLong(entity, name, body)) return act(request)
  const answered = await callAsJob(context, entity, name, body)
  if ('result' in answered) return answered.result
  reply.code(202)
  return answered
}

const importInto = ({ derived }: Context, { name }: Entity): ImportPlan => derived.imports.get(name)!

/** An entity with a single record needs no id. */
const idOf = async (context: Context, entity: Entity, query: Query): Promise<number> =>
  query.id === undefined && entity.single ? singleId(context, entity) : positiveInteger('id', query.id ?? '')
