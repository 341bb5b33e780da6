import { closeKeys, evaluateTemplate } from '../../expression/index.ts'
import { check, checkShape } from '../check.ts'
import { familyShape, templateShape, type TemplateFile } from '../language/templateShape.ts'
import { checkRules } from './checkRules.ts'
import { expandOnce } from './expandOnce.ts'
import { attempt, expandedOf, makeFiles, type Family } from './generate.ts'
import { offer } from '../issues/issue.ts'
import type { Families, Value } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import { lastOf } from '../memory/lastResults.ts'
import type { Report } from '../issues/report.ts'
import { isObject } from '../walk.ts'
import { grownDictionaries, knownChoices } from './writtenChoices.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

interface Declared {
  templates: SourceFile[]
  known: Family[]
  families: Families
}
/** The families stay the same until a family's or template's file is edited. */
const recall = lastOf<Declared>()

function declared(
  files: readonly SourceFile[],
  dictionaries: readonly SourceFile[],
  languages: readonly string[],
  report: Report,
): Declared {
  const templates = templatesOf(files, report)
  const sound = templates.filter((template) => check(template, templateShape, languages, report))
  const found = files
    .filter(({ kind }) => kind === 'family')
    .flatMap((source) => familyOf(source, templates, sound, languages, report) ?? [])
    .map((family) => ({ ...family, parameters: withKnownChoices(family, dictionaries, report) }))
  const known = withValues(found, sound, report)
  const families: Families = familySets(
    templates.map(({ name }) => [name, inOrder(known, name).map(({ parameters }) => parameters)]),
  )
  checkRules({
    known,
    families,
    isWhole: known.length === files.filter(({ kind }) => kind === 'family').length,
    report,
  })
  return { templates, known, families }
}

/** Each name once: of two templates with one name, the one in a folder of that name wins, else the first. */
function templatesOf(files: readonly SourceFile[], report: Report): SourceFile[] {
  const all = files.filter(({ kind }) => kind === 'template')
  return all.filter((file) => {
    const alike = all.filter(({ name }) => name === file.name)
    const counting = alike.find(({ folder, name }) => folder === name) ?? alike[0]
    if (file !== counting)
      report(file, '', 'duplicate-name', { kind: 'template', found: file.name, see: counting.path })
    return file === counting
  })
}

/**
 * The files as written, those that depend on the set of families expanded, and those that templates generate for
 * families.
 */
export function expandFamilies(
  files: readonly SourceFile[],
  languages: readonly string[],
  report: Report,
): { files: SourceFile[]; families: Families; known: readonly Family[] } {
  const declaring = files.filter(({ kind }) => kind === 'template' || kind === 'family')
  const grown = grownDictionaries(files)
  const { templates, known, families } = recall(
    [languages.join(), ...[...declaring, ...grown].map(({ data }) => data)],
    report,
    (reportIssue) => declared(declaring, grown, languages, reportIssue),
  )
  const usesFamilies = ({ text }: SourceFile) => text.includes('families.')
  const sources = known.map(({ source }) => source)
  const written = files.filter(({ kind, folder, area }) => kind !== 'template' && kind !== 'family' && folder === area)
  return {
    families,
    known,
    files: [
      ...written.map((file) =>
        usesFamilies(file) && !file.broken && templates.length > 0 ? expandedOf(file, families, sources, report) : file,
      ),
      ...known.flatMap((family) => {
        const { template } = family
        const own = files.filter(
          ({ folder, area, kind }) => folder === template.name && area === template.area && kind !== 'template',
        )
        return makeFiles(family, own, families, report)
      }),
    ],
  }
}

function familyOf(
  source: SourceFile,
  templates: readonly SourceFile[],
  sound: readonly SourceFile[],
  languages: readonly string[],
  report: Report,
): Family | undefined {
  if (!check(source, familyShape, languages, report)) return undefined
  const { template: name, parameters } = source.data as { template: string; parameters: Record<string, Value> }
  const template = templates.find((each) => each.name === name)
  if (!template) {
    report(
      source,
      '/template',
      'unknown-template',
      offer(
        name,
        templates.map((each) => each.name),
      ),
    )
    return undefined
  }
  if (!sound.includes(template)) return undefined
  const { parameters: shape } = template.data as TemplateFile
  try {
    return checkShape(source, parameters, shape as object, '/parameters', report)
      ? { source, template, parameters: defaulted(parameters, shape) as Record<string, Value> }
      : undefined
  } catch (error) {
    report(
      template,
      '/parameters',
      'template-fault',
      { message: `This is no JSON Schema: ${(error as Error).message}` },
      { key: true },
    )
    return undefined
  }
}

/**
 * Fills in omitted parameters with their default, or null, because a template may name any that its shape declares; a
 * value outside `known` becomes the `fallback`.
 */
function defaulted(value: Value, shape: unknown): Value {
  if (!isObject(shape)) return value
  if (Array.isArray(shape.known) && shape.fallback !== undefined && !shape.known.includes(value))
    return shape.fallback as Value
  if (Array.isArray(value)) return value.map((item) => defaulted(item, shape.items))
  if (!isObject(value)) return value
  const { additionalProperties } = shape
  const properties = isObject(shape.properties) ? shape.properties : {}
  const result: Record<string, Value | undefined> = { ...value }
  for (const key of Object.keys(value))
    if (!Object.hasOwn(properties, key)) result[key] = defaulted(value[key] as Value, additionalProperties)
  for (const [key, under] of Object.entries(properties)) {
    const given = result[key] ?? (isObject(under) ? (under.default as Value | undefined) : undefined)
    result[key] = given === undefined ? null : defaulted(given, under)
  }
  return additionalProperties === false ? closeKeys(result) : result
}

const withKnownChoices = (
  { source, template, parameters }: Family,
  dictionaries: readonly SourceFile[],
  report: Report,
): Record<string, Value> =>
  knownChoices(parameters, (template.data as TemplateFile).parameters, dictionaries, (pointer, message) =>
    report(source, pointer, 'family-rule', { message }),
  ) as Record<string, Value>

function inOrder(families: readonly Family[], template: string): Family[] {
  const weight = ({ template: { data }, parameters }: Family) =>
    Number(parameters[(data as TemplateFile).order ?? ''] ?? 0)
  return families.filter((family) => family.template.name === template).sort((a, b) => weight(a) - weight(b))
}

const familySets = (sets: readonly (readonly [template: string, parameters: Families[string]])[]): Families =>
  closeKeys(Object.fromEntries(sets))

const valueOf = (template: Value, scope: Record<string, Value>, owner: string): Value =>
  typeof template === 'object' && template !== null
    ? (expandOnce(template, scope, owner).value ?? null)
    : evaluateTemplate(template, scope)

/** Adds the values that a template derives from a family's parameters, each seeing those before it. */
function withValues(families: readonly Family[], templates: readonly SourceFile[], report: Report): Family[] {
  const raw: Families = familySets(
    templates.map(({ name }) => [name, inOrder(families, name).map(({ parameters }) => parameters)]),
  )
  return families.map((family) => {
    const parameters = { ...family.parameters }
    let broken = false
    for (const [name, value] of Object.entries((family.template.data as TemplateFile).values ?? {})) {
      const worked = attempt(family, below('/values', name), report, () =>
        valueOf(value as Value, { ...parameters, families: raw as unknown as Value }, `${family.source.path} ${name}`),
      )
      if (worked === undefined) broken = true
      parameters[name] = worked ?? null
    }
    return { ...family, parameters: closeKeys(parameters), broken }
  })
}
