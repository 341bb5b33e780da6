import type { Label } from '../model/model.ts'
import { Decimal } from './decimal.ts'
import type { Operand, OperandMap } from './operand.ts'
import { isOpen, type Type } from './type.ts'

/** `ordered`: a number or a text. `counted`: a text, a list or a map. */
type ParameterType = 'string' | 'decimal' | 'ordered' | 'counted' | 'any'
export interface Arguments {
  string: string
  decimal: Decimal
  ordered: string | Decimal
  counted: string | Operand[] | OperandMap
  any: Operand
}
type Values<P extends readonly ParameterType[]> = { [K in keyof P]: Arguments[P[K]] }

export interface FunctionDeclaration {
  /** As the reference documentation prints it. */
  signature: string
  about: Label
  /** Written after its first argument: `name.startsWith('C')`. */
  method: boolean
  /** A missing argument makes the result missing, unless the function takes null. */
  takesNull: boolean
  /** It reads the clock, so templates may not use it. */
  clock: boolean
  parameters: readonly ParameterType[]
  /** Undefined if these arguments do not go together. */
  result(types: Type[]): Type | undefined
  /**
   * Null if there is no result. The arguments have the types of `parameters`; `scope` is what the expression is
   * evaluated on.
   */
  run(values: Operand[], now: string, scope: unknown): Operand
  /**
   * The SQL equivalent, by which a database filters and sorts: `{1}` is the first argument. Texts arrive as text,
   * numbers as numeric; its result must equal `run`'s, nulls included.
   */
  sql?: string
}

export function declare<const P extends readonly ParameterType[]>(
  signature: string,
  cn: string,
  en: string,
  parameters: P,
  result: Type | ((types: Type[]) => Type | undefined),
  run: (values: Values<P>, now: string, scope: unknown) => Operand,
  options: Partial<Pick<FunctionDeclaration, 'method' | 'takesNull' | 'clock' | 'sql'>> = {},
): FunctionDeclaration {
  return {
    signature,
    about: { cn, en },
    parameters,
    method: false,
    takesNull: false,
    clock: false,
    ...options,
    result: typeof result === 'function' ? result : () => result,
    run: run as unknown as FunctionDeclaration['run'],
  }
}

/** Whether an argument of this type is allowed there. */
export function accepts(parameter: ParameterType, type: Type): boolean {
  if (parameter === 'any' || isOpen(type)) return true
  if (parameter === 'ordered') return type === 'decimal' || type === 'string'
  if (parameter === 'counted') return type === 'string' || typeof type === 'object'
  return parameter === type
}
