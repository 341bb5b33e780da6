/**
 * The values that an operator enters into the fields of a record: the examples of the widgets where the field accepts
 * them, or one of the options offered.
 */
import { filterValues } from '../../engine/model/model.ts'
import type { Entity, Field, Filter, Label, RecordData, Value } from '../../engine/model/model.ts'
import {
  checkRecord,
  checkRules,
  isReadOnly,
  isRequired,
  isVisible,
  isWritable,
} from '../../engine/expression/verdict.ts'
import { inputs } from '../../engine/expression/conditions.ts'
import { isSame } from '../../engine/expression/normalizeRecord.ts'
import { detail, known, listed } from './app.ts'
import { defaultsOf, lookUp, referencesOf } from './beginnings.ts'
import { catalog, dictionary, textOf, verdictContext, widgets } from './catalog.ts'
import type { Entry } from './controls.ts'
import { fileOnDisk, uploaded } from './customer.ts'
import { typed, type Wanted } from './typed.ts'

/**
 * What to enter into a field, and the value that the record then has. `cells` are those of the one row that is added.
 */
export interface Filling {
  field: Field
  entry: Entry
  value: Value
  cells?: Filling[]
}
const context = verdictContext()

/** @throws if neither the examples nor the demo's records have a value that the field accepts */
export async function fillingFor(entity: Entity, field: Field, wanted: Wanted = {}): Promise<Filling> {
  const widget = widgets[field.type]
  const target = widget.target?.(field.options)
  if (target?.rows) return rowFilling(field, catalog.entities[target.entity])
  if (target) return referenceFilling(entity, field, target, wanted)
  if (widget.files) return fileFilling(field)
  if (widget.dictionary) return choiceFilling(entity, field, wanted)
  const limited = entity.limits
    .map(({ where }) => where[field.name] as { equals?: Value } | undefined)
    .find((filter) => filter?.equals !== undefined)?.equals
  const { given, value } = await typed(entity, field, limited === undefined ? wanted : { not: limited, ...wanted })
  return { field, value, entry: entryOf(field, given, value) }
}

/** The filling that breaks the fewest rules of the record beside its other values. */
export async function fillingBeside(entity: Entity, field: Field, values: RecordData): Promise<Filling> {
  const around = verdictContext(values)
  const broken = ({ value }: Pick<Filling, 'value'>, looked: RecordData = {}) =>
    checkRules(entity, entity.rules, { ...values, ...looked, [field.name]: value }, around).length
  const before = checkRules(entity, entity.rules, values, around).length
  // A value that only a limited number of records may have: a new one like those of others, if the rules accept it.
  const { prompt, expression } = widgets[field.type]
  if (prompt === 'enter' && expression === 'string' && entity.limits.some(({ at }) => at === field.name)) {
    return fillingFor(entity, field, { fresh: true, good: (value) => broken({ value }) <= before })
  }
  const first = await fillingFor(entity, field, { not: values[field.name] })
  const named = widgets[field.type].dictionary?.(field.options)
  // Tries another choice, or another value of this type in the record, today, or this month. A reference keeps its
  // value if the rules accept no other.
  const others: Value[] =
    named !== undefined
      ? dictionary(named)
          .choices.filter(({ disabled }) => !disabled)
          .map(({ value }) => value)
      : [
          ...[10, 7].map(
            (length) => widgets[field.type].normalize(around.now().slice(0, length), field.options) as Value,
          ),
          ...Object.values(entity.fields)
            .filter(({ type }) => type === field.type)
            .map(({ name }) => values[name] ?? null),
        ]
  const target = widgets[field.type].target?.(field.options)
  const isList = widgets[field.type].expression.startsWith('list')
  const isGood = (value: Value) =>
    value !== null &&
    (target !== undefined ||
      !widgets[field.type].check(value, field.options, { label: field.label, dictionary, now: context.now }))
  const able = isList ? [] : target ? [values[field.name] ?? null] : others
  const looked = referencesOf(entity).some(({ name }) => name === field.name)
    ? await lookUp(entity, field.name, { [field.name]: first.value })
    : {}
  let [best, least] = [first, broken(first, looked)]
  for (const value of least > 0 ? able.filter(isGood) : []) {
    const other = { field, value, entry: textOf(field, value, 'cn') }
    if (broken(other) < least) [best, least] = [other, broken(other)]
  }
  return best
}

function entryOf(field: Field, given: unknown, value: Value): Entry {
  if (Array.isArray(value) && widgets[field.type].expression.startsWith('list')) return value.map(String)
  if (widgets[field.type].html) return textOf(field, value, 'cn')
  return typeof given === 'object' ? JSON.stringify(given) : String(given)
}

async function rowFilling(field: Field, rows: Entity): Promise<Filling> {
  const names = (field.options.columns as string[]).filter((name) => isWritable(rows.fields[name], widgets))
  const cells = await fillingsFor(rows, names, defaultsOf(rows))
  return { field, entry: [], cells, value: [Object.fromEntries(cells.map((cell) => [cell.field.name, cell.value]))] }
}

/** A picture if the field takes one, else a file of the first type that it takes. */
async function fileFilling(field: Field): Promise<Filling> {
  const extensions = (field.options.extensions ?? []) as string[]
  const name = extensions.length === 0 || extensions.includes('.png') ? '营业执照.png' : `文件${extensions[0]}`
  return { field, entry: fileOnDisk(name), value: [(await uploaded('admin', name)) as unknown as Value] }
}

/** Whether only a limited number of records may have this value. */
const isLimited = (entity: Entity, field: Field, value: string) =>
  entity.limits.some(
    ({ where }) => Object.hasOwn(where, field.name) && JSON.stringify(where[field.name]).includes(`"${value}"`),
  )

async function choiceFilling(entity: Entity, field: Field, { not }: Wanted): Promise<Filling> {
  const { choices } = dictionary(widgets[field.type].dictionary!(field.options)!)
  const able = choices.filter(({ value, disabled }) => !disabled && value !== not)
  const unlimited = able.filter(({ value }) => !isLimited(entity, field, value))
  const offered = unlimited.length > 0 ? unlimited : able
  if (!widgets[field.type].expression.startsWith('list'))
    return { field, value: offered[0].value, entry: offered[0].label.cn }
  const chosen = offered.slice(0, field.options.max === 1 ? 1 : 2)
  return { field, value: chosen.map(({ value }) => value), entry: chosen.map(({ label }) => label.cn) }
}

interface Option {
  [key: string]: Value
  id: number
  name: string
}

/** Records already referred to, if a value must be unique within each: another test may have used it. */
async function takenWithin(entity: Entity, { name }: Field): Promise<Set<number>> {
  const isOnce = Object.values(entity.fields).some(({ uniqueWithin }) => uniqueWithin === name)
  const records = isOnce && !entity.rowOf ? await listed(entity.endpoint) : []
  return new Set(records.flatMap((record) => (record[name] as { id: number } | null)?.id ?? []))
}

/** The first option with an unambiguous name; in a tree, one that may have others below it. */
async function referenceFilling(
  entity: Entity,
  field: Field,
  target: { entity: string; many: boolean },
  { not }: Wanted,
): Promise<Filling> {
  const { endpoint, tree } = catalog.entities[target.entity]
  const options = async (query: object) =>
    (await known<{ list: Option[] }>(`${endpoint}/options`, { page: 1, size: 1000, ...query })).list
  const { filter } = field.options as { filter?: Filter }
  // Rows of another record have no list of their own, so only the offered options are known.
  const fitting =
    filter &&
    !catalog.entities[target.entity].rowOf &&
    new Set((await listed(endpoint, { filters: filterValues(filter) })).map(({ id }) => id))
  const all = (await options({})).filter(({ id }) => !fitting || fitting.has(id))
  const hasUniqueName = ({ name }: Option) => all.filter((option) => option.name === name).length === 1
  const fit = all.filter((option) => hasUniqueName(option) && !isSame(field, option.id, not, widgets))
  const taken = await takenWithin(entity, field)
  const free = fit.filter(({ id }) => !taken.has(id))
  const first = (free.length > 0 ? free : fit).slice(0, 20)
  if (first.length === 0) throw new Error(`${entity.name}.${field.name}: the demo offers no ${target.entity} to choose`)
  const named = tree ? await options({ id: first.map(({ id }) => id).join() }) : first
  const value: Value = target.many ? named.slice(0, field.options.max === 1 ? 1 : 2) : named[0]
  return { field, value, entry: target.many ? (value as Option[]).map(({ name }) => name) : textOf(field, value, 'cn') }
}

/**
 * Fillings for all of these fields that the record shows, in an order in which they can be entered: fields that decide
 * about others come first, with the choice that shows most. With `required`, only for mandatory fields. If such values
 * do not go together, those of an existing record of the demo are used.
 */
export async function fillingsFor(
  entity: Entity,
  names: string[],
  start: RecordData,
  { required = false } = {},
): Promise<Filling[]> {
  const given = (name: string) => start[name] ?? null
  let refusal = ''
  try {
    let fillings = await chosenFor(entity, names, start, required)
    for (;;) {
      const problems = await problemsOf(entity, start, fillings)
      if (problems.length === 0) return fillings
      refusal = problemText(problems)
      // Leaves out optional and initial values that do not go with the rest.
      const values = valuesOf(start, fillings)
      const left = fillings.filter(
        ({ field }) =>
          identifies(entity, field.name) ||
          (isRequired(entity, field, values, context) && given(field.name) === null) ||
          problems.every((problem) => problem.field !== field.name),
      )
      if (left.length === fillings.length) break
      fillings = left
    }
  } catch (error) {
    refusal = (error as Error).message
  }
  const isLike = (record: RecordData) =>
    Object.keys(entity.fields).every(
      (name) =>
        names.includes(name) ||
        given(name) === null ||
        !isWritable(entity.fields[name], widgets) ||
        isSame(entity.fields[name], given(name), record[name], widgets),
    )
  const isNew = (record: RecordData) => entity.states.every(({ field, initial }) => record[field] === initial)
  const models = entity.rowOf ? [] : (await listed(entity.endpoint)).filter(isLike)
  for (const { id } of models.sort((a, b) => Number(isNew(b)) - Number(isNew(a))).slice(0, 40)) {
    const fillings = await copiedFrom(await detail(entity.endpoint, id!), entity, names, start, required)
    if (fillings && (await problemsOf(entity, start, fillings)).length === 0) return fillings
  }
  throw new Error(`${entity.name}: what is filled in is not good: ${refusal}`)
}

const valuesOf = (start: RecordData, fillings: readonly Filling[]): RecordData => ({
  ...start,
  ...Object.fromEntries(fillings.map(({ field, value }) => [field.name, value])),
})
const problemText = (problems: readonly { field: string; message: Label }[]): string =>
  problems.map(({ field, message }) => `${field} ${message.cn}`).join(', ')

/** The problems of a record with these initial values and fillings. */
async function problemsOf(entity: Entity, start: RecordData, fillings: Filling[]) {
  const values = valuesOf(start, fillings)
  for (const { name } of entity.rowOf ? [] : referencesOf(entity)) {
    if ((values[name] ?? null) === null) continue
    const found = await lookUp(entity, name, values)
    for (const { name: field, computed } of Object.values(entity.fields))
      if (computed?.kind === 'lookup' && computed.by === name) values[field] = found[field] ?? null
  }
  return checkRecord(entity, values, { ...context, fields: fillings.map(({ field }) => field.name) })
}

const isEmpty = (value: Value | undefined): boolean =>
  (value ?? null) === null || (Array.isArray(value) && value.length === 0)

/** Whether a limit counts the records that share a value of this field. */
const isCounted = (entity: Entity, name: string): boolean =>
  entity.limits.some(({ within, period }) => !period && [within].flat().includes(name))
const identifies = (entity: Entity, name: string): boolean => {
  const { unique, uniqueWithin } = entity.fields[name]
  return name === entity.display || name === entity.code || unique || uniqueWithin !== undefined
}

/**
 * Fillings with the values of another record, except for those that tell records apart.
 * @returns undefined if the values cannot be entered again
 */
async function copiedFrom(
  model: RecordData,
  entity: Entity,
  names: string[],
  start: RecordData,
  required: boolean,
): Promise<Filling[] | undefined> {
  const values = { ...start }
  const fillings = new Map<string, Filling>()
  const { deciding } = decisionsOf(entity)
  const order = [...names].sort((a, b) => Number(deciding.has(b)) - Number(deciding.has(a)))
  for (let known = -1; known !== fillings.size;) {
    known = fillings.size
    for (const name of order) {
      const field = entity.fields[name]
      const value = isCounted(entity, name) || isEmpty(model[name]) ? null : model[name]!
      if (
        fillings.has(name) ||
        isReadOnly(entity, field, values, context) ||
        !isVisible(entity, field, values, context)
      )
        continue
      const isFresh = identifies(entity, name)
      const isNeeded = isFresh || isRequired(entity, field, values, context)
      if (required && !isNeeded) continue
      const target = widgets[field.type].target?.(field.options)
      if (value === null && !isNeeded && target) continue
      const filling =
        isFresh || value === null || widgets[field.type].files
          ? await fillingFor(entity, field, { fresh: isFresh })
          : await sameFilling(field, value)
      if (!filling) return undefined
      // A value that the other record lacks may not go with the rest.
      const isBroken =
        value === null &&
        !isNeeded &&
        checkRules(entity, entity.rules, { ...values, [name]: filling.value }, context).length >
          checkRules(entity, entity.rules, values, context).length
      if (isBroken) continue
      fillings.set(name, filling)
      values[name] = filling.value
    }
  }
  return [...fillings.values()]
}

/**
 * The filling that enters this value; undefined if an operator could not tell it from others, or if it has more than
 * one row.
 */
async function sameFilling(field: Field, value: Value): Promise<Filling | undefined> {
  const { target: targetOf, dictionary: named } = widgets[field.type]
  const target = targetOf?.(field.options)
  if (target?.rows) {
    const [row, ...others] = value as RecordData[]
    const { fields } = catalog.entities[target.entity]
    const written = (field.options.columns as string[]).filter(
      (name) => isWritable(fields[name], widgets) && !isEmpty(row[name]),
    )
    const cells = await Promise.all(written.map((name) => sameFilling(fields[name], row[name]!)))
    if (others.length > 0 || cells.some((cell) => !cell || cell.cells)) return undefined
    return {
      field,
      entry: [],
      cells: cells as Filling[],
      value: [Object.fromEntries(cells.map((cell) => [cell!.field.name, cell!.value]))],
    }
  }
  if (target) {
    const { list: all } = await known<{ list: Option[] }>(`${catalog.entities[target.entity].endpoint}/options`, {
      page: 1,
      size: 1000,
    })
    const chosen = [value].flat() as Option[]
    const isOffered = chosen.every(
      ({ id, name }) =>
        all.some((option) => option.id === id) && all.filter((option) => option.name === name).length === 1,
    )
    return isOffered
      ? { field, value, entry: target.many ? chosen.map(({ name }) => name) : textOf(field, value, 'cn') }
      : undefined
  }
  if (named)
    return {
      field,
      value,
      entry: Array.isArray(value) ? value.map((each) => textOf(field, [each], 'cn')) : textOf(field, value, 'cn'),
    }
  return { field, value, entry: entryOf(field, value, value) }
}

async function chosenFor(entity: Entity, names: string[], start: RecordData, required: boolean): Promise<Filling[]> {
  const values = { ...start }
  const fillings = new Map<string, Filling>()
  const { conditions, deciding } = decisionsOf(entity)
  const order = [...names].sort((a, b) => Number(deciding.has(b)) - Number(deciding.has(a)))
  for (let known = -1; known !== fillings.size;) {
    known = fillings.size
    for (const name of order) {
      const field = entity.fields[name]
      if (
        fillings.has(name) ||
        isReadOnly(entity, field, values, context) ||
        !isVisible(entity, field, values, context)
      )
        continue
      if (required && !identifies(entity, name) && !isRequired(entity, field, values, context)) continue
      let filling = await fillingFor(entity, field, { fresh: identifies(entity, name) })
      if (deciding.has(name) && typeof filling.value === 'string' && widgets[field.type].dictionary) {
        const shown = (value: Value) =>
          conditions.filter((other) => isVisible(entity, other, { ...values, [name]: value }, context)).length
        const { choices } = dictionary(widgets[field.type].dictionary!(field.options)!)
        const best = choices
          .filter(({ disabled }) => !disabled)
          .reduce((a, b) => (shown(b.value) > shown(a.value) ? b : a))
        if (!required) filling = { field, value: best.value, entry: best.label.cn }
      }
      // A rule may require a value unlike the one beside it, such as an end after its start.
      const rules = entity.rules.filter(({ at }) => at === name)
      const isBroken = ({ value }: Filling) =>
        checkRules(entity, rules, { ...values, [name]: value }, context).length > 0
      for (let tries = 0; tries < 50 && typeof filling.value === 'string' && isBroken(filling); tries++)
        filling = await fillingFor(entity, field, { fresh: true })
      fillings.set(name, filling)
      values[name] = filling.value
    }
  }
  return [...fillings.values()]
}

/** The conditional fields of an entity, and the fields that decide about them. */
function decisionsOf(entity: Entity) {
  const conditions = Object.values(entity.fields).filter(({ visibleWhen }) => visibleWhen !== undefined)
  return { conditions, deciding: new Set(conditions.flatMap(({ visibleWhen }) => inputs(visibleWhen!, entity))) }
}

/** The value as the API takes it: a reference as its id. */
export function written({ field, value, cells }: Filling): Value {
  if (cells) return [Object.fromEntries(cells.map((cell) => [cell.field.name, written(cell)]))]
  if (!widgets[field.type].target?.(field.options)) return value
  return Array.isArray(value) ? value.map((each) => (each as Option).id) : (value as Option).id
}

/**
 * Whether the record has the value that was entered; a protected value only has to exist, and files are compared by
 * name.
 */
export function isKept({ field, value, cells }: Filling, record: RecordData): boolean {
  const kept = record[field.name] ?? null
  const { protect, html, files } = widgets[field.type]
  if (protect) return kept !== null
  if (html || files) return textOf(field, value, 'cn') === textOf(field, kept, 'cn')
  if (cells)
    return Array.isArray(kept) && kept.length === 1 && cells.every((cell) => isKept(cell, kept[0] as RecordData))
  return isSame(field, value, kept, widgets)
}
