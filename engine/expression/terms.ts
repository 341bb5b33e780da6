import type { ASTNode } from '@marcbachmann/cel-js'
import { children } from './literals.ts'
import { macros } from './macros.ts'
import { parseExpression } from './parse.ts'

/** A part of an expression that is plainly a value: what is read, by its path, or the call of a function. */
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
  /** What the whole expression may come to. */
  yields: Term[]
  compared: Comparison[]
}

const equalities = new Set(['==', '!=', 'in'])
const orders = new Set(['<', '<=', '>', '>='])

/** The plain values that an expression may come to, and those that it compares. None where it does not parse. */
export function termsOf(text: string): Terms {
  const compared: Comparison[] = []
  /** The items of the surrounding `exists`, `map`, … and what they are items of. */
  const items: { name: string; path: string[] | undefined }[] = []

  function pathOf(node: ASTNode): string[] | undefined {
    if (node.op === 'id') {
      const item = items.findLast(({ name }) => name === node.args)
      return item ? item.path : [node.args]
    }
    if (node.op !== '.') return undefined
    const of = pathOf(node.args[0])
    return of && [...of, node.args[1]]
  }

  function termsAt(node: ASTNode): Term[] {
    const { start, end } = node
    if (node.op === '?:') return node.args.slice(1).flatMap(termsAt)
    if (node.op === 'list') return node.args.flatMap(termsAt)
    if (node.op === 'call') {
      const [name, given] = node.args
      if (name === 'coalesce') return given.flatMap(termsAt)
      return given.length ? [] : [{ call: name, start, end }]
    }
    const path = pathOf(node)
    return path ? [{ path, start, end }] : []
  }

  function visit(node: ASTNode): void {
    const isOrdered = orders.has(node.op)
    if (isOrdered || equalities.has(node.op)) {
      const [left, right] = (node.args as [ASTNode, ASTNode]).map(termsAt)
      for (const one of left)
        for (const other of right)
          compared.push({ left: one, right: other, isOrdered, start: node.start, end: node.end })
    }
    if (node.op === 'rcall' && Object.hasOwn(macros, node.args[0]) && node.args[2].length === 2) {
      const [, receiver, [item, body]] = node.args
      visit(receiver)
      items.push({ name: item.op === 'id' ? item.args : '', path: pathOf(receiver) })
      visit(body)
      items.pop()
    } else children(node.args).forEach(visit)
  }

  try {
    const { root } = parseExpression(text)
    visit(root)
    return { yields: termsAt(root), compared }
  } catch {
    return { yields: [], compared: [] }
  }
}
