import type { ASTNode } from '@marcbachmann/cel-js'
import { analyse, type Context } from './analyse.ts'
import { recordEnvironment, type Scope } from './environment.ts'
import { accepts } from './declare.ts'
import { functions } from './functions.ts'
import { unbind } from './operand.ts'
import { parseExpression, type ParsedExpression } from './parse.ts'
import { notation, typeOf, type Type, type VariableTypes } from './type.ts'

/** Operators with the same meaning in a database, missing values included. */
const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'] as const
export type RelationalOperator = (typeof comparisons)[number]

/** Exact in both; a quotient may not be, unless it is rounded at once. */
const calculations = ['+', '-', '*'] as const
export type ArithmeticOperator = (typeof calculations)[number]

export type RelationalType = 'string' | 'decimal' | 'boolean' | 'list<string>' | 'list<decimal>' | 'null'

/**
 * A formula that a database can evaluate for many records at once. What does not depend on the record (the time, the
 * user, and what is derived from them) is a constant, evaluated when the query is built.
 */
export type Relational =
  | { kind: 'field'; name: string; type: RelationalType }
  | { kind: 'constant'; type: RelationalType; value(scope: Scope): unknown }
  | { kind: 'operator'; operator: RelationalOperator; left: Relational; right: Relational }
  | { kind: 'arithmetic'; operator: ArithmeticOperator; left: Relational; right: Relational }
  /** A function with an SQL equivalent and a result of this type. */
  | { kind: 'call'; sql: string; type: RelationalType; operands: Relational[] }
  /**
   * Of two numbers, rounded half away from zero to so many places; missing if either is missing or the second is zero.
   */
  | { kind: 'quotient'; left: Relational; right: Relational; digits: number }
  | { kind: 'not'; operand: Relational }
  | { kind: 'choice'; test: Relational; yes: Relational; no: Relational }

/** Every query over records with such a formula needs its SQL form. */
const known = new WeakMap<VariableTypes, Map<string, Relational | undefined>>()

/** Undefined if the formula has no such form, or does not parse. */
export function relational(text: string, types: VariableTypes): Relational | undefined {
  let forms = known.get(types)
  if (!forms) known.set(types, (forms = new Map()))
  if (!forms.has(text)) forms.set(text, translated(text, types))
  return forms.get(text)
}

function translated(text: string, types: VariableTypes): Relational | undefined {
  try {
    return translate(parseExpression(text).root, text, types)
  } catch {
    return undefined
  }
}

/** Whether it reads the clock: its value cannot be stored, because it changes by itself. */
export function readsClock(text: string): boolean {
  const calls = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(calls)
    if (typeof node !== 'object' || node === null || !('op' in node)) return false
    const { op, args } = node as ASTNode
    return (op === 'call' && functions[args[0]]?.clock === true) || calls(args)
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
    const [operand] = all(node.args) ?? []
    return operand && { kind: 'not', operand }
  }
  if (node.op === '?:') {
    const [test, yes, no] = all(...node.args) ?? []
    return test && yes && no && { kind: 'choice', test, yes, no }
  }
  if (node.op === 'call' && node.args[0] === 'round' && node.args[1][0].op === '/')
    return quotient(...(all(...node.args[1][0].args, node.args[1][1]) ?? []))
  if (node.op === 'call') return call(node.args[0], all(...node.args[1]))
  if (isOneOf(calculations, node.op)) {
    const [left, right] = all(...(node.args as [ASTNode, ASTNode])) ?? []
    return left && right && isNumber(left) && isNumber(right)
      ? { kind: 'arithmetic', operator: node.op, left, right }
      : undefined
  }
  if (!isOneOf(comparisons, node.op)) return undefined
  const [left, right] = all(...(node.args as [ASTNode, ASTNode])) ?? []
  return left && right && { kind: 'operator', operator: node.op, left, right }
}

const isOneOf = <T extends string>(list: readonly T[], text: string): text is T =>
  (list as readonly string[]).includes(text)

/** A function with an SQL equivalent, if these arguments fit it. */
function call(name: string, operands: Relational[] | undefined): Relational | undefined {
  const declaration = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (declaration?.sql === undefined || operands?.length !== declaration.parameters.length) return undefined
  const types = operands.map((each) => checkedType(relationalType(each)))
  if (!types.every((type, position) => accepts(declaration.parameters[position], type))) return undefined
  const result = declaration.result(types)
  const type = result && notation(result)
  return isRelationalType(type) ? { kind: 'call', sql: declaration.sql, type, operands } : undefined
}

const checkedType = (type: RelationalType): Type => (type === 'null' ? type : typeOf(type))

/** The type of its result. */
export function relationalType(relational: Relational): RelationalType {
  switch (relational.kind) {
    case 'field':
    case 'constant':
    case 'call':
      return relational.type
    case 'choice': {
      const yes = relationalType(relational.yes)
      return yes === 'null' ? relationalType(relational.no) : yes
    }
    case 'arithmetic':
    case 'quotient':
      return 'decimal'
    default:
      return 'boolean'
  }
}
const isNumber = (relational: Relational): boolean => relationalType(relational) === 'decimal'

const quotient = (left?: Relational, right?: Relational, digits?: Relational): Relational | undefined =>
  left && right && digits && isNumber(left) && isNumber(right) && isDigits(digits)
    ? { kind: 'quotient', left, right, digits: digitsOf(digits)! }
    : undefined

/** A whole number that depends on nothing. */
const isDigits = (term: Relational | undefined): boolean => digitsOf(term) !== undefined

function digitsOf(term: Relational | undefined): number | undefined {
  const digits = term?.kind === 'constant' ? String(term.value({ record: {}, now: '' } as Scope)) : ''
  return /^\d$/.test(digits) ? Number(digits) : undefined
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
  const type = notation(found)
  if (!isRelationalType(type)) return undefined
  return {
    kind: 'constant',
    type,
    value: (scope) =>
      unbind(run({ scope, now: scope.now, strict: false, items: [] } satisfies Context<Scope>), (decimal) =>
        decimal.toFixed(),
      ),
  }
}
