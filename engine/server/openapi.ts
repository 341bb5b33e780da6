import type { FastifyInstance } from 'fastify'
import type { Entity, Field } from '../schema/model.ts'
import { isWritable } from '../schema/verdict.ts'
import type { Derived } from './derived.ts'
import type { Runtime } from './runtime.ts'
import { callRequest, orderRequest, saveRequest, suggestRequest } from './wire.ts'

type Json = Record<string, unknown>

export function openApiRoutes(api: FastifyInstance, runtime: Runtime): void {
  api.get('/openapi.json', () => openApi(runtime.derived))
  api.get<{ Querystring: { language?: string } }>('/docs', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(page(openApi(runtime.derived), request.language)),
  )
}

const envelope = (result: Json): Json => ({
  type: 'object',
  required: ['code', 'message', 'result'],
  properties: { code: { type: 'integer', description: '1: success' }, message: { type: 'string' }, result },
})
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const content = (schema: Json) => ({ 'application/json': { schema } })
const good = (result: Json) => ({
  200: { description: 'OK', content: content(envelope(result)) },
  default: { description: 'Refused', content: content(reference('Refusal')) },
})
const inLanguages = {
  type: 'object',
  description: 'The message in every language',
  additionalProperties: { type: 'string' },
}
const query = (name: string, type: string, description = '', required = false) => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type },
})
const listParameters = [
  query('page', 'integer', 'From 1'),
  query('size', 'integer', 'At most 1000'),
  query('sort', 'string', 'field or -field, several with commas'),
  query('search', 'string'),
  query('filters', 'string', 'JSON: field → { operator: operand }'),
  query('tab', 'string', 'JSON, as filters'),
  query('counts', 'string', 'JSON: a list of filters'),
  query('sums', 'string', 'JSON: a list of fields'),
  query('counted', 'string', 'JSON, as filters: the records that the sums add up'),
  query('fields', 'string', 'JSON: a list of fields'),
  query('summary', 'string', 'The list screen whose summary is told of the matching records'),
]

/** The catalog as OpenAPI 3.1: operations are named `entity.action`. */
export function openApi(derived: Derived): Json {
  const paths: Record<string, Json> = {}
  for (const { entity, name, method } of derived.operations.values()) {
    const path = `${entity.endpoint}/${name}`
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: `${entity.name}.${name}`,
        tags: [entity.name],
        summary: summary(entity, name),
        ...operation(entity, name),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: derived.catalog.app.title.en ?? 'API', version: derived.catalog.hash },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    tags: Object.values(derived.catalog.entities)
      .filter((entity) => !entity.rowOf)
      .map((entity) => ({ name: entity.name, description: entity.label.en })),
    paths: { ...fixedPaths, ...paths },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'result'],
          properties: {
            code: { type: 'integer', description: '401, 403, 404, 409, 422, 429, 500: as the HTTP status' },
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
        SaveRequest: withoutId(saveRequest),
        CallRequest: withoutId(callRequest),
        OrderRequest: withoutId(orderRequest),
        SuggestRequest: withoutId(suggestRequest),
        SaveResult: { type: 'object', properties: { id: { type: 'integer' }, revision: { type: 'integer' } } },
        CallResult: {
          type: 'object',
          properties: {
            succeeded: { type: 'integer' },
            failed: {
              type: 'array',
              items: { type: 'object', properties: { id: { type: 'integer' }, message: { type: 'string' } } },
            },
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

const withoutId = ({ $id: _, ...schema }: Json & { $id: string }): Json => schema

function operation(entity: Entity, name: string): Json {
  const list = (item: Json) =>
    good({ type: 'object', properties: { list: { type: 'array', items: item }, total: { type: 'integer' } } })
  const id = query('id', 'integer', '', true)
  const body = (schema: string) => ({ requestBody: { required: true, content: content(reference(schema)) } })
  if (entity.downloads?.[name])
    return {
      parameters: [...listParameters.slice(2), query('ids', 'string')],
      responses: { 200: { description: 'A file' } },
    }
  switch (name) {
    case 'list':
      return { parameters: listParameters, responses: list(reference(entity.name)) }
    case 'detail':
      return { parameters: [id], responses: good(reference(entity.name)) }
    case 'options':
      return {
        parameters: [
          query('search', 'string'),
          query('id', 'string', 'Chosen ones, with commas'),
          query('page', 'integer'),
        ],
        responses: list(reference('Reference')),
      }
    case 'history':
      return {
        parameters: [id, query('page', 'integer'), query('size', 'integer')],
        responses: list({ type: 'object' }),
      }
    case 'unique':
      return {
        parameters: [
          query('field', 'string', '', true),
          query('value', 'string', '', true),
          query('id', 'integer'),
          query('within', 'integer'),
        ],
        responses: good({ type: 'object', properties: { unique: { type: 'boolean' } } }),
      }
    case 'export':
      return {
        parameters: [...listParameters.slice(2), query('screen', 'string'), query('ids', 'string')],
        responses: {
          200: {
            description: 'A spreadsheet',
            content: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
          },
        },
      }
    case 'create':
    case 'update':
      return { ...body('SaveRequest'), responses: good(reference('SaveResult')) }
    case 'suggest':
      return {
        ...body('SuggestRequest'),
        responses: good({ type: 'object', properties: { values: reference(entity.name) } }),
      }
    case 'order':
      return { ...body('OrderRequest'), responses: good(reference('SaveResult')) }
    default:
      return { ...body('CallRequest'), responses: good(reference('CallResult')) }
  }
}

const words: Record<string, string> = {
  list: 'List',
  detail: 'One record',
  options: 'What a reference offers',
  history: 'Changes',
  unique: 'Is the value free?',
  export: 'Export',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  read: 'Counts the user among the readers',
  order: 'Moves a node of a tree',
  suggest: 'What a form that is being filled in is to take',
}

function summary(entity: Entity, name: string): string {
  const transition = entity.states.map((machine) => machine.transitions[name]).find(Boolean)
  return (
    words[name] ?? transition?.label.en ?? entity.actions[name]?.label.en ?? entity.downloads?.[name]?.label.en ?? name
  )
}

function record(derived: Derived, entity: Entity): Json {
  return {
    type: 'object',
    description: entity.label.en,
    properties: {
      id: { type: 'integer', readOnly: true },
      revision: { type: 'integer', readOnly: true },
      ...Object.fromEntries(
        Object.values(entity.fields).map((field) => [
          field.name,
          {
            ...schemaOf(derived, entity, field),
            description: field.label.en,
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
    const one = reference(target.rows ? target.entity.name : 'Reference')
    return target.many ? { type: 'array', items: one } : one
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

const call = (operationId: string, summary: string, rest: Json = {}) => ({
  operationId,
  summary,
  tags: ['session'],
  responses: good({}),
  ...rest,
})
const bodyOf = (...names: string[]) => ({
  requestBody: {
    content: content({
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    }),
  },
})

const reportParameters = [
  query('screen', 'string', '', true),
  query('group', 'string', 'What the rows are put together by'),
  query('tab', 'string'),
  query('chart', 'string', 'Instead of a tab'),
  query('filters', 'string', 'JSON: field → { operator: operand }'),
  query('asOf', 'string', 'yyyy-MM-dd'),
  query('sort', 'string', 'measure or -measure'),
  query('page', 'integer', 'From 1'),
  query('size', 'integer'),
]
const fixedPaths: Record<string, Json> = {
  '/vue-element-admin/user/login': {
    post: call('session.login', 'Sign in; code 20000', { security: [], ...bodyOf('username', 'password') }),
  },
  '/vue-element-admin/user/info': { get: call('session.info', 'Who is signed in; code 20000') },
  '/logout': { post: call('session.logout', 'Sign out; code 20000') },
  '/auth/change-password': {
    post: call(
      'session.changePassword',
      'Change the password: uppercase MD5 hex',
      bodyOf('OldPassword', 'NewPassword'),
    ),
  },
  '/partner-user/change-password': {
    post: call('session.changePasswordText', 'Change the password: text', bodyOf('original_password', 'new_password')),
  },
  '/partner-menu/get-user-nav-menu': { get: call('menu.tree', 'The menu of the user') },
  '/partner-menu/get-user-menus': { get: call('menu.permissions', 'What the user may') },
  '/common/upload': {
    post: call('file.upload', 'Upload a file', {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: { file: { type: 'string', format: 'binary' }, json: { type: 'string' } },
            },
          },
        },
      },
    }),
  },
  '/plans/app': { get: call('plans.app', 'The screens of the product') },
  '/plans/screen': {
    get: call('plans.screen', 'One screen', { parameters: [query('route', 'string'), query('name', 'string')] }),
  },
  '/plans/block': {
    get: call('plans.block', 'The records of a block of a screen', {
      parameters: [query('screen', 'string', '', true), query('name', 'string', '', true)],
    }),
  },
  '/plans/report': {
    get: call('plans.report', 'The rows of a report, or of one of its charts', { parameters: reportParameters }),
  },
  '/plans/report/export': {
    get: call('plans.reportExport', 'The rows of a report as a spreadsheet', {
      parameters: reportParameters,
      responses: {
        200: {
          description: 'A spreadsheet',
          content: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
        },
      },
    }),
  },
  '/plans/inspect': {
    get: call('plans.inspect', 'Where a part of a screen stands in the schema files', {
      parameters: [
        query('screen', 'string'),
        query('part', 'string'),
        query('name', 'string'),
        query('text', 'string', 'A text that is seen'),
      ],
    }),
  },
  '/help': { get: call('help', 'A page of the help', { parameters: [query('page', 'string')] }) },
  '/messages': {
    get: call('messages.list', "One's own messages, the newest first", {
      parameters: [query('size', 'integer', 'At most 100'), query('before', 'integer', 'Those older than this id')],
    }),
  },
  '/messages/unread': { get: call('messages.unread', 'How many are unread, counted to 100') },
  '/messages/read': {
    post: call('messages.read', 'Marks one as read', {
      requestBody: { content: content({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }) },
    }),
  },
  '/messages/read-all': { post: call('messages.readAll', 'Marks all as read') },
  '/preferences': {
    get: call('preferences.read', 'What the user keeps', { parameters: [query('key', 'string', '', true)] }),
    post: call('preferences.write', 'Keeps it', bodyOf('key')),
  },
  '/schemas/reload': { post: call('schemas.reload', 'Reads the schema files again') },
  '/health': { get: call('health', 'Is the server ready?', { security: [] }) },
}

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** A page to read it: no script, so that the strict policy of the site holds here too. */
function page(document: Json, language: string): string {
  const { info, paths } = document as {
    info: { title: string; version: string }
    paths: Record<string, Record<string, { operationId: string; summary: string; tags: string[] }>>
  }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
  )
  const tags = [...new Set(rows.flatMap((row) => row.tags))]
  const table = (tag: string) =>
    `<h2 id="${escape(tag)}">${escape(tag)}</h2><table>${rows
      .filter((row) => row.tags.includes(tag))
      .map(
        (row) =>
          `<tr><td><code>${row.method.toUpperCase()}</code></td><td><code>/api${escape(row.path)}</code></td><td><code>${escape(row.operationId)}</code></td><td>${escape(row.summary)}</td></tr>`,
      )
      .join('')}</table>`
  return `<!doctype html><html lang="${language === 'en' ? 'en' : 'zh-CN'}"><head><meta charset="utf-8"><title>${escape(info.title)} API</title><style>
body{font:14px/1.6 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1f2329}table{border-collapse:collapse;width:100%}
td{border-bottom:1px solid #e5e6eb;padding:4px 12px 4px 0;vertical-align:top}nav a{margin-right:1em}h2{margin-top:2rem}</style></head>
<body><h1>${escape(info.title)} API</h1><p><a href="/api/openapi.json">openapi.json</a> · ${escape(info.version)}</p>
<nav>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join('')}</nav>${tags.map(table).join('')}</body></html>`
}
