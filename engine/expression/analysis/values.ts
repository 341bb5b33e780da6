import { Decimal } from '../decimal.ts'
import { unify, type Type } from '../type.ts'
import { different, missing, syntax, type Node, type Part, type Walk } from './walk.ts'

export function literal<S>(walk: Walk<S>, node: Node<'value'>): Part<S> {
  const value = node.args
  if (typeof value === 'string') return { type: 'string', run: () => value }
  if (typeof value === 'boolean') return { type: 'boolean', run: () => value }
  if (value === null) return { type: 'null', run: () => null }
  if (value instanceof Uint8Array)
    return walk.report(syntax(node, { cn: '不支持字节串', en: 'Byte strings are not supported' }))
  // Parsed from its own text, because the parser's double has already lost precision.
  const decimal = new Decimal(walk.text.slice(node.start, node.end).replace(/u$/i, ''))
  return { type: 'decimal', run: () => decimal }
}

export function listLiteral<S>(walk: Walk<S>, node: Node<'list'>): Part<S> {
  const parts = node.args.map(walk.part)
  let list: Type = parts.length ? 'null' : 'any'
  for (const [position, part] of parts.entries()) {
    const both = unify(list, part.type)
    if (both) list = both
    else walk.report(different(node.args[position], list, part.type))
  }
  return { type: { list }, run: (context) => parts.map((part) => part.run(context)) }
}

export function mapLiteral<S>(walk: Walk<S>, node: Node<'map'>): Part<S> {
  const entries = node.args.map(([keyNode, value]) => {
    if (keyNode.op === 'value' && typeof keyNode.args === 'string')
      return { key: keyNode.args, value: walk.part(value) }
    walk.report(syntax(keyNode, { cn: '对象的键应为文本', en: 'The key of a map is a text' }))
    return { key: '', value: missing }
  })
  return {
    type: { keys: null },
    run: (context) => Object.fromEntries(entries.map(({ key, value }) => [key, value.run(context)])),
  }
}
