import { randomBytes } from 'node:crypto'
import { readFileSync, watch } from 'node:fs'
import path from 'node:path'
import middie from '@fastify/middie'
import type { FastifyInstance } from 'fastify'
import { createServer as createVite } from 'vite'
import type { Compiled } from '../engine/schema/compile.ts'
import { printIssue, type Issue } from '../engine/schema/issue.ts'
import { reloadSchemas } from '../engine/server/reload.ts'
import type { Runtime } from '../engine/server/runtime.ts'
import { contentSecurityPolicy } from '../engine/server/server.ts'
import { schemasDirectory } from '../engine/server/sources.ts'

const placeholder = 'NONCE-OF-THIS-PAGE'

/** The client from its sources, through Vite in this process: changed code is swapped in place, and so are changed schema files. */
export async function serveSources(server: FastifyInstance, root: string, runtime: Runtime, compile: () => Compiled): Promise<void> {
  const vite = await createVite({
    root, appType: 'custom', html: { cspNonce: placeholder },
    server: { middlewareMode: true, hmr: { server: server.server }, watch: { ignored: ['**/data/**', '**/data-demo/**', '**/schemas/**'] } },
  })
  await server.register(middie)
  server.use((request, response, next) => request.url?.startsWith('/api/') ? next() : vite.middlewares(request, response, next))
  server.setNotFoundHandler(async (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const page = await vite.transformIndexHtml(request.url, readFileSync(path.join(root, 'index.html'), 'utf8'))
    const policy = { ...contentSecurityPolicy, 'script-src': ['\'self\'', `'nonce-${nonce}'`], 'connect-src': ['\'self\'', 'ws:', 'wss:'] }
    return reply
      .header('content-security-policy', Object.entries(policy).map(([name, sources]) => `${name} ${sources.join(' ')}`).join(';'))
      .type('text/html; charset=utf-8').send(page.replaceAll(placeholder, nonce))
  })

  let timer: NodeJS.Timeout | undefined
  const watcher = watch(schemasDirectory(), { recursive: true }, () => {
    // An editor writes a file in several steps.
    clearTimeout(timer)
    timer = setTimeout(() => void read(), 60)
  })
  server.addHook('onClose', async () => {
    clearTimeout(timer)
    watcher.close()
    await vite.close()
  })

  /** Broken files are shown over the page; the last good catalog goes on. */
  async function read(): Promise<void> {
    const before = runtime.derived.catalog.hash
    const message = await reloadSchemas(runtime, compile).then(
      (issues) => (issues as Issue[]).map(printIssue).join('\n\n'), (error: unknown) => String(error instanceof Error ? error.message : error))
    if (message) {
      console.error(message)
      vite.ws.send({ type: 'error', err: { message, stack: '', plugin: 'schemas' } })
    } else {
      vite.ws.send({ type: 'custom', event: 'formwork:schemas', data: { hash: runtime.derived.catalog.hash, changed: runtime.derived.catalog.hash !== before } })
    }
  }
}
