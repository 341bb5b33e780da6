import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { preloadLink, seemsSignedIn } from './preloadLink.ts'

/**
 * Serves the built client: files with a hash in their names are cached for ever, the page itself never, and the page
 * answers every other address. Other build output (the server, the compiled schema files) is not served.
 */
export async function serveBuild(server: FastifyInstance, dist: string): Promise<void> {
  const folder = path.join(dist, 'client')
  if (!existsSync(path.join(folder, 'index.html'))) {
    server.setNotFoundHandler((_request, reply) =>
      reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('The client is not built: run npm run build, or npm start.'),
    )
    return
  }
  const link = preloadLink(folder)
  await server.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.br'],
    cacheControl: false,
    setHeaders: (reply, file) => {
      const isPage = !path.relative(folder, file).startsWith('assets')
      reply.header('cache-control', isPage ? 'no-cache' : 'public, max-age=31536000, immutable')
      if (isPage && link !== undefined && seemsSignedIn(reply.request.headers.cookie)) reply.header('link', link)
    },
  })
  // A file of another build is a 404, because the page in its place would be taken for a script.
  server.setNotFoundHandler((request, reply) =>
    (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/assets/')
      ? reply.sendFile('index.html')
      : reply.code(404).send(),
  )
}
