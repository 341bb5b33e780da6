import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/** The parts of the build's manifest that are read here: source file or chunk → its downloads. */
export type Manifest = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>

/** What the browser downloads before it can draw, in gzip kilobytes. */
export interface Download {
  name: string
  kilobytes: number
  files: number
}

/** A separate page, or the frame with a screen of one kind in it. */
const signIn = { name: 'sign-in page', entries: ['index.html', 'src/session/Login.tsx'] }
const frame = ['index.html', 'frame']

/** The allowed growth since the last release, in percent. */
export const room = 3

/** For the sign-in page and each kind of screen that has its own view. */
export function downloadSizes(root: string): Download[] {
  const dist = path.join(root, 'dist/client')
  const manifest = readManifest(root)
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length / 1024
    sizes.set(file, size)
    return size
  }
  const kinds = screenKinds(root).map((kind) => ({ name: kind, entries: [...frame, viewOf(kind)] }))
  return [signIn, ...kinds].map(({ name, entries }) => {
    const files = filesOf(manifest, entries)
    return { name, files: files.length, kilobytes: Math.round(files.reduce((sum, file) => sum + sizeOf(file), 0)) }
  })
}

/** The kinds with their own view, a folder of `engine/screens` each. */
const screenKinds = (root: string): string[] =>
  readdirSync(path.join(root, screens)).filter((kind) => existsSync(path.join(root, viewOf(kind))))

const screens = 'engine/screens'
const viewOf = (kind: string) => `${screens}/${kind}/${kind}.view.tsx`

export function filesOf(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>()
  const collect = (key: string) => {
    // A chunk of several modules, and a view shared by several kinds, are identified by their names.
    const chunk =
      manifest[key] ?? Object.values(manifest).find(({ name }) => name === path.basename(key).replace(/\.tsx?$/, ''))
    if (!chunk) throw new Error(`The build does not have ${key}.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.css?.forEach((file) => files.add(file))
    chunk.imports?.forEach(collect)
  }
  entries.forEach(collect)
  return [...files]
}

/** A file that imports itself through others: its modules could run before what they need. */
export function circularFile(manifest: Manifest): string | undefined {
  const done = new Set<string>()
  const isCircular = (key: string, path: readonly string[]): boolean => {
    if (path.includes(key)) return true
    if (done.has(key)) return false
    const found = (manifest[key]?.imports ?? []).some((next) => isCircular(next, [...path, key]))
    done.add(key)
    return found
  }
  return Object.keys(manifest).find((key) => isCircular(key, []))
}

export const readManifest = (root: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, 'dist/client/.vite/manifest.json'), 'utf8')) as Manifest

/** Name → kilobytes at the last release. Anything new has no limit before the next. */
export type Released = Record<string, number>

/** What exceeds its limit; and what was released but is no longer downloaded. */
export function overBudget(downloads: readonly Download[], released: Released): string[] {
  const grown = downloads.flatMap(({ name, kilobytes }) => {
    const most = limitOf(released, name)
    return most !== undefined && kilobytes > most ? [`${name}: ${kilobytes} KB of ${most} KB`] : []
  })
  const gone = Object.keys(released).filter((name) => !downloads.some((download) => download.name === name))
  return [...grown, ...gone.map((name) => `${name}: not in the build`)]
}

export const limitOf = (released: Released, name: string): number | undefined =>
  released[name] === undefined ? undefined : Math.floor(released[name] * (1 + room / 100))
