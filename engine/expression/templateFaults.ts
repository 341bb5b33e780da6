import type { Value } from '../model/model.ts'
import { ExpressionError, fault, type ExpressionFault } from './fault.ts'
import { typeOfOperand, type Operand } from './operand.ts'
import { nameOf, notation, withArticle } from './type.ts'

/**
 * A fault at `pointer` in the template; `start` and `end` count inside the string there, or inside the key if `inKey`
 * is set.
 */
export class TemplateError extends ExpressionError {
  override readonly name = 'TemplateError'
  readonly pointer: string
  readonly inKey: boolean
  constructor(fault: ExpressionFault, pointer: string, inKey: boolean) {
    super(fault)
    this.pointer = pointer
    this.inKey = inKey
  }
}

/** The directives. */
export const words = ['$if', '$else', '$each', '$as', '$key', '$value']

/** A fault of the template language itself, at the whole of a value or key. */
export function wrong(
  pointer: string,
  found: string,
  cn: string,
  en: string,
  inKey = false,
  suggestion?: string,
): TemplateError {
  const place = { start: 0, end: found.length }
  return new TemplateError(fault('expression-syntax', place, found, words, { cn, en }, suggestion), pointer, inKey)
}

/** The same of what the parameters make of it. */
export function givenBadly(pointer: string, found: string, cn: string, en: string, inKey: boolean): TemplateError {
  const place = { start: 0, end: found.length }
  return new TemplateError(fault('wrong-type', place, found, [], { cn, en }), pointer, inKey)
}

/** A directive whose expression yields another type than it needs. */
export function misfit(
  text: Value,
  value: Operand,
  wanted: string,
  cn: string,
  en: string,
  pointer: string,
): TemplateError {
  const type = typeOfOperand(value)
  const message = {
    cn: `此处应为${cn}，实际为${nameOf(type).cn}`,
    en: `A ${en} belongs here, not ${withArticle(type)}`,
  }
  return new TemplateError(
    fault('wrong-type', { start: 0, end: String(text).length }, notation(type), [wanted], message),
    pointer,
    false,
  )
}
