import { relational, type Relational, type VariableTypes } from '../expression/index.ts'

/** Whether the database can compute a formula, by its text and the types of its names. */
const formulas = new WeakMap<VariableTypes, Map<string, Relational | undefined>>()
export function relationalOf(text: string, types: VariableTypes): Relational | undefined {
  const known = formulas.get(types) ?? new Map<string, Relational | undefined>()
  formulas.set(types, known)
  if (!known.has(text)) known.set(text, relational(text, types))
  return known.get(text)
}

export function fieldsOf(formula: Relational): string[] {
  switch (formula.kind) {
    case 'field':
      return formula.name === 'id' ? [] : [formula.name]
    case 'constant':
      return []
    case 'not':
      return fieldsOf(formula.operand)
    case 'call':
      return formula.operands.flatMap(fieldsOf)
    case 'choice':
      return [formula.test, formula.yes, formula.no].flatMap(fieldsOf)
    default:
      return [formula.left, formula.right].flatMap(fieldsOf)
  }
}
