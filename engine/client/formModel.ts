import { flushSync } from 'react-dom'
import {
  checkAt,
  checkRecord,
  holds,
  completed,
  inputs,
  isReadOnly,
  isRequired,
  isSame,
  isVisible,
  isWritable,
  computeFormula,
  worded,
} from '../expression/verdict.ts'
import type { VerdictContext } from '../expression/verdict.ts'
import { fillText } from '../model/fillText.ts'
import { composed } from '../model/language.ts'
import type { EntityPlan, Field, FieldProblem, Label, RecordData, Value } from '../model/model.ts'
import { fillLink } from './fill.ts'
import { FormHistory } from './FormHistory.ts'
import type { Replay } from './FormHistory.ts'
import { chunksOf, ChunkStore } from './formChunks.tsx'
import type { ChunkPlan } from './formChunks.tsx'
import type { FormNodes, Judgement, NodeListener, NodeStart } from './formNodes.ts'
import { dependentsOf, formEntity, initialValues, verdictContext, writtenValues } from './formPlan.ts'
import type { Dependents, FormSource, PlacedField } from './formPlan.ts'
import type { EngineContext } from './view.ts'

/** What a form may request from its surroundings while it is filled in. */
export interface FormAround {
  engine: EngineContext
  user: { id: number; name: string; roles: string[]; department: number | null }
  /** Whether no other record has this value of a unique field. */
  isFree?(field: Field, value: Value): Promise<boolean>
  /** The looked-up fields of the record that a reference would point at. */
  lookUp?(field: Field, id: number): Promise<RecordData>
  /** The values that the server suggests for the form; undefined if it could not be reached. */
  suggest?(values: Record<string, Value>, typed: readonly string[]): Promise<RecordData | undefined>
}

let count = 0
const taken: Label = { cn: '{label}“{text}”已存在', en: '{label} "{text}" already exists' }
const nobody: Dependents = { judged: [], rules: [], warnings: [] }

/**
 * A form while it is filled in. All fields exist from the start, drawn or not, so that a submit validates all of them.
 * A change runs only the code of the fields that read it: each condition is a reaction that watches the fields its
 * expression names.
 */
export class FormModel<N extends FormNodes = FormNodes> implements NodeListener {
  readonly id = `form-${++count}`
  readonly source: FormSource
  /** The entity with this form's labels. */
  readonly entity: EntityPlan
  readonly laid: ReadonlyMap<string, PlacedField>
  readonly context: VerdictContext
  readonly nodes: N
  readonly chunks: ChunkPlan<PlacedField>[]
  readonly drawn: ChunkStore
  private readonly around: FormAround
  /** The record on the server, the baseline for changes. */
  private base: RecordData
  private readonly dependents: ReadonlyMap<string, Dependents>
  /** Fields that the user has entered. */
  private readonly touched: Set<string>
  private readonly different = new Set<string>()
  private readonly history: FormHistory
  /** What the field held before what is being entered. */
  private before: { name: string; value: Value } | undefined
  /** Values that `defaultFrom` has filled in. */
  private readonly filled = new Map<string, Value>()
  private readonly free = new Map<string, Promise<boolean>>()
  private readonly listeners = new Set<() => void>()
  /** Counts suggestion requests, so that outdated answers are ignored. */
  private suggestions = 0
  /** Answers still pending: what they bring is part of what is saved. */
  private readonly awaited = new Set<Promise<void>>()
  /** After the first attempt to save, every cell of every row is validated. */
  private strict = false

  /** @param carried the model that this one replaces: its unsaved input carries over if it is the same record */
  constructor(
    source: FormSource,
    around: FormAround,
    createNodes: (values: RecordData, listener: NodeListener) => N,
    carried?: FormModel<N>,
  ) {
    this.source = source
    this.around = around
    const { entity, laid } = formEntity(source, around.engine)
    this.entity = entity
    this.laid = laid
    this.context = { ...verdictContext(around.engine, entity, around.user, source.old), fields: [...laid.keys()] }
    this.base = source.old ?? initialValues(entity, around.engine.widgets, source.initial)
    this.dependents = dependentsOf(entity, new Set(laid.keys()), source.warnings)
    this.chunks = chunksOf(
      source.sections.map((_, index) => [...laid.values()].filter(({ section }) => section === index)),
    )

    const goesOn = carried && carried.source.mode === source.mode && carried.source.old?.id === source.old?.id
    this.drawn = new ChunkStore(this.chunks, goesOn ? carried.drawn : undefined)
    this.touched = new Set(goesOn ? [...carried.touched].filter((name) => laid.has(name)) : [])
    const typed = [...this.touched].map((name) => [name, carried!.values()[name]])
    this.history = goesOn ? carried.history : new FormHistory()
    this.nodes = createNodes({ ...this.base, ...Object.fromEntries(typed) }, this)
    for (const name of this.touched) this.compare(name)
    for (const placed of laid.values()) this.nodes.create(placed.field, this.start(entity.fields[placed.field], placed))
    if (source.mode === 'create') for (const name of Object.keys(this.base)) this.lookUp(name)
    if (
      source.mode === 'create' &&
      (source.opened || entity.suggests?.on.some((name) => (this.values()[name] ?? null) !== null))
    )
      this.suggest()
    if (source.mode === 'edit') new Set((source.warnings ?? []).map(({ at }) => at)).forEach((at) => this.warn(at))
  }

  private start(field: Field, laid: PlacedField): NodeStart {
    const { entity, context, source, nodes } = this
    const { name, visibleWhen, requiredWhen, readOnlyWhen, defaultFrom } = field
    const sectionWhen = source.sections[laid.section].visibleWhen
    const isWritten = isWritable(field, context.widgets)
    const locked = source.mode === 'read' || laid.readOnly === true || !isWritten
    const start: NodeStart = {
      // A value that the server generates has nothing to show yet.
      visible: isWritten || source.mode !== 'create' || (nodes.plain[name] ?? null) !== null,
      required: !locked && isRequired(entity, field, this.values(), context),
      locked,
      reactions: [],
    }
    const watch = (expressions: (string | undefined)[], run: () => void) => {
      const read = expressions.flatMap((expression) => (expression === undefined ? [] : inputs(expression, entity)))
      start.reactions.push({ inputs: [...new Set(read)], run })
    }
    if (start.visible && (visibleWhen ?? sectionWhen) !== undefined) {
      watch([visibleWhen, sectionWhen], () =>
        nodes.setVisible(
          name,
          isVisible(entity, field, this.values(), context) && holds(sectionWhen, true, entity, this.values(), context),
        ),
      )
    }
    if (locked) return start
    start.judge = { on: this.isEntered(field) ? 'leave' : 'change', run: () => this.judge(field) }
    if (requiredWhen !== undefined)
      watch([requiredWhen], () => nodes.setRequired(name, isRequired(entity, field, this.values(), context)))
    if (readOnlyWhen !== undefined)
      watch([readOnlyWhen], () => nodes.setLocked(name, isReadOnly(entity, field, this.values(), context)))
    if (defaultFrom !== undefined) {
      let isAsRead = source.mode === 'edit'
      watch([defaultFrom], () => {
        if (!isAsRead) this.fill(field, defaultFrom)
        isAsRead = false
      })
    }
    return start
  }

  /** Whether it is validated on leaving rather than on every change. */
  private isEntered = (field: Field) => this.context.widgets[field.type].prompt === 'enter'

  /** The form's values, including the formulas that its conditions and rules read. */
  values = (): RecordData => completed(this.entity, this.nodes.plain, this.context)

  // ─── While it is filled in ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Applies `defaultFrom` until the user has entered something: while the field is empty or holds what was filled in
   * before.
   */
  private fill(field: Field, formula: string) {
    const { name } = field
    if (this.touched.has(name)) return
    const { widgets } = this.context
    const current = this.values()[name] ?? null
    if (current !== null && !(this.filled.has(name) && isSame(field, current, this.filled.get(name), widgets))) return
    const value = this.result(field, formula)
    this.filled.set(name, value)
    if (isSame(field, current, value, widgets)) return
    this.nodes.values[name] = value
    if (this.nodes.problems(name).length > 0) this.nodes.judge(name)
  }

  /** A formula yields the id of a reference; its name comes from where the id came from. */
  private result(field: Field, formula: string): Value {
    const { user } = this.around
    const given = computeFormula(formula, this.entity, this.values(), this.context)
    const value: Value = this.context.widgets[field.type].normalize(given, field.options)
    if (!isMap(value) || value.id === undefined) return value
    if (formula.trim() === 'user.id') return { ...value, name: user.name }
    return (
      inputs(formula, this.entity)
        .map((name) => this.values()[name])
        .find((other) => isMap(other) && other.id === value.id) ?? value
    )
  }

  private compare(name: string) {
    const field = this.entity.fields[name]
    if (isSame(field, this.values()[name], this.base[name], this.context.widgets)) this.different.delete(name)
    else this.different.add(name)
  }

  changed(name: string) {
    this.compare(name)
    if (this.touched.has(name)) this.tell()
    this.lookUp(name)
  }

  private wait(answer: Promise<void>) {
    const awaited = answer.finally(() => this.awaited.delete(awaited))
    this.awaited.add(awaited)
  }

  private lookUp(name: string) {
    this.wait(this.takeLookedUp(name))
  }

  private suggest() {
    this.wait(this.takeSuggested())
  }

  /** When a reference changes, its looked-up fields follow, and then whatever reads those. */
  private async takeLookedUp(name: string) {
    const lookups = Object.values(this.entity.fields).filter(
      ({ computed }) => computed?.kind === 'lookup' && computed.by === name,
    )
    const copies =
      this.source.mode === 'create' && this.entity.copies?.by === name
        ? this.entity.copies.fields.filter((one) => this.laid.has(one))
        : []
    if (lookups.length + copies.length === 0) return
    const idOf = () => {
      const value = this.values()[name] ?? null
      return isMap(value) && typeof value.id === 'number' ? value.id : undefined
    }
    const id = idOf()
    const found =
      id === undefined ? {} : await this.around.lookUp?.(this.entity.fields[name], id).catch(() => undefined)
    // If no answer arrives, nothing changes: the server looks it up itself.
    if (!found || idOf() !== id) return
    for (const field of lookups) this.nodes.values[field.name] = found[field.name] ?? null
    for (const copy of copies)
      if (!this.touched.has(copy) && (found[copy] ?? null) !== null) this.nodes.values[copy] = found[copy]
  }

  /** Applies the suggestions, except to fields entered while the answer was pending; those trigger another request. */
  private async takeSuggested() {
    const { nodes, around, entity, laid, context } = this
    const turn = ++this.suggestions
    const names = [...laid.keys()].filter((name) => isWritable(entity.fields[name], context.widgets))
    // Input that follows immediately goes into the same request.
    await Promise.resolve()
    if (turn !== this.suggestions) return
    const found = await around.suggest?.(writtenValues(entity, this.values(), names, context), [...this.touched])
    if (!found || turn !== this.suggestions) return
    for (const [name, value] of Object.entries(found)) {
      if (!laid.has(name) || isSame(entity.fields[name], this.values()[name], value ?? null, context.widgets)) continue
      nodes.values[name] = value ?? null
      // A value that the server computes can be shown now.
      if (!isWritable(entity.fields[name], context.widgets)) nodes.setVisible(name, (value ?? null) !== null)
      else if (nodes.problems(name).length > 0) nodes.judge(name)
      this.warnAbout(name)
    }
  }

  /** An emptied text is an empty field. */
  private held(name: string): Value {
    const value = this.nodes.plain[name] ?? null
    return value === '' ? null : value
  }

  /** Before the user changes a value. */
  enter(name: string) {
    this.before = { name, value: this.held(name) }
  }

  typed(name: string) {
    const { nodes } = this
    const field = this.entity.fields[name]
    const isWrong = (other: string) => nodes.problems(other).length > 0
    if (this.before?.name === name)
      this.history.note(name, { before: this.before.value, value: this.held(name), isFirst: !this.touched.has(name) })
    this.before = undefined
    this.touched.add(name)
    this.tell()
    nodes.setGiven(name, [])
    if (this.isEntered(field) && isWrong(name)) nodes.judge(name)
    const { judged, rules, warnings } = this.dependents.get(name) ?? nobody
    for (const other of new Set([...judged, ...rules])) if (other !== name && isWrong(other)) nodes.judge(other)
    if (this.entity.suggests?.on.includes(name)) this.suggest()
    if (!this.isEntered(field)) this.leave(name)
    // A visible warning disappears once it is resolved; a new one waits until the field is left.
    else for (const at of new Set(warnings.map(({ at }) => at))) if (nodes.warnings(at).length > 0) this.warn(at)
  }

  /**
   * When the user leaves a field, the rules and warnings that read it are reported, if they have something to check.
   */
  leave(name: string) {
    this.history.leave()
    const { rules } = this.dependents.get(name) ?? nobody
    for (const at of rules) if (at !== name && (this.values()[at] ?? null) !== null) this.nodes.judge(at)
    this.warnAbout(name)
  }

  copy(name: string) {
    const { copy } = this.laid.get(name)!
    if (!copy) return
    this.enter(name)
    this.nodes.input(name, this.result(this.entity.fields[name], copy.from))
  }

  /** Restores the defaults of these fields, as if the user had entered them. */
  restore(names: readonly string[]) {
    for (const name of names.filter((one) => this.nodes.isVisible(one) && !this.nodes.isLocked(one))) {
      this.enter(name)
      this.nodes.input(name, this.entity.fields[name].default ?? null)
    }
  }

  /** Takes back what the user entered last. @returns false where there is nothing to take back */
  undo = (): boolean => this.replay(this.history.undo())

  redo = (): boolean => this.replay(this.history.redo())

  get canRedo(): boolean {
    return this.history.canRedo
  }

  private replay(step: Replay | undefined): boolean {
    if (!step) return false
    this.nodes.input(step.name, step.value)
    // A field as it began follows its default again.
    if (step.isPristine) this.touched.delete(step.name)
    this.tell()
    if (this.shows({ field: step.name })) this.focus(step.name)
    return true
  }

  private warnAbout(name: string) {
    const { warnings } = this.dependents.get(name) ?? nobody
    new Set(warnings.map(({ at }) => at)).forEach((at) => this.warn(at))
  }

  private warn(at: string) {
    const holding = (this.source.warnings ?? []).filter(
      (warning) => warning.at === at && holds(warning.when, false, this.entity, this.values(), this.context),
    )
    this.nodes.setWarnings(
      at,
      holding.map(({ message, link }) => ({
        message: worded(this.entity, message, this.values(), this.context),
        ...(link !== undefined && { to: fillLink(link, this.values()) }),
      })),
    )
  }

  private judge(field: Field): Judgement | Promise<Judgement> {
    const found = checkAt(this.entity, field, this.values(), this.context)
    // A row that was just added has no problems yet; cells that were left report their own.
    const shown = this.strict ? found : found.filter((problem) => problem.field === field.name)
    return shown.length > 0 || !field.unique ? shown : this.judgeUnique(field)
  }

  private async judgeUnique(field: Field): Promise<Judgement> {
    const { name } = field
    const { widgets, old } = this.context
    const value: Value = widgets[field.type].normalize(this.values()[name] ?? null, field.options)
    if (value === null || isSame(field, value, old?.[name], widgets)) return []
    const key = `${name}:${JSON.stringify(value)}`
    if (!this.free.has(key)) {
      // No answer means not known: the save will report it.
      this.free.set(
        key,
        (this.around.isFree?.(field, value) ?? Promise.resolve(true)).catch(() => {
          this.free.delete(key)
          return true
        }),
      )
    }
    const isFree = await this.free.get(key)
    return isFree || !isSame(field, value, this.values()[name], widgets)
      ? []
      : [{ field: name, code: 'unique', message: this.taken(field, value) }]
  }

  private taken({ label, type, options }: Field, value: Value): Label {
    const { widgets, dictionary, now } = this.context
    return composed([taken, label], (read, language) => {
      const text = widgets[type].text(value, options, { label, dictionary, now }, language)
      return fillText(read(taken), (name) => (name === 'text' ? text : read(label)))
    })
  }

  // ─── Saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All problems, in form order, each shown if it can be. Those of no visible field come last. */
  async check(): Promise<FieldProblem[]> {
    // A save before an answer arrives would miss the fields that the answer fills in.
    while (this.awaited.size > 0) await Promise.all(this.awaited)
    this.strict = true
    const names = [...this.laid.keys()]
    names.forEach((name) => this.nodes.setGiven(name, []))
    const asked = checkRecord(this.entity, this.values(), this.context)
    await this.nodes.judgeAll()
    const shown = names.flatMap((name) => this.nodes.problems(name))
    // A problem at the time of the request blocks the save, even if it was fixed while other fields were still being
    // validated.
    return [...shown, ...(shown.length > 0 ? asked.filter((problem) => !this.shows(problem)) : asked)]
  }

  /** Whether the form has a place to show the problem. */
  shows = ({ field }: Pick<FieldProblem, 'field'>): boolean => {
    const [name] = field.split('.')
    return this.laid.has(name) && this.nodes.isVisible(name) && !this.nodes.isLocked(name)
  }

  /** Shows server problems at their fields until these change. */
  show(problems: readonly FieldProblem[]) {
    for (const name of this.laid.keys())
      this.nodes.setGiven(
        name,
        problems.filter(({ field }) => field.split('.')[0] === name),
      )
  }

  /** Draws the field, scrolls to it and focuses it. */
  focus(place: string) {
    const [name] = place.split('.')
    const chunk = this.chunks.find(({ fields }) => fields.some(({ field }) => field === name))
    if (chunk) flushSync(() => this.drawn.draw(chunk.index))
    const control = document.getElementById(this.controlId(name))
    const item = control?.closest('[data-field]')
    const takesFocus = 'input:not([type="hidden"]), textarea, button, [tabindex], [contenteditable="true"]'
    // In rows the group is marked invalid as well, but the cell is what needs correcting.
    const wrong = item?.querySelector<HTMLElement>(`:is(${takesFocus})[aria-invalid="true"]`)
    const seen = wrong ?? item
    seen?.scrollIntoView?.({ block: 'center' })
    const target = wrong ?? (control?.matches(takesFocus) ? control : item?.querySelector<HTMLElement>(takesFocus))
    target?.focus({ preventScroll: true })
  }

  controlId = (name: string) => `${this.id}-${name}`
  sectionId = (index: number) => `${this.id}-section-${index}`

  /**
   * What is sent: everything of a new record, else what has changed and what is no longer part of the record. A cleared
   * default is sent as null, so that the server does not fill it in again.
   */
  written(): Record<string, Value> {
    const { entity, context, source } = this
    if (source.old) return writtenValues(entity, this.values(), this.changes(), context)
    const names = [...this.laid.keys()].filter(
      (name) => !isReadOnly(entity, entity.fields[name], this.values(), context),
    )
    const says = ([name, value]: [string, Value]) =>
      value !== null || (entity.fields[name].default ?? entity.fields[name].defaultFrom) !== undefined
    return Object.fromEntries(Object.entries(writtenValues(entity, this.values(), names, context)).filter(says))
  }

  /** The fields of the server's record that a save would change. */
  private changes(): string[] {
    const { entity, context } = this
    return [...this.laid.keys()].filter((name) => {
      const field = entity.fields[name]
      if (!isWritable(field, context.widgets)) return false
      const goes =
        field.visibleWhen !== undefined &&
        (this.base[name] ?? null) !== null &&
        !isVisible(entity, field, this.values(), context)
      return goes || this.different.has(name)
    })
  }

  /** Whether a condition of the save holds on the input. */
  applies = (condition: string): boolean =>
    holds(condition, true, this.entity, this.values(), { ...this.context, changed: this.changes() })

  /**
   * Saved values no longer count as input, unless they were changed again meanwhile, so a form on the reread record
   * starts clean.
   */
  saved(values: Readonly<Record<string, Value>>) {
    const current = writtenValues(this.entity, this.values(), Object.keys(values), this.context)
    for (const [name, value] of Object.entries(values))
      if (JSON.stringify(current[name]) === JSON.stringify(value)) this.touched.delete(name)
    this.history.clear()
    this.tell()
  }

  /** Rebases on a newer record: its values of these fields, and which of them to take over. */
  rebase(theirs: Record<string, Value>, revision: number, taken: readonly string[]) {
    this.base = this.context.old = { ...this.base, ...theirs, revision }
    for (const name of Object.keys(theirs)) {
      if (taken.includes(name)) this.nodes.values[name] = theirs[name]
      if (this.laid.has(name)) this.compare(name)
    }
    this.tell()
  }

  get revision(): number | undefined {
    return this.base.revision
  }

  get isDirty(): boolean {
    return [...this.touched].some((name) => this.different.has(name))
  }

  onDirty = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  private tell() {
    this.listeners.forEach((listener) => listener())
  }
}

const isMap = (value: Value | undefined): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
