import { readsClock, checkExpression, type VariableTypes } from '../../expression/index.ts'
import { formulaNames } from '../formulaNames.ts'
import type { NamedField, Names } from '../named.ts'
import { fieldsOf, relationalOf } from '../relationalFields.ts'

/** Cached by field: a field object changes only when its entity's file does. */
const stored = new WeakMap<NamedField, boolean>()
/** Cached by the types that its formulas use as well, because those depend on other files. */
const queried = new WeakMap<VariableTypes, WeakMap<NamedField, boolean>>()

/** Which fields have a column, and which the database can compute. */
export class StoredFields {
  private readonly names: Pick<Names, 'field' | 'widgets' | 'variables'>

  constructor(names: Pick<Names, 'field' | 'widgets' | 'variables'>) {
    this.names = names
  }

  isStored(entity: string, name: string): boolean {
    const { names } = this
    const field = names.field(entity, name)
    if (!field || !Object.hasOwn(names.widgets, field.type)) return true
    const known = stored.get(field)
    if (known !== undefined) return known
    stored.set(field, true) // Cycles are reported elsewhere; this only ensures termination
    const { computed } = field
    const isKept = (used: string) => {
      const input = names.field(entity, used)
      return input
        ? (input.computed === undefined && input.value.kept !== false) || this.isStored(entity, used)
        : used !== 'user' && used !== 'settings'
    }
    const kept =
      typeof computed === 'object' || field.value.kept === false
        ? false
        : computed === undefined || (!readsClock(computed) && formulaNames(computed).every(isKept))
    const isStored = kept && names.widgets[field.type].column(field.options) !== null
    stored.set(field, isStored)
    return isStored
  }

  isQueried(entity: string, name: string): boolean {
    if (this.isStored(entity, name)) return true
    const { names } = this
    const field = names.field(entity, name)!
    const { computed } = field
    if (typeof computed === 'object') return true
    const types = names.variables(entity)
    const known = queried.get(types) ?? new WeakMap<NamedField, boolean>()
    queried.set(types, known)
    const before = known.get(field)
    if (before !== undefined) return before
    known.set(field, true) // Cycles are reported elsewhere; this only ensures termination
    const formula = typeof computed === 'string' ? relationalOf(computed, types) : undefined
    // What is wrong with a formula is reported there.
    const isQueried = formula
      ? fieldsOf(formula).every((used) => this.isQueried(entity, used))
      : typeof computed === 'string' && checkExpression(computed, types).length > 0
    known.set(field, isQueried)
    return isQueried
  }
}
