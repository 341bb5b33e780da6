/** Conditions and formulas: parsed, type-checked and evaluated by the same code in the browser and on the server. */
export { parseExpression, isName } from './parse.ts'
export { carried } from './carried.ts'
export { checkExpression, dependencies } from './check.ts'
export { compileCondition, compileFormula, evaluateCondition, evaluateFormula } from './evaluate.ts'
export {
  readsClock,
  relational,
  relationalType,
  type Relational,
  type RelationalOperator,
  type RelationalType,
} from './relational.ts'
export { unroundedQuotients } from './quotients.ts'
export { outcomes, outcomesWithin, type KnownBounds, type KnownValues, type Outcome } from './outcomes.ts'
export { literalUses, numberUses, type LiteralUse } from './literals.ts'
export { termsOf, type Term } from './terms.ts'
export { unitsOf } from './units.ts'
export { evaluateTemplate, expandTemplate, type ExpandedTemplate } from './template.ts'
export { TemplateError } from './templateFaults.ts'
export { ExpressionError, type ExpressionFault, type FaultCode } from './fault.ts'
export { environmentNames, type Scope, type ScopeUser, type Settings } from './environment.ts'
export { functions } from './functions.ts'
export { methods } from './methods.ts'
export { macros } from './macros.ts'
export { closeKeys, hasClosedKeys } from './closedKeys.ts'
export { isAlone, nearestName } from './nearest.ts'
export { Decimal, decimalOf } from './decimal.ts'
export { addDays, addMonths, daysBetween, monthsBetween } from './calendar.ts'
export { settingTypes, type VariableType, type VariableTypes } from './type.ts'
