import { compileFormula, Decimal, type VariableTypes } from '../../../engine/expression/index.ts'

/** The variables of a family's formulas: the template declares which of them each may name. */
export const formulaTypes = {
  declaredBase: 'decimal',
  baseFloor: 'decimal',
  baseCeiling: 'decimal',
  accountBase: 'decimal',
  base: 'decimal',
  companyRate: 'decimal',
  personalRate: 'decimal',
  companyFixed: 'decimal',
  personalFixed: 'decimal',
  personal: 'decimal',
  attendedDays: 'decimal',
  additionalWages: 'decimal',
  headcount: 'decimal',
  averageWage: 'decimal',
  monthWage: 'decimal',
  baseSoFar: 'decimal',
  companySoFar: 'decimal',
  personalSoFar: 'decimal',
  charged: 'decimal',
  wholeCycle: 'decimal',
  unusedMonths: 'decimal',
  cycleMonths: 'decimal',
  age: 'decimal',
  ageAtYearEnd: 'decimal',
  serviceMonths: 'decimal',
  calendarMonth: 'decimal',
  gender: 'string',
  nationality: 'string',
  householdType: 'string',
  workerKind: 'string',
} satisfies VariableTypes

export type Over = Readonly<Partial<Record<keyof typeof formulaTypes, string | null>>>
/** The amounts of the items before it in the family, as `pensionCompany`: an item depends on no later one. */
export type Earlier = Readonly<Record<string, string | null>>

/** By the names of the earlier amounts: formulas are compiled once for each such object. */
const typesOver = new Map<string, VariableTypes>([['', formulaTypes]])

function typesFor(earlier: Earlier): VariableTypes {
  const added = Object.keys(earlier)
  const known = typesOver.get(added.join())
  if (known) return known
  const types = { ...Object.fromEntries(added.map((name) => [name, 'decimal' as const])), ...formulaTypes }
  typesOver.set(added.join(), types)
  return types
}

const resultOf = (formula: string, over: Over, earlier: Earlier) =>
  compileFormula(
    formula,
    typesFor(earlier),
  )({
    record: { ...earlier, ...Object.fromEntries(names.map((name) => [name, over[name] ?? null])) },
    now: '',
  })
const names = Object.keys(formulaTypes) as (keyof typeof formulaTypes)[]

/** Null if a value that the formula needs is missing. */
export function worked(formula: string, over: Over, earlier: Earlier = {}): Decimal | null {
  const result = resultOf(formula, over, earlier)
  return result === null ? null : new Decimal(String(result))
}

/** An unknown result excludes nobody. */
export const holds = (formula: string, over: Over, earlier: Earlier = {}): boolean =>
  resultOf(formula, over, earlier) !== false
