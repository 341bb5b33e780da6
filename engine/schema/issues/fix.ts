import { applyEdits, findNodeAtLocation, type Node } from 'jsonc-parser'
import type { Issue, IssueCode, Parameters } from './issue.ts'
import { findNode, type Range } from '../reading/place.ts'
import { above, segments } from '../../model/pointer.ts'
import { warningCatalogue } from '../warnings/catalogue.ts'
import type { TextEdit, Fix } from './issue.ts'

interface Fault {
  code: string
  /** The value with the issue. */
  pointer: string
  /** The range that the issue underlines. */
  range: Range
  parameters: Parameters
}

/** The fix of an issue, if there is only one way to fix it. */
export function fixOf(
  text: string,
  tree: Node | undefined,
  { code, pointer, range, parameters }: Fault,
): Fix | undefined {
  // A warning may be intended.
  if (!tree || code in warningCatalogue) return undefined
  if (code === 'missing-language' && parameters.mayCopy === true)
    return copyLabel(text, tree, pointer, String(parameters.found))
  const around = above(pointer)
  if (code === 'empty-label' && parameters.mayCopy === true && around !== undefined)
    return copyLabel(text, tree, around, String(parameters.language))
  const { found, suggestion, certain, written = found } = parameters
  if (certain === undefined || suggestion === undefined || typeof written !== 'string') return undefined
  return replaceName(text, range, written, suggestion)
}

/** The name within the underlined text, if it occurs there once: `"-nmae"`, `/customr/detail`. */
function replaceName(text: string, { start, end }: Range, found: string, suggestion: string): Fix | undefined {
  const escaped = found.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const places = [...text.slice(start, end).matchAll(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'))]
  if (places.length !== 1 || /["\\]/.test(suggestion)) return undefined
  return {
    what: `"${found}" → "${suggestion}"`,
    edits: [{ offset: start + places[0].index, length: found.length, content: suggestion }],
  }
}

/** The prefix of a copied label until it is translated: `[en?] 客户名称`. */
export const markOf = (language: string): string => `[${language}?] `
const marks = /"\[[A-Za-z]+\?\] /g
/** How many labels of a text wait for a translation. */
export const markedLabels = (text: string): number => text.match(marks)?.length ?? 0

/** Copies another language's text into a label that lacks one, with a mark, in the style of its last text. */
function copyLabel(text: string, tree: Node, pointer: string, language: string): Fix | undefined {
  const label = findNode(tree, segments(pointer))
  const texts = label?.type === 'object' ? (label.children ?? []) : []
  const source = texts
    .map(({ children }) => children![1])
    .find((node) => typeof node?.value === 'string' && node.value.trim() !== '')
  // A text built by a template's condition cannot be copied.
  if (!label || !source || texts.some(({ children }) => String(children![0].value).startsWith('$'))) return undefined
  const value = String(source.value).replace(/^\[[A-Za-z]+\?\] /, '')
  const content = JSON.stringify(`${markOf(language)}${value}`)
  const what = `"${language}": ${content}`
  const empty = findNodeAtLocation(label, [language])
  if (empty) return { what, edits: [{ offset: empty.offset, length: empty.length, content }] }
  const last = texts.at(-1)!
  const between = /\s*$/.exec(text.slice(0, last.offset))![0]
  return {
    what,
    edits: [{ offset: last.offset + last.length, length: 0, content: `,${between}"${language}": ${content}` }],
  }
}

/** The language's own vocabulary, which cannot be misspelt where it is declared. */
const vocabulary: ReadonlySet<string> = new Set<IssueCode>([
  'unknown-key',
  'not-allowed-value',
  'unknown-widget',
  'unknown-language',
  'unknown-operator',
  'missing-language',
  'empty-label',
])

/**
 * Removes fixes that are uncertain among all issues: an undeclared name in several places was more likely misspelt in
 * its declaration than everywhere else.
 */
export function withoutDoubt(issues: readonly (Issue & { certain?: Parameters['certain'] })[]): Issue[] {
  const counts = new Map<string, number>()
  const keyOf = ({ fix }: Issue) => fix?.what ?? ''
  for (const issue of issues) counts.set(keyOf(issue), (counts.get(keyOf(issue)) ?? 0) + 1)
  return issues.map(({ certain, ...issue }) => {
    if (!issue.fix || certain === 'renamed' || vocabulary.has(issue.code) || counts.get(keyOf(issue)) === 1)
      return issue
    const { fix: _, ...withoutFix } = issue
    return withoutFix
  })
}

/**
 * Applies the fixes of these issues to the text; of overlapping ones only the first, the others come in the next round.
 */
export function applyFixes(text: string, issues: readonly Issue[]): { text: string; applied: Issue[] } {
  const taken: TextEdit[] = []
  const applied = issues.filter(({ fix }) => {
    if (!fix || fix.edits.some((edit) => taken.some((other) => touches(edit, other)))) return false
    taken.push(...fix.edits)
    return true
  })
  return { text: applyEdits(text, taken), applied }
}

const touches = (a: TextEdit, b: TextEdit) => a.offset <= b.offset + b.length && b.offset <= a.offset + a.length
