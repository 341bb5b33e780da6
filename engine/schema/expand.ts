import { isName } from '../expression/index.ts'
import { below } from '../model/pointer.ts'
import type { Report } from './issues/report.ts'
import type { Shape } from '../model/shape.ts'
import { reasonsKey } from './warnings/reasons.ts'
import { reservedFields, standardFields } from './language/standard.ts'
import { branchOf, isObject, shapeUnder, type JsonObject } from './walk.ts'
import type { SourceFile } from './reading/SourceFile.ts'

/**
 * Writes out shorthands and fills in defaults, so that every value has its shape's type. What does not fit stays as it
 * is.
 */
function fill(value: unknown, shape: Shape<unknown>): unknown {
  if (shape.shorthand && typeof value === 'string') return fill({ [shape.shorthand]: value }, shape)
  const branch = branchOf(shape, value)
  if (!branch) return value
  if (Array.isArray(value)) return branch.items ? value.map((item) => fill(item, branch.items!)) : value
  if (!isObject(value)) return value
  const filled: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    const under = shapeUnder(branch, key)
    filled[key] = under ? fill(item, under) : item
  }
  for (const [key, under] of Object.entries(branch.properties ?? {})) {
    if (!(key in filled) && under.default !== undefined) filled[key] = fill(structuredClone(under.default), under)
  }
  return filled
}

/** One file, expanded; an entity gets the fields that every record has. */
export function expand(file: SourceFile, shape: Shape<unknown>, hasUser: boolean, report: Report): JsonObject {
  const data = isObject(file.data) ? withoutReasons(file.data) : {}
  if (file.kind !== 'entity' || !isObject(data.fields)) return filledOnce(data, data, shape, hasUser)
  if (!file.broken) for (const name of Object.keys(data.fields)) checkName(file, name, report)
  const fields = withTypeOptions(data.fields, data.byType)
  return filledOnce(data, { ...data, fields: { ...fields, ...standardFields(hasUser) } }, shape, hasUser)
}

/** Fields with what the entity says of their type, where they do not say it themselves. */
function withTypeOptions(fields: JsonObject, byType: unknown): JsonObject {
  if (!isObject(byType)) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const options = isObject(field) ? byType[String(field.type)] : undefined
      return [name, isObject(options) ? { ...options, ...(field as JsonObject) } : field]
    }),
  )
}

/** Reasons for warnings are only for readers. The result is cached by file. */
function withoutReasons(data: JsonObject): JsonObject {
  if (!(reasonsKey in data)) return data
  let rest = bare.get(data)
  if (!rest) {
    const { [reasonsKey]: _, ...others } = data
    bare.set(data, (rest = others))
  }
  return rest
}
const bare = new WeakMap<object, JsonObject>()

/** The same data is expanded only once, because no later phase changes it. */
const known = new WeakMap<object, { shape: Shape<unknown>; hasUser: boolean; filled: JsonObject }>()

function filledOnce(data: JsonObject, whole: JsonObject, shape: Shape<unknown>, hasUser: boolean): JsonObject {
  const before = known.get(data)
  if (before?.shape === shape && before.hasUser === hasUser) return before.filled
  const filled = fill(whole, shape) as JsonObject
  known.set(data, { shape, hasUser, filled })
  return filled
}

function checkName(file: SourceFile, name: string, report: Report): void {
  const reason = reservedFields.includes(name)
    ? 'every record has it already'
    : name.length > 50
      ? 'it is longer than 50 characters'
      : !/^[a-z][A-Za-z0-9]*$/.test(name)
        ? 'it must start with a small letter and go on with letters and digits'
        : !isName(name)
          ? 'it is a word of the expression language'
          : undefined
  if (reason) report(file, below('/fields', name), 'invalid-name', { found: name, reason }, { key: true })
}
