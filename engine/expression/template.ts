/**
 * Templates are JSON with parameters, limited to this:
 *
 * - `${expression}` in a string or a key. A string that is exactly one `${…}` becomes the expression's JSON value;
 *   inside other text null is empty, numbers are written plainly.
 * - `{ "$if": "condition", …rest, "$else": … }` is the rest if the condition holds, else `$else`, else nothing: it
 *   vanishes from its list or object. `$value` instead of a rest: a value that is not an object.
 * - `{ "$each": "list", "$as": "item", "$value": … }` in a list: one value for every item (if `$value` is left out,
 *   the rest is the value, and an `$if` in it decides for each item).
 * - `{ "$each": "list", "$as": "item", "$key": "${item.key}", "$value": … }`: further entries of the object that
 *   contains it. Several such loops in one object: `"$each": [{ "$each": …, "$key": …, "$value": … }, …]`.
 *
 * `$each` may be several lists, `["families", "family.items"]` with `"$as": ["family", "item"]`: the later ones are
 * repeated for every item of the earlier ones. An object yields its entries, each as `key` and `value`.
 *
 * `$as` defaults to `item`, and `index` counts the results of the loop from 0. A missing list has no items. The
 * language has no clock: a template means the same at any time.
 */
import type { Value } from '../model/model.ts'
import { analyse, type Analysis } from './analyse.ts'
import { Decimal } from './decimal.ts'
import { openEnvironment } from './environment.ts'
import { ExpressionError, fault, unknown, type ExpressionFault } from './fault.ts'
import { nearestName } from './nearest.ts'
import { isMap, typeOfOperand, type Operand } from './operand.ts'
import { isName, parseExpression } from './parse.ts'
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

export interface ExpandedTemplate {
  /** Undefined if the whole template vanished. */
  value: Value | undefined
  /** JSON pointer in the value → JSON pointer in the template. A parameter's value is listed by its root only. */
  sources: Record<string, string>
}

type Parameters = Readonly<Record<string, Value | undefined>>
interface JsonObject {
  [key: string]: Value
}
/** The position of a part in the template and in the result. */
interface Place {
  template: string
  output: string
}

const words = ['$if', '$else', '$each', '$as', '$key', '$value']
const isObject = (value: Value | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const below = (pointer: string, key: string | number) =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Expands the template with these parameters. Throws `TemplateError` at the first fault. */
export function expandTemplate(template: Value, parameters: Parameters): ExpandedTemplate {
  const sources: Record<string, string> = {}
  const value = expand(template, parameters, { template: '', output: '' }, sources)
  return { value, sources }
}

/**
 * The result of a single value; null if it vanishes. A fault's offsets start `before` characters earlier in the source.
 */
export function evaluateTemplate(template: Value, parameters: Parameters, before = 0): Value {
  try {
    return expandTemplate(template, parameters).value ?? null
  } catch (error) {
    if (!(error instanceof TemplateError) || before === 0) throw error
    const { start, end } = error.fault
    throw new TemplateError({ ...error.fault, start: start - before, end: end - before }, error.pointer, error.inKey)
  }
}

/** Undefined if it vanishes. */
function expand(
  value: Value,
  parameters: Parameters,
  place: Place,
  sources: Record<string, string>,
): Value | undefined {
  if (isObject(value) && '$if' in value) {
    const { $if, $else, ...rest } = value
    if (isTrue($if, parameters, below(place.template, '$if'))) return expand(rest, parameters, place, sources)
    return $else === undefined
      ? undefined
      : expand($else, parameters, { ...place, template: below(place.template, '$else') }, sources)
  }
  if (isObject(value) && '$value' in value && !('$each' in value)) {
    const other = Object.keys(value).find((key) => key !== '$value')
    if (other)
      throw wrong(
        below(place.template, other),
        other,
        `“$value”旁边不能再有“${other}”`,
        `"${other}" cannot stand beside "$value"`,
        true,
        nearestName(other, words),
      )
    return expand(value.$value, parameters, { ...place, template: below(place.template, '$value') }, sources)
  }
  sources[place.output] = place.template
  if (typeof value === 'string') return expandString(value, parameters, place.template, false)
  if (Array.isArray(value)) return expandList(value, parameters, place, sources)
  return isObject(value) ? expandObject(value, parameters, place, sources) : value
}

function expandList(list: Value[], parameters: Parameters, place: Place, sources: Record<string, string>): Value[] {
  const result: Value[] = []
  const add = (value: Value, scope: Parameters, template: string) => {
    const expanded = expand(value, scope, { template, output: below(place.output, result.length) }, sources)
    if (expanded !== undefined) result.push(expanded)
  }
  for (const [index, value] of list.entries()) {
    const template = below(place.template, index)
    if (!isObject(value) || !('$each' in value) || '$key' in value) add(value, parameters, template)
    else {
      const { $each: _each, $as: _as, ...item } = value
      for (const scope of scopes(value, parameters, template)) add(item, scope, template)
    }
  }
  return result
}

function expandObject(
  object: JsonObject,
  parameters: Parameters,
  place: Place,
  sources: Record<string, string>,
): JsonObject {
  const result: JsonObject = {}
  const add = (
    keyText: string,
    value: Value,
    scope: Parameters,
    template: string,
    keyPointer: string,
    inKey: boolean,
  ) => {
    const key = expandString(keyText, scope, keyPointer, inKey)
    if (typeof key !== 'string' || !key || key === '__proto__') {
      throw givenBadly(keyPointer, keyText, '键应为非空文本', 'A key must be a text that is not empty', inKey)
    }
    if (Object.hasOwn(result, key))
      throw givenBadly(keyPointer, key, `键“${key}”重复`, `The key "${key}" is there twice`, inKey)
    const expanded = expand(value, scope, { template, output: below(place.output, key) }, sources)
    if (expanded !== undefined) result[key] = expanded
  }
  const loop = (each: JsonObject, template: string) => {
    const { $key, $value } = each
    if (typeof $key !== 'string' || $value === undefined) {
      throw wrong(
        below(template, '$each'),
        '$each',
        '对象中的 $each 需要 $key 和 $value；没有 $key 的 $each 只能放在列表中',
        'In an object $each needs $key and $value; without $key it belongs in a list',
        true,
      )
    }
    for (const scope of scopes(each, parameters, template)) {
      add($key, $value, scope, below(template, '$value'), below(template, '$key'), false)
    }
  }
  for (const [key, value] of Object.entries(object)) {
    const template = below(place.template, key)
    if (key === '$each') {
      if (!Array.isArray(value) || isNested(value)) loop(object, place.template)
      else for (const [index, each] of value.entries()) loop(isObject(each) ? each : {}, below(template, index))
    } else if (!isDirective(key)) add(key, value, parameters, template, template, true)
    else if (
      object.$each === undefined ||
      (Array.isArray(object.$each) && !isNested(object.$each)) ||
      key === '$else'
    ) {
      const suggestion = nearestName(key, words)
      throw wrong(template, key, `此处不能使用“${key}”`, `"${key}" cannot stand here`, true, suggestion)
    }
  }
  return result
}

/** `$schema` is for editors; a key like `${item.key}` is a key. */
const isDirective = (key: string) => key.startsWith('$') && !key.startsWith('${') && key !== '$schema'

/** Nested lists, not several loops side by side. */
const isNested = (each: Value[]): each is string[] => each.length > 0 && each.every((list) => typeof list === 'string')

/** The parameters, once for every item of the loop. */
function scopes(each: JsonObject, parameters: Parameters, pointer: string): Parameters[] {
  const nested = Array.isArray(each.$each) && isNested(each.$each)
  const lists: [Value, string][] = nested
    ? (each.$each as string[]).map((list, index) => [list, below(below(pointer, '$each'), index)])
    : [[each.$each, below(pointer, '$each')]]
  const names = Array.isArray(each.$as) ? each.$as : [each.$as ?? 'item']
  if (names.length !== lists.length || !names.every((name) => typeof name === 'string' && isName(name))) {
    throw wrong(
      below(pointer, '$as'),
      String(each.$as),
      '$as 应为名称，每个列表一个',
      '$as must be a name, one for each list',
    )
  }
  return lists
    .reduce<Parameters[]>(
      (found, [text, at], index) =>
        found.flatMap((scope) =>
          itemsOf(text, scope, at).map((item) => ({ ...scope, [names[index] as string]: plain(item) })),
        ),
      [parameters],
    )
    .map((scope, index) => (names.includes('index') ? scope : { ...scope, index }))
}

function itemsOf(text: Value, parameters: Parameters, pointer: string): Operand[] {
  const list = valueOf(text, parameters, pointer) ?? []
  if (isMap(list)) return Object.entries(list).map(([key, value]) => ({ key, value: value ?? null }))
  if (!Array.isArray(list)) throw misfit(text, list, 'list', '列表', 'list', pointer)
  return list
}

function isTrue(text: Value, parameters: Parameters, pointer: string): boolean {
  const value = valueOf(text, parameters, pointer)
  if (value !== null && typeof value !== 'boolean') throw misfit(text, value, 'boolean', '是/否', 'condition', pointer)
  return value === true
}

/** The value of a directive, which is one expression. */
function valueOf(text: Value, parameters: Parameters, pointer: string): Operand {
  if (typeof text !== 'string')
    throw wrong(pointer, JSON.stringify(text), '此处应为表达式', 'An expression belongs here')
  return evaluate(text, 0, parameters, pointer, false)
}

function expandString(text: string, parameters: Parameters, pointer: string, inKey: boolean): Value {
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
function plain(value: unknown): Value {
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

function evaluate(text: string, offset: number, parameters: Parameters, pointer: string, inKey: boolean): Operand {
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

/** A fault of the template language itself, at the whole of a value or key. */
function wrong(
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
function givenBadly(pointer: string, found: string, cn: string, en: string, inKey: boolean): TemplateError {
  const place = { start: 0, end: found.length }
  return new TemplateError(fault('wrong-type', place, found, [], { cn, en }), pointer, inKey)
}

function misfit(text: Value, value: Operand, wanted: string, cn: string, en: string, pointer: string): TemplateError {
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
