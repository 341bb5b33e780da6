/* oxlint-disable typescript/no-explicit-any -- a test says with each call what it expects of the answer */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { systemUser } from '../engine/server/identity/access.ts'
import { createAdministrator } from '../engine/server/accounts/administrator.ts'
import { clockOn } from './clock.ts'
import { prepareRuntime } from '../engine/server/prepare.ts'
import { createServer } from '../engine/server/server.ts'
import { createContext } from '../engine/server/identity/session.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { Catalog, Conflict, MenuItem, Value, WireProblem } from '../engine/model/model.ts'
import { readDocuments } from '../src/documents.ts'
import { lists } from '../src/lists.ts'
import { procedures } from '../src/procedures/index.ts'
import type { Database } from '../engine/server/postgres/database.ts'
import type { Context } from '../engine/server/runtime.ts'
import type { FileStore } from '../engine/server/files/FileStore.ts'
import { createTestDatabase } from './database.ts'

export const administratorPassword = 'Formwork-2026'
/** What new users get. */
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

/** The product's catalog, compiled once in a run. */
function productCatalog(): Catalog {
  const file = join(inject('testDatabase').dataDir, 'catalog.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Catalog
  const { catalog, issues } = compile(readSchemas('schemas'), lists)
  if (!catalog) throw new Error(JSON.stringify(issues))
  // Whoever reads it meanwhile finds all of it or none.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(catalog))
  renameSync(`${file}.${process.pid}`, file)
  return JSON.parse(readFileSync(file, 'utf8')) as Catalog
}

/** What a server begins with: records and files that are made once in a run. */
export interface Beginning {
  name: string
  fill(context: Context): Promise<unknown>
}

/** A server with the product's schemas on a database of its own, and clients that are signed in to it. */
export async function createTestServer({
  change = (catalog: Catalog) => catalog,
  beginning,
  connections,
  files: store,
}: { change?(catalog: Catalog): Catalog; beginning?: Beginning; connections?: number; files?: FileStore } = {}) {
  const product = productCatalog()
  const catalog = change(structuredClone(product))
  const dataDir = mkdtempSync(join(tmpdir(), 'formwork-server-'))
  const prepare = async (database: Database, of: Catalog, folder = dataDir, kept?: FileStore) => {
    // Databases are copied from one test to the next, and their secrets with them.
    writeFileSync(join(folder, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
    const runtime = await prepareRuntime({
      catalog: of,
      widgets: lists.widgets,
      database,
      dataDir: folder,
      files: kept,
      procedures,
      documents: readDocuments(),
      defaultPassword,
      clock: clockOn('2026-03-15'),
    })
    await createAdministrator(runtime, administratorPassword)
    return runtime
  }
  // Most need the product's tables and the records that come with it: these are made once.
  const isLike = JSON.stringify([catalog.tables, catalog.presets]) === JSON.stringify([product.tables, product.presets])
  const files = beginning && join(inject('testDatabase').dataDir, `files-${beginning.name}`)
  const database = await createTestDatabase(
    isLike
      ? {
          name: beginning?.name ?? 'product',
          async fill(empty) {
            if (files) mkdirSync(files)
            const made = await prepare(empty, product, files)
            await beginning?.fill(createContext(made, systemUser, 'cn'))
          },
        }
      : undefined,
    connections,
  )
  if (files) cpSync(files, dataDir, { recursive: true })
  const runtime = await prepare(database, catalog, dataDir, store)
  const server = await createServer({ runtime, compile: () => ({ catalog: product, issues: [] }) })

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
        // As the product's own client does with every call; one without a key tells what a program may do.
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
  let mobile = 15_400_000_100

  return {
    server,
    runtime,
    database,
    client,
    signIn,
    admin,
    dataDir,
    context: (language = 'cn') => createContext(runtime, systemUser, language),
    /** @returns the id. */
    async create(path: string, values: Record<string, Value>, as?: Client): Promise<number> {
      const answer = await (as ?? this.admin).post(`${path}/create`, { values })
      expect(answer, `${path} ${JSON.stringify(answer)}`).toMatchObject({ code: 1 })
      return answer.result.id
    },
    async one(path: string, search: string): Promise<number> {
      const { result } = await this.admin.get(`${path}/options`, { search })
      return result.list[0].id
    },
    /** A user with these preset roles, signed in. */
    async user(loginName: string, roles: string[], department?: number): Promise<Client & { id: number }> {
      const ids = await Promise.all(roles.map((role) => this.one('/setting/role', role)))
      const id = await this.create('/setting/user', {
        loginName,
        realName: `用户${loginName}`,
        mobile: String(mobile++),
        department: department ?? (await this.one('/setting/department', '总部')),
        roles: ids,
      })
      // As if they had changed it to the same.
      await sql`update system_credential set must_change = false where user_id = ${id}`.execute(database.kysely)
      return { ...(await signIn(loginName, defaultPassword)), id }
    },
    async close() {
      await server.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestServer = Awaited<ReturnType<typeof createTestServer>>

/** What the menu counts at a screen for this user. */
export async function waiting(as: Client, route: string): Promise<number> {
  const { result } = await as.get<MenuItem[]>('/partner-menu/get-user-nav-menu')
  const all = (items: MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...all(item.sub_menus)])
  return all(result).find(({ front_route }) => front_route === route)?.corner_num ?? 0
}
