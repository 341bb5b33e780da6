import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operations, parametersOf } from '../../model/operations.ts'
import { demandAny } from '../identity/access.ts'
import type { Operation } from '../derived.ts'
import { answer } from './envelope.ts'
import { Refusal } from '../errors.ts'
import type { Query } from './listQuery.ts'
import { logDenied } from '../records/logOperation.ts'
import { type OperationRequest, run } from './operations.ts'
import { bareRequest, requestKey } from '../records/idempotency.ts'
import { refuseLargeCall } from './refuseLargeCall.ts'
import { refuseManyRows } from './refuseManyRows.ts'
import { refuseUnknown } from './unknownParameters.ts'
import { bodies } from './wire.ts'

/**
 * `{endpoint}/{operation}` of every entity. A single route looks up operations instead of registering them, because the
 * catalog can be swapped while the server runs.
 */
export function recordRoutes(api: FastifyInstance): void {
  api.get<{ Querystring: Query }>('/*', async (request, reply) => {
    const operation = operationOf(request, 'GET')
    const isFile = operations[operation.kind].result === 'file'
    // All views of a log entity use one name.
    const found = await perform(request, reply, operation, isFile ? operation.name : 'view', request.query.id)
    return isFile ? found : answer(found)
  })
  api.post('/*', async (request, reply) => {
    const operation = operationOf(request, 'POST')
    const { entity, name } = operation
    const { 'idempotency-key': key } = request.headers
    const called = `${entity.name}.${name}`
    request.context.request =
      requestKey(key?.toString(), called, request.body) ??
      (entity.once?.includes(name) ? bareRequest(called, request.body) : undefined)
    const { id } = (request.body ?? {}) as { id?: unknown }
    return answer(await perform(request, reply, operation, name, id))
  })
}

function operationOf({ context, url }: FastifyRequest, method: Operation['method']): Operation {
  const path = url.split('?')[0].replace(/^\/api/, '')
  const operation = context.derived.operations.get(`${method} ${path}`)
  if (!operation) throw new Refusal('unknownPath')
  return operation
}

/** @throws Refusal permission, unknownParameter, request, and those of the operation. */
function perform(
  request: FastifyRequest,
  reply: FastifyReply,
  { entity, kind, name, permissions }: Operation,
  loggedAs: string,
  id: unknown,
): Promise<object> {
  const { context, body } = request
  const query = request.query as Query
  const row = operations[kind]
  return logDenied(context, entity, loggedAs, id, async () => {
    if (permissions.length > 0) demandAny(context.user, permissions)
    refuseUnknown(query, parametersOf(kind), entity)
    if ('body' in row) {
      checkBody(request, bodies[row.body])
      if (row.body === 'call') refuseLargeCall(body)
    }
    refuseManyRows(context, entity, (body as { values?: unknown } | undefined)?.values)
    // The body was checked against the table's schema.
    return (run[kind] as (checked: OperationRequest) => Promise<object>)({
      context,
      entity,
      name,
      query,
      body,
      reply,
      follows: /\brespond-async\b/i.test(request.headers.prefer?.toString() ?? ''),
    })
  })
}

/** @throws Refusal request. */
function checkBody(request: FastifyRequest, schema: object): void {
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  if (validate(request.body)) return
  const [error] = validate.errors ?? []
  throw new Refusal('request', {
    parameters: { detail: `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim() },
  })
}
