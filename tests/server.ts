/* oxlint-disable typescript/no-explicit-any -- a test states with each call what it expects of the answer */
import { createHash, randomUUID, scryptSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { systemUser } from '../engine/server/identity/access.ts'
import { createAdministrator } from '../engine/server/accounts/administrator.ts'
import { clockOn } from './clock.ts'
import { createRuntime, prepareRuntime, type RuntimeOptions } from '../engine/server/prepare.ts'
import { refreshOverlay } from '../engine/server/catalog/overlay.ts'
import { generationInForce } from '../engine/server/generation.ts'
import { md5 } from '../engine/server/identity/passwords.ts'
import { createServer } from '../engine/server/server.ts'
import { createSystemTables } from '../engine/server/postgres/system.ts'
import { createContext } from '../engine/server/identity/session.ts'
import type { Catalog, Conflict, MenuItem, Value, WireProblem } from '../engine/model/model.ts'
import { readDocuments } from '../src/documents.ts'
import { lists } from '../src/lists.ts'
import { procedures } from '../src/procedures/index.ts'
import type { Database } from '../engine/server/postgres/database.ts'
import type { Context, Runtime } from '../engine/server/runtime.ts'
import type { FileStore } from '../engine/server/files/FileStore.ts'
import { productCatalog } from './compiledOnce.ts'
import { createTestDatabase, type Model, type TestDatabase } from './database.ts'

export const administratorPassword = 'Formwork-2026'
/** The initial password of new users. */
export const defaultPassword = 'Welcome-2026'

export interface Answer<T = any> {
  status: number
  code: number
  message: string
  result: T
  errors?: WireProblem[]
  conflict?: Conflict
  incident?: string
  headers: Record<string, unknown>
}
export interface Client {
  token: string
  get<T = any>(path: string, query?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = any>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>
}

/** The initial records and files of a server, made once per run. */
export interface Beginning {
  name: string
  fill(context: Context): Promise<unknown>
}

/** A hash that is cheap to verify, because each hash contains its own cost parameters. */
export function cheapHash(password: string): string {
  const cheap = [2, 8, 1] as const
  const salt = Buffer.alloc(16, password)
  const [N, r, p] = cheap
  const key = scryptSync(md5(password), salt, 32, { N, r, p })
  return ['scrypt', ...cheap, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Short, for the names of databases. */
const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12)

/** For tests that change the catalog of the running server, which others share. */
export const withOwnCatalog = { change: (own: Catalog): Catalog => own }

export interface TestServerOptions {
  change?(catalog: Catalog): Catalog
  beginning?: Beginning
  connections?: number
  /** With the indexes that only make reading faster, which pay where there are many records. */ indexed?: boolean
  files?: FileStore
}

/** A server with the product's schemas on its own database, with signed-in clients. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { catalog, model, files } = preparedFor(options)
  const dataDir = newFolder()
  const database = await createTestDatabase(model, options.connections)
  if (files) cpSync(files, dataDir, { recursive: true })
  return serverOn({ database, catalog, dataDir, files: options.files })
}

/** What a server has at first, made once per run by the calls that a test makes; what it returns is kept as JSON. */
export interface Furniture<T> {
  name: string
  furnish(house: TestServer): Promise<T>
}

/** Such a server on its own database, and what `furnish` returned. */
export async function createFurnishedServer<T>(
  { name, furnish }: Furniture<T>,
  options: Pick<TestServerOptions, 'change'> = {},
): Promise<{ house: TestServer; made: T }> {
  const { catalog, model } = preparedFor(options)
  const whole = `${model.name}_${name}`
  const file = join(inject('testDatabase').dataDir, `${whole}.json`)
  const files = join(inject('testDatabase').dataDir, `files-${whole}`)
  const database = await createTestDatabase({
    name: whole,
    from: model,
    async fill(copy) {
      const house = await serverOn({ database: copy, catalog, dataDir: newFolder() })
      try {
        const made = await furnish(house)
        // An attempt that ended in a time limit leaves some.
        rmSync(files, { recursive: true, force: true })
        cpSync(house.dataDir, files, { recursive: true })
        writeFileSync(file, JSON.stringify({ made, numbers: house.numbers }))
      } finally {
        await house.leave()
      }
    },
  })
  const { made, numbers } = JSON.parse(readFileSync(file, 'utf8')) as { made: T; numbers: TestServer['numbers'] }
  const dataDir = newFolder()
  cpSync(files, dataDir, { recursive: true })
  return { house: await serverOn({ database, catalog, dataDir, numbers }), made }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'formwork-server-'))

function optionsFor({ database, catalog, dataDir, files }: Omit<Parts, 'numbers'>): RuntimeOptions {
  // Databases are copied between tests, and their secrets with them.
  writeFileSync(join(dataDir, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
  return {
    catalog,
    widgets: lists.widgets,
    database,
    dataDir,
    files,
    procedures,
    documents: readDocuments(),
    defaultPassword,
    clock: clockOn('2026-03-15'),
  }
}

/** The model of its database, and the folder with the files of its beginning. */
function preparedFor({ change, beginning, indexed = beginning !== undefined }: TestServerOptions) {
  const product = productCatalog()
  const catalog = change ? change(structuredClone(product)) : product
  // Catalogs with the same tables and presets share a model; other beginnings are made once per run, too.
  const tables = (catalog: Catalog) => JSON.stringify([catalog.tables, catalog.presets])
  const isLike = !change || tables(catalog) === tables(product)
  const name = beginning?.name ?? (isLike ? 'product' : digestOf(tables(catalog)))
  const files = beginning && join(inject('testDatabase').dataDir, `files-${beginning.name}`)
  const model: Model = {
    name: `${name}${indexed ? '_indexed' : ''}`,
    async fill(database) {
      if (files) {
        // An attempt that ended in a time limit leaves some.
        rmSync(files, { recursive: true, force: true })
        mkdirSync(files)
      }
      const dataDir = files ?? newFolder()
      const made = await prepareRuntime(optionsFor({ database, catalog: isLike ? product : catalog, dataDir }))
      await createAdministrator(made, administratorPassword)
      await sql`update system_credential set hash = ${cheapHash(administratorPassword)}`.execute(database.kysely)
      await beginning?.fill(createContext(made, systemUser, 'cn'))
      if (!indexed) await dropIndexes(database)
      if (!files) rmSync(dataDir, { recursive: true })
    },
  }
  return { catalog, model, files }
}

interface Parts {
  database: TestDatabase
  catalog: Catalog
  dataDir: string
  files?: FileStore
  numbers?: Record<string, number>
}

// oxlint-disable-next-line max-lines-per-function -- helpers around one server
async function serverOn({ numbers = {}, ...parts }: Parts) {
  const { database, dataDir } = parts
  const runtime = await startedRuntime(optionsFor(parts))
  const server = await createServer({
    runtime,
    compile: () => ({ catalog: structuredClone(productCatalog()), issues: [] }),
  })

  const client = (token: string, language = 'zh-CN'): Client => {
    const send = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: object) => {
      const answer = await server.inject({
        method,
        url,
        headers: { token, language, ...headers },
        ...(body && { payload: body }),
      })
      const json = String(answer.headers['content-type']).startsWith('application/json')
        ? answer.json()
        : { raw: answer.rawPayload }
      return { status: answer.statusCode, headers: answer.headers, ...json }
    }
    return {
      token,
      get: (path, query = {}, headers = {}) => {
        const text = Object.entries(query)
          .filter(([, value]) => value !== undefined)
          .map(
            ([key, value]) =>
              `${key}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
          )
          .join('&')
        return send('GET', `/api${path}${text && `?${text}`}`, headers)
      },
      post(path, body = {}, headers = {}) {
        // Adds a key as the product's client does; a test without a key checks what other programs may do.
        const operation = runtime.derived.operations.get(`POST ${path}`)
        const isOnce = operation?.entity.once?.includes(operation.name)
        const key: Record<string, string> = isOnce ? { 'idempotency-key': randomUUID() } : {}
        return send('POST', `/api${path}`, { ...key, ...headers }, body)
      },
    }
  }
  const signIn = async (username: string, password: string, language?: string): Promise<Client> => {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username, password },
    })
    expect(answer.json()).toMatchObject({ code: 20000 })
    return client(answer.json().data.token, language)
  }
  const admin = await signIn('admin', administratorPassword)

  return {
    server,
    runtime,
    database,
    client,
    signIn,
    admin,
    dataDir,
    /** How many of each kind the helpers of tests have made here. */
    numbers,
    /** The number of the next one, with which it differs from the others. */
    next: (kind: string): number => (numbers[kind] = (numbers[kind] ?? 0) + 1),
    context: (language = 'cn') => createContext(runtime, systemUser, language),
    /** @returns the id of the created record */
    async create(path: string, values: Record<string, Value>, as?: Client): Promise<number> {
      const answer = await (as ?? this.admin).post(`${path}/create`, { values })
      expect(answer, `${path} ${JSON.stringify(answer)}`).toMatchObject({ code: 1 })
      return answer.result.id
    },
    async findId(path: string, search: string): Promise<number> {
      const { result } = await this.admin.get(`${path}/options`, { search })
      return result.list[0].id
    },
    /** A signed-in user with these preset roles. */
    async user(loginName: string, roles: string[], department?: number): Promise<Client & { id: number }> {
      const ids = await Promise.all(roles.map((role) => this.findId('/setting/role', role)))
      const id = await this.create('/setting/user', {
        loginName,
        realName: `用户${loginName}`,
        mobile: String(15_400_000_099 + this.next('user')),
        department: department ?? (await this.findId('/setting/department', '总部')),
        roles: ids,
      })
      // As if the user had changed the password to the same one.
      await sql`update system_credential set must_change = false, hash = ${cheapHash(defaultPassword)}
        where user_id = ${id}`.execute(database.kysely)
      return { ...(await signIn(loginName, defaultPassword)), id }
    },
    /** Closes it, and leaves its database. */
    async leave() {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
    async close() {
      await this.leave()
      await database.drop()
    },
  }
}

/** Each connection loads, and each copy contains, what only makes reading many records faster. */
async function dropIndexes({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(`select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace and not indisunique`)
  await pool.query(`drop index ${rows.map(({ name }) => name).join(', ')}`)
  await pool.query('vacuum')
}

/** Starts on a copy of a prepared database: only registers that it is a copy. */
async function startedRuntime(options: RuntimeOptions): Promise<Runtime> {
  const runtime = await createRuntime(options)
  await createSystemTables(options.database)
  runtime.derived.generation = (await generationInForce(options.database.kysely))?.number
  await refreshOverlay(runtime)
  return runtime
}
export type TestServer = Awaited<ReturnType<typeof serverOn>>

/** The count that the menu shows this user at a screen. */
export async function waiting(as: Client, route: string): Promise<number> {
  const { result } = await as.get<MenuItem[]>('/partner-menu/get-user-nav-menu')
  const all = (items: MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...all(item.sub_menus)])
  return all(result).find(({ front_route }) => front_route === route)?.corner_num ?? 0
}
