/* oxlint-disable typescript/no-explicit-any -- a test states with each call what it expects of the answer */
import { createHash, randomUUID, scryptSync } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
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
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { Catalog, Conflict, MenuItem, Value, WireProblem } from '../engine/model/model.ts'
import { readDocuments } from '../src/documents.ts'
import { lists } from '../src/lists.ts'
import { procedures } from '../src/procedures/index.ts'
import type { Database } from '../engine/server/postgres/database.ts'
import type { Context, Runtime } from '../engine/server/runtime.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'
import type { FileStore } from '../engine/server/files/FileStore.ts'
import { createTestDatabase } from './database.ts'

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

/** Compiled once per run and read once by each process. */
const kept = new Map<string, Catalog>()
export function compiledOnce(name: string, sources: () => SourceText[]): Catalog {
  const file = join(inject('testDatabase').dataDir, `${name}.json`)
  if (!existsSync(file) && !isCompiledElsewhere(file)) {
    const { catalog, issues } = compile(sources(), lists)
    if (!catalog) throw new Error(JSON.stringify(issues))
    // A concurrent reader finds the whole file or none.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(catalog))
    renameSync(`${file}.${process.pid}`, file)
  }
  const catalog = kept.get(file) ?? frozen(JSON.parse(readFileSync(file, 'utf8')) as Catalog)
  kept.set(file, catalog)
  return catalog
}

/** Waits for another process that compiles it already: all begin with it, and the processor is busy. */
function isCompiledElsewhere(file: string): boolean {
  try {
    writeFileSync(`${file}.begun`, '', { flag: 'wx' })
    return false
  } catch {
    const sleeping = new Int32Array(new SharedArrayBuffer(4))
    // A process that was killed meanwhile does not come back.
    for (let waits = 0; waits < 1200 && !existsSync(file); waits++) Atomics.wait(sleeping, 0, 0, 50)
    return existsSync(file)
  }
}

/** Frozen, because test files share it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

export const productCatalog = () => compiledOnce('product', () => readSchemas('schemas'))

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

/** A server with the product's schemas on its own database, with signed-in clients. */
// oxlint-disable-next-line max-lines-per-function -- helpers around one server
export async function createTestServer({
  change,
  beginning,
  connections,
  indexed = beginning !== undefined,
  files: store,
}: {
  change?(catalog: Catalog): Catalog
  beginning?: Beginning
  connections?: number
  /** With the indexes that only make reading faster, which pay where there are many records. */ indexed?: boolean
  files?: FileStore
} = {}) {
  const product = productCatalog()
  const catalog = change ? change(structuredClone(product)) : product
  const dataDir = mkdtempSync(join(tmpdir(), 'formwork-server-'))
  const optionsFor = (database: Database, catalog: Catalog, folder = dataDir, kept?: FileStore): RuntimeOptions => {
    // Databases are copied between tests, and their secrets with them.
    writeFileSync(join(folder, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
    return {
      catalog,
      widgets: lists.widgets,
      database,
      dataDir: folder,
      files: kept,
      procedures,
      documents: readDocuments(),
      defaultPassword,
      clock: clockOn('2026-03-15'),
    }
  }
  // Catalogs with the same tables and presets share a model; other beginnings are made once per run, too.
  const tables = (catalog: Catalog) => JSON.stringify([catalog.tables, catalog.presets])
  const isLike = !change || tables(catalog) === tables(product)
  const model = isLike ? product : catalog
  const modelName = beginning?.name ?? (isLike ? 'product' : digestOf(tables(catalog)))
  const files = beginning && join(inject('testDatabase').dataDir, `files-${beginning.name}`)
  const database = await createTestDatabase(
    {
      name: `${modelName}${indexed ? '_indexed' : ''}`,
      async fill(empty) {
        if (files) {
          // An attempt that ended in a time limit leaves some.
          rmSync(files, { recursive: true, force: true })
          mkdirSync(files)
        }
        const made = await prepareRuntime(optionsFor(empty, model, files))
        await createAdministrator(made, administratorPassword)
        await sql`update system_credential set hash = ${cheapHash(administratorPassword)}`.execute(empty.kysely)
        await beginning?.fill(createContext(made, systemUser, 'cn'))
        if (!indexed) await dropIndexes(empty)
      },
    },
    connections,
  )
  if (files) cpSync(files, dataDir, { recursive: true })
  const options = optionsFor(database, catalog, dataDir, store)
  const runtime = await startedRuntime(options)
  const server = await createServer({ runtime, compile: () => ({ catalog: structuredClone(product), issues: [] }) })

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
        mobile: String(mobile++),
        department: department ?? (await this.findId('/setting/department', '总部')),
        roles: ids,
      })
      // As if the user had changed the password to the same one.
      await sql`update system_credential set must_change = false, hash = ${cheapHash(defaultPassword)}
        where user_id = ${id}`.execute(database.kysely)
      return { ...(await signIn(loginName, defaultPassword)), id }
    },
    async close() {
      await server.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
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
export type TestServer = Awaited<ReturnType<typeof createTestServer>>

/** The count that the menu shows this user at a screen. */
export async function waiting(as: Client, route: string): Promise<number> {
  const { result } = await as.get<MenuItem[]>('/partner-menu/get-user-nav-menu')
  const all = (items: MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...all(item.sub_menus)])
  return all(result).find(({ front_route }) => front_route === route)?.corner_num ?? 0
}
