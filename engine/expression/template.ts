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
import { nearestName } from './nearest.ts'
import { isMap, type Operand } from './operand.ts'
import { isName } from './parse.ts'
import { expandString, plain, evaluate, type Parameters } from './templateText.ts'
import { TemplateError, wrong, words, givenBadly, misfit } from './templateFaults.ts'

export interface ExpandedTemplate {
  /** Undefined if the whole template vanished. */
  value: Value | undefined
  /** JSON pointer in the value → JSON pointer in the template. A parameter's value is listed by its root only. */
  sources: Record<string, string>
}

interface JsonObject {
  [key: string]: Value
}
/** The position of a part in the template and in the result. */
interface Place {
  template: string
  output: string
}

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
    if (Object.hasOwn(result, key)) throw givenBadly(keyPointer, key, `键“${key}”重复`, `Duplicate key "${key}"`, inKey)
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
      throw wrong(template, key, `此处不能使用“${key}”`, `"${key}" is not allowed here`, true, suggestion)
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
