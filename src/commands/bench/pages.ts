import react from '@vitejs/plugin-react'
import { createReadStream, existsSync } from 'node:fs'
import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

const source = path.join(import.meta.dirname, 'pages')
const prefix = '/yardstick/'
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Builds the hand-written pages for production, like the product. */
export async function buildPages(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: source,
    base: prefix,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 4000,
      rollupOptions: { input: ['table.html', 'form.html'].map((file) => path.join(source, file)) },
    },
  })
}

/** A browser that disconnects ends both sides; the measurement sees that in the browser. */
function passOn(...streams: [NodeJS.ReadableStream, ...NodeJS.ReadWriteStream[], NodeJS.WritableStream]): void {
  pipeline(streams, () => {})
}

/** One origin for both: the yardsticks from their folder, everything else from the server under test. */
export async function serveBoth(folder: string, server: string): Promise<{ url: string; close(): void }> {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(server)
  const proxy = createServer((request, response) => {
    const { pathname } = new URL(request.url!, server)
    if (pathname.startsWith(prefix)) {
      const file = path.join(folder, pathname.slice(prefix.length))
      if (!existsSync(file)) return void response.writeHead(404).end()
      response.writeHead(200, {
        'content-type': types[path.extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
        'cache-control': pathname.endsWith('.html') ? 'no-cache' : 'max-age=31536000, immutable',
      })
      passOn(createReadStream(file), createGzip(), response)
      return
    }
    const { url, method, headers } = request
    const upstream = httpRequest({ agent, host: hostname, port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      passOn(answer, response)
    })
    passOn(request, upstream)
    upstream.on('error', () => response.destroy())
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close()
      proxy.closeAllConnections()
      agent.destroy()
    },
  }
}

export const yardstick = (name: 'table' | 'form', query: string) => `${prefix}${name}.html?${query}`
