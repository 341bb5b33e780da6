import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { accountRoutes } from './accounts/account.ts'
import { blockRoute } from './screens/blocks.ts'
import { waitingRoute } from './screens/waiting.ts'
import { largestOfAnybody, takeLargerBodies } from './http/bodyLimits.ts'
import { takeTurns } from './http/requestTurns.ts'
import { refuseMalformed } from './http/refuseMalformed.ts'
import { answer, envelopes } from './http/envelope.ts'
import { fileRoute, uploadRoute } from './http/files.ts'
import { holdToTable, refuseUnknownParameters } from './http/fixedOperations.ts'
import { follower } from './catalog/follow.ts'
import { numberInForce, verifyGeneration } from './generation.ts'
import { helpRoute } from './screens/help.ts'
import { inspectRoute } from './screens/inspect.ts'
import { legacyRoutes } from './accounts/legacy.ts'
import { menuRoutes } from './screens/menu.ts'
import { messageRoutes } from './screens/messageRoutes.ts'
import { remindRoute } from './screens/remind.ts'
import { openApiPageRoutes, openApiRoute } from './http/openApiRoutes.ts'
import { planRoutes, publicPlanRoute } from './screens/plans.ts'
import { discreet } from './http/redact.ts'
import { type CompileSchemas, reloadRoute } from './http/reload.ts'
import { jobRoutes } from './http/jobRoutes.ts'
import { recordRoutes } from './http/routes.ts'
import { workRoutes } from './screens/works.ts'
import { reportRoutes } from './screens/reports.ts'
import type { Runtime } from './runtime.ts'
import { authenticated } from './identity/session.ts'
import { limitBodies, serverLimits, type TimeLimits, usualTimeLimits } from './http/timeLimits.ts'
import { beginRequest, during, endRequest, type Allowance } from './postgres/allowance.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Only below `/api`. */
    allowance: Allowance | null
  }
}

export interface ServerOptions {
  runtime: Runtime
  compile: CompileSchemas
  /** Seconds after which a request and its statements are abandoned: as long as a browser waits. */
  requestSeconds?: number
  /** The number of uncaught errors in this process. */
  faults?(): number
  logger?: FastifyServerOptions['logger']
  timeLimits?: TimeLimits
  /** Whose `X-Forwarded-For` is trusted: nobody's by default. */
  trustProxy?: false | number | string
}

/** Sent with every answer; a page in development adds its nonce. */
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

/** The API under `/api`. `src/server.ts` adds everything else that is served. */
export async function createServer({
  runtime,
  compile,
  requestSeconds = 180,
  faults = () => 0,
  logger = false,
  timeLimits = usualTimeLimits,
  trustProxy = false,
}: ServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    ...serverLimits(timeLimits),
    logger: discreet(logger),
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: largestOfAnybody,
    routerOptions: { maxParamLength: 500 },
    // Nothing in a request is changed or dropped silently.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
  })
  limitBodies(server, timeLimits)
  const follow = follower(runtime, { compile, log: (error) => server.log.error(error) })
  runtime.follow = () => void follow()
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    // The server speaks plain HTTP behind a proxy, so it does not set headers that only work over HTTPS.
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
      holdToTable(api)
      envelopes(api, runtime)
      limitRequests(api, requestSeconds)
      refuseMalformed(api)
      api.get('/health', async () => {
        const [inForce] = await runtime.database.probe<{ number: number }>(numberInForce)
        verifyGeneration(runtime, runtime.derived.generation, inForce.number)
        return answer({
          status: 'ok',
          catalog: runtime.derived.catalog.hash,
          database: runtime.database.kind,
          version: runtime.database.version,
          faults: faults(),
        })
      })
      publicPlanRoute(api, runtime)
      openApiPageRoutes(api, runtime)
      fileRoute(api, runtime)
      await api.register(async (legacy) => legacyRoutes(legacy, runtime))
      await api.register(async (signedIn) => {
        authenticated(signedIn, runtime)
        takeTurns(signedIn, runtime)
        takeLargerBodies(signedIn)
        refuseUnknownParameters(signedIn)
        accountRoutes(signedIn, runtime)
        menuRoutes(signedIn)
        messageRoutes(signedIn)
        remindRoute(signedIn)
        planRoutes(signedIn)
        openApiRoute(signedIn)
        inspectRoute(signedIn)
        helpRoute(signedIn)
        blockRoute(signedIn)
        waitingRoute(signedIn)
        reportRoutes(signedIn)
        reloadRoute(signedIn, runtime, compile)
        await uploadRoute(signedIn, runtime)
        workRoutes(signedIn)
        jobRoutes(signedIn)
        recordRoutes(signedIn)
      })
    },
    { prefix: '/api' },
  )
  return server
}

/** The body arrives outside the async context begun with the headers, so it is entered again. */
function limitRequests(api: FastifyInstance, seconds: number): void {
  api.decorateRequest('allowance', null)
  api.addHook('onRequest', (request, _reply, done) => {
    request.allowance = beginRequest(seconds)
    during(request.allowance, done)
  })
  api.addHook('preValidation', (request, _reply, done) => during(request.allowance!, done))
  api.addHook('onResponse', (request, _reply, done) => {
    endRequest(request.allowance!)
    done()
  })
}
