import { parseTree, type Node } from 'jsonc-parser'
import { nearestName } from '../expression/index.ts'
import { sentence } from './issues/issue.ts'
import type { Reporter } from './issues/report.ts'
import { syntaxFaults } from './reading/syntax.ts'
import type { SourceText, SourceFile } from './reading/SourceFile.ts'

const fileName = /^([A-Za-z][A-Za-z0-9]*)\.([A-Za-z]+)\.json$/
/** Names of a template's files may contain parameters. */
const templateName = /^((?:[A-Za-z0-9]|\$\{[^}]*\})+)\.([A-Za-z]+)\.json$/

const misnamed = 'A schema file is named <name>.<kind>.json, the name of letters and digits.'

/**
 * Paths and texts → files with their data. `JSON.parse` reads them; only a file that it refuses is parsed again to
 * report every fault with its position. A file that cannot be read still declares its name.
 */
export function readSources(
  sources: readonly SourceText[],
  kinds: readonly string[],
  reporter: Reporter,
): SourceFile[] {
  const templates = new Set(
    sources.flatMap(({ path }) => {
      const [name, folder] = path.split('/').reverse()
      return folder && name === `${folder}.template.json` ? [path.slice(0, -name.length)] : []
    }),
  )
  return [...sources]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((source) => {
      const parts = source.path.split('/')
      const last = parts.at(-1)!
      const inTemplate = templates.has(source.path.slice(0, -last.length))
      const match = (inTemplate ? templateName : fileName).exec(last)
      const [name, kind] = last === 'app.json' ? ['app', 'app'] : [match?.[1], match?.[2]]
      if (!name || !kind || !kinds.includes(kind)) {
        reporter.unnamed.add(last.split('.')[0])
        const suggestion = kind && nearestName(kind, kinds)
        const what = kind ? `There is no kind of file "${kind}".` : misnamed
        reporter.add(
          source,
          0,
          0,
          'unknown-file',
          sentence('unknown-file', { what, allowed: kinds, suggestion }),
          suggestion,
        )
        return []
      }
      const { data, broken } = parse(source, reporter)
      const folder = parts.at(-2) ?? ''
      return [
        {
          ...source,
          folder,
          area: inTemplate ? (parts.at(-3) ?? '') : folder,
          name,
          kind,
          data,
          ...(broken && { broken }),
        },
      ]
    })
}

/** A file read without faults is not parsed again: after an edit, callers pass the other files as the same objects. */
const known = new WeakMap<SourceText, Pick<SourceFile, 'data'>>()

function parse(source: SourceText, reporter: Reporter): Pick<SourceFile, 'data' | 'broken'> {
  const before = known.get(source)
  if (before) return before
  const read = parseText(source, reporter)
  if (!read.broken) known.set(source, read)
  return read
}

function parseText(source: SourceText, reporter: Reporter): Pick<SourceFile, 'data' | 'broken'> {
  const text = source.text.charCodeAt(0) === 0xfeff ? ` ${source.text.slice(1)}` : source.text
  try {
    const data: unknown = JSON.parse(text)
    // A duplicate key is valid JSON, but always a mistake. Counting keys is cheap; the tree is only built if the counts
    // differ.
    if (countKeys(data) === countWritten(text)) return { data }
    reportDuplicates(source, parseTree(text), reporter)
    // It is unknown which of the two is meant, so neither is checked further.
    return { data: {}, broken: true }
  } catch {
    const { faults, tree } = syntaxFaults(text)
    reportDuplicates(source, tree, reporter)
    for (const { offset, length, message } of faults)
      reporter.add(source, offset, length, 'syntax', sentence('syntax', { message }))
    return { data: {}, broken: true }
  }
}

/** A string followed by a colon is a key; a string value never is. */
const strings = /"(?:[^"\\]|\\.)*"(\s*:)?/g
function countWritten(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(strings)) if (colon) count++
  return count
}
function countKeys(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0
  if (Array.isArray(data)) return data.reduce((sum: number, item) => sum + countKeys(item), 0)
  const values = Object.values(data)
  return values.reduce((sum: number, item) => sum + countKeys(item), values.length)
}

function reportDuplicates(source: SourceText, node: Node | undefined, reporter: Reporter): void {
  if (!node) return
  if (node.type === 'object') {
    const seen = new Set<string>()
    for (const { children } of node.children ?? []) {
      const key = children?.[0]
      if (!key) continue
      const name = String(key.value)
      if (seen.has(name))
        reporter.add(source, key.offset, key.length, 'duplicate-key', sentence('duplicate-key', { found: name }))
      seen.add(name)
    }
  }
  for (const child of node.children ?? []) reportDuplicates(source, child, reporter)
}
