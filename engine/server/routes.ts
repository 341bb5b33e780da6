import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallRequest, FilterValue, ImportPlan, ListQuery, SaveRequest, SuggestRequest } from '../schema/model.ts'
import { prepareAction } from './call.ts'
import {
  type importOperations,
  type Operation,
  orderOperation,
  prepareOperation,
  readOperation,
  suggestOperation,
} from './derived.ts'
import { answer } from './envelope.ts'
import { Refusal } from './errors.ts'
import { sendDownload } from './downloads.ts'
import { exportRecords } from './exports.ts'
import { problemGroups, sendFailures, sendOriginal, sendTemplate } from './imports/importRoutes.ts'
import type { OrderRequest } from './order.ts'
import { countReader } from './readers.ts'
import { tellDenied } from './logOperation.ts'
import { readLookups } from './lookups.ts'
import { reading, writing } from './records.ts'
import type { Context } from './runtime.ts'
import { singleId } from './singles.ts'
import { suggest } from './suggest.ts'
import { callRequest, orderRequest, readRequest, saveRequest, suggestRequest } from './wire.ts'

type Query = Record<string, string | undefined>

/**
 * `{endpoint}/{operation}` of every entity. One route for all, as the catalog can be swapped while the server runs: its
 * operations are looked up, not registered.
 */
export function recordRoutes(api: FastifyInstance): void {
  api.get<{ Querystring: Query }>('/*', (request, reply) => {
    const { entity, name } = operationOf(request, 'GET')
    return tellDenied(request.context, entity, looking.includes(name) ? 'view' : name, request.query.id, () =>
      read(request.context, entity, name, request.query, reply),
    )
  })
  api.post('/*', async (request) => {
    const { entity, name } = operationOf(request, 'POST')
    const { id } = (request.body ?? {}) as Partial<CallRequest>
    return answer(await tellDenied(request.context, entity, name, id, async () => write(request, entity, name)))
  })
}

/** What the log calls one thing. */
const looking = ['list', 'detail', 'options', 'history', 'unique', 'lookup']

function operationOf({ context, url }: FastifyRequest, method: Operation['method']): Operation {
  const path = url.split('?')[0].replace(/^\/api/, '')
  const operation = context.derived.operations.get(`${method} ${path}`)
  if (!operation) throw new Refusal('unknownPath')
  return operation
}

async function read(
  context: Context,
  entity: Operation['entity'],
  name: string,
  query: Query,
  reply: FastifyReply,
): Promise<object> {
  switch (name) {
    case 'list':
      return answer(await reading.list(context, entity, listQuery(query)))
    case 'detail':
      return answer(await reading.detail(context, entity, await idOf(context, entity, query)))
    case 'options':
      return answer(
        await reading.options(context, entity, {
          search: query.search,
          ids: query.id ? query.id.split(',').map((id) => whole('id', id)) : undefined,
          ...pageOf(query, 50),
        }),
      )
    case 'history': {
      const { page, size } = pageOf(query, 20)
      return answer(await reading.history(context, entity, await idOf(context, entity, query), page, size))
    }
    case 'unique':
      return answer(
        await reading.unique(context, entity, {
          field: query.field ?? '',
          value: query.value ?? '',
          ...(query.id && { id: whole('id', query.id) }),
          ...(query.within && { within: whole('within', query.within) }),
        }),
      )
    case 'lookup':
      return answer(await readLookups(context, entity, query.field ?? '', whole('id', query.id ?? '')))
    case 'export':
      return exportRecords(context, entity, exportQuery(query), reply)
    default: {
      const download = entity.downloads?.[name]
      if (download) return sendDownload(context, entity, download, exportQuery(query), reply)
      return readImport(
        context,
        context.derived.imports.get(entity.name)!,
        name as (typeof importOperations)[number],
        query,
        reply,
      )
    }
  }
}

const exportQuery = (query: Query) => ({
  ...listQuery(query),
  screen: query.screen,
  ids: query.ids?.split(',').map((id) => whole('ids', id)),
})

async function readImport(
  context: Context,
  plan: ImportPlan,
  name: (typeof importOperations)[number],
  query: Query,
  reply: FastifyReply,
) {
  switch (name) {
    case 'template':
      return sendTemplate(context, plan, reply)
    case 'original':
      return sendOriginal(context, plan, whole('id', query.id ?? ''), reply)
    case 'failures':
      return sendFailures(context, plan, whole('id', query.id ?? ''), reply)
    case 'problems':
      return answer(await problemGroups(context, plan, whole('id', query.id ?? '')))
  }
}

function write(request: FastifyRequest, entity: Operation['entity'], name: string): Promise<object> {
  const { context } = request
  if (entity.reads && name === readOperation)
    return countReader(context, entity, checked<{ id: number }>(request, readRequest).id)
  if (entity.suggests && name === suggestOperation)
    return suggest(context, entity, checked<SuggestRequest>(request, suggestRequest))
  if (entity.tree?.order !== undefined && name === orderOperation)
    return writing.order(context, entity, checked<OrderRequest>(request, orderRequest))
  switch (name) {
    case 'create':
      return writing.create(context, entity, checked<SaveRequest>(request, saveRequest))
    case 'update':
      return writing.update(context, entity, checked<SaveRequest>(request, saveRequest))
    case 'delete':
      return writing.delete(context, entity, checked<CallRequest>(request, callRequest))
    default:
      return name.endsWith(`/${prepareOperation}`)
        ? prepareAction(context, entity, entity.actions[name.split('/')[0]], checked<CallRequest>(request, callRequest))
        : writing.call(context, entity, name, checked<CallRequest>(request, callRequest))
  }
}

/** @throws Refusal request. */
function checked<T>(request: FastifyRequest, schema: object): T {
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  if (!validate(request.body)) {
    const [error] = validate.errors ?? []
    throw new Refusal('request', {
      parameters: { detail: `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim() },
    })
  }
  return request.body as T
}

export function listQuery(query: Query): ListQuery {
  return {
    ...pageOf(query, 20),
    sort: query.sort || undefined,
    search: query.search?.slice(0, 200) || undefined,
    filters: json('filters', query.filters, isFilters),
    tab: json('tab', query.tab, isFilters),
    counts: json(
      'counts',
      query.counts,
      (value): value is Record<string, FilterValue>[] =>
        Array.isArray(value) && value.length <= 20 && value.every(isFilters),
    ),
    sums: names('sums', query.sums),
    counted: json('counted', query.counted, isFilters),
    fields: names('fields', query.fields),
    summary: query.summary || undefined,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFilters = (value: unknown): value is Record<string, FilterValue> =>
  isObject(value) && Object.values(value).every(isObject)
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 300 && value.every((name) => typeof name === 'string')

/** A list travels as JSON text, as the client sends it, or with commas, as people type it. */
const names = (name: string, text: string | undefined) =>
  text?.startsWith('[') ? json(name, text, isNames) : text ? text.split(',') : undefined

function json<T>(name: string, text: string | undefined, is: (value: unknown) => value is T): T | undefined {
  if (!text) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!is(value)) throw new Refusal('request', { parameters: { detail: name } })
  return value
}

const pageOf = (query: Query, size: number) => ({
  page: whole('page', query.page ?? '1'),
  size: whole('size', query.size ?? String(size)),
})

/** The one record of an entity needs no id. */
async function idOf(context: Context, entity: Operation['entity'], query: Query): Promise<number> {
  return query.id === undefined && entity.single ? singleId(context, entity) : whole('id', query.id ?? '')
}

/** From 1. */
function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('request', { parameters: { detail: name } })
  return Number(text)
}
