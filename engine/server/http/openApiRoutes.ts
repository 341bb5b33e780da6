import type { FastifyInstance } from 'fastify'
import type { Derived } from '../derived.ts'
import { Refusal } from '../errors.ts'
import { openApi } from './openapi.ts'
import { openApiDoor, openApiPage, openApiScript } from './openApiPage.ts'
import type { Runtime } from '../runtime.ts'
import { readSession, tokenOf } from '../identity/session.ts'

interface Made {
  document: ReturnType<typeof openApi>
  json: string
  pages: Map<string, string>
}

const made = new WeakMap<Derived, Made>()

/** Made once per catalog, because it takes a fifth of a second during which no other request is answered. */
export function openApiOf(derived: Derived): Made {
  const known = made.get(derived)
  if (known) return known
  const document = openApi(derived)
  const fresh = { document, json: JSON.stringify(document), pages: new Map() }
  made.set(derived, fresh)
  return fresh
}

function pageOf(derived: Derived, language: string): string {
  const { document, pages } = openApiOf(derived)
  const page = pages.get(language) ?? openApiPage(document, language)
  pages.set(language, page)
  return page
}

/** `GET /openapi.json`, for signed-in users. */
export function openApiRoute(signedIn: FastifyInstance): void {
  signedIn.get('/openapi.json', ({ context, headers }, reply) => {
    const tag = `"${context.derived.catalog.hash}"`
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(openApiOf(context.derived).json)
  })
}

/**
 * `GET /docs`: the document as a page. A browser sends no token header, so it first gets a page whose script requests
 * it again with one.
 */
export function openApiPageRoutes(api: FastifyInstance, runtime: Runtime): void {
  api.get('/docs', async (request, reply) => {
    reply.type('text/html; charset=utf-8')
    try {
      const { mustChangePassword } = await readSession(runtime, tokenOf(request))
      if (!mustChangePassword) return reply.send(pageOf(runtime.derived, request.language))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    return reply.code(401).send(openApiDoor(request.language))
  })
  api.get('/docs.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(openApiScript))
}
