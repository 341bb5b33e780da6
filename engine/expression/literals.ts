import type { ASTNode } from '@marcbachmann/cel-js'
import { visitPaths } from './visitPaths.ts'

/**
 * A text literal in an expression that stands for a field value. `start` and `end` are its offsets, quotes included.
 */
export interface LiteralUse<Value = string> {
  text: Value
  start: number
  end: number
  /**
   * What it is compared with: `type`, `old.type`, `contacts.kind` (of each row). Empty if the expression may yield it.
   */
  path: string[]
  /** Compared by order (`<`), not for equality. */
  isOrdered?: true
  /** One side is wrapped in `coalesce`: what is compared may be something else. */
  mayDiffer?: true
}

export const equalities: ReadonlySet<string> = new Set(['==', '!=', 'in'])
export const orders: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])

/** The text literals that an expression compares with what it reads, or may yield. Empty if it does not parse. */
export const literalUses = (text: string): LiteralUse[] => usesOf(text, (value) => typeof value === 'string')

/** The same for numbers, including integers. */
export const numberUses = (text: string): LiteralUse<number>[] =>
  usesOf(text, (value) => typeof value === 'number' || typeof value === 'bigint').map((use) => ({
    ...use,
    text: Number(use.text),
  }))

function usesOf<Value>(text: string, isMeant: (value: unknown) => value is Value): LiteralUse<Value>[] {
  const found: LiteralUse<Value>[] = []
  /** The literals that a part may evaluate to. */
  function claim(node: ASTNode, path: string[], how: Pick<LiteralUse, 'isOrdered' | 'mayDiffer'> = {}): void {
    if (node.op === 'value' && isMeant(node.args))
      found.push({ text: node.args, start: node.start, end: node.end, path, ...how })
    else if (node.op === 'list') for (const item of node.args) claim(item, path, how)
    else if (node.op === '?:') for (const branch of node.args.slice(1)) claim(branch, path, how)
    else if (isCoalesce(node)) for (const part of node.args[1]) claim(part, path, how)
  }

  visitPaths(text, {
    further(node, pathOf) {
      if (node.op === 'rcall') return node.args[0] === 'filter' ? pathOf(node.args[1]) : undefined
      return isCoalesce(node) ? node.args[1].map(pathOf).find((path) => path !== undefined) : undefined
    },
    visit(node, pathOf) {
      const isOrdered = orders.has(node.op)
      if (!isOrdered && !equalities.has(node.op)) return
      const [left, right] = node.args as [ASTNode, ASTNode]
      const [path, among] = [pathOf(left), pathOf(right)]
      const how = {
        ...(isOrdered && { isOrdered }),
        ...([left, right].some(isCoalesce) && { mayDiffer: true as const }),
      }
      if (path) claim(right, path, how)
      if (among) claim(left, among, how)
    },
    visitWhole: (root) => claim(root, []),
  })
  return found
}

const isCoalesce = (node: ASTNode): node is Extract<ASTNode, { op: 'call' }> =>
  node.op === 'call' && node.args[0] === 'coalesce'
