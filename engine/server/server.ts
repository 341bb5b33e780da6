import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { sql } from 'kysely'
import { accountRoutes } from './account.ts'
import { blockRoute } from './blocks.ts'
import { answer, envelopes } from './envelope.ts'
import { fileRoute, uploadRoute } from './files.ts'
import { helpRoute } from './help.ts'
import { inspectRoute } from './inspect.ts'
import { legacyRoutes } from './legacy.ts'
import { menuRoutes } from './menu.ts'
import { messageRoutes } from './messageRoutes.ts'
import { openApiRoutes } from './openapi.ts'
import { planRoutes, publicPlanRoute } from './plans.ts'
import { type CompileSchemas, reloadRoute } from './reload.ts'
import { recordRoutes } from './routes.ts'
import { reportRoutes } from './reports.ts'
import type { Runtime } from './runtime.ts'
import { authenticated } from './session.ts'

export interface ServerOptions {
  runtime: Runtime
  compile: CompileSchemas
  logger?: FastifyServerOptions['logger']
}

/** What everything is sent with; a page in development adds its nonce. */
export const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
}

/** The API under `/api`. What is served beside it, `src/server.ts` adds. */
export async function createServer({ runtime, compile, logger = false }: ServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    logger,
    bodyLimit: 10 * 1024 * 1024,
    requestTimeout: 0,
    routerOptions: { maxParamLength: 500 },
    // Nothing of a request is changed or dropped silently.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
  })
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    // It serves plain HTTP, behind whatever it is put behind: what only works over HTTPS, browsers would complain
    // about.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  // Brotli's own default is meant for files that are compressed once.
  await server.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })

  await server.register(
    async (api) => {
      envelopes(api, runtime)
      api.get('/health', async () => {
        await sql`select 1`.execute(runtime.database.kysely)
        return answer({
          status: 'ok',
          catalog: runtime.derived.catalog.hash,
          database: runtime.database.kind,
          version: runtime.database.version,
        })
      })
      publicPlanRoute(api, runtime)
      openApiRoutes(api, runtime)
      fileRoute(api, runtime)
      await api.register(async (legacy) => legacyRoutes(legacy, runtime))
      await api.register(async (signedIn) => {
        authenticated(signedIn, runtime)
        accountRoutes(signedIn, runtime)
        menuRoutes(signedIn)
        messageRoutes(signedIn)
        planRoutes(signedIn)
        inspectRoute(signedIn)
        helpRoute(signedIn)
        blockRoute(signedIn)
        reportRoutes(signedIn)
        reloadRoute(signedIn, runtime, compile)
        await uploadRoute(signedIn, runtime)
        recordRoutes(signedIn)
      })
    },
    { prefix: '/api' },
  )
  return server
}
