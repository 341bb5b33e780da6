import { checkExpression, nearestName, unitsOf, type ExpressionFault } from '../expression/index.ts'
import { filterValues } from '../model/model.ts'
import type { AssembleScope, Entity, Field, Label, MeasurePlan, Widget } from '../model/model.ts'
import type { MeasuresFile, ComparedFile } from './measuresShape.ts'

const kinds = ['count', 'sum', 'avg', 'min', 'max', 'formula'] as const
const counted: Label = { cn: '数量', en: 'Count' }

/** A pseudo field, which says how a figure or the value of a group is shown. */
export function shownField(
  name: string,
  type: string,
  label: Label,
  scope: AssembleScope,
  options: Record<string, unknown> = {},
): Field {
  const shapes = Object.entries(scope.widgets[type].options.properties).filter(([, under]) => 'default' in under)
  const defaults = Object.fromEntries(shapes.map(([key, under]) => [key, under.default]))
  return {
    name,
    type,
    label,
    options: { ...defaults, ...options },
    required: false,
    readOnly: true,
    unique: false,
    sensitive: false,
  }
}

/**
 * A faulty measure is reported once and keeps its name, so that its users are not reported too. `pointer` is where the
 * measures are declared.
 */
export function assembleMeasures(
  file: MeasuresFile | ComparedFile,
  entity: Entity,
  pointer: string,
  scope: AssembleScope,
): MeasurePlan[] {
  const known: MeasurePlan[] = []
  for (const [name, measure] of Object.entries(file)) {
    known.push(assembleMeasure(name, measure, { entity, pointer: `${pointer}/${name}`, scope, known }))
  }
  return known
}

interface Place {
  entity: Entity
  pointer: string
  scope: AssembleScope
  known: readonly MeasurePlan[]
}

function assembleMeasure(
  name: string,
  file: ComparedFile[string],
  { entity, pointer, scope, known }: Place,
): MeasurePlan {
  if (file.change !== undefined) return assembleChange(name, file, { pointer, scope, known })
  const given = kinds.filter((kind) => (kind === 'count' ? file.count === true : file[kind] !== undefined))
  const [kind] = given
  if (given.length !== 1) {
    scope.issue('not-one', pointer, { keys: kinds.join(', ') })
    return faulty(name, file, scope)
  }
  if (file.type !== undefined && !Object.hasOwn(scope.widgets, file.type)) {
    scope.issue('unknown-widget', `${pointer}/type`, { found: file.type, allowed: Object.keys(scope.widgets) })
    return faulty(name, file, scope)
  }
  openFields(Object.keys(file.where), entity, `${pointer}/where`, scope)
  const where = filterValues(file.where)
  if (kind === 'count')
    return {
      name,
      field: shownField(name, file.type ?? 'integer', file.label ?? counted, scope, file.options),
      value: { kind },
      where,
    }
  if (kind === 'formula') {
    if (!checkFormula(file.formula!, known, `${pointer}/formula`, scope)) return faulty(name, file, scope)
    return {
      name,
      field: shownField(name, file.type ?? 'decimal', file.label ?? { cn: name, en: name }, scope, file.options),
      value: { kind, formula: file.formula! },
      where,
    }
  }
  const summed = file[kind]!
  const field = entity.fields[summed]
  const widget = scope.widgets[field.type]
  openFields([summed], entity, `${pointer}/${kind}`, scope)
  const added = kind === 'sum' || kind === 'avg'
  if (added ? !widget.summable : !widget.sortable)
    scope.issue(added ? 'not-summable' : 'not-sortable', `${pointer}/${kind}`, { entity: entity.name, found: summed })
  else if (!scope.isQueried(entity.name, summed))
    scope.issue('not-stored', `${pointer}/${kind}`, {
      entity: entity.name,
      found: summed,
      operation: 'work it out for many',
    })
  const shown =
    file.type === undefined
      ? { ...shownField(name, field.type, file.label ?? field.label, scope), options: field.options }
      : shownField(name, file.type, file.label ?? field.label, scope, file.options)
  return { name, field: shown, value: { kind, of: summed }, where }
}

/** For a measure that is counted, or computed from such. */
function assembleChange(
  name: string,
  file: ComparedFile[string],
  { pointer, scope, known }: Omit<Place, 'entity'>,
): MeasurePlan {
  const { change: changed = '', label: given, options } = file
  const others = kinds.filter((kind) => file[kind] !== undefined && file[kind] !== false)
  if (others.length > 0) scope.issue('not-one', pointer, { keys: [...kinds, 'change'].join(', ') })
  const measured = known.filter(({ value }) => value.kind !== 'change').map((measure) => measure.name)
  if (!measured.includes(changed))
    scope.issue('unknown-measure', `${pointer}/change`, {
      found: changed,
      allowed: measured,
      suggestion: nearestName(changed, measured),
    })
  const label = given ?? { cn: '环比', en: 'Change' }
  return {
    name,
    field: shownField(name, 'percent', label, scope, options),
    value: { kind: 'change', of: changed },
    where: {},
  }
}

/** Reported once: keeping the name avoids follow-on issues. */
const faulty = (name: string, { label }: MeasuresFile[string], scope: AssembleScope): MeasurePlan => ({
  name,
  field: shownField(name, 'decimal', label ?? { cn: name, en: name }, scope),
  value: { kind: 'count' },
  where: {},
})

/**
 * A report may be read by users who cannot see the single records, so it must not reveal what some of them may not see.
 */
export function openFields(names: readonly string[], entity: Entity, pointer: string, scope: AssembleScope): void {
  for (const name of names) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    if (field && (field.sensitive || scope.widgets[field.type].protect))
      scope.issue('sensitive-in-report', pointer, { entity: entity.name, found: name })
  }
}

const codes = {
  'expression-syntax': 'expression-syntax',
  'unknown-name': 'unknown-name',
  'wrong-type': 'expression-type',
  'forbidden-function': 'forbidden-function',
} as const satisfies Record<ExpressionFault['code'], string>

/** It may name the measures before it. */
function checkFormula(formula: string, known: readonly MeasurePlan[], pointer: string, scope: AssembleScope): boolean {
  const faults = checkExpression(formula, measureTypes(known, scope.widgets), 'any')
  for (const { code, message, suggestion, found } of faults) {
    const isName = code === 'unknown-name' && !message.en.includes('function')
    scope.issue(codes[code], pointer, {
      message: isName
        ? `"${found}" is no measure that stands before this one.`
        : code === 'unknown-name'
          ? message.en
          : message.en.replace(/\.$/, ''),
      ...(suggestion !== undefined && { suggestion }),
      ...(isName && { allowed: known.map(({ name }) => name) }),
    })
  }
  if (faults.length > 0) return false
  const unitOf = ([name]: string[]) => {
    const field = known.find((measure) => measure.name === name)?.field
    return field && scope.widgets[field.type].unit?.(field.options)
  }
  const { mixed } = unitsOf(formula, unitOf)
  for (const { start, end, units } of mixed)
    scope.issue('expression-type', pointer, {
      message: `${formula.slice(start, end)} puts ${units.join(' and ')} together`,
    })
  return mixed.length === 0
}

/** The names that a formula over these measures may use. */
const measureTypes = (measures: readonly MeasurePlan[], widgets: Record<string, Widget>) =>
  Object.fromEntries(
    measures
      .filter(({ value }) => value.kind !== 'change')
      .map(({ name, field }) => [name, widgets[field.type].expression]),
  )
