import { checkExpression, type ExpressionFault, nearestName, unitsOf } from '../expression/index.ts'
import {
  boolean,
  fieldName,
  filter,
  filterValues,
  label,
  list,
  merged,
  oneOf,
  optional,
  record,
  shape,
  shorthand,
  string,
  unknown,
} from '../model/model.ts'
import type {
  AssembleScope,
  Entity,
  Field,
  Grain,
  GroupKey,
  Label,
  MeasurePlan,
  Static,
  Widget,
} from '../model/model.ts'

const measureShape = shape({
  /** The field's label by default. */
  label: optional(label()),
  count: optional(boolean()),
  sum: optional(fieldName()),
  avg: optional(fieldName()),
  min: optional(fieldName()),
  max: optional(fieldName()),
  formula: optional(
    string({
      about: {
        cn: '由前面的指标计算，如 round(profit / fee * 100, 2)',
        en: 'Formula over the measures before it, as in round(profit / fee * 100, 2)',
      },
    }),
  ),
  where: filter({ default: {} }),
  type: optional(
    string({
      about: {
        cn: '显示为哪种字段；公式默认 decimal，平均默认同字段',
        en: 'The field type that displays it: by default decimal for a formula, otherwise that of the field',
      },
    }),
  ),
  options: record(unknown(), { default: {}, about: { cn: 'type 的选项', en: 'The options of that type' } }),
})
/** Name → a measure of the records: their count, the sum of a field, or a formula over the measures before it. */
export const measuresShape = record(measureShape)
/** Measures of rows that may be monthly: also the change from the previous month. */
export const comparedMeasuresShape = record(
  merged(
    measureShape,
    shape({
      change: optional(
        string({
          about: {
            cn: '前面的指标：较上月变动的百分比，按月统计时显示',
            en: 'A measure before it, as the percentage change from the previous month, for rows by month',
          },
        }),
      ),
    }),
  ),
)
export type MeasuresFile = Static<typeof measuresShape>
type ComparedFile = Static<typeof comparedMeasuresShape>

const groupKeyShape = shorthand(
  'field',
  shape({
    field: fieldName(),
    unit: optional(oneOf(['month'], { about: { cn: '按日期所在月份', en: 'Groups dates by month' } })),
    each: boolean({
      default: false,
      about: { cn: '多选字段的每个值各计一次', en: 'For list fields, a record counts under each of its values' },
    }),
  }),
)
export const groupKeysShape = list(groupKeyShape, { distinct: ['field'] })
export type GroupKeyFile = Static<typeof groupKeyShape>

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
  const { change: of = '', label: given, options } = file
  const others = kinds.filter((kind) => file[kind] !== undefined && file[kind] !== false)
  if (others.length > 0) scope.issue('not-one', pointer, { keys: [...kinds, 'change'].join(', ') })
  const measured = known.filter(({ value }) => value.kind !== 'change').map((measure) => measure.name)
  if (!measured.includes(of))
    scope.issue('unknown-measure', `${pointer}/change`, {
      found: of,
      allowed: measured,
      suggestion: nearestName(of, measured),
    })
  const label = given ?? { cn: '环比', en: 'Change' }
  return { name, field: shownField(name, 'percent', label, scope, options), value: { kind: 'change', of }, where: {} }
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

/**
 * Groups by the value of a field that is not sensitive and is sortable, or by the month of a date. Others are reported
 * and left out.
 */
export function assembleGroupKeys(
  files: readonly GroupKeyFile[],
  entity: Entity,
  pointer: string,
  scope: AssembleScope,
): GroupKey[] {
  return files.flatMap(({ field: name, unit, each }, index): GroupKey[] => {
    const at = `${pointer}/${index}`
    const field = entity.fields[name]
    const widget = scope.widgets[field.type]
    const what = { entity: entity.name, found: name }
    openFields([name], entity, at, scope)
    const grain = unit === 'month' ? grainOf(field, scope) : undefined
    if (unit === 'month' ? grain === undefined : !isGroupable(field, widget)) {
      scope.issue('not-groupable', unit === 'month' ? `${at}/unit` : at, {
        ...what,
        what: unit === 'month' ? 'its months' : 'its values',
      })
      return []
    }
    if (!scope.isQueried(entity.name, name)) {
      scope.issue('not-stored', at, { ...what, operation: 'group by it' })
      return []
    }
    return [
      {
        field: name,
        ...(unit && { unit }),
        ...(each && { each }),
        ...(grain && { grain }),
        shown: unit === 'month' ? shownField(name, 'month', field.label, scope) : field,
      },
    ]
  })
}

/** Values that are sortable, few in number, or the subjects of records. */
function isGroupable(
  { options }: Field,
  { column, sortable, expression, dictionary, target, files, html }: Widget,
): boolean {
  if (column(options) === null || files || html) return false
  return (
    sortable ||
    dictionary?.(options) !== undefined ||
    target?.(options) !== undefined ||
    expression === 'boolean' ||
    expression.startsWith('list')
  )
}

/** The precision of a calendar field; undefined if it is not a date. */
export function grainOf({ type, options, label }: Field, { widgets, catalog }: AssembleScope): Grain | undefined {
  const { normalize, check, expression } = widgets[type]
  if (expression !== 'string') return undefined
  const context = { label, dictionary: (name: string) => catalog.dictionaries[name], now: () => '2026-03-01 00:00:00' }
  const takes = (text: string) => {
    const value = normalize(text, {}) as unknown
    return value === text && check(value, { ...options, min: undefined, max: undefined }, context) === undefined
  }
  if (takes('x')) return undefined
  if (takes('2026-03')) return 'month'
  return takes('2026-03-01') ? 'day' : takes('2026-03-01 00:00:00') ? 'moment' : undefined
}
