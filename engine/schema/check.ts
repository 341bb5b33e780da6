import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { nearestName } from '../expression/index.ts'
import { fits } from './checking/fits.ts'
import { hoist } from './checking/hoist.ts'
import { offer, type IssueCode, type Parameters } from './issues/issue.ts'
import { below, segments } from '../model/pointer.ts'
import type { Report } from './issues/report.ts'
import type { Shape } from '../model/shape.ts'
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
  let sound = checkShape(file, file.data, shape, '', report)
  walk(file.data, shape, ({ shape: { names }, value, pointer }) => {
    if (names !== 'label' || !isObject(value)) return
    const say: Report = (...fault) => {
      sound = false
      report(...fault)
    }
    // A text under an unknown language probably belongs to the missing one.
    const mayCopy = Object.keys(value).every((language) => languages.includes(language))
    for (const language of languages) {
      if (!(language in value)) say(file, pointer, 'missing-language', { found: language, mayCopy }, { key: true })
    }
    for (const [language, text] of Object.entries(value)) {
      const at = below(pointer, language)
      if (!languages.includes(language)) {
        say(file, at, 'unknown-language', offer(language, languages), { key: true })
      } else if (typeof text === 'string' && !text.trim()) say(file, at, 'empty-label', { language, mayCopy })
    }
  })
  return sound
}

/** Checks a value of a file against a shape, or against a template's own JSON Schema. */
export function checkShape(file: SourceFile, value: unknown, shape: object, pointer: string, report: Report): boolean {
  if (fits(value, shape)) return true
  const { validate, originals } = validatorOf(shape)
  if (validate(value)) return true
  let errors = validate.errors!
  // A choice of shapes reports errors for each branch: only those of the intended branch are kept.
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    if (!errors.includes(choice)) continue
    const branches = (originals.get(choice.parentSchema!) as Shape<unknown> | undefined)?.anyOf ?? []
    const [meant] = branchIndex(branches, choice.data)
    errors = errors.filter((error) =>
      error === choice ? meant === undefined : !isBelow(error.instancePath, choice.instancePath),
    )
    if (meant !== undefined) checkShape(file, choice.data, branches[meant], `${pointer}${choice.instancePath}`, report)
  }
  // A wrong type violates every other rule too.
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath))
  for (const error of errors)
    if (error.keyword === 'type' || !mistyped.has(error.instancePath)) tell(file, pointer, error, report)
  return false
}

const isBelow = (pointer: string, root: string) => pointer === root || pointer.startsWith(`${root}/`)

const words: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}
const typeOf = (value: unknown) => words[value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value]
const wanted = (types: string[]) => {
  const text = [...new Set(types.map((type) => words[type] ?? type))].join(' or ')
  return `${text[0].toUpperCase()}${text.slice(1)}`
}

const wantedBy = (shape: object | undefined, types: string | string[]) =>
  (shape as { names?: unknown } | undefined)?.names === 'label'
    ? 'A text in each language belongs here, such as { "cn": "…", "en": "…" }'
    : `${wanted([types].flat())} belongs here`

function tell(file: SourceFile, root: string, error: ErrorObject, report: Report): void {
  const { keyword, data, params, parentSchema } = error
  const at = `${root}${error.instancePath}`
  const say = (code: IssueCode, parameters: Parameters, pointer = at, key = false) =>
    report(file, pointer, code, parameters, { key })
  switch (keyword) {
    case 'additionalProperties': {
      const found = String(params.additionalProperty)
      const keys = Object.keys(parentSchema?.properties ?? {})
      const isThere = (key: string) => isObject(data) && key in data
      const near = nearestName(found, keys)
      const told =
        near !== undefined && isThere(near)
          ? { found, see: `"${near}" is there already` }
          : offer(
              found,
              keys.filter((key) => !isThere(key)),
            )
      return say('unknown-key', told, below(at, found), true)
    }
    case 'required':
      return say('missing-key', { found: params.missingProperty }, at, true)
    case 'discriminator': {
      // `required` already reports that it is missing.
      if (params.tagValue === undefined) return
      if (params.error === 'tag')
        return say(
          'wrong-type',
          { wanted: `${wanted(['string'])} belongs here`, found: typeOf(params.tagValue) },
          below(at, params.tag),
        )
      const types: string[] = parentSchema?.oneOf.map((branch: Shape<unknown>) => branch.properties![params.tag].const)
      return say('unknown-widget', offer(String(params.tagValue), types), below(at, params.tag))
    }
    case 'type':
      return say('wrong-type', { wanted: wantedBy(parentSchema, params.type), found: typeOf(data) })
    // The errors below already report what a condition requires.
    case 'if':
      return
    case 'anyOf':
    case 'oneOf': {
      const types = (error.schema as Shape<unknown>[]).flatMap(({ type }) => type ?? [])
      return say('wrong-type', { wanted: `${wanted(types)} belongs here`, found: typeOf(data) })
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
      return say('too-short', { limit: params.limit, unit: units[keyword] })
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return say('too-long', { limit: params.limit, unit: units[keyword] })
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

/** The expected form of a text: the shape's example, else the pattern. */
const written = (shape: { like?: string } | undefined, pattern: string): string =>
  shape?.like === undefined ? `by the regular expression ${pattern}` : `as ${shape.like}`

const isLabelText = ({ data, schemaPath }: ErrorObject) =>
  data === '' && schemaPath.endsWith('/additionalProperties/minLength')
const units: Record<string, string> = {
  minLength: 'character(s)',
  maxLength: 'character(s)',
  minItems: 'item(s)',
  maxItems: 'item(s)',
  minProperties: 'key(s)',
  maxProperties: 'key(s)',
}
const comparisons: Record<string, string> = { '>=': 'at least', '<=': 'at most', '>': 'greater than', '<': 'less than' }
