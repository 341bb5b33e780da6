import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import middie from '@fastify/middie'
import type { FastifyInstance } from 'fastify'
import { createServer as createVite } from 'vite'
import type { Compiled } from '../engine/schema/compile.ts'
import { printIssue, type Issue } from '../engine/schema/issues/issue.ts'
import { reloadSchemas } from '../engine/server/http/reload.ts'
import type { Runtime } from '../engine/server/runtime.ts'
import { contentSecurityPolicy } from '../engine/server/server.ts'
import { schemaFile, readSchemas, schemasDirectory } from '../engine/server/catalog/sources.ts'
import { watchFolders } from './watchFolders.ts'

const placeholder = 'NONCE-OF-THIS-PAGE'

interface ServedSources {
  root: string
  runtime: Runtime
  compile(): Compiled
  /** Writes the names for the editor in the background. */
  writeNames?(): void
}

/**
 * Serves the client from its sources, through Vite in this process: changed code is swapped in place, and so are
 * changed schema files.
 */
export async function serveSources(
  server: FastifyInstance,
  { root, runtime, compile, writeNames }: ServedSources,
): Promise<void> {
  const vite = await createVite({
    root,
    appType: 'custom',
    html: { cspNonce: placeholder },
    server: {
      middlewareMode: true,
      hmr: { server: server.server },
      watch: { ignored: ['**/data/**', '**/data-demo/**', '**/schemas/**'] },
    },
  })
  await server.register(middie)
  server.use((request, response, next) => {
    if (request.url?.startsWith('/api/')) return next()
    if (request.url?.startsWith('/__schema?')) {
      const opening = editorAddress(request.url)
      if (opening === undefined) return void response.writeHead(404).end()
      request.url = opening
    }
    vite.middlewares(request, response, next)
  })
  server.setNotFoundHandler(async (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const page = await vite.transformIndexHtml(request.url, readFileSync(path.join(root, 'index.html'), 'utf8'))
    const policy = {
      ...contentSecurityPolicy,
      'script-src': ["'self'", `'nonce-${nonce}'`],
      'connect-src': ["'self'", 'ws:', 'wss:'],
    }
    return reply
      .header(
        'content-security-policy',
        Object.entries(policy)
          .map(([name, sources]) => `${name} ${sources.join(' ')}`)
          .join(';'),
      )
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(placeholder, nonce))
  })

  let last: { issues: object[]; message: string } = { issues: [], message: '' }
  const sendStatus = (to: Pick<typeof vite.ws, 'send'> = vite.ws) =>
    to.send('formwork:schemas', { ...last, hash: runtime.derived.catalog.hash })
  vite.ws.on('formwork:schemas', (_, client) => sendStatus(client))

  writeNames?.()
  let reading = Promise.resolve()
  const unwatch = watchFolders(schemasDirectory(), () => {
    reading = reading.then(read)
  })
  server.addHook('onClose', async () => {
    unwatch()
    await reading
    await vite.close()
  })

  /** Issues are shown over the page, which goes on with the last valid catalog. */
  async function read(): Promise<void> {
    last = await reloadSchemas(runtime, compile).then(
      (issues) => ({ issues, message: '' }),
      (error: unknown) => ({ issues: [], message: textOf(error) }),
    )
    const printed = last.message || (last.issues as Issue[]).map(printIssue).join('\n\n')
    if (printed) console.error(printed)
    sendStatus()
    try {
      writeNames?.()
    } catch (error) {
      console.error(textOf(error))
    }
  }
}

const textOf = (error: unknown) => String(error instanceof Error ? error.message : error)

const placePattern = /^(.+\.json):(\d+):(\d+)$/

/** Opens a position of a schema file, as issues name it, in the editor that Vite finds on this machine. */
function editorAddress(address: string): string | undefined {
  const place = placePattern.exec(new URL(address, 'http://localhost').searchParams.get('place') ?? '')
  if (!place) return undefined
  const directory = schemasDirectory()
  const isKnown = readSchemas(directory).some(({ path: known }) => known === place[1])
  return !isKnown
    ? undefined
    : `/__open-in-editor?${new URLSearchParams({ file: `${schemaFile(place[1], directory)}:${place[2]}:${place[3]}` })}`
}
