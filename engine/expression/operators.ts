/**
 * What the operators mean. All numbers are exact decimals (so `7 / 2` is 3.5); dates and months are texts, which sort
 * correctly. `apply` gets no null unless the operator takes nulls. It returns null if there is no value (division by
 * zero), and undefined if the operands do not go together, which only happens with operands of type `any`.
 */
import { Decimal } from './decimal.ts'
import { isMap, member, type Operand } from './operand.ts'
import { fits, isOpen, unify, type Type } from './type.ts'

export interface BinaryOperator {
  takesNull?: true
  /** The types that it accepts, for messages. */
  accepts: string[]
  /** Undefined if these types do not go together. */
  type(left: Type, right: Type): Type | undefined
  apply(left: Operand, right: Operand): Operand | undefined
}

const arithmetic = (compute: (left: Decimal, right: Decimal) => Decimal | null): BinaryOperator => ({
  accepts: ['decimal'],
  type: (left, right) => (fits(left, 'decimal') && fits(right, 'decimal') ? 'decimal' : undefined),
  apply: (left, right) => (left instanceof Decimal && right instanceof Decimal ? compute(left, right) : undefined),
})

const comparison = (holds: (order: number) => boolean): BinaryOperator => ({
  accepts: ['decimal', 'string'],
  type: (left, right) => (common(left, right) ? 'boolean' : undefined),
  apply(left, right) {
    if (left instanceof Decimal && right instanceof Decimal) return holds(left.comparedTo(right))
    if (typeof left === 'string' && typeof right === 'string') return holds(left < right ? -1 : left > right ? 1 : 0)
    return undefined
  },
})

/** Both numbers, or both texts. */
export function common(left: Type, right: Type): Type | undefined {
  if (isOpen(left) && isOpen(right)) return 'any'
  return (['decimal', 'string'] as const).find((type) => fits(left, type) && fits(right, type))
}

const equality = (wanted: boolean): BinaryOperator => ({
  takesNull: true,
  accepts: [],
  type: (left, right) => unify(left, right) && 'boolean',
  apply: (left, right) => isSame(left, right) === wanted,
})

/** null, '' and [] all mean empty: the record as stored and the form as typed must not differ by them. */
const isEmpty = (value: Operand) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (isEmpty(left as Operand)) return isEmpty(right as Operand)
  if (left instanceof Decimal)
    return right instanceof Decimal ? left.equals(right) : typeof right === 'number' && left.equals(right)
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => isSame(item, right[index]))
    )
  }
  if (!isMap(left)) return typeof left === 'number' && right instanceof Decimal && right.equals(left)
  if (!isMap(right)) return false
  return Object.keys({ ...left, ...right }).every((key) => isSame(left[key] ?? null, right[key] ?? null))
}

export const operators: Record<string, BinaryOperator> = {
  '+': {
    accepts: ['decimal', 'string', 'list'],
    type: (left, right) => common(left, right) ?? (isList(left) && isList(right) ? unify(left, right) : undefined),
    apply(left, right) {
      if (left instanceof Decimal && right instanceof Decimal) return left.plus(right)
      if (typeof left === 'string' && typeof right === 'string') return left + right
      return Array.isArray(left) && Array.isArray(right) ? [...left, ...right] : undefined
    },
  },
  '-': arithmetic((left, right) => left.minus(right)),
  '*': arithmetic((left, right) => left.times(right)),
  '/': arithmetic((left, right) => (right.isZero() ? null : left.dividedBy(right))),
  '%': arithmetic((left, right) => (right.isZero() ? null : left.modulo(right))),
  '<': comparison((order) => order < 0),
  '<=': comparison((order) => order <= 0),
  '>': comparison((order) => order > 0),
  '>=': comparison((order) => order >= 0),
  '==': equality(true),
  '!=': equality(false),
  in: {
    takesNull: true,
    accepts: ['list', 'map'],
    type(left, right) {
      if (isOpen(right)) return 'boolean'
      if (typeof right === 'string') return undefined
      return 'list' in right ? unify(left, right.list) && 'boolean' : fits(left, 'string') ? 'boolean' : undefined
    },
    apply(left, right) {
      if (right === null) return false
      if (Array.isArray(right)) return right.some((item) => isSame(left, item))
      if (!isMap(right)) return undefined
      return left === null ? false : typeof left === 'string' ? member(right, left, null) !== null : undefined
    },
  },
}

const isList = (type: Type) => isOpen(type) || (typeof type === 'object' && 'list' in type)
