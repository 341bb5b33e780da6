import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `npm start` and `npm run demo`: builds client and server where the sources changed since the last build, then serves.
 * `--build` only builds, and compiles the schema files (`npm run build`). `--demo` (`npm run demo`) uses a data folder of
 * its own, filled on its first start: `--customers 100000` or `--persons 100000` makes a large one, `--months 3` one with
 * less history.
 */

// JavaScript, because the compiler of TypeScript takes longer than all else of a start: it comes only where there is
// something to build.
const root = path.resolve(import.meta.dirname, '../..')

if (process.argv.slice(2).includes('--help')) await inTypeScript(() => import('./help.ts'))
const { values } = parseArgs({
  options: {
    demo: { type: 'boolean' },
    customers: { type: 'string' },
    persons: { type: 'string' },
    months: { type: 'string' },
    build: { type: 'boolean' },
  },
})

await buildIfNeeded()
if (!values.build) {
  const { serve } = await import(pathToFileURL(path.join(root, 'dist/server/serve.js')).href)
  await serve(values)
}

/** The build carries the hash of what it was made from. */
async function buildIfNeeded() {
  const mark = path.join(root, 'dist/.source-hash')
  const hash = sourceHash()
  const isBuilt = existsSync(mark) && readFileSync(mark, 'utf8') === hash
  if (isBuilt && !values.build) return
  await inTypeScript(async () => {
    const { buildAll, buildCatalog } = await import('./build.ts')
    if (!isBuilt) {
      console.log('Building…')
      await buildAll(root)
      writeFileSync(mark, hash)
    }
    if (values.build) buildCatalog()
  })
}

/** @param {() => Promise<unknown>} act */
async function inTypeScript(act) {
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  await act()
  await unregister()
}

function sourceHash() {
  const hash = createHash('sha256')
  /** @param {string} file */
  const add = (file) => hash.update(path.relative(root, file)).update(readFileSync(file))
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) walk(full)
      else if (/\.(tsx?|css)$/.test(entry.name) && !/\.test\./.test(entry.name)) add(full)
    }
  }
  for (const folder of ['engine', 'src']) walk(path.join(root, folder))
  for (const file of ['index.html', 'vite.config.ts', 'package-lock.json', 'src/procedures/uses.json'])
    add(path.join(root, file))
  return hash.digest('hex')
}
