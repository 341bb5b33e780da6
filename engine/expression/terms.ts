import type { ASTNode } from '@marcbachmann/cel-js'
import { equalities, orders } from './literals.ts'
import { visitPaths, type PathOf } from './visitPaths.ts'

/** A part of an expression that is a plain value: a path that is read, or a function call. */
export interface Term {
  path?: string[]
  /** The name of a function without arguments. */
  call?: string
  start: number
  end: number
}
export interface Comparison {
  left: Term
  right: Term
  isOrdered: boolean
  start: number
  end: number
}
interface Terms {
  /** What the whole expression may yield. */
  yields: Term[]
  compared: Comparison[]
}

/** The plain values that an expression may yield, and those that it compares. Empty if it does not parse. */
export function termsOf(text: string): Terms {
  const terms: Terms = { yields: [], compared: [] }
  visitPaths(text, {
    visit(node, pathOf) {
      const { start, end } = node
      const isOrdered = orders.has(node.op)
      if (!isOrdered && !equalities.has(node.op)) return
      const [left, right] = (node.args as [ASTNode, ASTNode]).map((side) => termsAt(side, pathOf))
      for (const term of left)
        for (const other of right) terms.compared.push({ left: term, right: other, isOrdered, start, end })
    },
    visitWhole(root, pathOf) {
      terms.yields = termsAt(root, pathOf)
    },
  })
  return terms
}

/** The plain values that a part may yield. */
function termsAt(node: ASTNode, pathOf: PathOf): Term[] {
  const { start, end } = node
  const all = (parts: readonly ASTNode[]) => parts.flatMap((part) => termsAt(part, pathOf))
  if (node.op === '?:') return all(node.args.slice(1))
  if (node.op === 'list') return all(node.args)
  if (node.op === 'call') {
    const [name, given] = node.args
    if (name === 'coalesce') return all(given)
    return given.length ? [] : [{ call: name, start, end }]
  }
  const path = pathOf(node)
  return path ? [{ path, start, end }] : []
}
