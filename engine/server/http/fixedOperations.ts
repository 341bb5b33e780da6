import type { FastifyInstance } from 'fastify'
import type { QueryParameter } from '../../model/queryParameters.ts'
import type { Query } from './listQuery.ts'
import { refuseUnknown } from './unknownParameters.ts'

export type Json = Record<string, unknown>

/** An API call that belongs to no entity. */
export interface FixedOperation {
  id: string
  summary: string
  /** Query parameters, in addition to the common ones. */
  parameters?: Readonly<Record<string, QueryParameter>>
  body?: Json
  /** Content type of the body, if not JSON. */
  type?: string
  /**
   * The result in the envelope; `whole`: the answer, if it has no envelope; `file`: its content type, if it is not
   * JSON.
   */
  result?: Json
  whole?: Json
  file?: string
  /** Knows a repeat by its `Idempotency-Key`. */
  keyed?: true
  /** Needs no session. */
  open?: true
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const objectOf = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
})
const textsOf = (...names: string[]) => objectOf(Object.fromEntries(names.map((name) => [name, text])))
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** The answer to the older client: 20000 is success. */
const legacy = (data: Json) => objectOf({ code: integer, message: text, data }, ['code', 'data'])
const anything: Json = { type: 'object', additionalProperties: true }

const screen = { screen: { type: 'string', required: true } } as const
const report = {
  ...screen,
  group: { type: 'string', about: 'What the rows are grouped by' },
  tab: { type: 'string' },
  chart: { type: 'string', about: 'Instead of a tab' },
  filters: { type: 'string', about: 'JSON: field → { operator: operand }' },
  asOf: { type: 'string', about: 'yyyy-MM-dd' },
  sort: { type: 'string', about: 'measure or -measure' },
  page: { type: 'integer', about: 'From 1' },
  size: { type: 'integer' },
} as const

/** `GET /path` below `/api` → its documentation and its query parameters. */
export const fixedOperations: Readonly<Record<string, FixedOperation>> = {
  'POST /vue-element-admin/user/login': {
    id: 'session.login',
    summary: 'Sign in; code 20000',
    body: textsOf('username', 'password'),
    whole: legacy(textsOf('token')),
    open: true,
  },
  'GET /vue-element-admin/user/info': {
    id: 'session.info',
    summary: 'Who is signed in; code 20000',
    whole: legacy(anything),
  },
  'POST /logout': { id: 'session.logout', summary: 'Sign out; code 20000', whole: legacy(text) },
  'POST /auth/change-password': {
    id: 'session.changePassword',
    summary: 'Change the password: uppercase MD5 hex',
    body: textsOf('OldPassword', 'NewPassword'),
    keyed: true,
  },
  'POST /partner-user/change-password': {
    id: 'session.changePasswordText',
    summary: 'Change the password: text',
    body: textsOf('original_password', 'new_password'),
    keyed: true,
  },
  'GET /partner-menu/get-user-nav-menu': {
    id: 'menu.tree',
    summary: 'The menu of the user; with badges=later nothing that waits is counted',
    parameters: { badges: { type: 'string' } },
    result: { type: 'array', items: anything },
  },
  'GET /partner-menu/get-user-menus': {
    id: 'menu.permissions',
    summary: 'The permissions of the user',
    result: { type: 'array', items: text },
  },
  'POST /common/upload': {
    id: 'file.upload',
    summary: 'Upload a file',
    type: 'multipart/form-data',
    body: objectOf({ file: { type: 'string', format: 'binary' }, json: text }, ['file']),
    result: objectOf({ url: text, name: text, size: integer }),
    keyed: true,
  },
  'GET /files/:id/:name': {
    id: 'file.read',
    summary: 'A file, for anybody who is signed in; of a field declared public, for everybody',
    file: '*/*',
  },
  'GET /plans/public': { id: 'plans.public', summary: 'What the sign-in page shows', result: anything, open: true },
  'GET /plans/app': {
    id: 'plans.app',
    summary: 'The screens of the product, and the one of a route',
    parameters: { route: { type: 'string' } },
    result: anything,
  },
  'GET /plans/screen': {
    id: 'plans.screen',
    summary: 'One screen',
    parameters: { route: { type: 'string' }, name: { type: 'string' } },
    result: anything,
  },
  'GET /plans/block': {
    id: 'plans.block',
    summary: 'The records of a block of a screen',
    parameters: { ...screen, name: { type: 'string', required: true } },
  },
  'GET /plans/waiting': {
    id: 'plans.waiting',
    summary: 'How much waits under each card of a board',
    parameters: screen,
    result: anything,
  },
  'GET /plans/report': {
    id: 'plans.report',
    summary: 'The rows of a report, or of one of its charts',
    parameters: report,
    result: anything,
  },
  'GET /plans/report/export': {
    id: 'plans.reportExport',
    summary: 'The rows of a report as a spreadsheet',
    parameters: report,
    file: sheet,
  },
  'GET /plans/grouped': {
    id: 'plans.grouped',
    summary: 'The groups and sums of a tab of a detail',
    parameters: { ...screen, tab: { type: 'string', required: true }, id: { type: 'integer', required: true } },
    result: anything,
  },
  'GET /plans/inspect': {
    id: 'plans.inspect',
    summary: 'Where a part of a screen is declared in the schema files',
    parameters: {
      screen: { type: 'string' },
      part: { type: 'string' },
      name: { type: 'string' },
      text: { type: 'string', about: 'A text shown on it' },
    },
    result: anything,
  },
  'GET /help': {
    id: 'help',
    summary: 'A page of the help',
    parameters: { page: { type: 'string' } },
    result: anything,
  },
  'GET /messages': {
    id: 'messages.list',
    summary: "One's own messages, the newest first",
    parameters: {
      size: { type: 'integer', about: 'At most 100' },
      before: { type: 'integer', about: 'Those older than this id' },
    },
    result: anything,
  },
  'GET /messages/unread': {
    id: 'messages.unread',
    summary: 'How many are unread, counted to 100',
    result: objectOf({ unread: integer }),
  },
  'POST /messages/read': {
    id: 'messages.read',
    summary: 'Marks one as read',
    body: objectOf({ id: integer }),
    result: objectOf({ unread: integer }),
  },
  'POST /messages/read-all': {
    id: 'messages.readAll',
    summary: 'Marks all as read',
    result: objectOf({ unread: integer }),
  },
  'POST /messages/remind': {
    id: 'messages.remind',
    summary: 'Asks those who may carry out an action on a record to do so; once a day',
    body: objectOf({ screen: text, entity: text, action: text, id: integer }),
    result: objectOf({ reminded: integer }),
    keyed: true,
  },
  'GET /jobs': {
    id: 'jobs.list',
    summary: "One's own calls that are being carried out in the background",
    result: objectOf({ list: { type: 'array', items: anything } }),
  },
  'GET /jobs/:id': { id: 'jobs.detail', summary: 'How far one of them is, and what it came to', result: anything },
  'POST /jobs/cancel': {
    id: 'jobs.cancel',
    summary: 'Stops one of them: no further step begins, and of the one at hand nothing stays',
    body: objectOf({ id: integer }),
    result: anything,
  },
  'GET /preferences': {
    id: 'preferences.read',
    summary: 'A stored preference of the user',
    parameters: { key: { type: 'string', required: true } },
  },
  'POST /preferences': {
    id: 'preferences.write',
    summary: 'Stores a preference of the user',
    body: objectOf({ key: text, value: {} }),
  },
  'GET /works': {
    id: 'works.list',
    summary: 'The works since a position, each once, with the revisions that they led to; for the administrator',
    parameters: {
      after: { type: 'string', about: 'The `after` of the last answer' },
      limit: { type: 'integer', about: 'At most 100' },
    },
    result: objectOf({ list: { type: 'array', items: anything }, after: text }),
  },
  'GET /works/:id': {
    id: 'works.detail',
    summary: 'What one work changed',
    result: anything,
  },
  'POST /schemas/reload': { id: 'schemas.reload', summary: 'Reads the schema files again' },
  'GET /openapi.json': { id: 'openapi', summary: 'This document', whole: anything },
  'GET /docs': { id: 'docs', summary: 'This document as a page', file: 'text/html', open: true },
  'GET /docs.js': { id: 'docs.script', summary: 'The script of that page', file: 'text/javascript', open: true },
  'GET /health': { id: 'health', summary: 'Is the server ready?', result: anything, open: true },
}

const keyOf = (method: string, url: string) => `${method} ${url.replace(/^\/api/, '')}`

/** Fails the start if a route is missing in the table. */
export function holdToTable(api: FastifyInstance): void {
  api.addHook('onRoute', ({ method, url }) => {
    // Entity operations are looked up in the catalog; HEAD comes with every GET.
    if (url === '/api/*' || method === 'HEAD') return
    const key = keyOf(String(method), url)
    if (!Object.hasOwn(fixedOperations, key)) throw new Error(`${key} is missing in fixedOperations`)
  })
}

/**
 * Refuses unknown query parameters, but only with a session: monitors, and users opening the sign-in page, may add
 * anything to an address.
 */
export function refuseUnknownParameters(signedIn: FastifyInstance): void {
  signedIn.addHook('onRequest', async ({ method, routeOptions: { url = '' }, query }) => {
    const key = keyOf(method, url)
    const { parameters = {} } = Object.hasOwn(fixedOperations, key) ? fixedOperations[key] : {}
    if (url !== '/api/*') refuseUnknown(query as Query, parameters)
  })
}
