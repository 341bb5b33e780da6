import { textIn } from '../../model/language.ts'
import type { Entity, Field } from '../../model/model.ts'
import { type OperationKind, operations } from '../../model/operations.ts'
import { isClosed } from '../../model/operationsOf.ts'
import { commonParameters, type QueryParameter } from '../../model/queryParameters.ts'
import { isWritable } from '../../expression/verdict.ts'
import type { Derived, Operation } from '../derived.ts'
import { fixedOperations, type FixedOperation, type Json } from './fixedOperations.ts'
import { bodies } from './wire.ts'

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const content = (schema: Json, type = 'application/json') => ({ [type]: { schema } })
const envelope = (result: Json): Json => ({
  type: 'object',
  required: ['code', 'message', 'result'],
  properties: { code: { type: 'integer', description: '1: success' }, message: { type: 'string' }, result },
})
const answered = (body: ReturnType<typeof content>, description = 'OK') => ({
  200: { description, content: body },
  default: { description: 'Refused', content: content(reference('Refusal')) },
})
const good = (result: Json) => answered(content(envelope(result)))
const file = (type: string) => answered(content({ type: 'string', format: 'binary' }, type), 'A file')
const listOf = (items: Json, more: Json = {}): Json => ({
  type: 'object',
  required: ['list', 'total'],
  properties: { list: { type: 'array', items }, total: { type: 'integer' }, ...more },
})
const anything: Json = { type: 'object', additionalProperties: true }
const sortKey = {
  type: 'array',
  description: 'Of a page far from the beginning; pass them as before and after for the pages beside it',
  items: { type: ['string', 'null'] },
}
const inLanguages = {
  type: 'object',
  description: 'The message in every language',
  additionalProperties: { type: 'string' },
}

const parametersOf = (all: Readonly<Record<string, QueryParameter>> = {}) =>
  Object.entries(all).map(([name, { type, about, required }]) => ({
    name,
    in: 'query',
    ...(required && { required }),
    ...(about !== undefined && { description: about }),
    schema: { type },
  }))

/** Every operation that writes records takes it, so it is defined once and referenced. */
const requestKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'One per intended change: a repeat within seven days changes nothing and gets the first answer',
  schema: { type: 'string', maxLength: 100 },
}

const prefer = {
  name: 'Prefer',
  in: 'header',
  description:
    'respond-async: what takes longer than a second is answered with 202 and { job }, and goes on: GET /jobs/{id}',
  schema: { type: 'string' },
}

/** The parameters common to all calls, listed once for each path. */
const common = Object.keys(commonParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** The catalog as OpenAPI 3.1: operations are named `entity.action`. */
export function openApi(derived: Derived): Json {
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { parameters: common, ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [key, operation] of Object.entries(fixedOperations)) {
    const [method, path] = key.split(' ')
    add(path.replace(/:(\w+)/g, '{$1}'), method, fixed(path, operation))
  }
  for (const operation of derived.operations.values())
    if (!isClosed(operation.entity, operation)) add(operation.path, operation.method, ofEntity(operation))
  return {
    openapi: '3.1.0',
    info: { title: textIn(derived.catalog.app.title, 'en') || 'API', version: derived.catalog.hash },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    tags: Object.values(derived.catalog.entities)
      .filter((entity) => !entity.rowOf)
      .map((entity) => ({ name: entity.name, description: textIn(entity.label, 'en') }))
      .concat({ name: 'session', description: 'Calls that belong to no entity' }),
    paths,
    components: {
      parameters: Object.fromEntries(
        [...parametersOf(commonParameters), requestKey, prefer].map((each) => [each.name, each]),
      ),
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'result'],
          properties: {
            code: {
              type: 'integer',
              description: '400, 401, 403, 404, 409, 422, 429, 500, 503: as the HTTP status',
            },
            message: { type: 'string' },
            texts: inLanguages,
            result: {},
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  field: { type: 'string' },
                  code: { type: 'string' },
                  message: { type: 'string' },
                  texts: inLanguages,
                },
              },
            },
            conflict: { type: 'object' },
          },
        },
        ...Object.fromEntries(Object.values(bodies).map(({ $id, ...schema }) => [$id, schema])),
        SaveResult: { type: 'object', properties: { id: { type: 'integer' }, revision: { type: 'integer' } } },
        CallResult: {
          type: 'object',
          properties: {
            succeeded: { type: 'integer' },
            failed: {
              type: 'array',
              items: { type: 'object', properties: { id: { type: 'integer' }, message: { type: 'string' } } },
            },
            summary: inLanguages,
            show: { type: 'object' },
          },
        },
        Reference: {
          type: 'object',
          properties: { id: { type: 'integer' }, code: { type: ['string', 'null'] }, name: { type: 'string' } },
        },
        ...Object.fromEntries(
          Object.values(derived.catalog.entities).map((entity) => [entity.name, record(derived, entity)]),
        ),
      },
    },
  }
}

const idList = { type: 'array', items: { type: 'integer' } }
const results: Record<(typeof operations)[OperationKind]['result'], (entity: Entity) => ReturnType<typeof good>> = {
  list: ({ name }) =>
    good(
      listOf(reference(name), {
        sums: anything,
        counts: idList,
        summary: anything,
        more: { type: 'boolean', description: 'There are more than total' },
        next: { type: 'boolean', description: 'Is there a next page?' },
        first: sortKey,
        last: sortKey,
      }),
    ),
  record: ({ name }) => good(reference(name)),
  offered: () => good(listOf(reference('Reference'))),
  changes: () => good(listOf(anything)),
  unique: () => good({ type: 'object', required: ['unique'], properties: { unique: { type: 'boolean' } } }),
  problems: () => good({ type: 'object', properties: { list: { type: 'array', items: anything } } }),
  file: () => file('application/octet-stream'),
  saved: () => good(reference('SaveResult')),
  called: () => good(reference('CallResult')),
  values: () => good({ type: 'object', required: ['values'], properties: { values: anything } }),
  outlook: () =>
    good({
      type: 'object',
      required: ['facts', 'lists'],
      properties: {
        facts: { type: 'array', items: anything },
        lists: { type: 'array', items: anything },
        note: anything,
        partial: { type: 'boolean' },
      },
    }),
  counted: () => good({ type: 'object', properties: { counted: { type: 'boolean' } } }),
}

const componentOf = ({ name }: { name: string }) => ({ $ref: `#/components/parameters/${name}` })

/** For an operation that must not run twice by accident. */
const doneOnce = '; without a key, an equal request within ten minutes is refused (409)'

function ofEntity({ entity, kind, name, summary, permissions }: Operation): Json {
  const row = operations[kind]
  const isOnce = entity.once?.includes(name) === true
  const isLongSave = entity.saves.some(({ job, on }) => job && on === name)
  return {
    operationId: `${entity.name}.${name}`,
    tags: [entity.name],
    summary,
    ...(permissions.length > 0 && { description: `Takes ${permissions.join(' or ')}${isOnce ? doneOnce : ''}` }),
    ...('parameters' in row && { parameters: parametersOf(row.parameters) }),
    ...((row.result === 'saved' || row.result === 'called') && {
      parameters: [componentOf(requestKey), ...(row.result === 'called' || isLongSave ? [componentOf(prefer)] : [])],
    }),
    ...('body' in row && { requestBody: { required: true, content: content(reference(bodies[row.body].$id)) } }),
    responses: results[row.result](entity),
  }
}

function fixed(path: string, { id, summary, open, ...operation }: FixedOperation): Json {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { parameters, body, type, result = {}, whole, keyed } = operation
  return {
    operationId: id,
    summary,
    tags: ['session'],
    ...(open && { security: [] }),
    ...((parameters || keyed || inPath.length > 0) && {
      parameters: [...inPath, ...parametersOf(parameters), ...(keyed ? [componentOf(requestKey)] : [])],
    }),
    ...(body && { requestBody: { required: true, content: content(body, type) } }),
    responses: operation.file !== undefined ? file(operation.file) : whole ? answered(content(whole)) : good(result),
  }
}

function record(derived: Derived, entity: Entity): Json {
  return {
    type: 'object',
    description: textIn(entity.label, 'en'),
    properties: {
      id: { type: 'integer', readOnly: true },
      revision: { type: 'integer', readOnly: true },
      ...Object.fromEntries(
        Object.values(entity.fields).map((field) => [
          field.name,
          {
            ...schemaOf(derived, entity, field),
            description: textIn(field.label, 'en'),
            ...(!isWritable(field, derived.widgets) && { readOnly: true }),
          },
        ]),
      ),
    },
    required: Object.values(entity.fields)
      .filter((field) => field.required && isWritable(field, derived.widgets))
      .map((field) => field.name),
  }
}

function schemaOf(derived: Derived, entity: Entity, field: Field): Json {
  const target = derived.target(field)
  if (target) {
    const item = reference(target.rows ? target.entity.name : 'Reference')
    return target.many ? { type: 'array', items: item } : item
  }
  const dictionary = derived.widget(field).dictionary?.(field.options)
  const values =
    dictionary === undefined ? {} : { enum: derived.catalog.dictionaries[dictionary].choices.map(({ value }) => value) }
  const type = derived.columns[entity.name][field.name] ?? derived.widget(field).column(field.options) ?? 'text'
  if (type.endsWith('[]')) return { type: 'array', items: { type: 'string', ...values } }
  if (/^(integer|bigint|smallint)/.test(type)) return { type: ['integer', 'null'] }
  if (type === 'boolean') return { type: ['boolean', 'null'] }
  if (type === 'jsonb') return {}
  const format = type.startsWith('numeric')
    ? { format: 'decimal' }
    : type === 'date'
      ? { format: 'date' }
      : type.startsWith('timestamp')
        ? { format: 'yyyy-MM-dd HH:mm:ss' }
        : {}
  return { type: ['string', 'null'], ...format, ...(dictionary !== undefined && { enum: [...values.enum!, null] }) }
}
