/**
 * One walk over the syntax tree yields both what the checker needs (types, faults, names used) and what evaluation
 * needs (plain closures, no code generation), so that the two cannot disagree.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import { call, method } from './analysis/calls.ts'
import { access, index, name } from './analysis/members.ts'
import { binary, choice, logic, negative, not } from './analysis/operations.ts'
import { listLiteral, literal, mapLiteral } from './analysis/values.ts'
import { missing, syntax, type Context, type Part, type Use, type Walk } from './analysis/walk.ts'
import type { Environment } from './environment.ts'
import type { ExpressionFault } from './fault.ts'
import type { ParsedExpression } from './parse.ts'

export type { Context }

export interface Analysis<S> extends Part<S> {
  faults: ExpressionFault[]
  uses: Use[]
}

export function analyse<S>({ text, root }: ParsedExpression, environment: Environment<S>): Analysis<S> {
  const faults: ExpressionFault[] = []
  const walk: Walk<S> = {
    text,
    environment,
    uses: [],
    items: [],
    part: (node) => partOf(walk, node),
    report(fault) {
      faults.push(fault)
      return missing
    },
  }
  return { ...walk.part(root), faults, uses: walk.uses }
}

function partOf<S>(walk: Walk<S>, node: ASTNode): Part<S> {
  switch (node.op) {
    case 'value':
      return literal(walk, node)
    case 'id':
      return name(walk, node)
    case '.':
      return access(walk, node)
    case '[]':
      return index(walk, node)
    case 'call':
      return call(walk, node)
    case 'rcall':
      return method(walk, node)
    case 'list':
      return listLiteral(walk, node)
    case 'map':
      return mapLiteral(walk, node)
    case '?:':
      return choice(walk, node)
    case '&&':
    case '||':
      return logic(walk, node)
    case '!_':
      return not(walk, node)
    case '-_':
      return negative(walk, node)
    case '.?':
    case '[?]':
      return walk.report(syntax(node, { cn: '不支持可选成员', en: 'Optional members are not supported' }))
    default:
      return binary(walk, node)
  }
}
