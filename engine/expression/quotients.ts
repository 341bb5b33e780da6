import type { ASTNode } from '@marcbachmann/cel-js'
import { rootOf } from './parse.ts'
import { childrenOf } from './visitPaths.ts'

/** A division in a formula. Offsets refer to the formula's text. */
export interface Quotient {
  text: string
  start: number
  end: number
}

/** The divisions that decide the result of a formula without being rounded; none if the text does not parse. */
export function unroundedQuotients(text: string): Quotient[] {
  const root = rootOf(text)
  return root ? quotientsIn(root).map((node) => withBrackets(node, text)) : []
}

/** Adds the brackets that the parser omits from a part's range. */
function withBrackets({ start, end }: { start: number; end: number }, text: string): Quotient {
  let [depth, unopened] = [0, 0]
  for (const character of text.slice(start, end)) {
    if (character === '(') depth++
    if (character === ')' && depth-- === 0) [depth, unopened] = [0, unopened + 1]
  }
  for (; unopened > 0; unopened--) start = text.lastIndexOf('(', start - 1)
  for (; depth > 0; depth--) end = text.indexOf(')', end) + 1
  return { text: text.slice(start, end), start, end }
}

/** Conditions only choose between results, and functions other than these return a number of their own. */
function quotientsIn(node: ASTNode): ASTNode[] {
  if (node.op === '/') return [node]
  if (node.op === '?:') return node.args.slice(1).flatMap(quotientsIn)
  if (node.op === 'call' && !['coalesce', 'min', 'max'].includes(node.args[0])) return []
  if (node.op === 'call' || ['+', '-', '*', '-_'].includes(node.op)) return childrenOf(node.args).flatMap(quotientsIn)
  return []
}
