import type { Label } from '../model/model.ts'
import { nearestName } from './nearest.ts'

export type FaultCode = 'expression-syntax' | 'unknown-name' | 'wrong-type' | 'forbidden-function'

/** A fault in an expression. `start` and `end` are offsets in its text. */
export interface ExpressionFault {
  code: FaultCode
  start: number
  end: number
  message: Label
  /** The name, type or characters found. */
  found: string
  /** Names or types allowed there. */
  allowed: string[]
  /** The nearest allowed name, or the correct spelling. */
  suggestion?: string
}

export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
  readonly fault: ExpressionFault
  constructor(fault: ExpressionFault) {
    super(fault.message.en)
    this.fault = fault
  }
}

export interface Range {
  start: number
  end: number
}

export function fault(
  code: FaultCode,
  range: Range,
  found: string,
  allowed: string[],
  message: Label,
  suggestion?: string,
): ExpressionFault {
  return { code, start: range.start, end: range.end, message, found, allowed, ...(suggestion && { suggestion }) }
}

const nouns = { name: '名称', function: '函数', parameter: '参数' }

/** What functions are called elsewhere. */
const elsewhere: Readonly<Record<string, string>> = {
  length: 'size',
  len: 'size',
  count: 'size',
  nvl: 'coalesce',
  ifnull: 'coalesce',
  includes: 'contains',
}
const calledHere = (found: string, allowed: readonly string[]): string | undefined => {
  const name = Object.hasOwn(elsewhere, found.toLowerCase()) ? elsewhere[found.toLowerCase()] : undefined
  return name !== undefined && allowed.includes(name) ? name : undefined
}

/** `suggestion`: the correct spelling, if known by other means than similarity. */
export function unknown(
  kind: keyof typeof nouns,
  range: Range,
  found: string,
  allowed: string[],
  suggestion = (kind === 'function' ? calledHere(found, allowed) : undefined) ?? nearestName(found, allowed),
): ExpressionFault {
  return fault(
    'unknown-name',
    range,
    found,
    allowed,
    {
      cn: `没有${nouns[kind]}“${found}”${suggestion ? `，是否应为“${suggestion}”？` : ''}`,
      en: `There is no ${kind} "${found}".${suggestion ? ` Did you mean "${suggestion}"?` : ''}`,
    },
    suggestion,
  )
}
