import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { segments } from '../../model/pointer.ts'

/** A range in a text: offsets, the end excluded. */
export interface Range {
  start: number
  end: number
}
/** Selects the value at the pointer, its key, or a part of the string there. */
export interface Part {
  key?: boolean
  part?: Range
}

/** A syntax tree, built only for a file with issues. */
export const treeOf = (text: string): Node | undefined => parseTree(text, undefined, { disallowComments: true })

/**
 * The range of what a pointer refers to, or of the nearest ancestor that the text really contains (for a shorthand or a
 * default).
 */
export function rangeOf(tree: Node | undefined, text: string, pointer: string, { key, part }: Part = {}): Range {
  if (!tree) return { start: 0, end: 0 }
  const path = segments(pointer)
  for (let length = path.length; length >= 0; length--) {
    const node = length ? findNode(tree, path.slice(0, length)) : tree
    if (!node) continue
    if (length === path.length && key && node.parent?.type === 'property') return ofNode(node.parent.children![0])
    if (length === path.length && part && node.type === 'string') return inString(node, text, part)
    // Underlining a whole object or list would cover pages, so only its key or opening bracket is.
    if ((node.type === 'object' || node.type === 'array') && node.parent?.type === 'property')
      return ofNode(node.parent.children![0])
    return node.type === 'object' || node.type === 'array' ? { start: node.offset, end: node.offset + 1 } : ofNode(node)
  }
  return { start: 0, end: 0 }
}

/** The node under these keys and indexes; undefined if the text does not contain it. */
export function findNode(tree: Node, path: string[]): Node | undefined {
  let node: Node | undefined = tree
  for (const segment of path) {
    if (!node) return undefined
    node = findNodeAtLocation(node, [node.type === 'array' ? Number(segment) : segment])
  }
  return node
}

const ofNode = (node: Node): Range => ({ start: node.offset, end: node.offset + node.length })

/** Offsets count in the string's value, but escapes are longer in the text. */
function inString(node: Node, text: string, { start, end }: Range): Range {
  const raw = text.slice(node.offset, node.offset + node.length)
  let offset = 1
  let count = 0
  const at: number[] = []
  while (offset < raw.length - 1) {
    at[count++] = offset
    offset += raw[offset] !== '\\' ? 1 : raw[offset + 1] === 'u' ? 6 : 2
  }
  at[count] = offset
  const from = at[Math.min(start, count)]
  const to = at[Math.min(Math.max(end, start + 1), count)]
  return { start: node.offset + from, end: node.offset + Math.max(to, from + 1) }
}

/** Line and column from 1, and the line itself. */
export function positionOf(text: string, offset: number): { line: number; column: number; excerpt: string } {
  const before = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(0, before).split('\n').length
  return {
    line,
    column: offset - before + 1,
    excerpt: text.slice(before, end < 0 ? undefined : end).replace(/\r$/, ''),
  }
}
