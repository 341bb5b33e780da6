import type { ASTNode } from '@marcbachmann/cel-js'
import { Decimal } from '../decimal.ts'
import { fault } from '../fault.ts'
import { typeOfOperand } from '../operand.ts'
import { operators } from '../operators.ts'
import { fits, nameOf, notation, unify, withArticle, type Type } from '../type.ts'
import { different, settle, type Node, type Part, type Run, type Walk } from './walk.ts'

type Binary = Node<'==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='>

export function binary<S>(walk: Walk<S>, node: Binary): Part<S> {
  const operator = operators[node.op]
  const [left, right] = [walk.part(node.args[0]), walk.part(node.args[1])]
  const wrong = (a: Type, b: Type) =>
    fault('wrong-type', node, `${notation(a)} ${node.op} ${notation(b)}`, operator.accepts, {
      cn: `“${node.op}”不能用于${nameOf(a).cn}与${nameOf(b).cn}`,
      en: `"${node.op}" cannot be used on ${nameOf(a).en} and ${nameOf(b).en}${listHint(walk.text, node, b)}`,
    })
  const type = operator.type(left.type, right.type)
  if (!type) return walk.report(wrong(left.type, right.type))
  const { apply, takesNull } = operator
  return {
    type,
    run(context) {
      const [a, b] = [left.run(context), right.run(context)]
      if (!takesNull && (a === null || b === null)) return null
      return settle(apply(a, b), context, () => wrong(typeOfOperand(a), typeOfOperand(b)))
    },
  }
}

/** One value behind `in` is written as a list of it. */
const listHint = (text: string, node: Binary, right: Type): string =>
  node.op === 'in' && (right === 'string' || right === 'decimal')
    ? `: what follows it is a list, as in [${text.slice(node.args[1].start, node.args[1].end)}]`
    : ''

/** A boolean operand of the operator or function `user`. */
export function condition<S>(walk: Walk<S>, node: ASTNode, user: string): Run<S> {
  const part = walk.part(node)
  const wrong = (found: Type) =>
    fault('wrong-type', node, notation(found), ['boolean'], {
      cn: `“${user}”需要是/否条件，实际为${nameOf(found).cn}`,
      en: `"${user}" needs a condition, not ${withArticle(found)}`,
    })
  if (!fits(part.type, 'boolean')) walk.report(wrong(part.type))
  const { run } = part
  return (context) => {
    const value = run(context)
    return value === null || typeof value === 'boolean'
      ? value
      : settle(undefined, context, () => wrong(typeOfOperand(value)))
  }
}

/**
 * The deciding side determines the result whatever the other side is; otherwise a missing side makes the result
 * missing.
 */
export function logic<S>(walk: Walk<S>, node: Node<'&&' | '||'>): Part<S> {
  const decisive = node.op === '||'
  const [left, right] = [condition(walk, node.args[0], node.op), condition(walk, node.args[1], node.op)]
  return {
    type: 'boolean',
    run(context) {
      const a = left(context)
      if (a === decisive) return a
      const b = right(context)
      return b === decisive ? b : a === null ? a : b
    },
  }
}

export function not<S>(walk: Walk<S>, node: Node<'!_'>): Part<S> {
  const run = condition(walk, node.args, '!')
  return {
    type: 'boolean',
    run(context) {
      const value = run(context)
      return value === null ? null : !value
    },
  }
}

export function negative<S>(walk: Walk<S>, node: Node<'-_'>): Part<S> {
  const { type, run } = walk.part(node.args)
  const wrong = (found: Type) =>
    fault('wrong-type', node, notation(found), ['decimal'], {
      cn: `“-”需要数值，实际为${nameOf(found).cn}`,
      en: `"-" needs a number, not ${withArticle(found)}`,
    })
  if (!fits(type, 'decimal')) return walk.report(wrong(type))
  return {
    type: 'decimal',
    run(context) {
      const value = run(context)
      if (value === null) return null
      return settle(value instanceof Decimal ? value.negated() : undefined, context, () => wrong(typeOfOperand(value)))
    },
  }
}

export function choice<S>(walk: Walk<S>, node: Node<'?:'>): Part<S> {
  const test = condition(walk, node.args[0], '? :')
  const [yes, no] = [walk.part(node.args[1]), walk.part(node.args[2])]
  const type = unify(yes.type, no.type)
  if (!type) return walk.report(different(node, yes.type, no.type))
  return {
    type,
    run(context) {
      const value = test(context)
      return value === null ? null : value ? yes.run(context) : no.run(context)
    },
  }
}
