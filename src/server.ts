import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { compile } from '../engine/schema/compile.ts'
import type { Compiled } from '../engine/schema/compile.ts'
import { printIssue } from '../engine/schema/issues/issue.ts'
import { readDocuments } from './documents.ts'
import { originsOf, type Origins } from '../engine/schema/tools/origins.ts'
import { systemUser } from '../engine/server/identity/access.ts'
import { createAdministrator } from '../engine/server/accounts/administrator.ts'
import { createClock } from '../engine/server/clock.ts'
import { openDatabase } from '../engine/server/postgres/database.ts'
import { clearLeftovers } from '../engine/server/files/leftovers.ts'
import { startDaily } from '../engine/server/jobs/daily.ts'
import { createCallWorker } from '../engine/server/jobs/callWorker.ts'
import { createImportWorker } from '../engine/server/imports/importWorker.ts'
import { isStrongPassword } from '../engine/server/identity/passwords.ts'
import { prepareRuntime } from '../engine/server/prepare.ts'
import { withoutValues } from '../engine/server/http/redact.ts'
import { finishRestores } from '../engine/server/postgres/restore.ts'
import type { Context, Runtime } from '../engine/server/runtime.ts'
import { safetyOf, trustedProxies } from '../engine/server/safety.ts'
import { createServer } from '../engine/server/server.ts'
import { openFiles } from '../engine/server/files/openFiles.ts'
import type { Catalog } from '../engine/model/model.ts'
import { createContext } from '../engine/server/identity/session.ts'
import { readSchemas, schemasDirectory } from '../engine/server/catalog/sources.ts'
import { endsWithin } from '../engine/server/postgres/allowance.ts'
import { cachedCatalog } from './cachedCatalog.ts'
import { type Lifetime, lifetime } from './lifetime.ts'
import { lists } from './lists.ts'
import { procedures } from './procedures/index.ts'
import { writeEditorNames } from './writeEditorNames.ts'
import { whenValid } from './whenValid.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

/** How many milliseconds requests get to finish when the server stops, and then the steps of imports. */
const patience = 5000
/** How many milliseconds running queries get after that. */
const lastPatience = 1000
/** The number of recent catalogs whose origins are kept. */
const keptOrigins = 3

const root = path.resolve(import.meta.dirname, '..')

export interface MainOptions {
  /** Fills an empty database before the server answers. */
  fill?(context: Context): Promise<void>
  /** Serves the client from its sources, and reads schema files again when they change. */
  dev?: boolean
}

/**
 * Starts the product according to the environment, and stops it on SIGINT and SIGTERM. If it cannot start, prints a
 * sentence and exits with 1.
 */
export async function main(options: MainOptions = {}): Promise<void> {
  const life = lifetime()
  try {
    await start(options, life)
  } catch (error) {
    // The start failed because the process was told to end during it.
    if (life.isEnding()) return life.ended
    console.error(error instanceof Error && !('code' in error) ? error.message : withoutValues(error))
    process.exit(1)
  }
}

async function start({ fill, dev = false }: MainOptions, life: Lifetime): Promise<void> {
  const {
    DATABASE_URL,
    DATABASE_CONNECTIONS,
    ADMIN_PASSWORD,
    DEFAULT_PASSWORD,
    BUSINESS_DATE,
    SECRET_KEY,
    SCHEMAS_TAKE,
  } = process.env
  const [safety, trustProxy] = [safetyOf(process.env), trustedProxies(process.env.TRUST_PROXY)]
  const dataDir = path.resolve(process.env.DATA_DIR || path.join(root, 'data'))
  const { compileSchemas, originsOfCatalog, writeNames } = schemaCompiler()
  const catalog = await catalogOf(compileSchemas, dev)
  warnOfWeak({ ADMIN_PASSWORD, DEFAULT_PASSWORD })

  const files = await openFiles(dataDir, process.env)
  const opening = openDatabase({
    databaseUrl: DATABASE_URL || undefined,
    dataDir,
    connections: positive('DATABASE_CONNECTIONS', DATABASE_CONNECTIONS),
    // Development refuses a second connection; production reports it and grants it.
    ...(!dev && { onSecond: (error) => console.error(error) }),
  })
  life.closeWith(async () => (await opening).close(lastPatience))
  const database = await opening
  try {
    await finishRestores(database, dataDir)
    const runtime = await prepareRuntime({
      catalog,
      widgets: lists.widgets,
      database,
      clock: createClock(BUSINESS_DATE || undefined),
      dataDir,
      files,
      procedures,
      origins: originsOfCatalog,
      documents: readDocuments(),
      defaultPassword: DEFAULT_PASSWORD || undefined,
      key: SECRET_KEY || undefined,
      safety,
      // Developers switch back and forth between schema files.
      takeSchemas: dev || SCHEMAS_TAKE === 'yes',
    })
    const madeUp = await createAdministrator(runtime, ADMIN_PASSWORD || undefined)
    if (madeUp !== undefined)
      console.log(`The first user is "admin", password "${madeUp}". It is shown this once, and must be changed.`)
    // This must come before the process makes temporary files of its own.
    await clearLeftovers(files)
    await fill?.(createContext(runtime, systemUser))

    const { HOST = '127.0.0.1', PORT = '3000', LOG_LEVEL = 'warn' } = process.env
    const { port, close, log } = await serve(runtime, {
      host: HOST,
      port: Number(PORT),
      dev,
      compileSchemas: () => compileSchemas(),
      writeNames,
      level: LOG_LEVEL,
      faults: life.faults,
      trustProxy,
    })
    life.closeWith(close)
    life.logWith(log)
    console.log(`Ready on http://${HOST}:${port} (${database.kind} PostgreSQL ${database.version})`)
  } catch (error) {
    await database.close(lastPatience)
    throw error
  }
}

type CompileSources = (sources: SourceText[]) => Compiled

/** Compiles the current schema files, and remembers the sources of the catalogs served now or recently. */
function schemaCompiler() {
  const origins = new Map<string, () => Origins>()
  let last: Catalog | undefined
  return {
    compileSchemas(compiledOf: CompileSources = (sources) => compile(sources, lists)): Compiled {
      const sources = readSchemas()
      const compiled = compiledOf(sources)
      if (compiled.catalog) {
        last = compiled.catalog
        let found: Origins | undefined
        // Only the inspector needs them, so neither a start nor a saved file waits for them.
        origins.set(last.hash, () => (found ??= originsOf(sources, lists)))
        if (origins.size > keptOrigins) origins.delete(origins.keys().next().value!)
      }
      return compiled
    },
    originsOfCatalog: (hash: string) => origins.get(hash)?.(),
    writeNames: () => last && writeEditorNames(last),
  }
}

/** @throws with all issues of the schema files, for the operator */
async function catalogOf(compileSchemas: (compiledOf?: CompileSources) => Compiled, dev: boolean): Promise<Catalog> {
  // Development waits until broken files are fixed, and stores no catalog, because the files soon change.
  const { catalog, issues } = dev
    ? await whenValid(schemasDirectory(), compileSchemas)
    : compileSchemas((sources) => cachedCatalog(sources, () => compile(sources, lists)))
  if (catalog) return catalog
  throw new Error(
    [
      `The schema files in ${schemasDirectory()} have ${issues.length} issue(s); the server does not start on them.`,
      ...issues.map(printIssue),
    ].join('\n\n'),
  )
}

function warnOfWeak(passwords: Record<string, string | undefined>): void {
  for (const [name, password] of Object.entries(passwords)) {
    if (password && !isStrongPassword(password))
      console.warn(`${name} is weak: use 8 to 20 characters, including at least two of letters, digits and symbols.`)
  }
}

/** A setting that is a positive number. @throws with a sentence for the operator. */
function positive(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${name} is "${text}"; it must be a number from 1 to 9999.`)
  return Number(text)
}

export interface ServeOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  dev?: boolean
  compileSchemas(): Compiled
  /** Writes the names of the schema files for the editor. */
  writeNames?(): void
  /** The log level. */
  level: string
  /** The number of uncaught errors. */
  faults?(): number
  trustProxy?: false | number | string
}

export interface Serving {
  port: number
  log(error: unknown, what: string): void
  /** Takes about ten seconds at most, whatever is still running. */
  close(): Promise<void>
}

/** Serves the API and the client, and runs imports, jobs and daily work. */
export async function serve(
  runtime: Runtime,
  { host, port, dev = false, compileSchemas, writeNames, level, faults, trustProxy }: ServeOptions,
): Promise<Serving> {
  const server = await createServer({ runtime, compile: compileSchemas, logger: { level }, faults, trustProxy })
  if (dev)
    await (
      await import('./serveSources.ts')
    ).serveSources(server, { root, runtime, compile: compileSchemas, writeNames })
  else await (await import('./serveBuild.ts')).serveBuild(server, path.join(root, 'dist'))
  await server.listen({ host, port })
  const log = (error: unknown) => server.log.error(error)
  const imports = createImportWorker(runtime, { log })
  imports.start()
  const calls = createCallWorker(runtime, { log })
  calls.start()
  const daily = startDaily(runtime, { log })
  return {
    port: (server.server.address() as AddressInfo).port,
    log: (err, what) => server.log.error({ err }, what),
    async close() {
      // Browsers hold connections open without using them.
      const impatience = setTimeout(() => server.server.closeAllConnections(), patience)
      await endsWithin(patience + lastPatience, server.close())
      clearTimeout(impatience)
      await endsWithin(patience, Promise.all([imports.stop(), calls.stop(), daily.stop()]))
      await runtime.database.close(lastPatience)
    },
  }
}

if (process.argv[1] && existsSync(process.argv[1]) && path.resolve(process.argv[1]) === import.meta.filename) {
  await main({ dev: process.argv.includes('--dev') })
}
