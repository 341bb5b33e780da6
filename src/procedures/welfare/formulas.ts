import { compileFormula, Decimal, type VariableTypes } from '../../../engine/expression/index.ts'
import type { Amount } from '../settlement/amounts.ts'

/** What a family's formulas are over: the template says which of them each may name. */
const numbers: VariableTypes = {
  declaredBase: 'decimal',
  baseFloor: 'decimal',
  baseCeiling: 'decimal',
  base: 'decimal',
  companyRate: 'decimal',
  personalRate: 'decimal',
  companyFixed: 'decimal',
  personalFixed: 'decimal',
}

/** Null where something that the formula needs is missing. */
export function worked(formula: string, over: Readonly<Record<string, Amount | undefined>>): Decimal | null {
  const record = Object.fromEntries(Object.entries(over).map(([name, amount]) => [name, amount ?? null]))
  const result = compileFormula(formula, numbers)({ record, now: '' })
  return result === null ? null : new Decimal(String(result))
}
