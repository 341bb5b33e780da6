import { evaluateTemplate, nearestName } from '../../expression/index.ts'
import type { TemplateFile } from '../language/templateShape.ts'
import type { Families, Value } from '../../model/model.ts'
import { above, below, segments } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isObject } from '../walk.ts'
import { attempt } from './generate.ts'
import type { Family } from './generate.ts'

type Scope = Record<string, Value>
type Rule = NonNullable<TemplateFile['rules']>[number]

/**
 * The rules that templates impose on their families, reported at the parameter concerned. A clash between two families
 * is reported once, at one of them, naming the other.
 */
export function checkRules({ known, families, isWhole, report }: Known): void {
  const check = (isMeant: (rule: Rule) => boolean) =>
    known.filter((family) =>
      breaks({ family, known, families, isMeant: (rule) => rule.warns !== true && isMeant(rule), report }),
    )
  // Between two families with one key, all other clashes and missing values follow from that.
  const clashing = isWhole ? check((rule) => rule.at === 'key' && readsOthers(rule)) : []
  check((rule) => (readsOthers(rule) ? isWhole && clashing.length === 0 && rule.at !== 'key' : true))
}

/** Warns about parameters without effect, by the rules that only warn. */
export function checkIdle({ known, families, report }: Omit<Known, 'isWhole'>): void {
  for (const family of known) breaks({ family, known, families, isMeant: ({ warns }) => warns === true, report })
}

interface Known {
  known: readonly Family[]
  families: Families
  /** All families could be read; otherwise some are unknown. */
  isWhole: boolean
  report: Report
}

const readsOthers = ({ check }: Rule): boolean => /\b(others|families)\b/.test(check)

interface Given extends Omit<Known, 'isWhole'> {
  family: Family
  isMeant(rule: Rule): boolean
}

/** Reports which of these rules the family breaks. @returns whether it breaks any */
function breaks({ family, known, families, isMeant, report }: Given): boolean {
  const { source, template, parameters } = family
  const others = known.filter((other) => other !== family && other.template === template)
  let isBroken = false
  for (const [index, rule] of ((template.data as TemplateFile).rules ?? []).entries()) {
    if (!isMeant(rule)) continue
    const at = below('/rules', index)
    const run = (key: 'each' | 'check' | 'at' | 'message', scope: Scope): Value | undefined => {
      const text = rule[key]
      if (text === undefined) return undefined
      const isText = key === 'at' || key === 'message'
      return attempt(family, below(at, key), report, () =>
        evaluateTemplate(isText ? text : `\${${text}}`, scope, isText ? 0 : 2),
      )
    }
    const beside = (these: readonly Family[], scope: Scope): Scope => ({
      ...scope,
      others: these.map((each) => each.parameters) as unknown as Value,
    })
    const scope: Scope = beside(others, { ...parameters, families: families as unknown as Value })
    const list = rule.each === undefined ? [null] : (run('each', scope) ?? [])
    for (const [position, item] of (Array.isArray(list) ? list : []).entries()) {
      const here = { ...scope, item, index: position }
      if (run('check', here) !== false) continue
      const isAlone = run('check', beside([], here)) === false
      const alike = isAlone ? [] : others.filter((other) => run('check', beside([other], here)) === false)
      const other = alike.find((each) => isBlamed(family, each))
      if (alike.length > 0 && !other) continue
      isBroken = true
      const pointer = existing(source.data, `/parameters/${String(run('at', here) ?? '')}`)
      const message = String(run('message', here) ?? '')
      const code = rule.warns === true ? 'idle-parameter' : 'family-rule'
      const near = { suggestion: nearKey(pointer, parameters, template.data as TemplateFile, families) }
      report(source, pointer, code, { message, ...near, see: (other?.source ?? template).path }, { key: true })
    }
  }
  return isBroken
}

/** The family that was probably meant by a parameter which names one by its key. */
function nearKey(
  pointer: string,
  parameters: Family['parameters'],
  { parameters: shape }: TemplateFile,
  families: Families,
): string | undefined {
  const [, name] = segments(pointer)
  const properties = isObject(shape) && isObject(shape.properties) ? shape.properties : {}
  const { keyOf } = isObject(properties[name]) ? properties[name] : {}
  if (typeof keyOf !== 'string' || typeof parameters[name] !== 'string') return undefined
  return nearestName(
    parameters[name],
    (families[keyOf] ?? []).map(({ key }) => String(key)),
  )
}

/** Of two families that clash: the one not named like its file, else the later. */
function isBlamed(family: Family, other: Family): boolean {
  const [bears, otherBears] = [family, other].map(({ source, parameters }) => source.name === parameters.key)
  return bears === otherBears ? family.source.path > other.source.path : otherBears
}

/** The pointer, or the nearest one above that exists in the file. */
function existing(data: unknown, pointer: string): string {
  let at: string | undefined = pointer
  const isThere = (path: string) =>
    path
      .split('/')
      .slice(1)
      .reduce(
        (value: unknown, segment) =>
          isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[segment] : undefined,
        data,
      ) !== undefined
  while (at && !isThere(at)) at = above(at)
  return at ?? ''
}
