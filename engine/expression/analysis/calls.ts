import type { ASTNode } from '@marcbachmann/cel-js'
import { fault, unknown, type Range } from '../fault.ts'
import { accepts, type FunctionDeclaration } from '../declare.ts'
import { forbidden } from '../functions.ts'
import { methods } from '../methods.ts'
import { macros } from '../macros.ts'
import { typeOfOperand } from '../operand.ts'
import { isOpen, nameOf, notation, withArticle, type Type } from '../type.ts'
import { condition } from './operations.ts'
import { settle, type Node, type Part, type Walk } from './walk.ts'

export function call<S>(walk: Walk<S>, node: Node<'call'>): Part<S> {
  const [word, argumentNodes] = node.args
  const range = { start: node.start, end: node.start + word.length }
  const allowed = Object.keys(walk.environment.functions)
  if (!allowed.includes(word)) argumentNodes.forEach(walk.part)
  if (Object.hasOwn(forbidden, word))
    return walk.report(fault('forbidden-function', range, word, allowed, forbidden[word]))
  if (!allowed.includes(word)) {
    const written =
      Object.hasOwn(methods, word) || Object.hasOwn(macros, word)
        ? (methods[word] ?? macros[word]).signature
        : undefined
    return walk.report(unknown('function', range, word, allowed, written))
  }
  return apply(walk, { node, word, declaration: walk.environment.functions[word], argumentNodes })
}

export function method<S>(walk: Walk<S>, node: Node<'rcall'>): Part<S> {
  const [word, receiver, argumentNodes] = node.args
  const start = walk.text.indexOf(word, walk.text.indexOf('.', receiver.end) + 1)
  const range = { start, end: start + word.length }
  if (Object.hasOwn(macros, word) && argumentNodes.length === 2) return macro(walk, { word, receiver, argumentNodes })
  if (!Object.hasOwn(methods, word)) walk.part(receiver)
  if (Object.hasOwn(forbidden, word))
    return walk.report(fault('forbidden-function', range, word, Object.keys(methods), forbidden[word]))
  if (!Object.hasOwn(methods, word)) {
    const written = Object.hasOwn(walk.environment.functions, word)
      ? walk.environment.functions[word].signature
      : Object.hasOwn(macros, word)
        ? macros[word].signature
        : undefined
    return walk.report(unknown('function', range, word, [...Object.keys(methods), ...Object.keys(macros)], written))
  }
  return apply(walk, { node, word, declaration: methods[word], argumentNodes: [receiver, ...argumentNodes] })
}

interface Application {
  node: ASTNode
  word: string
  declaration: FunctionDeclaration
  argumentNodes: ASTNode[]
}
function apply<S>(walk: Walk<S>, { node, word, declaration, argumentNodes }: Application): Part<S> {
  const parts = argumentNodes.map(walk.part)
  const types = parts.map((part) => part.type)
  const { parameters, takesNull, signature, run } = declaration
  const wrong = (range: Range, found: Type[]) =>
    fault(
      'wrong-type',
      range,
      found.map(notation).join(', '),
      [signature],
      {
        cn: `${word} 的参数不正确，应为 ${signature}`,
        en: `The arguments of ${word} do not fit: ${signature}`,
      },
      signature,
    )
  if (parts.length !== parameters.length) return walk.report(wrong(node, types))
  const misfit = parts.findIndex((part, position) => !accepts(parameters[position], part.type))
  if (misfit >= 0) return walk.report(wrong(argumentNodes[misfit], [types[misfit]]))
  const type = declaration.result(types)
  if (!type) return walk.report(wrong(node, types))
  return {
    type,
    run(context) {
      const values = parts.map((part) => part.run(context))
      if (!takesNull && values.includes(null)) return null
      const fit = values.every(
        (value, position) => value === null || accepts(parameters[position], typeOfOperand(value)),
      )
      return settle(fit ? run(values, context.now, context.scope) : undefined, context, () =>
        wrong(node, values.map(typeOfOperand)),
      )
    },
  }
}

interface MacroCall {
  word: string
  receiver: ASTNode
  argumentNodes: ASTNode[]
}
function macro<S>(walk: Walk<S>, { word, receiver, argumentNodes: [itemNode, bodyNode] }: MacroCall): Part<S> {
  const { type, run } = walk.part(receiver)
  const wrong = (found: Type) =>
    fault('wrong-type', receiver, notation(found), ['list'], {
      cn: `“${word}”需要列表，实际为${nameOf(found).cn}`,
      en: `"${word}" needs a list, not ${withArticle(found)}`,
    })
  const isList = typeof type === 'object' && 'list' in type
  if (!isList && !isOpen(type)) walk.report(wrong(type))
  const depth =
    walk.items.push({ name: itemNode.op === 'id' ? itemNode.args : '', type: isList ? type.list : 'any' }) - 1
  const body: Part<S> = word === 'map' ? walk.part(bodyNode) : { type: 'boolean', run: condition(walk, bodyNode, word) }
  walk.items.pop()
  const { collect } = macros[word]
  return {
    type: word === 'map' ? { list: body.type } : word === 'filter' ? { list: isList ? type.list : 'any' } : 'boolean',
    run(context) {
      const list = run(context) ?? []
      if (!Array.isArray(list)) return settle(undefined, context, () => wrong(typeOfOperand(list)))
      return collect(list, (item) => {
        context.items[depth] = item
        return body.run(context)
      })
    },
  }
}
