import type { Value } from '../model/model.ts'
import { analyse, type Analysis } from './analyse.ts'
import { Decimal } from './decimal.ts'
import { openEnvironment } from './environment.ts'
import { ExpressionError, fault, unknown, type ExpressionFault } from './fault.ts'
import { typeOfOperand, type Operand } from './operand.ts'
import { parseExpression } from './parse.ts'
import { nameOf, notation, withArticle } from './type.ts'
import { TemplateError } from './templateFaults.ts'

export type Parameters = Readonly<Record<string, Value | undefined>>

/** A string with the values of its `${…}`; the value itself if it is exactly one. */
export function expandString(text: string, parameters: Parameters, pointer: string, inKey: boolean): Value {
  let result = ''
  let position = 0
  for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', position)) {
    const close = closingBrace(text, open + 2)
    if (close < 0) {
      const message = { cn: '“${”缺少对应的“}”', en: 'The "}" of this "${" is missing' }
      const place = { start: open, end: text.length }
      throw new TemplateError(fault('expression-syntax', place, text.slice(open), ['}'], message, '}'), pointer, inKey)
    }
    const value = evaluate(text.slice(open + 2, close), open + 2, parameters, pointer, inKey)
    if (open === 0 && close === text.length - 1) return plain(value)
    result += text.slice(position, open) + written(value, { start: open, end: close + 1, pointer, inKey })
    position = close + 1
  }
  return result + text.slice(position)
}

/** The brace that closes the expression, skipping braces and quotes inside it. */
function closingBrace(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let position = from; position < text.length; position++) {
    const character = text[position]
    if (quote) {
      if (character === '\\') position++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '{') depth++
    else if (character === '}' && depth-- === 0) return position
  }
  return -1
}

function written(
  value: Operand,
  { start, end, pointer, inKey }: { start: number; end: number; pointer: string; inKey: boolean },
): string {
  if (value === null) return ''
  if (value instanceof Decimal) return value.toFixed()
  if (typeof value !== 'object') return String(value)
  const type = typeOfOperand(value)
  const message = {
    cn: `${nameOf(type).cn}不能写进文本`,
    en: `${withArticle(type, true)} cannot be written into a text`,
  }
  throw new TemplateError(
    fault('wrong-type', { start, end }, notation(type), ['string', 'decimal', 'boolean'], message),
    pointer,
    inKey,
  )
}

/** Values known to be JSON, by object: every file reads the same items of the same families. */
const whole = new WeakSet<object>()

/** What expressions see → JSON. What is already JSON keeps its identity, because parameters are never changed. */
export function plain(value: unknown): Value {
  if (value instanceof Decimal) return toJson(value)
  if (typeof value !== 'object' || value === null) return (value ?? null) as Value
  if (whole.has(value)) return value as Value
  const entries = Object.entries(value)
  const made = entries.map(([key, item]): [string, Value] => [key, plain(item)])
  const isPlain = made.every(([, item], index) => item === entries[index][1])
  const result = isPlain ? value : Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made)
  whole.add(result)
  return result as Value
}

/** A number if a JSON number holds it exactly, else a text. */
function toJson(decimal: Decimal): Value {
  const number = decimal.toNumber()
  return decimal.equals(number) ? number : decimal.toFixed()
}

const analyses = new Map<string, Analysis<Parameters>>()

/** The value of one expression; `offset` is its place in the string. */
export function evaluate(
  text: string,
  offset: number,
  parameters: Parameters,
  pointer: string,
  inKey: boolean,
): Operand {
  try {
    let analysis = analyses.get(text)
    if (!analysis) {
      if (analyses.size > 20_000) analyses.clear()
      analyses.set(text, (analysis = analyse(parseExpression(text), openEnvironment)))
    }
    const fault = analysis.faults[0] ?? unknownName(analysis, parameters)
    if (fault) throw new ExpressionError(fault)
    return analysis.run({ scope: parameters, now: '', strict: true, items: [] })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { start, end } = error.fault
    throw new TemplateError({ ...error.fault, start: start + offset, end: end + offset }, pointer, inKey)
  }
}

function unknownName({ uses }: Analysis<Parameters>, parameters: Parameters): ExpressionFault | undefined {
  const use = uses.find(({ name }) => !Object.hasOwn(parameters, name.split('.')[0]))
  return use && unknown('parameter', use, use.name, Object.keys(parameters))
}
