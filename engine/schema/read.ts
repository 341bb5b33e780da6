import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { nearestName } from '../expression/index.ts'
import { sentence } from './issue.ts'
import type { Reporter } from './report.ts'

/** A file under schemas/, its path with `/` and from the folder that the command was given. */
export interface SourceText { path: string; text: string }

export interface SourceFile extends SourceText {
  /** The folder: an area of app.json, or the name of the template that the file belongs to. */
  folder: string
  area: string
  name: string
  kind: string
  data: unknown
  /** It could not be read, or not with certainty: nobody complains of names that it may hold. */
  broken?: true
  /** Set where a family made the file. */
  generated?: Generated
}
interface Generated {
  /** Where a part of the file came from; `same`: the string there is the one that was written. */
  origin(pointer: string): { file: SourceFile; pointer: string; same: boolean }
  note: string
}

const fileName = /^([A-Za-z][A-Za-z0-9]*)\.([A-Za-z]+)\.json$/
/** A template's files may be named by parameters. */
const templateName = /^((?:[A-Za-z0-9]|\$\{[^}]*\})+)\.([A-Za-z]+)\.json$/

const misnamed = 'A schema file is named <name>.<kind>.json, the name of letters and digits.'

/**
 * Paths and texts → files with their data. `JSON.parse` reads them; only a file that it refuses is read again by a parser that tells
 * every fault with its place. What cannot be read still gives its name.
 */
export function readSources(sources: readonly SourceText[], kinds: readonly string[], reporter: Reporter): SourceFile[] {
  const templates = new Set(sources.flatMap(({ path }) => {
    const [name, folder] = path.split('/').reverse()
    return folder && name === `${folder}.template.json` ? [path.slice(0, -name.length)] : []
  }))
  return [...sources].sort((a, b) => a.path < b.path ? -1 : 1).flatMap((source) => {
    const parts = source.path.split('/')
    const last = parts.at(-1)!
    const inTemplate = templates.has(source.path.slice(0, -last.length))
    const match = (inTemplate ? templateName : fileName).exec(last)
    const [name, kind] = last === 'app.json' ? ['app', 'app'] : [match?.[1], match?.[2]]
    if (!name || !kind || !kinds.includes(kind)) {
      const suggestion = kind && nearestName(kind, kinds)
      const what = kind ? `There is no kind of file "${kind}".` : misnamed
      reporter.add(source, 0, 0, 'unknown-file', sentence('unknown-file', { what, allowed: kinds, suggestion }), suggestion)
      return []
    }
    const { data, broken } = parse(source, reporter)
    const folder = parts.at(-2) ?? ''
    return [{ ...source, folder, area: inTemplate ? parts.at(-3) ?? '' : folder, name, kind, data, ...(broken && { broken }) }]
  })
}

function parse(source: SourceText, reporter: Reporter): Pick<SourceFile, 'data' | 'broken'> {
  const text = source.text.charCodeAt(0) === 0xFEFF ? ` ${source.text.slice(1)}` : source.text
  try {
    const data: unknown = JSON.parse(text)
    // A duplicate key is good JSON, and never meant. The count is cheap; the tree is made only where it differs.
    if (countKeys(data) === countWritten(text)) return { data }
    reportDuplicates(source, parseTree(text), reporter)
    return { data, broken: true }
  } catch {
    const errors: ParseError[] = []
    reportDuplicates(source, parseTree(text, errors, { disallowComments: true }), reporter)
    const codes = errors.map(({ error }) => printParseErrorCode(error))
    for (const [index, { offset, length }] of errors.entries()) {
      // After a word that is none, the value is missing too: the same mistake.
      if (codes[index] === 'ValueExpected' && codes[index - 1] === 'InvalidSymbol') continue
      const message = words[codes[index]] ?? 'This is not valid JSON'
      reporter.add(source, offset, Math.max(1, length), 'syntax', sentence('syntax', { message }))
    }
    return { data: {}, broken: true }
  }
}

/** Strings followed by a colon are keys; a string value never is. */
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

const words: Record<string, string> = {
  InvalidSymbol: 'This word is not JSON: only true, false and null stand without quotes',
  InvalidNumberFormat: 'The number is not well formed',
  PropertyNameExpected: 'A key in double quotes belongs here',
  ValueExpected: 'A value belongs here',
  ColonExpected: 'A ":" is missing before this',
  CommaExpected: 'A "," is missing before this',
  CloseBraceExpected: 'The closing "}" is missing',
  CloseBracketExpected: 'The closing "]" is missing',
  EndOfFileExpected: 'Nothing more belongs after the end of the object',
  InvalidCommentToken: 'Comments are not part of JSON',
  UnexpectedEndOfComment: 'Comments are not part of JSON',
  UnexpectedEndOfString: 'The closing double quote is missing',
  UnexpectedEndOfNumber: 'The number is not complete',
  InvalidUnicode: 'The \\u escape is not well formed',
  InvalidEscapeCharacter: 'This escape is not known: JSON has \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u',
  InvalidCharacter: 'This character cannot stand in JSON; inside a text it needs an escape',
}

function reportDuplicates(source: SourceText, node: Node | undefined, reporter: Reporter): void {
  if (!node) return
  if (node.type === 'object') {
    const seen = new Set<string>()
    for (const { children } of node.children ?? []) {
      const key = children?.[0]
      if (!key) continue
      const name = String(key.value)
      if (seen.has(name)) reporter.add(source, key.offset, key.length, 'duplicate-key', sentence('duplicate-key', { found: name }))
      seen.add(name)
    }
  }
  for (const child of node.children ?? []) reportDuplicates(source, child, reporter)
}
