import type { ASTNode } from '@marcbachmann/cel-js'
import { isMistakenKey } from '../closedKeys.ts'
import { Decimal } from '../decimal.ts'
import { ExpressionError, fault, unknown, type Range } from '../fault.ts'
import { bind, isMap, member, typeOfOperand } from '../operand.ts'
import { fits, isOpen, nameOf, notation, typeOf, withArticle, type Type, type VariableTypes } from '../type.ts'
import { settle, type Node, type Part, type Walk } from './walk.ts'

const isMember = ({ op }: ASTNode) => op === 'id' || op === '.' || op === '[]'

export function name<S>(walk: Walk<S>, node: Node<'id'>): Part<S> {
  const word = node.args
  const depth = walk.items.findLastIndex((item) => item.name === word)
  if (depth >= 0) return { type: walk.items[depth].type, run: (context) => context.items[depth] }
  walk.uses.push({ name: word, start: node.start, end: node.end })
  const variable = walk.environment.resolve(word)
  if (!variable)
    return walk.report(
      unknown('name', node, word, [...walk.items.map((item) => item.name), ...walk.environment.names()]),
    )
  const { type, read } = variable
  return { type, run: (context) => bind(read(context.scope), type) }
}

export function access<S>(walk: Walk<S>, node: Node<'.'>): Part<S> {
  const [ownerNode, key] = node.args
  return read(walk, owner(walk, ownerNode, key), key, { start: node.end - key.length, end: node.end })
}

/**
 * The owner of a member. A use of `old` or `settings` counts as a use of that member of it; for settings, of the
 * member's member.
 */
function owner<S>(walk: Walk<S>, node: ASTNode, key: string): Part<S> {
  const part = walk.part(node)
  const last = walk.uses.at(-1)
  const isWhole = (name: string) =>
    node.op === 'id' ? name === 'old' || name === 'settings' : /^settings\.\w+$/.test(name)
  if (last && last.start === node.start && isMember(node) && isWhole(last.name)) last.name += `.${key}`
  return part
}

function read<S>(walk: Walk<S>, { type, run }: Part<S>, key: string, range: Range): Part<S> {
  const wrong = (found: Type) =>
    fault('wrong-type', range, notation(found), ['map'], {
      cn: `${nameOf(found).cn}没有成员“${key}”`,
      en: `${withArticle(found, true)} has no member "${key}"`,
    })
  if (!isOpen(type) && !(typeof type === 'object' && 'keys' in type)) return walk.report(wrong(type))
  const keys: VariableTypes | null = typeof type === 'object' ? type.keys : null
  if (keys && !Object.hasOwn(keys, key)) return walk.report(unknown('name', range, key, Object.keys(keys)))
  return {
    type: keys ? typeOf(keys[key]) : 'any',
    run(context) {
      const map = run(context)
      if (map === null) return null
      if (context.strict && isMap(map) && isMistakenKey(map, key))
        throw new ExpressionError(unknown('parameter', range, key, Object.keys(map)))
      return settle(isMap(map) ? member(map, key, keys) : undefined, context, () => wrong(typeOfOperand(map)))
    },
  }
}

export function index<S>(walk: Walk<S>, node: Node<'[]'>): Part<S> {
  const [ownerNode, keyNode] = node.args
  if (keyNode.op === 'value' && typeof keyNode.args === 'string') {
    const part = owner(walk, ownerNode, keyNode.args)
    if (!(typeof part.type === 'object' && 'list' in part.type)) return read(walk, part, keyNode.args, keyNode)
  }
  const [whole, key] = [walk.part(ownerNode), walk.part(keyNode)]
  const isList = typeof whole.type === 'object' && 'list' in whole.type
  const wrong = (found: Type) =>
    fault('wrong-type', keyNode, notation(found), [isList ? 'decimal' : 'string'], {
      cn: isList ? `列表的序号应为数值，实际为${nameOf(found).cn}` : `${nameOf(whole.type).cn}不能用[ ]取值`,
      en: isList
        ? `The index of a list is a number, not ${withArticle(found)}`
        : `[ ] cannot be used on ${withArticle(whole.type)}`,
    })
  const possible =
    isOpen(whole.type) || (typeof whole.type === 'object' && fits(key.type, isList ? 'decimal' : 'string'))
  if (!possible) return walk.report(wrong(key.type))
  return {
    type: typeof whole.type === 'object' && 'list' in whole.type ? whole.type.list : 'any',
    run(context) {
      const [from, at] = [whole.run(context), key.run(context)]
      if (from === null || at === null) return null
      if (Array.isArray(from) && at instanceof Decimal) return at.isInteger() ? (from[at.toNumber()] ?? null) : null
      return settle(isMap(from) && typeof at === 'string' ? member(from, at, null) : undefined, context, () =>
        wrong(typeOfOperand(at)),
      )
    },
  }
}
