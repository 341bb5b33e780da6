/** What procedures make of records before they are written: drafts, copies, and what is wrong with them. */
import type { FieldProblem, RecordData, Value } from '../../model/model.ts'
import { recompute } from '../records/effects.ts'
import { canonicalRecord, isUnchanged } from '../records/reading/canonical.ts'
import { blank, drafted, problemIn, verdictOn } from './procedureChecks.ts'
import { copyOf } from './procedureCopies.ts'
import { ProcedureReading } from './procedureReading.ts'
import type { EntityName, FieldName, Problem, Stored, Values } from './procedureTypes.ts'

/** A work that reads, and judges records without writing them; `ProcedureWork` adds writing. */
export class ProcedureDrafting extends ProcedureReading {
  /** A new record with this input and its defaults, and the problems of these fields. */
  async draft<E extends EntityName>(
    name: E,
    values: Values<E>,
    fields: readonly FieldName<E>[],
  ): Promise<{ record: Values<E>; problems: Problem<E>[] }> {
    const { record, problems } = await drafted(this.#work, this.entity(name), values as RecordData, fields)
    return { record: record as Values<E>, problems: problems as Problem<E>[] }
  }

  /** The defaults of a new record. */
  blank<E extends EntityName>(name: E): Values<E> {
    return blank(this.context, this.entity(name)) as Values<E>
  }

  /** The values with computed formulas filled in. */
  withFormulas<E extends EntityName>(name: E, values: Values<E>): Values<E> {
    const record: RecordData = { ...(values as RecordData) }
    recompute(this.context, this.entity(name), record)
    return record as Values<E>
  }

  /** Whether these values would change anything in the record. */
  differs<E extends EntityName>(name: E, record: Stored<E>, values: Values<E>): boolean {
    const entity = this.entity(name)
    const now = canonicalRecord(this.context, entity, values as RecordData)
    return !isUnchanged(entity, record as RecordData, now)
  }

  /**
   * The writable values of a record, its rows as new ones. Rows whose entity has a field `origin` refer by it to what
   * they were copied from.
   */
  copyOf<E extends EntityName>(name: E, record: Stored<E>, origin: string): Values<E> {
    return copyOf(this.context, this.entity(name), record as RecordData, origin) as Values<E>
  }

  /** The violated rules of a complete new record. */
  problemsOf<E extends EntityName>(name: E, values: Values<E>): Problem<E>[] {
    const record: RecordData = { ...(values as RecordData) }
    recompute(this.context, this.entity(name), record)
    return verdictOn(this.#work, this.entity(name), record) as Problem<E>[]
  }

  /** A row of a dialog in stored form, and the problem of one of its fields, if any. */
  canonical<E extends EntityName>(name: E, row: Values<E>): Values<E> {
    return canonicalRecord(this.context, this.entity(name), row as RecordData) as Values<E>
  }
  problemIn<E extends EntityName, F extends FieldName<E>>(
    name: E,
    field: F,
    value: Values<E>[F],
  ): Omit<FieldProblem, 'field'> | undefined {
    return problemIn(this.#work, this.entity(name), field, value as Value)
  }

  get #work() {
    return { context: this.context, db: this.db }
  }
}
