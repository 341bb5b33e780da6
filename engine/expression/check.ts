import type { ExpressionType } from '../model/model.ts'
import { analyse } from './analyse.ts'
import { openEnvironment, recordEnvironment } from './environment.ts'
import { ExpressionError, fault, type ExpressionFault } from './fault.ts'
import { parseExpression } from './parse.ts'
import { nameOf, notation, typeOf, unify, withArticle, type VariableTypes } from './type.ts'

/**
 * All faults of an expression over these fields, in order of position. `expected`: the type it must yield (a condition:
 * `boolean`).
 */
export function checkExpression(
  text: string,
  variables: VariableTypes,
  expected: ExpressionType | 'any' = 'any',
): ExpressionFault[] {
  try {
    const { faults, type } = analyse(parseExpression(text), recordEnvironment(variables))
    const wanted = typeOf(expected)
    if (!faults.length && !unify(type, wanted)) {
      faults.push(
        fault('wrong-type', { start: 0, end: text.length }, notation(type), [notation(wanted)], {
          cn: `结果应为${nameOf(wanted).cn}，实际为${nameOf(type).cn}`,
          en:
            wanted === 'boolean'
              ? `This must be true or false, but it is ${withArticle(type)}`
              : `The result must be ${withArticle(wanted)}, not ${withArticle(type)}`,
        }),
      )
    }
    return faults.sort((a, b) => a.start - b.start)
  } catch (error) {
    if (error instanceof ExpressionError) return [error.fault]
    throw error
  }
}

/**
 * The names that an expression reads, each once; a field of the record before the save as `old.x`. Throws
 * `ExpressionError`.
 */
export function dependencies(text: string): string[] {
  const expression = parseExpression(text)
  let names = known.get(expression)
  if (!names)
    known.set(expression, (names = [...new Set(analyse(expression, openEnvironment).uses.map((use) => use.name))]))
  return names
}

/** Cached, because validating a file of a hundred thousand rows looks up each rule's names that many times. */
const known = new WeakMap<ReturnType<typeof parseExpression>, string[]>()
