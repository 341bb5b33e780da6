import './help.ts'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { keptCatalog } from '../keptCatalog.ts'
import { lists } from '../lists.ts'
import { main } from '../server.ts'

/**
 * `npm start` and `npm run demo`: builds the client where the sources changed since the last build, then serves.
 * `--build` only builds, and compiles the schema files. The demo lives in its own data folder and is filled on its first start: `--customers 100000`
 * or `--persons 100000` makes a big one, `--months 3` one with less of settlement.
 */

const root = path.resolve(import.meta.dirname, '../..')
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
if (values.build) {
  const sources = readSchemas()
  keptCatalog(sources, () => compile(sources, lists))
  process.exit(0)
}
if (values.demo) process.env.DATA_DIR ??= path.join(root, 'data-demo')
await main(
  values.demo
    ? {
        async fill(context) {
          const { fillDemo } = await import('../demo/fillDemo.ts')
          await fillDemo(
            context,
            {
              customers: Number(values.customers ?? 60),
              months: Number(values.months ?? 12),
              persons: Number(values.persons ?? 0),
            },
            { onePassword: Boolean(process.env.ADMIN_PASSWORD) },
          )
        },
      }
    : {},
)

/** The build carries the hash of what it was made from. */
async function buildIfNeeded(): Promise<void> {
  const mark = path.join(root, 'dist/.source-hash')
  const hash = sourceHash()
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return
  console.log('Building the client…')
  // A test may start it too: from then on the build is what is served.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
  writeFileSync(mark, hash)
}

function sourceHash(): string {
  const hash = createHash('sha256')
  const add = (file: string) => {
    hash.update(path.relative(root, file)).update(readFileSync(file))
  }
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) walk(full)
      else if (/\.(tsx?|css)$/.test(entry.name) && !/\.test\./.test(entry.name)) add(full)
    }
  }
  for (const folder of ['engine', 'src']) walk(path.join(root, folder))
  for (const file of ['index.html', 'vite.config.ts', 'package-lock.json']) add(path.join(root, file))
  return hash.digest('hex')
}
