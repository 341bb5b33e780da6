import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { compile } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { cachedCatalog } from '../cachedCatalog.ts'
import { lists } from '../lists.ts'
import { clientChunks } from './clientChunks.ts'
import { precompress } from './precompress.ts'

/** The client, and the server as a few files, because loading some thousand modules is most of a start. */
export async function buildAll(root: string): Promise<void> {
  // A test may run it too: from then on the build is what is served.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  // Which modules a file of the client needs is only known after unused code is removed.
  const plain = await build({ root, logLevel: 'silent', build: { write: false, minify: false } })
  const codeSplitting = clientChunks([plain].flat() as Rolldown.RolldownOutput[])
  await build({ root, logLevel: 'warn', build: { rolldownOptions: { output: { codeSplitting } } } })
  await precompress(path.join(root, 'dist/client/assets'))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [ownFolders(root)],
    // Packages stay external, and names are kept for readable logs.
    build: {
      ssr: 'src/commands/serve.ts',
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'serve.js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
}

/** Lets each module find files relative to the folder of its source. */
function ownFolders(root: string): Plugin {
  return {
    name: 'own-folders',
    transform(code, id) {
      if (!code.includes('import.meta.dirname') && !code.includes('import.meta.filename')) return undefined
      const file = path.relative(root, id)
      const at = (name: string) => `(import.meta.dirname + ${JSON.stringify(`/../../${name}`)})`
      return {
        code: code
          .replaceAll('import.meta.dirname', at(path.dirname(file)))
          .replaceAll('import.meta.filename', at(file)),
        map: null,
      }
    },
  }
}

/** Compiles the schema files, so that no start has to. */
export function buildCatalog(): void {
  const sources = readSchemas()
  cachedCatalog(sources, () => compile(sources, lists))
}
