import { isSame } from '../expression/normalizeRecord.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import { isWritable } from '../expression/verdict.ts'
import type { EntityPlan, Field, RecordData, Value } from '../model/model.ts'
import type { FormNodes } from './formNodes.ts'
import { type FormSource, isMap, type PlacedField, writtenValues } from './formPlan.ts'
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

interface FormAccess {
  source: FormSource
  entity: EntityPlan
  laid: ReadonlyMap<string, PlacedField>
  context: VerdictContext
  nodes: FormNodes
  /** Fields that the user has entered. */
  touched: ReadonlySet<string>
  values(): RecordData
  warnAbout(name: string): void
}

/** What the server answers while a form is filled in: looked-up fields, and suggestions. */
export class FormAnswers {
  /** Counts suggestion requests, so that outdated answers are ignored. */
  private suggestions = 0
  /** Pending answers: a save waits for them, because it includes the values that they fill in. */
  private readonly awaited = new Set<Promise<void>>()

  constructor(
    private readonly form: FormAccess,
    private readonly around: FormAround,
  ) {}

  lookUp(name: string) {
    this.wait(this.takeLookedUp(name))
  }

  suggest() {
    this.wait(this.takeSuggested())
  }

  get isPending(): boolean {
    return this.awaited.size > 0
  }

  /** Resolves once no answer is pending, follow-up requests included. */
  async settled(): Promise<void> {
    while (this.awaited.size > 0) await Promise.all(this.awaited)
  }

  private wait(answer: Promise<void>) {
    const awaited = answer.finally(() => this.awaited.delete(awaited))
    this.awaited.add(awaited)
  }

  /** When a reference changes, its looked-up fields follow, and then whatever reads those. */
  private async takeLookedUp(name: string) {
    const { source, entity, laid, nodes, touched, values } = this.form
    const lookups = Object.values(entity.fields).filter(
      ({ computed }) => computed?.kind === 'lookup' && computed.by === name,
    )
    const copies =
      source.mode === 'create' && entity.copies?.by === name
        ? entity.copies.fields.filter((field) => laid.has(field))
        : []
    if (lookups.length + copies.length === 0) return
    const idOf = () => {
      const value = values()[name] ?? null
      return isMap(value) && typeof value.id === 'number' ? value.id : undefined
    }
    const id = idOf()
    const found = id === undefined ? {} : await this.around.lookUp?.(entity.fields[name], id).catch(() => undefined)
    // If no answer arrives, nothing changes: the server looks it up itself.
    if (!found || idOf() !== id) return
    for (const field of lookups) nodes.values[field.name] = found[field.name] ?? null
    for (const copy of copies)
      if (!touched.has(copy) && (found[copy] ?? null) !== null) nodes.values[copy] = found[copy]
  }

  /** Applies the suggestions, except to fields entered while the answer was pending; those trigger another request. */
  private async takeSuggested() {
    const { nodes, entity, laid, context, touched, values, warnAbout } = this.form
    const turn = ++this.suggestions
    const names = [...laid.keys()].filter((name) => isWritable(entity.fields[name], context.widgets))
    // Input that follows immediately goes into the same request.
    await Promise.resolve()
    if (turn !== this.suggestions) return
    const found = await this.around.suggest?.(writtenValues(entity, values(), names, context), [...touched])
    if (!found || turn !== this.suggestions) return
    for (const [name, value] of Object.entries(found)) {
      if (!laid.has(name) || isSame(entity.fields[name], values()[name], value ?? null, context.widgets)) continue
      nodes.values[name] = value ?? null
      // A value that the server computes can be shown now.
      if (!isWritable(entity.fields[name], context.widgets)) nodes.setVisible(name, (value ?? null) !== null)
      else if (nodes.problems(name).length > 0) nodes.judge(name)
      warnAbout(name)
    }
  }
}
