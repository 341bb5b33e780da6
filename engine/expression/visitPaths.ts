import type { ASTNode } from '@marcbachmann/cel-js'
import { macros } from './macros.ts'
import { rootOf } from './parse.ts'

/** The path that a part of an expression reads from the record: `['contacts', 'kind']` of each row. */
export type PathOf = (node: ASTNode) => string[] | undefined

interface Visitor {
  visit(node: ASTNode, pathOf: PathOf): void
  visitWhole(root: ASTNode, pathOf: PathOf): void
  /** The same for a part that is neither a name nor a member access. */
  further?(node: ASTNode, pathOf: PathOf): string[] | undefined
}

/** Visits every part of an expression, then the whole; nothing if it does not parse. */
export function visitPaths(text: string, { visit, visitWhole, further }: Visitor): void {
  /** The items of the surrounding `exists`, `map`, … and the paths of their lists. */
  const items: { name: string; path: string[] | undefined }[] = []
  const pathOf: PathOf = (node) => {
    if (node.op === 'id') {
      const item = items.findLast(({ name }) => name === node.args)
      return item ? item.path : [node.args]
    }
    if (node.op !== '.') return further?.(node, pathOf)
    const owner = pathOf(node.args[0])
    return owner && [...owner, node.args[1]]
  }
  const visitAll = (node: ASTNode): void => {
    visit(node, pathOf)
    if (node.op === 'rcall' && Object.hasOwn(macros, node.args[0]) && node.args[2].length === 2) {
      const [, receiver, [item, body]] = node.args
      visitAll(receiver)
      items.push({ name: item.op === 'id' ? item.args : '', path: pathOf(receiver) })
      visitAll(body)
      items.pop()
    } else childrenOf(node.args).forEach(visitAll)
  }
  const root = rootOf(text)
  if (!root) return
  visitAll(root)
  visitWhole(root, pathOf)
}

/** The parts of which a part of an expression directly consists. @param part its `args` */
export function childrenOf(part: unknown): ASTNode[] {
  if (Array.isArray(part)) return part.flatMap(childrenOf)
  return typeof part === 'object' && part !== null && 'op' in part ? [part as ASTNode] : []
}
