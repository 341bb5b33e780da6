import { checkExpression, type VariableTypes } from '../../expression/index.ts'
import type { TemplateFile } from '../language/templateShape.ts'
import { faultCodes } from '../linking/formulas.ts'
import { offer } from '../issues/issue.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { Family } from './generate.ts'
import type { Names } from '../named.ts'
import type { ExpressionType } from '../../model/model.ts'

/**
 * Checks parameters with `"choiceOf": "feeItem"` against that dictionary, after families have added their values to it;
 * those with `"fits": "pattern"` against the regular expression beside them; and those with `"over": { "base":
 * "decimal" }`, which are formulas over these that yield a number, or the type in `gives`. With `"earlier": { "by":
 * "key", "over": { "Company": "decimal" } }` they may also name what the entries before theirs in the list make
 * (`pensionCompany`).
 */
export function checkFamilyChoices(families: readonly Family[], names: Names, report: Report): void {
  for (const family of families) {
    visitParameters(family, ({ value, shape, pointer, around, before }) => {
      if (typeof value !== 'string') return
      if (typeof shape.choiceOf === 'string') {
        const dictionary = names.dictionaries[shape.choiceOf]
        if (dictionary?.sound && !dictionary.mayGrow && !dictionary.values.includes(value))
          report(family.source, pointer, 'unknown-choice', {
            ...offer(value, dictionary.values),
            dictionary: dictionary.name,
            see: dictionary.source.path,
          })
      }
      if (isObject(shape.over))
        for (const fault of checkExpression(value, variablesOf(shape, before), givenBy(shape)))
          report(family.source, pointer, faultCodes[fault.code], {
            found: fault.found,
            suggestion: fault.suggestion,
            message: fault.message.en.replace(/\.$/, ''),
          })
      const pattern = typeof shape.fits === 'string' ? around[shape.fits] : undefined
      if (typeof pattern === 'string' && misses(pattern, value))
        report(family.source, pointer, 'wrong-pattern', {
          found: value,
          pattern: `by the regular expression ${pattern}`,
        })
    })
  }
}

/** Warns about values outside `known`, which the template replaces. */
export function checkReplaced(families: readonly Family[], report: Report): void {
  for (const family of families) {
    visitParameters(family, ({ value, shape: { known, fallback }, pointer }) => {
      if (typeof value === 'string' && Array.isArray(known) && fallback !== undefined && !known.includes(value))
        report(family.source, pointer, 'replaced-value', { ...offer(value, known.map(String)), fallback })
    })
  }
}

interface Parameter {
  value: unknown
  shape: JsonObject
  pointer: string
  /** The object that contains it. */
  around: JsonObject
  /** What stands before that in its list. */
  before: readonly unknown[]
}

function visitParameters({ source, template }: Family, visit: (parameter: Parameter) => void): void {
  type Place = Pick<Parameter, 'pointer' | 'around' | 'before'>
  const go = (value: unknown, shape: unknown, place: Place): void => {
    if (!isObject(shape) || value === undefined || value === null) return
    const { pointer } = place
    visit({ value, shape, ...place })
    for (const branch of Array.isArray(shape.anyOf) ? shape.anyOf : []) go(value, branch, place)
    if (Array.isArray(value))
      for (const [index, item] of value.entries())
        go(item, shape.items, { ...place, pointer: below(pointer, index), before: value.slice(0, index) })
    else if (isObject(value) && isObject(shape.properties))
      for (const [key, item] of Object.entries(value))
        go(item, shape.properties[key], { ...place, pointer: below(pointer, key), around: value })
  }
  const { parameters } = source.data as { parameters?: unknown }
  const shape = (template.data as TemplateFile).parameters
  go(parameters, shape, { pointer: '/parameters', around: {}, before: [] })
}

function variablesOf({ over, earlier }: JsonObject, before: readonly unknown[]): VariableTypes {
  const { by, over: made } = isObject(earlier) ? earlier : {}
  const added = before
    .filter(isObject)
    .flatMap((entry) =>
      Object.entries((made ?? {}) as VariableTypes).map(([end, type]) => [`${String(entry[String(by)])}${end}`, type]),
    )
  return { ...Object.fromEntries(added), ...(over as VariableTypes) }
}

const givenBy = ({ gives = 'decimal' }: JsonObject) => gives as ExpressionType

function misses(pattern: string, value: string): boolean {
  try {
    return !new RegExp(pattern, 'u').test(value)
  } catch {
    // An invalid regular expression is reported where it is used.
    return false
  }
}
