import type { ASTNode } from '@marcbachmann/cel-js'
import { parseExpression } from './parse.ts'

/** Functions whose result describes a value but does not contain it. */
const silent = new Set([
  'size',
  'contains',
  'startsWith',
  'endsWith',
  'matches',
  'all',
  'exists',
  'exists_one',
  'changes',
])

/**
 * The names whose values, or values derived from them, an expression can return: `salary` and `bonus` of `late ? salary
 * : bonus * 2`, with members after dots (`contacts.mobile`). Names that are only tested, compared or measured are left
 * out. Empty if it does not parse.
 */
export function carried(text: string): string[] {
  try {
    return [...new Set(walk(parseExpression(text).root, {}))]
  } catch {
    return []
  }
}

/** @param items what each variable of a surrounding `map` stands for */
function walk(node: ASTNode, items: Readonly<Record<string, string[]>>): string[] {
  const all = (...nodes: readonly ASTNode[]) => nodes.flatMap((each) => walk(each, items))
  switch (node.op) {
    case 'value':
      return []
    case 'id':
      return Object.hasOwn(items, node.args) ? items[node.args] : [node.args]
    case '.':
      return all(node.args[0]).map((path) => `${path}.${node.args[1]}`)
    case '[]': {
      const [owner, key] = node.args
      const isMember = key.op === 'value' && typeof key.args === 'string'
      return all(owner).map((path) => (isMember ? `${path}.${key.args}` : path))
    }
    case 'call':
      return silent.has(node.args[0]) ? [] : all(...node.args[1])
    case 'rcall': {
      const [name, list, given] = node.args
      if (silent.has(name)) return []
      if (name === 'filter') return all(list)
      const [item, body] = given
      return name === 'map' && item.op === 'id' ? walk(body, { ...items, [item.args]: all(list) }) : all(list, ...given)
    }
    case 'list':
      return all(...node.args)
    case 'map':
      return all(...node.args.map(([, value]) => value))
    case '?:':
      return all(node.args[1], node.args[2])
    case '-_':
      return all(node.args)
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return all(...node.args)
    default:
      return []
  }
}
