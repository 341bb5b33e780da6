/**
 * One process that serves all journeys. It compiles the schema files once, fills one database with the demo of a small
 * company, and gives each journey file a server of its own on a copy of that database within a second.
 * `/begin` answers `{ id, url }`; with `?schemas=`, the server uses the schema files of that folder and can be told to
 * read them again. `/copy` answers `{ id, databaseUrl, dataDir }` for a server that a test starts itself. `/end?id=`
 * removes either, `/end` all. `/state?id=` answers `{ state }`, a text that changes with each work of a server begun
 * here.
 * The process prints its address to the standard output and then makes the demo, which the other requests wait for.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { compile } from '../../engine/schema/compile.ts'
import type { Catalog } from '../../engine/model/model.ts'
import { systemUser } from '../../engine/server/identity/access.ts'
import { createAdministrator } from '../../engine/server/accounts/administrator.ts'
import { createClock } from '../../engine/server/clock.ts'
import { connect, openDatabase } from '../../engine/server/postgres/database.ts'
import type { Database } from '../../engine/server/postgres/database.ts'
import { startEmbedded } from '../../engine/server/postgres/embedded.ts'
import { prepareRuntime } from '../../engine/server/prepare.ts'
import { passwordCost } from '../../engine/server/identity/passwords.ts'
import { createContext } from '../../engine/server/identity/session.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { fillDemo } from '../../src/demo/fillDemo.ts'
import { lists } from '../../src/lists.ts'
import { procedures } from '../../src/procedures/index.ts'
import { serve } from '../../src/server.ts'
import { originsOf } from '../../engine/schema/tools/origins.ts'
import { password } from './server.ts'

export interface Copy {
  id: string
  databaseUrl: string
  /** DATA_DIR. */
  dataDir: string
}

passwordCost.N = 2
const home = process.argv[2]
const demoFiles = path.join(home, 'demoFiles')

const sources = readSchemas('schemas')
const compiled = compile(sources, lists)
if (!compiled.catalog) throw new Error(`The schemas have issues: ${JSON.stringify(compiled.issues)}`)
const text = JSON.stringify(compiled.catalog)
writeFileSync(path.join(home, 'catalog.json'), text)
const origins = originsOf(sources, lists)

const cluster = await startEmbedded({ dataDir: path.join(home, 'cluster'), connect })
const superuser = await connect(cluster.administration, 'journeys')
// The cluster is deleted after the run, so it need not survive a power cut.
await superuser.query('alter system set fsync = off')
await superuser.query('select pg_reload_conf()')
await superuser.query(`alter role ${cluster.connection.user} createdb`)
await superuser.query(`grant pg_signal_backend to ${cluster.connection.user}`)
await superuser.end()
const administration = await connect(cluster.connection, 'journeys')

const urlOf = (database: string) => {
  const { user, password, host } = cluster.connection
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`
}

async function runtimeOn(databaseUrl: string, dataDir: string, catalog = JSON.parse(text) as Catalog) {
  const runtime = await prepareRuntime({
    catalog,
    widgets: lists.widgets,
    database: await openDatabase({ databaseUrl, dataDir }),
    clock: createClock(),
    dataDir,
    procedures,
    origins: () => origins,
  })
  await createAdministrator(runtime, password)
  return runtime
}

async function makeDemo(): Promise<void> {
  mkdirSync(demoFiles, { recursive: true })
  await administration.query('create database demo')
  const runtime = await runtimeOn(urlOf('demo'), demoFiles)
  await fillDemo(
    createContext(runtime, systemUser, 'cn'),
    { customers: 30, months: 3, persons: 0 },
    { onePassword: true },
  )
  await runtime.database.close()
}

const running = new Map<string, () => Promise<void>>()
/** Id → database of each server begun here. */
const databases = new Map<string, Database>()
let count = 0
/** Copies are made one at a time, because nobody else may read a template database meanwhile. */
let last: Promise<unknown> = makeDemo()

/** A copy of the demo as it is after the first start, for a new server. */
async function copy(): Promise<Copy> {
  const id = `journeys_${++count}`
  const copied = last.then(() => administration.query(`create database ${id} template demo strategy file_copy`))
  last = copied
  await copied
  const dataDir = mkdtempSync(path.join(home, `${id}-`))
  cpSync(demoFiles, dataDir, { recursive: true })
  running.set(id, async () => {
    rmSync(dataDir, { recursive: true, force: true })
    await administration.query(`drop database ${id} with (force)`)
  })
  return { id, databaseUrl: urlOf(id), dataDir }
}

/** Starts a server on a copy of the demo. */
async function begin(schemas = 'schemas'): Promise<{ id: string; url: string }> {
  const { id, databaseUrl, dataDir } = await copy()
  const given = readSchemas(schemas)
  const isProduct = JSON.stringify(given) === JSON.stringify(sources)
  const runtime = await runtimeOn(databaseUrl, dataDir, isProduct ? undefined : compile(given, lists).catalog)
  databases.set(id, runtime.database)
  const { port, close } = await serve(runtime, {
    host: '127.0.0.1',
    port: 0,
    compileSchemas: () => compile(readSchemas(schemas), lists),
    level: 'warn',
  })
  const remove = running.get(id)!
  running.set(id, async () => {
    await close()
    await remove()
  })
  return { id, url: `http://127.0.0.1:${port}` }
}

async function end(id: string): Promise<object> {
  await running.get(id)?.()
  running.delete(id)
  databases.delete(id)
  return {}
}

const endAll = () => Promise.all([...running.keys()].map(end))

async function stateOf(id: string): Promise<{ state: string }> {
  const { rows } = await sql<{ state: string }>`
    select concat(max(id), ' ', count(*)) as state from system_work`.execute(databases.get(id)!.kysely)
  return rows[0]
}

async function handleRequest(path: string, query: URLSearchParams): Promise<object> {
  if (path === '/begin') return begin(query.get('schemas') ?? undefined)
  if (path === '/copy') return copy()
  if (path === '/state') return stateOf(query.get('id')!)
  if (path === '/end' && query.has('id')) return end(query.get('id')!)
  if (path === '/end') await endAll()
  return {}
}

const control = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://host')
  const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
  handleRequest(pathname, searchParams)
    .then((body) => answer(200, body))
    .catch((error: Error) => answer(500, { message: error.stack }))
})
control.listen(0, '127.0.0.1', () => console.log(`Host on http://127.0.0.1:${(control.address() as AddressInfo).port}`))

process.on('SIGTERM', () => {
  void (async () => {
    await endAll()
    await administration.end()
    await cluster.stop()
    process.exit(0)
  })()
})
