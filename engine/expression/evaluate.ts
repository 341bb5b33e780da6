/**
 * Missing values have one meaning.
 *
 * - null stands for anything missing: an empty field, a field of a missing record, a half-typed number, a date that
 *   does not exist, a division by zero.
 * - null in an operator or a function makes its result null. In `&&` and `||` one side may decide (`false && null` is
 *   false, `true || null` is true); otherwise they are null too, and so are `!null` and a choice whose test is null.
 * - At the end, a null **condition** is false and a null **formula** is null.
 * - `==` and `!=` compare with null and are never null; null, '' and [] all mean empty to them.
 * - A missing list has no items: `size(null)` is 0, `x in null` is false, `exists` is false, `all` is true.
 * - `coalesce(a, b)` is `b` if `a` is missing.
 *
 * Evaluating never throws once the text parses: values that a checked expression cannot get (a field cut from the
 * screen, operands that do not go together) are missing too.
 */
import type { Value } from '../model/model.ts'
import { analyse, type Context } from './analyse.ts'
import { recordEnvironment, type Scope } from './environment.ts'
import { unbind, type Operand } from './operand.ts'
import { parseExpression } from './parse.ts'
import type { VariableTypes } from './type.ts'

type Program = (scope: Scope) => Operand

/** Keyed by the object that declares the types: callers keep one such object per entity and never change it. */
const programs = new WeakMap<VariableTypes, Map<string, Program>>()

function compile(text: string, types: VariableTypes): Program {
  let known = programs.get(types)
  if (!known) programs.set(types, (known = new Map()))
  let program = known.get(text)
  if (!program) {
    const { run } = analyse(parseExpression(text), recordEnvironment(types))
    program = (scope) => {
      const context: Context<Scope> = { scope, now: scope.now, strict: false, items: [] }
      return run(context)
    }
    known.set(text, program)
  }
  return program
}

/** A reusable function for conditions that are evaluated often. Throws `ExpressionError` if the text does not parse. */
export function compileCondition(text: string, types: VariableTypes): (scope: Scope) => boolean {
  const program = compile(text, types)
  return (scope) => program(scope) === true
}

/** The same for a formula, which yields a value in wire form: decimals are plain strings. */
export function compileFormula(text: string, types: VariableTypes): (scope: Scope) => Value {
  const program = compile(text, types)
  return (scope) => unbind(program(scope), (decimal) => decimal.toFixed()) as Value
}

export const evaluateCondition = (text: string, scope: Scope, types: VariableTypes): boolean =>
  compile(text, types)(scope) === true
export const evaluateFormula = (text: string, scope: Scope, types: VariableTypes): Value =>
  compileFormula(text, types)(scope)
