import { textIn } from '../../model/language.ts'
import type { AssembleScope, Entity, Field, ObjectShape, Value } from '../../model/model.ts'
import { arranged, type WrittenColumn } from './arranged.ts'

/** The parts of an import's file that are checked. */
interface ImportsFile {
  into: string
  missing: string
  columns: (WrittenColumn & { compared: boolean; sample?: string })[]
  without: string[]
  given: { field: string }[]
  set: Record<string, string>
  key: string[]
  transition?: string | { by: string; of: Record<string, string> }
}

/** Warnings about an import. */
export function doubtImport(file: ImportsFile, scope: AssembleScope): void {
  const entity = scope.catalog.entities[file.into]
  doubtColumns(file, entity, scope)
  doubtSamples(file, entity, scope)
  doubtKey(file, entity, scope)
  doubtStates(file, entity, scope)
}

/** Warns about states that all rows get without a transition; values that depend on the row come from the file. */
function doubtStates({ set }: ImportsFile, entity: Entity, scope: AssembleScope): void {
  for (const { field, initial } of entity.states) {
    const [, state] = /^\s*'([^']*)'\s*$/.exec(set[field] ?? '') ?? []
    if (state === undefined || state === initial) continue
    scope.issue('past-transitions', `/set/${field}`, {
      entity: entity.name,
      act: 'set',
      field,
      what: 'decides the value',
      instead: 'let "transition" say which of them the rows take',
    })
  }
}

/**
 * Warns about columns of computed and read-only fields, unless they are compared, identify the row, or are prompted for by
 * the row's transition.
 */
function doubtUnwritten(file: ImportsFile, entity: Entity, scope: AssembleScope): void {
  const prompted = promptedByTransition(file, entity)
  for (const [index, { field: name, compared }] of file.columns.entries()) {
    const field = entity.fields[name]
    if (!field || compared || file.key.includes(name)) continue
    const code = field.computed ? 'idle-column' : field.readOnly && !prompted.has(name) ? 'refused-column' : undefined
    if (code) scope.issue(code, `/columns/${index}`, { entity: entity.name, found: name, see: entity.file })
  }
}

/** The fields that a row's transition prompts for, and the one that chooses it. */
function promptedByTransition({ transition }: ImportsFile, { states }: Entity): Set<string> {
  const byColumn = typeof transition === 'object'
  const names = byColumn ? Object.values(transition.of) : [transition]
  const taken = states
    .flatMap(({ transitions }) => Object.values(transitions))
    .filter(({ name }) => names.includes(name))
  return new Set([...(byColumn ? [transition.by] : []), ...taken.flatMap(({ form }) => form.map(({ field }) => field))])
}

/** Warns about required fields that neither the row nor anything else sets. */
function doubtColumns(file: ImportsFile, entity: Entity, scope: AssembleScope): void {
  doubtUnwritten(file, entity, scope)
  if (file.missing !== 'create') return
  const filledFields = new Set([
    ...arranged(file.columns, file.without, ({ field }) => entity.fields[field]?.label)
      .filter(({ compared }) => !compared)
      .map(({ field }) => field),
    ...file.given.map(({ field }) => field),
    ...Object.keys(file.set),
    ...entity.saves.flatMap(({ on, set }) => (on === 'create' ? Object.keys(set) : [])),
    ...(entity.copies?.fields ?? []),
  ])
  for (const field of Object.values(entity.fields)) {
    if (field.required && !filledFields.has(field.name) && !isFilled(field, scope))
      scope.issue('missing-column', '/columns', { entity: entity.name, found: field.name, see: entity.file })
  }
}

/** Set by the system or a default, or not required because it may be hidden. */
function isFilled(field: Field, { widgets }: AssembleScope): boolean {
  const widget = widgets[field.type]
  return (
    field.readOnly ||
    field.computed !== undefined ||
    field.default !== undefined ||
    field.defaultFrom !== undefined ||
    field.visibleWhen !== undefined ||
    (widget.series !== undefined && widget.given?.(field.options) !== true)
  )
}

/**
 * Warns about samples that the field would refuse in a file. Those that identify records are left out, because they depend
 * on the data.
 */
function doubtSamples(file: ImportsFile, entity: Entity, scope: AssembleScope): void {
  for (const [index, { field: name, sample }] of file.columns.entries()) {
    const { type, options, label } = entity.fields[name]
    const { sheet, normalize, check, target } = scope.widgets[type]
    if (sample === undefined || !sheet || target || allowsNothing(options, scope.widgets[type].options)) continue
    const { dictionaries } = scope.catalog
    const contextAt = (moment: string) => ({
      label,
      dictionary: (name: string) => dictionaries[name],
      now: () => moment,
    })
    const refusalOf = (value: Value, moment: string) =>
      value === null ? undefined : check(value, options, contextAt(moment))
    // An invalid bound is reported at the field.
    if (
      [options.min, options.max].some(
        (bound) => isNumber(bound) && refusalOf(normalize(bound, options) as Value, moments[0]),
      )
    )
      continue
    const problemAt = (moment: string) =>
      refusalOf(normalize(sheet.read(sample, options, contextAt(moment)), options) as Value, moment)
    const [problem, later] = moments.map(problemAt)
    const choices = dictionaries[scope.widgets[type].dictionary?.(options) ?? '']?.choices ?? []
    if (problem && later)
      scope.issue('refused-sample', `/columns/${index}/sample`, {
        found: JSON.stringify(sample),
        message: textIn(problem.message, 'en').replaceAll('{label}', textIn(label, 'en') || name),
        allowed: choices.flatMap((choice) => Object.values(choice.label)),
      })
  }
}

const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?[\d.]+$/.test(value))

/** Bounds that exclude each other are reported at the field, not at every value. */
function allowsNothing(options: Field['options'], { properties }: ObjectShape): boolean {
  return Object.entries(properties).some(([key, { atMost }]) => {
    const [least, most] = [options[key], atMost === undefined ? undefined : options[atMost]].map(Number)
    return least > most
  })
}

/** A rule that depends on the date cannot be checked from the files. */
const moments = ['1970-01-01 00:00:00', '2999-12-31 00:00:00']

/** Whether the key is unique, by a unique field or a limit of one. */
function doubtKey({ key, into }: ImportsFile, entity: Entity, scope: AssembleScope): void {
  // Nothing declares several columns unique together.
  if (key.length > 1) return
  const isUnique = key.some((name) => {
    const { unique, uniqueWithin, type } = entity.fields[name]
    const isScoped = uniqueWithin !== undefined && key.includes(uniqueWithin)
    return unique || isScoped || scope.widgets[type].series !== undefined
  })
  const isLimited = entity.limits.some(({ max, within }) => max === 1 && within.every((name) => key.includes(name)))
  if (!isUnique && !isLimited)
    scope.issue('ambiguous-key', '/key', { entity: into, found: key.join(' and '), see: entity.file })
}
