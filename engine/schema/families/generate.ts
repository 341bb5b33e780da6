import { expandTemplate, TemplateError, type ExpandedTemplate } from '../../expression/index.ts'
import { expandOnce } from './expandOnce.ts'
import { stumbled, valueAt } from './blame.ts'
import type { TemplateFile } from '../language/templateShape.ts'
import { offer } from '../issues/issue.ts'
import type { Families, Value } from '../../model/model.ts'
import { positionOf, rangeOf, treeOf } from '../reading/place.ts'
import { above, below } from '../../model/pointer.ts'
import { patchedOnce, patches } from './mergePatch.ts'
import { lastOf } from '../memory/lastResults.ts'
import type { Report } from '../issues/report.ts'
import { isObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

/** A valid family: its parameters with their defaults, and the values that the template derives from them. */
export interface Family {
  source: SourceFile
  template: SourceFile
  parameters: Record<string, Value>
  /** Some values could not be derived from the parameters, so issues in its files are not reported. */
  broken?: boolean
}

/** A file that refers to the set of families, expanded; unchanged if that fails. */
export const expandedOf = (
  file: SourceFile,
  families: Families,
  sources: readonly SourceFile[],
  report: Report,
): SourceFile =>
  recallOf<SourceFile>(file.data)([families], report, (reportIssue) => expandFile(file, families, sources, reportIssue))

/** The cached result for a file or a family, valid while all of its inputs are the same. */
const made = new WeakMap<object, ReturnType<typeof lastOf>>()
function recallOf<T>(owner: unknown): ReturnType<typeof lastOf<T>> {
  if (typeof owner !== 'object' || owner === null) return lastOf()
  const recall = made.get(owner) ?? lastOf()
  made.set(owner, recall)
  return recall as ReturnType<typeof lastOf<T>>
}

function expandFile(file: SourceFile, families: Families, given: readonly SourceFile[], report: Report): SourceFile {
  try {
    const scope = { families: families as unknown as Value }
    const { value = null, sources } = expandWhole(file, '', file.data as Value, scope, '')
    return {
      ...file,
      data: value,
      generated: {
        note: '',
        families: given,
        origin: (pointer) => ({ file, ...originOf(pointer, sources, file.data, value) }),
      },
    }
  } catch (error) {
    reportFault(error, undefined, report)
    return { ...file, broken: true }
  }
}

/** The files that a template generates for this family. */
export const makeFiles = (
  family: Family,
  own: readonly SourceFile[],
  families: Families,
  report: Report,
): SourceFile[] =>
  recallOf<SourceFile[]>(family)([families, ...own.map(({ data }) => data)], report, (reportIssue) =>
    makeAll(family, own, families, reportIssue),
  )

function makeAll(family: Family, own: readonly SourceFile[], families: Families, report: Report): SourceFile[] {
  const { source, template, parameters } = family
  const { files = {} } = template.data as TemplateFile
  const patch = (source.data as { patch?: Record<string, Value> }).patch ?? {}
  const unused = new Set(Object.keys(patch))
  let isWhole = true
  const made = own.flatMap((file) => {
    const key = `${file.name}.${file.kind}`
    const place = files[key]
    const at = below('/files', key)
    const whole: Record<string, Value> = { ...parameters, families: families as unknown as Value }
    const evaluate = (word: 'when' | 'each' | 'as', given: Value, scope: Record<string, Value>) =>
      expandWhole(template, below(at, word), given, scope).value ?? null
    const forItem = (scope: Record<string, Value>): SourceFile[] => {
      if (place?.when !== undefined && evaluate('when', { $if: place.when, $value: true }, scope) !== true) {
        // The file is not generated, so its patch is not reported as unused.
        unused.delete(key)
        unused.delete(`${String(evaluate('as', place.as ?? file.name, scope))}.${file.kind}`)
        return []
      }
      const name = String(evaluate('as', place?.as ?? file.name, scope))
      const owner = `${source.path} ${name}`
      const {
        value = null,
        sources,
        isBroken = false,
      } = madeOrBroken(source, report, () => expandWhole(file, '', file.data as Value, scope, owner))
      if (isBroken) isWhole = false
      const changes = patch[`${name}.${file.kind}`] ?? patch[key]
      const patchPointer = below('/patch', `${name}.${file.kind}` in patch ? `${name}.${file.kind}` : key)
      for (const named of [`${name}.${file.kind}`, key]) unused.delete(named)
      const data = changes === undefined ? value : patchedOnce(value, changes)
      return [
        {
          ...file,
          name,
          area: (template.data as TemplateFile).area,
          folder: (template.data as TemplateFile).area,
          data,
          ...((family.broken || isBroken) && { broken: true }),
          generated: {
            note: `(made by ${source.path})`,
            families: [source],
            template: `${template.name}/${key}`,
            madeBy: template,
            named: place?.as?.replace(/\$\{[^}]*\}/g, '*'),
            besideAdded: (pointer: string) => added(value, changes, pointer),
            origin: (pointer: string) =>
              patches(changes, pointer) || added(value, changes, pointer)
                ? { file: source, pointer: `${patchPointer}${pointer}`, same: true }
                : { file, ...originOf(pointer, sources, file.data, data) },
          },
        },
      ]
    }
    try {
      if (place?.each === undefined) return forItem(whole)
      const items = evaluate('each', [{ $each: place.each, $value: '${item}' }], whole)
      return (items as Value[]).flatMap((item) => forItem({ ...whole, [place.item ?? 'item']: item }))
    } catch (error) {
      reportFault(error, source, report)
      isWhole = false
      return []
    }
  })
  if (isWhole) {
    for (const found of unused) {
      report(
        source,
        below('/patch', found),
        'unknown-generated-file',
        offer(
          found,
          made.map(({ name, kind }) => `${name}.${kind}`),
        ),
        { key: true },
      )
    }
  }
  return made
}

/** A file that cannot be generated keeps its name, so that references to it are not reported as well. */
function madeOrBroken(
  family: SourceFile,
  report: Report,
  make: () => ExpandedTemplate,
): ExpandedTemplate & { isBroken?: true } {
  try {
    return make()
  } catch (error) {
    reportFault(error, family, report)
    return { value: {}, sources: {}, isBroken: true }
  }
}

/** A fault in a template, with its file. */
export class PlacedError extends Error {
  declare readonly cause: TemplateError
  readonly file: SourceFile
  readonly pointer: string
  private constructor(file: SourceFile, pointer: string, cause: TemplateError) {
    super(cause.message, { cause })
    this.file = file
    this.pointer = pointer
  }

  /** Wraps a fault below a pointer of the file; any other error is returned unchanged. */
  static of(file: SourceFile, pointer: string, error: unknown): PlacedError {
    if (error instanceof PlacedError) return error
    if (!(error instanceof TemplateError)) throw error
    return new PlacedError(file, `${pointer}${error.pointer}`, error)
  }
}

/** `family`: the family for which the file was generated, if any. */
export function reportFault(error: unknown, family: SourceFile | undefined, report: Report): void {
  if (!(error instanceof PlacedError)) throw error
  const { fault, inKey } = error.cause
  const text = fault.message.en.replace(/\.?( Did you mean "[^"]*"\?)?$/, '')
  // A type mismatch comes from the family's values; any other issue is the template's.
  if (family && fault.code === 'wrong-type') {
    const { line } = positionOf(error.file.text, rangeOf(treeOf(error.file.text), error.file.text, error.pointer).start)
    const pointer = stumbled(valueAt(error.file.data, error.pointer), family)
    report(family, pointer, 'template-fault', { message: text, see: `${error.file.path}:${line}` }, { key: true })
    return
  }
  const message = `${text}${family ? ` (for ${family.path})` : ''}`
  report(
    error.file,
    error.pointer,
    'template-fault',
    { message, suggestion: fault.suggestion },
    inKey ? { key: true } : { part: fault },
  )
}

/** @param owner of the result, which is remembered; without one it is not */
function expandWhole(
  file: SourceFile,
  pointer: string,
  data: Value,
  scope: Record<string, Value>,
  owner?: string,
): ExpandedTemplate {
  try {
    const isKept = owner !== undefined && typeof data === 'object' && data !== null
    return isKept ? expandOnce(data, scope, owner) : expandTemplate(data, scope)
  } catch (error) {
    throw PlacedError.of(file, pointer, error)
  }
}

/** The names that the file has beside what the patch added to it as new; undefined if that was there already. */
function added(value: Value, changes: Value | undefined, pointer: string): string[] | undefined {
  const around = valueAt(value, above(pointer) ?? '')
  const isNew = pointer !== '' && isObject(around) && valueAt(value, pointer) === undefined
  return isNew && isObject(valueAt(changes, pointer)) ? Object.keys(around) : undefined
}

/** The nearest ancestor that the template wrote; `same`: offsets inside the string are unchanged. */
function originOf(
  pointer: string,
  sources: Record<string, string>,
  template: unknown,
  made: Value,
): { pointer: string; same: boolean } {
  let at: string | undefined = pointer
  while (at !== undefined && !(at in sources)) at = above(at)
  const source = sources[at ?? ''] ?? ''
  return { pointer: source, same: at === pointer && valueAt(template, source) === valueAt(made, pointer) }
}

/** The result, or undefined if it fails, which is reported at the template. */
export function attempt<T>(family: Family, pointer: string, report: Report, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    reportFault(PlacedError.of(family.template, pointer, error), family.source, report)
    return undefined
  }
}
