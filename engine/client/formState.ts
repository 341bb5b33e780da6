import { isSame } from '../expression/normalizeRecord.ts'
import { holds } from '../expression/conditions.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import { isReadOnly, isVisible, isWritable } from '../expression/verdict.ts'
import { completed } from '../expression/withFormulas.ts'
import type { EntityPlan, RecordData, Value } from '../model/model.ts'
import type { FormAround } from './formAnswers.ts'
import type { FormNodes, NodeListener } from './formNodes.ts'
import { formEntity, initialValues, verdictContext, writtenValues } from './formPlan.ts'
import type { FormSource, PlacedField } from './formPlan.ts'

/** A form's values against the record on the server: what the user has entered, and what a save sends. */
export abstract class FormState<N extends FormNodes> implements NodeListener {
  readonly source: FormSource
  /** The entity with this form's labels. */
  readonly entity: EntityPlan
  readonly laid: ReadonlyMap<string, PlacedField>
  readonly context: VerdictContext
  readonly nodes: N
  /** The record on the server, the baseline for changes. */
  protected base: RecordData
  /** Fields that the user has entered. */
  protected readonly touched: Set<string>
  private readonly different = new Set<string>()
  private readonly listeners = new Set<() => void>()

  /** @param carried what this one replaces: its unsaved input carries over */
  constructor(
    source: FormSource,
    { engine, user }: FormAround,
    createNodes: (values: RecordData, listener: NodeListener) => N,
    carried: FormState<N> | undefined,
  ) {
    this.source = source
    const { entity, laid } = formEntity(source, engine)
    this.entity = entity
    this.laid = laid
    this.context = { ...verdictContext(engine, entity, user, source.old), fields: [...laid.keys()] }
    this.base = source.old ?? initialValues(entity, engine.widgets, source.initial)
    this.touched = new Set(carried ? [...carried.touched].filter((name) => laid.has(name)) : [])
    const typed = [...this.touched].map((name) => [name, carried!.values()[name]])
    this.nodes = createNodes({ ...this.base, ...Object.fromEntries(typed) }, this)
    for (const name of this.touched) this.compare(name)
  }

  abstract changed(name: string): void
  abstract typed(name: string): void

  /** The form's values, including the formulas that its conditions and rules read. */
  values = (): RecordData => completed(this.entity, this.nodes.plain, this.context)

  protected compare(name: string) {
    const field = this.entity.fields[name]
    if (isSame(field, this.values()[name], this.base[name], this.context.widgets)) this.different.delete(name)
    else this.different.add(name)
  }

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
    this.notify()
  }

  /** Rebases on a newer record: its values of these fields, and which of them to take over. */
  rebase(theirs: Record<string, Value>, revision: number, taken: readonly string[]) {
    this.base = this.context.old = { ...this.base, ...theirs, revision }
    for (const name of Object.keys(theirs)) {
      if (taken.includes(name)) this.nodes.values[name] = theirs[name]
      if (this.laid.has(name)) this.compare(name)
    }
    this.notify()
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

  protected notify() {
    this.listeners.forEach((listener) => listener())
  }
}
