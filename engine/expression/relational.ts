import type { ASTNode } from '@marcbachmann/cel-js'
import { analyse, type Context } from './analyse.ts'
import { recordEnvironment, type Scope } from './environment.ts'
import { functions } from './functions.ts'
import { unbind } from './operand.ts'
import { parseExpression, type ParsedExpression } from './parse.ts'
import type { VariableTypes } from './type.ts'

/** The operators that mean the same to a database, missing values included. Division is none of them: it keeps other digits there. */
const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'] as const
const arithmetic = ['+', '-', '*'] as const
export type RelationalOperator = typeof comparisons[number] | typeof arithmetic[number]

export type RelationalType = 'string' | 'decimal' | 'boolean' | 'list<string>' | 'list<decimal>' | 'null'

/**
 * A formula as a database can work it out for many records at once. What does not depend on the record (the time, the user, what is
 * computed of them) is a constant, evaluated when the query is made.
 */
export type Relational =
  | { kind: 'field'; name: string; type: RelationalType }
  | { kind: 'constant'; type: RelationalType; value(scope: Scope): unknown }
  | { kind: 'operator'; operator: RelationalOperator; left: Relational; right: Relational }
  | { kind: 'not'; of: Relational }
  | { kind: 'daysBetween'; from: Relational; to: Relational }
  | { kind: 'choice'; test: Relational; yes: Relational; no: Relational }

/** Undefined where the formula says something that has no such form, or does not parse. */
export function relational(text: string, types: VariableTypes): Relational | undefined {
  try {
    return translate(parseExpression(text).root, text, types)
  } catch {
    return undefined
  }
}

/** Does it ask for the time? Then its value cannot be kept: it changes by itself. */
export function asksForTime(text: string): boolean {
  const calls = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(calls)
    if (typeof node !== 'object' || node === null || !('op' in node)) return false
    const { op, args } = node as ASTNode
    return op === 'call' && functions[args[0]]?.clock === true || calls(args)
  }
  try {
    return calls(parseExpression(text).root)
  } catch {
    return false
  }
}

function translate(node: ASTNode, text: string, types: VariableTypes): Relational | undefined {
  const same = constant(node, text, types)
  if (same) return same
  const all = <N extends ASTNode[]>(...nodes: N) => {
    const parts = nodes.map((each) => translate(each, text, types))
    return parts.every((part) => part !== undefined) ? parts : undefined
  }
  if (node.op === 'id') return field(node.args, types)
  if (node.op === '!_') {
    const [of] = all(node.args) ?? []
    return of && { kind: 'not', of }
  }
  if (node.op === '?:') {
    const [test, yes, no] = all(...node.args) ?? []
    return test && yes && no && { kind: 'choice', test, yes, no }
  }
  if (node.op === 'call' && node.args[0] === 'daysBetween') {
    const [from, to] = all(...node.args[1]) ?? []
    return from && to && { kind: 'daysBetween', from, to }
  }
  if (!isComparison(node.op) && !isArithmetic(node.op)) return undefined
  const [left, right] = all(...node.args as [ASTNode, ASTNode]) ?? []
  if (!left || !right || isArithmetic(node.op) && ![left, right].every(isNumber)) return undefined
  return { kind: 'operator', operator: node.op, left, right }
}

const isComparison = (op: string): op is typeof comparisons[number] => (comparisons as readonly string[]).includes(op)
const isArithmetic = (op: string): op is typeof arithmetic[number] => (arithmetic as readonly string[]).includes(op)

/** Texts are added too, but otherwise than numbers. */
function isNumber(part: Relational): boolean {
  switch (part.kind) {
    case 'field':
    case 'constant': return part.type === 'decimal'
    case 'operator': return isArithmetic(part.operator)
    case 'choice': return isNumber(part.yes) && isNumber(part.no)
    case 'daysBetween': return true
    case 'not': return false
  }
}

function field(name: string, types: VariableTypes): Relational | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : name === 'id' ? 'decimal' : undefined
  return isRelationalType(type) ? { kind: 'field', name, type } : undefined
}

const isRelationalType = (type: unknown): type is RelationalType =>
  ['string', 'decimal', 'boolean', 'list<string>', 'list<decimal>', 'null'].includes(type as string)

/** A part that reads nothing of the record. */
function constant(root: ASTNode, text: string, types: VariableTypes): Relational | undefined {
  const part: ParsedExpression = { text, root }
  const { uses, type: found, run } = analyse(part, recordEnvironment(types))
  const isOutside = (name: string) => !Object.hasOwn(types, name) && (name === 'user' || name === 'settings')
  if (uses.some(({ name }) => !isOutside(name.split('.')[0])) || text.includes('changes(')) return undefined
  const type = typeof found === 'string' ? found : 'list' in found ? `list<${String(found.list)}>` : 'map'
  if (!isRelationalType(type)) return undefined
  return {
    kind: 'constant', type,
    value: (scope) => unbind(run({ scope, now: scope.now, strict: false, items: [] } satisfies Context<Scope>), (decimal) => decimal.toFixed()),
  }
}
