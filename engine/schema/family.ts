import { expandTemplate, TemplateError } from '../expression/index.ts'
import { check, checkShape } from './check.ts'
import { familyShape, templateShape } from './files.ts'
import { offer } from './issue.ts'
import type { Value } from './model.ts'
import { above, below, segments } from './pointer.ts'
import type { SourceFile } from './read.ts'
import type { Report } from './report.ts'
import { isObject, type JsonObject } from './walk.ts'

interface TemplateData { area: string; parameters: object; files?: Record<string, { as?: string; when?: string }> }
interface FamilyData { template: string; parameters: Record<string, Value>; patch?: Record<string, Value> }

/** The files that stay as they are, and those that the families make out of the templates. */
export function expandFamilies(files: readonly SourceFile[], languages: readonly string[], report: Report): SourceFile[] {
  const templates = new Map(files.filter(({ kind }) => kind === 'template').map((file) => [file.name, file]))
  const written = files.filter(({ kind, folder, area }) => kind !== 'template' && kind !== 'family' && folder === area)
  const sound = new Set([...templates.values()].filter((template) => check(template, templateShape, languages, report)))
  const made = files.filter(({ kind }) => kind === 'family').flatMap((family) => {
    if (!check(family, familyShape, languages, report)) return []
    const { template: name, parameters } = family.data as FamilyData
    const template = templates.get(name)
    if (!template) {
      const allowed = [...templates.keys()]
      report(family, '/template', 'unknown-template', offer(name, allowed))
      return []
    }
    if (!sound.has(template) || !checkParameters(template, family, report)) return []
    const own = files.filter(({ folder, area, kind }) => folder === template.name && area === template.area && kind !== 'template')
    return generate(template, family, own, withDefaults(parameters, (template.data as TemplateData).parameters), report)
  })
  return [...written, ...made]
}

function checkParameters(template: SourceFile, family: SourceFile, report: Report): boolean {
  const { parameters: shape } = template.data as TemplateData
  try {
    return checkShape(family, (family.data as FamilyData).parameters, shape, '/parameters', report)
  } catch (error) {
    report(template, '/parameters', 'template-fault', { message: `This is no JSON Schema: ${(error as Error).message}` }, { key: true })
    return false
  }
}

/** A parameter that was left out is its default, or null: a template may ask for any that the shape declares. */
function withDefaults(value: Value, shape: unknown): Record<string, Value> {
  return defaulted(value, shape) as Record<string, Value>
}
function defaulted(value: Value, shape: unknown): Value {
  if (!isObject(shape)) return value
  if (Array.isArray(value)) return value.map((item) => defaulted(item, shape.items))
  if (!isObject(value) || !isObject(shape.properties)) return value
  const result: Record<string, Value> = { ...value }
  for (const [key, under] of Object.entries(shape.properties)) {
    const given = result[key] ?? (isObject(under) ? under.default as Value | undefined : undefined)
    result[key] = given === undefined ? null : defaulted(given, under)
  }
  return result
}

function generate(
  template: SourceFile, family: SourceFile, own: readonly SourceFile[], parameters: Record<string, Value>, report: Report,
): SourceFile[] {
  const { files = {}, area } = template.data as TemplateData
  const { patch = {} } = family.data as FamilyData
  const note = `(made by ${family.path})`
  const unused = new Set(Object.keys(patch))
  const made = own.flatMap((file) => {
    const key = `${file.name}.${file.kind}`
    try {
      const place = files[key]
      const at = below('/files', key)
      const wanted = !place?.when || expandAt(template, below(at, 'when'), { $if: place.when, $value: true }, parameters) === true
      if (!wanted) return []
      const name = String(expandAt(template, below(at, 'as'), place?.as ?? file.name, parameters))
      const { value, sources } = expandWhole(file, '', file.data as Value, parameters)
      const changes = patch[`${name}.${file.kind}`] ?? patch[key]
      for (const named of [`${name}.${file.kind}`, key]) unused.delete(named)
      const patched = changes === undefined ? value : mergePatch(value, changes)
      const patchPointer = below('/patch', `${name}.${file.kind}` in patch ? `${name}.${file.kind}` : key)
      return [{
        ...file, name, area, folder: area, data: patched,
        generated: {
          note,
          origin: (pointer: string) => changes !== undefined && patches(changes, pointer)
            ? { file: family, pointer: `${patchPointer}${pointer}`, same: true }
            : { file, ...originOf(pointer, sources, file.data, patched) },
        },
      }]
    } catch (error) {
      if (!(error instanceof PlacedError)) throw error
      const { fault, inKey } = error.cause
      report(error.file, error.pointer, 'template-fault', {
        message: `${fault.message.en.replace(/\.$/, '')} (for ${family.path})`, suggestion: fault.suggestion,
      }, inKey ? { key: true } : { part: fault })
      return []
    }
  })
  if (made.length < own.length) return made // A file that failed, or was not wanted: its patch is not to blame.
  for (const found of unused) {
    const allowed = made.map(({ name, kind }) => `${name}.${kind}`)
    report(family, below('/patch', found), 'unknown-generated-file', offer(found, allowed), { key: true })
  }
  return made
}

class PlacedError extends Error {
  declare readonly cause: TemplateError
  readonly file: SourceFile
  readonly pointer: string
  constructor(file: SourceFile, pointer: string, cause: TemplateError) {
    super(cause.message, { cause })
    this.file = file
    this.pointer = pointer
  }
}

function expandWhole(file: SourceFile, pointer: string, data: Value, parameters: Record<string, Value>) {
  try {
    const { value = null, sources } = expandTemplate(data, parameters)
    return { value, sources }
  } catch (error) {
    throw error instanceof TemplateError ? new PlacedError(file, `${pointer}${error.pointer}`, error) : error
  }
}
const expandAt = (...given: Parameters<typeof expandWhole>): Value => expandWhole(...given).value

/** RFC 7386. */
export function mergePatch(target: Value, patch: Value): Value {
  if (!isObject(patch)) return patch
  const result: Record<string, Value> = isObject(target) ? { ...target as Record<string, Value> } : {}
  for (const [key, value] of Object.entries(patch as Record<string, Value>)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key] ?? null, value)
  }
  return result
}

/** Did the patch write what the pointer means? */
function patches(patch: Value, pointer: string): boolean {
  let value: unknown = patch
  for (const segment of segments(pointer)) {
    if (!isObject(value)) return true
    if (!(segment in value)) return false
    value = value[segment]
  }
  return !isObject(value)
}

/** The nearest place above that the template wrote; `same`: an offset inside the string means the same there. */
function originOf(pointer: string, sources: Record<string, string>, template: unknown, made: Value): { pointer: string; same: boolean } {
  let at: string | undefined = pointer
  while (at !== undefined && !(at in sources)) at = above(at)
  const source = sources[at ?? ''] ?? ''
  return { pointer: source, same: at === pointer && valueAt(template, source) === valueAt(made, pointer) }
}

const valueAt = (root: unknown, pointer: string): unknown =>
  segments(pointer).reduce((value: unknown, segment) => (value as JsonObject | undefined)?.[segment], root)
