import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { nearestName } from '../expression/index.ts'
import { belongs } from './checking/belongs.ts'
import { fitsShape } from './checking/fitsShape.ts'
import { fieldCommon } from './language/fieldShape.ts'
import { hoist } from './checking/hoist.ts'
import { counted, mistyped } from './checking/mistyped.ts'
import { offer, type IssueCode, type Parameters as Given } from './issues/issue.ts'
import { below, segments } from '../model/pointer.ts'
import type { Report } from './issues/report.ts'
import type { Shape } from '../model/shape.ts'
import { valueAt } from './families/blame.ts'
import { branchIndex, isObject, walk } from './walk.ts'
import type { SourceFile } from './reading/SourceFile.ts'

/** `strict` would refuse our annotations; `verbose` passes the shape and the value to every error. */
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  discriminator: true,
  messages: false,
  inlineRefs: false,
} as const
/** Compiled only for files that do not fit, because compiling a shape takes far longer than checking a file. */
const validators = new WeakMap<object, { validate: ValidateFunction; originals: WeakMap<object, object> }>()

function validatorOf(shape: object) {
  let known = validators.get(shape)
  if (!known) {
    const { schema, originals } = hoist(shape)
    validators.set(shape, (known = { validate: new Ajv(options).compile(schema), originals }))
  }
  return known
}

/** Checks a file against its shape, and its labels against the languages. True if it has no issues. */
export function check(file: SourceFile, shape: Shape<unknown>, languages: readonly string[], report: Report): boolean {
  const { data } = file
  const languageKey = languages.join()
  if (!isObject(data)) return checkFile(file, shape, languages, report)
  const before = soundData.get(data)
  if (before?.shape === shape && before.languages === languageKey) return true
  const sound = checkFile(file, shape, languages, report)
  if (sound) soundData.set(data, { shape, languages: languageKey })
  return sound
}

/** An unchanged file is not checked again. */
const soundData = new WeakMap<object, { shape: Shape<unknown>; languages: string }>()

function checkFile(file: SourceFile, shape: Shape<unknown>, languages: readonly string[], report: Report): boolean {
  let sound = checkPlaced(file, shape, report)
  // The engine's own texts exist in its languages only; a text from a file is checked in that file.
  if (file.generated?.brought) return sound
  walk(file.data, shape, ({ shape: { names }, value, pointer }) => {
    if (names !== 'label' || !isObject(value)) return
    const say: Report = (...fault) => {
      sound = false
      report(...fault)
    }
    const missing = languages.filter((language) => !(language in value))
    // A value that is not a text is reported as such.
    const unknown = Object.keys(value).filter((each) => !languages.includes(each) && typeof value[each] === 'string')
    // Texts under unknown languages are probably the missing ones.
    const mayCopy = unknown.length === 0
    const isRenamed = missing.length > 0 && missing.length === unknown.length
    const meantBy = isRenamed ? inPairs(unknown, missing) : {}
    for (const language of isRenamed ? [] : missing)
      say(file, pointer, 'missing-language', { found: language, mayCopy }, { key: true })
    for (const [language, text] of Object.entries(value)) {
      const at = below(pointer, language)
      if (unknown.includes(language)) {
        const near = offer(language, languages)
        const other = meantBy[language]
        const meant = other && near.suggestion !== other ? { found: language, suggestion: other } : near
        say(file, at, 'unknown-language', meant, { key: true })
      } else if (typeof text === 'string' && !text.trim()) say(file, at, 'empty-label', { language, mayCopy })
    }
  })
  return sound
}

/** Pairs each unknown language with the missing one that it starts with (`en-US`, `en`), or with the only one left. */
function inPairs(unknown: readonly string[], missing: readonly string[]): Record<string, string> {
  const begun = (found: string) => missing.find((each) => found.toLowerCase().startsWith(each.toLowerCase()))
  const left = missing.filter((each) => !unknown.some((found) => begun(found) === each))
  return Object.fromEntries(unknown.map((found) => [found, begun(found) ?? left.shift() ?? missing[0]]))
}

/** The same, but a key in the wrong object is reported as such, once. */
function checkPlaced(file: SourceFile, shape: Shape<unknown>, report: Report): boolean {
  const faults: Parameters<Report>[] = []
  const sound = checkShape(file, file.data, shape, '', (...fault) => faults.push(fault))
  const moved = new Set<string>()
  for (const [index, [, pointer, code, parameters = {}, part]] of faults.entries()) {
    const where = code === 'unknown-key' || code === 'wrong-type' ? belongs(file.data, shape, pointer) : undefined
    if (!where) continue
    if (where.missing !== undefined) moved.add(where.missing)
    const word = code === 'unknown-key' ? 'what' : 'found'
    const { allowed: _, suggestion: __, ...others } = parameters
    faults[index] = [file, pointer, code, { ...others, [word]: `${String(parameters[word])}: ${where.why}` }, part]
  }
  for (const fault of faults) {
    const [, pointer, code, parameters] = fault
    if (code !== 'missing-key' || !moved.has(below(pointer, String(parameters?.found)))) report(...fault)
  }
  return sound
}

/** Checks a value of a file against a shape, or against a template's own JSON Schema. */
export function checkShape(file: SourceFile, value: unknown, shape: object, pointer: string, report: Report): boolean {
  if (fitsShape(value, shape)) return true
  const { validate, originals } = validatorOf(shape)
  if (validate(value)) return true
  let errors = validate.errors!
  // A choice of shapes reports errors for each branch: only those of the intended branch are kept.
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    if (!errors.includes(choice)) continue
    const branches = (originals.get(choice.parentSchema!) as Shape<unknown> | undefined)?.anyOf ?? []
    const meant = nearBranch(branches, choice.data) ?? branchIndex(branches, choice.data)[0]
    errors = errors.filter((error) =>
      error === choice ? meant === undefined : !isBelow(error.instancePath, choice.instancePath),
    )
    if (meant !== undefined) checkShape(file, choice.data, branches[meant], `${pointer}${choice.instancePath}`, report)
  }
  // What has the wrong type breaks every other rule too.
  const ofWrongType = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  )
  const relevant = errors.filter(
    ({ keyword, instancePath }) =>
      (keyword === 'type' && !isRepeated(instancePath, value, ofWrongType)) ||
      (keyword !== 'type' && !ofWrongType.has(instancePath)),
  )
  for (const error of withoutMissing(relevant)) {
    const original = originals.get(error.parentSchema!) as Shape<unknown> | undefined
    reportError(file, pointer, { ...error, ...(original && { original }) }, report)
  }
  return false
}

/** A list whose items all have the wrong type is one mistake. */
function isRepeated(path: string, value: unknown, ofWrongType: ReadonlySet<string>): boolean {
  const place = Number(segments(path).at(-1))
  const around = path.slice(0, path.lastIndexOf('/'))
  const list = place > 0 ? valueAt(value, around) : undefined
  return Array.isArray(list) && list.every((_, index) => ofWrongType.has(`${around}/${index}`))
}

/** The only branch with a key similar to an unknown one, if none of the object's keys is known. */
function nearBranch(branches: readonly Shape<unknown>[], data: unknown): number | undefined {
  if (!isObject(data)) return undefined
  const keysOf = ({ properties = {} }: Shape<unknown>) => Object.keys(properties)
  const given = Object.keys(data)
  if (branches.some((branch) => keysOf(branch).some((key) => given.includes(key)))) return undefined
  const near = branches.flatMap((branch, index) =>
    given.some((key) => nearestName(key, keysOf(branch)) !== undefined) ? [index] : [],
  )
  return near.length === 1 ? near[0] : undefined
}

/** An unknown key beside a missing one is probably misspelt, so only one mistake is reported. */
function withoutMissing(errors: readonly ErrorObject[]): ShapeError[] {
  const errorsAt = (keyword: string, instancePath: string) =>
    errors.filter((error) => error.keyword === keyword && error.instancePath === instancePath)
  const heard = new Set<ErrorObject>()
  const merged = errors.map((error): ShapeError => {
    if (error.keyword !== 'additionalProperties') return error
    const absent = errorsAt('required', error.instancePath)
    const unknown = errorsAt('additionalProperties', error.instancePath)
    const near = nearestName(String(error.params.additionalProperty), Object.keys(error.parentSchema?.properties ?? {}))
    const meant =
      absent.find(({ params }) => params.missingProperty === near) ??
      (near === undefined && unknown.length === 1 && absent.length === 1 ? absent[0] : undefined)
    if (!meant) return error
    heard.add(meant)
    return { ...error, missing: String(meant.params.missingProperty) }
  })
  return merged.filter((_, index) => !heard.has(errors[index]))
}

const isBelow = (pointer: string, root: string) => pointer === root || pointer.startsWith(`${root}/`)

interface ShapeError extends ErrorObject {
  /** The shape as it was declared. */
  original?: Shape<unknown>
  /** The key that an unknown one was probably meant to be, because it is missing. */
  missing?: string
}

const lostChange = (key: string) =>
  `There is no "${key}" here that a patch could change, and it is incomplete as a new one`

function reportError(file: SourceFile, root: string, error: ShapeError, report: Report): void {
  const { keyword, data, params, parentSchema, original } = error
  const at = `${root}${error.instancePath}`
  const say = (code: IssueCode, parameters: Given, pointer = at, key = false) =>
    report(file, pointer, code, parameters, { key })
  switch (keyword) {
    case 'additionalProperties': {
      const found = String(params.additionalProperty)
      const [type, keys] = ownFirst(parentSchema as Shape<unknown>)
      const near = nearestName(found, keys)
      const there = isObject(data) && near !== undefined && near in data
      const what =
        type === undefined ? `There is no key "${found}" here` : `A field of the type "${type}" has no key "${found}"`
      const offered =
        error.missing !== undefined
          ? { suggestion: error.missing }
          : there
            ? { see: `"${near}" is there already` }
            : offer(
                found,
                keys.filter((key) => !(isObject(data) && key in data)),
              )
      return say('unknown-key', { ...offered, found, what }, below(at, found), true)
    }
    case 'required': {
      const key = segments(at).at(-1) ?? ''
      const near = nearestName(key, file.generated?.besideAdded?.(at) ?? [])
      if (near !== undefined) return say('unknown-key', { what: lostChange(key), suggestion: near }, at, true)
      return say('missing-key', { found: params.missingProperty }, at, true)
    }
    case 'discriminator': {
      // `required` already reports that it is missing.
      if (params.tagValue === undefined) return
      if (params.error === 'tag') return say('wrong-type', mistyped(params.tagValue, 'string'), below(at, params.tag))
      const branches: Shape<unknown>[] = parentSchema?.oneOf ?? []
      const wordOf = ({ properties }: Shape<unknown>) => properties![params.tag].const as string
      const found = String(params.tagValue)
      const meant = branches.find(({ alsoCalled }) => alsoCalled?.includes(found.toLowerCase()))
      const offered = meant ? { found, suggestion: wordOf(meant) } : offer(found, branches.map(wordOf))
      return say('unknown-widget', offered, below(at, params.tag))
    }
    case 'type':
      return say('wrong-type', {
        ...mistyped(data, params.type as string | string[], original, segments(at).at(-1)),
        ...(original?.enum && { allowed: original.enum.map(String) }),
      })
    // The errors below it report what the condition requires.
    case 'if':
      return
    case 'anyOf':
    case 'oneOf': {
      const types = (error.schema as Shape<unknown>[]).flatMap(({ type }) => type ?? [])
      return say('wrong-type', mistyped(data, types))
    }
    case 'enum': {
      return say('not-allowed-value', offer(String(data), (params.allowedValues as unknown[]).map(String)))
    }
    case 'const':
      return say('not-allowed-value', { found: data, allowed: [String(params.allowedValue)] })
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      if (isLabelText(error)) return say('empty-label', { language: segments(at).at(-1), mayCopy: true })
      return say('too-short', { limit: counted(keyword, params.limit as number) })
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return say('too-long', { limit: counted(keyword, params.limit as number) })
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return say('out-of-range', { found: data, comparison: comparisons[params.comparison], limit: params.limit })
    default:
      return say('wrong-pattern', {
        found: data,
        pattern: written(parentSchema as { like?: string } | undefined, params.pattern ?? keyword),
      })
  }
}

/** The keys of an object; for a field also its type, with that type's own options first. */
function ownFirst({ properties = {} }: Shape<unknown>): [type: string | undefined, keys: string[]] {
  const keys = Object.keys(properties)
  const type = properties.type?.const
  const isField = typeof type === 'string' && 'readOnlyWhen' in properties
  if (!isField) return [undefined, keys]
  const isOwn = (key: string) => !(key in fieldCommon.properties)
  return [type, [...keys.filter((key) => key !== 'type' && isOwn(key)), ...keys.filter((key) => !isOwn(key))]]
}

/** The expected form of a text: the shape's example, else the pattern. */
const written = (shape: { like?: string } | undefined, pattern: string): string =>
  shape?.like === undefined ? `by the regular expression ${pattern}` : `as ${shape.like}`

const isLabelText = ({ data, schemaPath }: ErrorObject) =>
  data === '' && schemaPath.endsWith('/additionalProperties/minLength')
const comparisons: Record<string, string> = { '>=': 'at least', '<=': 'at most', '>': 'greater than', '<': 'less than' }
