import { dependencies, parseExpression } from '../expression/index.ts'

/** The fields and other names that a formula reads; empty if it does not parse. */
export function formulaNames(formula: string): string[] {
  try {
    parseExpression(formula)
  } catch {
    return []
  }
  return [...new Set(dependencies(formula).map((name) => name.split('.')[0]))]
}
