import type { ASTNode } from '@marcbachmann/cel-js'
import { macros } from './macros.ts'
import { isSame } from './operators.ts'
import { rootOf } from './parse.ts'
import { childrenOf } from './visitPaths.ts'

/** A part of a condition with the same result for every record. Offsets refer to the expression's text. */
export interface Outcome {
  always: boolean
  text: string
  start: number
  end: number
  /** Set if one value would have to equal two at once: the term, and the two values. */
  twice?: { path: string; values: [string, string] }
}

type Literal = string | number | boolean | null
/** The possible values of a term, by its text; undefined if unknown. */
export type KnownValues = (term: string) => readonly Literal[] | undefined

/** The least and greatest value that a term may have, if known. */
export type KnownBounds = (term: string) => { least?: number; most?: number } | undefined

/** The most combinations tried. */
const most = 4000
/** Represents any text that the expression does not name. */
const otherText = '\u0001'

/**
 * Finds parts of a condition that are always or never true, by trying all combinations of the values it compares with,
 * one value between each two of them, and a missing one. What is not compared with a literal may be true or false.
 * Empty if the text does not parse.
 */
export function outcomes(
  text: string,
  known: KnownValues = () => undefined,
  bounds: KnownBounds = () => undefined,
): Outcome[] {
  const root = rootOf(text)
  return root ? found(root, { text, known, bounds }) : []
}

/** The same for the conditions within a formula: what it compares, and what decides between two values. */
export function outcomesWithin(
  text: string,
  known: KnownValues = () => undefined,
  bounds: KnownBounds = () => undefined,
): Outcome[] {
  const root = rootOf(text)
  return root ? conditionsIn(root).flatMap((condition) => found(condition, { text, known, bounds })) : []
}

function conditionsIn(node: ASTNode): ASTNode[] {
  if (node.op === '?:') return [node.args[0], ...conditionsIn(node.args[1]), ...conditionsIn(node.args[2])]
  if (isComparison(node) || ['&&', '||', '!_', 'in'].includes(node.op)) return [node]
  return childrenOf(node.args).flatMap(conditionsIn)
}

interface Given {
  text: string
  known: KnownValues
  bounds: KnownBounds
}

/** If a part is constant, its own parts are not reported as well. */
function found(node: ASTNode, given: Given): Outcome[] {
  const outcome = outcomeOf(node, given)
  if (outcome) return [outcome]
  return operandsOf(node).flatMap((operand) => found(operand, given))
}

/** The operands that are themselves conditions, not values or calls. */
function operandsOf(node: ASTNode): ASTNode[] {
  if (node.op === '&&' || node.op === '||') return node.args
  if (node.op === '!_') return [node.args]
  if (node.op === '?:') return [node.args[0]]
  if (isMacro(node)) return [node.args[2][1]]
  return []
}
const isMacro = (node: ASTNode): node is Extract<ASTNode, { op: 'rcall' }> =>
  node.op === 'rcall' && node.args[0] !== 'map' && Object.hasOwn(macros, node.args[0]) && node.args[2].length === 2

function outcomeOf(node: ASTNode, given: Given): Outcome | undefined {
  const itself = isComparison(node) && !literalOf(node.args[0]) && isOneTerm(node.args, given)
  if (itself) {
    const text = textOf(node, given)
    return { always: ['==', '<=', '>='].includes(node.op), text, start: node.start, end: node.start + text.length }
  }
  const terms = new Map<string, Set<Literal>>()
  collect(node, given, terms)
  const choices = [...terms].map(([term, literals]) => ({ term, values: valuesOf(term, literals, given) }))
  if (choices.reduce((product, { values }) => product * values.length, 1) > most) return undefined
  const seen = new Set<boolean>()
  tryAll({ node, given, choices, values: new Map(), seen }, 0)
  if (seen.size === 2) return undefined
  const twice = seen.has(false) ? twiceIn(node, given) : undefined
  const text = textOf(node, given)
  return { always: seen.has(true), text, start: node.start, end: node.start + text.length, ...(twice && { twice }) }
}

interface Trial {
  node: ASTNode
  given: Given
  choices: readonly { term: string; values: readonly Literal[] }[]
  values: Map<string, Literal>
  seen: Set<boolean>
}

/** Tries all combinations of the choices from this index on, until both results have occurred. */
function tryAll(trial: Trial, index: number): void {
  const { node, given, choices, values, seen } = trial
  if (index === choices.length) seen.add(evaluate(node, given, values) === true)
  else
    for (const value of choices[index].values) {
      if (seen.size === 2) return
      values.set(choices[index].term, value)
      tryAll(trial, index + 1)
    }
}

const comparisons = ['==', '!=', '<', '<=', '>', '>=']
type Comparison = Extract<ASTNode, { op: '==' | '!=' | '<' | '<=' | '>' | '>=' }>
const isComparison = (node: ASTNode): node is Comparison => comparisons.includes(node.op)

const isOneTerm = ([left, right]: [ASTNode, ASTNode], given: Given) => textOf(left, given) === textOf(right, given)

const texts = new WeakMap<ASTNode, string>()
/** Adds the closing bracket that the parser omits from a part's range. */
function textOf(node: ASTNode, { text }: Given): string {
  const known = texts.get(node)
  if (known !== undefined) return known
  let end = node.end
  const count = (character: string) => text.slice(node.start, end).split(character).length
  while (count('(') > count(')') && text[end] === ')') end++
  const found = text.slice(node.start, end)
  texts.set(node, found)
  return found
}

/** The value of a literal. */
function literalOf(node: ASTNode): { value: Literal } | undefined {
  if (node.op === '-_') {
    const literal = literalOf(node.args)
    return typeof literal?.value === 'number' ? { value: -literal.value } : undefined
  }
  if (node.op !== 'value') return undefined
  const value: unknown = node.args
  if (typeof value === 'bigint' || typeof value === 'number') return { value: Number(value) }
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? { value } : undefined
}

/** The values of a list of literals. */
function literalsOf(node: ASTNode): Literal[] | undefined {
  if (node.op !== 'list') return undefined
  const values = node.args.map(literalOf)
  return values.every((value) => value !== undefined) ? values.map(({ value }) => value) : undefined
}

/** Collects the terms that a condition reads, with the literals each is compared with. */
function collect(node: ASTNode, given: Given, terms: Map<string, Set<Literal>>): void {
  const add = (term: ASTNode, literals: readonly Literal[]) => {
    const text = textOf(term, given)
    const known = terms.get(text) ?? new Set()
    for (const literal of literals) known.add(literal)
    terms.set(text, known)
  }
  if (literalOf(node)) return
  if (node.op === '&&' || node.op === '||' || node.op === '!_' || node.op === '?:') {
    for (const operand of [node.args].flat() as ASTNode[]) collect(operand, given, terms)
    return
  }
  if (isComparison(node)) {
    const [left, right] = node.args
    const [a, b] = [literalOf(left), literalOf(right)]
    if (a && b) return
    if (b) return add(left, [b.value])
    if (a) return add(right, [a.value])
  }
  if (node.op === 'in') {
    const among = literalsOf(node.args[1])
    if (among && literalOf(node.args[0])) return
    if (among) return add(node.args[0], among)
  }
  add(node, [true])
}

function valuesOf(term: string, literals: ReadonlySet<Literal>, { known, bounds }: Given): Literal[] {
  const listed = known(term)
  if (listed) return [...listed]
  const words = [...literals].filter((literal): literal is string => typeof literal === 'string' && literal !== '')
  words.sort((a, b) => (a < b ? -1 : 1))
  const numbers = ([...literals].filter((literal) => typeof literal === 'number') as number[]).sort((a, b) => a - b)
  const { least = term.startsWith('size(') ? 0 : Number.NEGATIVE_INFINITY, most: greatest = Number.POSITIVE_INFINITY } =
    bounds(term) ?? {}
  const ends = [least, greatest].filter((end) => Number.isFinite(end))
  const hasBoolean = [...literals].some((literal) => typeof literal === 'boolean')
  return [
    null,
    ...(words.length ? [otherText, ...words.flatMap((word) => [word, `${word}${otherText}`])] : []),
    ...(numbers.length
      ? [
          ...ends,
          numbers[0] - 1,
          ...numbers.flatMap((number, index) => [number, (number + (numbers[index + 1] ?? number + 2)) / 2]),
        ].filter((each) => each >= least && each <= greatest)
      : []),
    ...(hasBoolean ? [true, false] : []),
    // Compared only with null, so it may also have a value.
    ...(words.length + numbers.length === 0 && !hasBoolean ? [otherText] : []),
  ]
}

/**
 * Evaluates as `analyse` does: an order comparison with a missing operand is missing, and `&&` and `||` return as soon
 * as one side decides.
 */
function evaluate(node: ASTNode, given: Given, values: ReadonlyMap<string, Literal>): Literal {
  const literal = literalOf(node)
  if (literal) return literal.value
  const run = (part: ASTNode) => evaluate(part, given, values)
  if (node.op === '&&' || node.op === '||') {
    const decisive = node.op === '||'
    const [a, b] = [run(node.args[0]), run(node.args[1])]
    return a === decisive || b === decisive ? decisive : a === null || b === null ? null : !decisive
  }
  if (node.op === '!_') {
    const value = run(node.args)
    return value === null ? null : value !== true
  }
  if (node.op === '?:') {
    const test = run(node.args[0])
    return test === null ? null : run(node.args[test === true ? 1 : 2])
  }
  if (isComparison(node) && node.args.some(literalOf)) return compared(node.op, run(node.args[0]), run(node.args[1]))
  const among = node.op === 'in' ? literalsOf(node.args[1]) : undefined
  if (among && node.op === 'in') {
    const value = run(node.args[0])
    return among.some((each) => isSame(value, each))
  }
  return values.get(textOf(node, given)) ?? null
}

function compared(operator: string, a: Literal, b: Literal): Literal {
  if (operator === '==') return isSame(a, b)
  if (operator === '!=') return !isSame(a, b)
  if (a === null || b === null || typeof a !== typeof b) return null
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b
}

/** Among the operands of `&&`, two that require different values of one term. */
function twiceIn(node: ASTNode, given: Given): Outcome['twice'] {
  const wanted = new Map<string, string>()
  const parts = (node: ASTNode): ASTNode[] => (node.op === '&&' ? node.args.flatMap(parts) : [node])
  for (const part of parts(node)) {
    if (part.op !== '==') continue
    const [left, right] = part.args
    const [a, b] = [literalOf(left), literalOf(right)]
    const value = (a ?? b)?.value
    if (!a === !b || typeof value !== 'string') continue
    const path = textOf(a ? right : left, given)
    const before = wanted.get(path)
    if (before !== undefined && before !== value) return { path, values: [before, value] }
    wanted.set(path, value)
  }
  return undefined
}
