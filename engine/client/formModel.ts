import { flushSync } from 'react-dom'
import { isSame } from '../expression/normalizeRecord.ts'
import { holds, inputs } from '../expression/conditions.ts'
import { checkAt, checkRecord } from '../expression/verdict.ts'
import { computeFormula } from '../expression/withFormulas.ts'
import { worded } from '../expression/worded.ts'
import type { Field, FieldProblem, RecordData, Value } from '../model/model.ts'
import { fillLink } from './fill.ts'
import { focusControl } from './focusControl.ts'
import { type FormAround, FormAnswers } from './formAnswers.ts'
import { FormHistory } from './FormHistory.ts'
import type { Replay } from './FormHistory.ts'
import { chunksOf, ChunkStore } from './formChunks.tsx'
import type { ChunkPlan } from './formChunks.tsx'
import type { FormNodes, Judgement, NodeListener } from './formNodes.ts'
import { dependentsOf, isMap } from './formPlan.ts'
import type { Dependents, FormSource, PlacedField } from './formPlan.ts'
import { nodeStart } from './formStart.ts'
import { FormState } from './formState.ts'
import { FormUnique } from './formUnique.ts'

let count = 0
const nobody: Dependents = { judged: [], rules: [], warnings: [] }

/**
 * A form while it is filled in. All fields exist from the start, drawn or not, so that a submit validates all of them.
 * A change runs only the code of the fields that read it: each condition is a reaction that watches the fields its
 * expression names.
 */
export class FormModel<N extends FormNodes = FormNodes> extends FormState<N> {
  readonly id = `form-${++count}`
  readonly chunks: ChunkPlan<PlacedField>[]
  readonly drawn: ChunkStore
  private readonly around: FormAround
  private readonly dependents: ReadonlyMap<string, Dependents>
  private readonly answers: FormAnswers
  private readonly unique: FormUnique
  private readonly history: FormHistory
  /** What the field held before what is being entered. */
  private before: { name: string; value: Value } | undefined
  /** Values that `defaultFrom` has filled in. */
  private readonly filled = new Map<string, Value>()
  /** After the first attempt to save, every cell of every row is validated. */
  private strict = false

  /** @param carried the model that this one replaces: its unsaved input carries over if it is the same record */
  constructor(
    source: FormSource,
    around: FormAround,
    createNodes: (values: RecordData, listener: NodeListener) => N,
    carried?: FormModel<N>,
  ) {
    const goesOn = carried && carried.source.mode === source.mode && carried.source.old?.id === source.old?.id
    const last = goesOn ? carried : undefined
    super(source, around, createNodes, last)
    this.around = around
    const { entity, laid, context, nodes, touched, values } = this
    this.dependents = dependentsOf(entity, new Set(laid.keys()), source.warnings)
    this.chunks = chunksOf(
      source.sections.map((_, index) => [...laid.values()].filter(({ section }) => section === index)),
    )
    this.drawn = new ChunkStore(this.chunks, last?.drawn)
    this.history = last?.history ?? new FormHistory()
    this.unique = new FormUnique({ context, values }, around)
    const warnAbout = (name: string) => this.warnAbout(name)
    this.answers = new FormAnswers({ source, entity, laid, context, nodes, touched, values, warnAbout }, around)
    const starting = {
      source,
      entity,
      context,
      nodes,
      values,
      isEntered: this.isEntered,
      judge: (field: Field) => this.judge(field),
      fill: (field: Field, formula: string) => this.fill(field, formula),
    }
    for (const placed of laid.values())
      nodes.create(placed.field, nodeStart(starting, entity.fields[placed.field], placed))
    if (source.mode === 'create') for (const name of Object.keys(this.base)) this.answers.lookUp(name)
    if (
      source.mode === 'create' &&
      (source.opened || entity.suggests?.on.some((name) => (values()[name] ?? null) !== null))
    )
      this.answers.suggest()
    if (source.mode === 'edit') new Set((source.warnings ?? []).map(({ at }) => at)).forEach((at) => this.warn(at))
  }

  /** Whether it is validated on leaving rather than on every change. */
  private isEntered = (field: Field) => this.context.widgets[field.type].prompt === 'enter'

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

  changed(name: string) {
    this.compare(name)
    if (this.touched.has(name)) this.notify()
    this.answers.lookUp(name)
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
    this.notify()
    nodes.setGiven(name, [])
    if (this.isEntered(field) && isWrong(name)) nodes.judge(name)
    const { judged, rules, warnings } = this.dependents.get(name) ?? nobody
    for (const other of new Set([...judged, ...rules])) if (other !== name && isWrong(other)) nodes.judge(other)
    if (this.entity.suggests?.on.includes(name)) this.answers.suggest()
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
    for (const name of names.filter((each) => this.nodes.isVisible(each) && !this.nodes.isLocked(each))) {
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
    this.notify()
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
    return shown.length > 0 || !field.unique ? shown : this.unique.judge(field)
  }

  // ─── Saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All problems, in form order, each shown if it can be. Those of no visible field come last. */
  async check(): Promise<FieldProblem[]> {
    // A save before an answer arrives would miss the fields that the answer fills in.
    if (this.answers.isPending) await this.answers.settled()
    this.strict = true
    const names = [...this.laid.keys()]
    names.forEach((name) => this.nodes.setGiven(name, []))
    const initialProblems = checkRecord(this.entity, this.values(), this.context)
    await this.nodes.judgeAll()
    const shown = names.flatMap((name) => this.nodes.problems(name))
    // A problem at the time of the request blocks the save, even if it was fixed while other fields were still being
    // validated.
    return [
      ...shown,
      ...(shown.length > 0 ? initialProblems.filter((problem) => !this.shows(problem)) : initialProblems),
    ]
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
    focusControl(this.controlId(name))
  }

  controlId = (name: string) => `${this.id}-${name}`
  sectionId = (index: number) => `${this.id}-section-${index}`

  override saved(values: Readonly<Record<string, Value>>) {
    this.history.clear()
    super.saved(values)
  }
}
