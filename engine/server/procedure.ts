/**
 * The door through which procedures read and change records: by the names and types that the schema files give them, in
 * the work that they are part of. What they write is recorded with it, in the same transaction.
 */
import type { CallResult, FieldProblem, Label, Notify, RecordData, Value } from '../model/model.ts'
import { invalid, Refusal } from './errors.ts'
import { blank, drafted, problemIn, verdictOn } from './procedure/procedureChecks.ts'
import { copyOf } from './procedure/procedureCopies.ts'
import { idsWhere, ProcedureReading } from './procedure/procedureReading.ts'
import type {
  ActionName,
  EntityName,
  FieldName,
  HistoryName,
  Problem,
  Stored,
  StoredFile,
  TransitionName,
  Values,
} from './procedure/procedureTypes.ts'
import { apply } from './records/apply.ts'
import type { Change } from './records/Change.ts'
import { deliver } from './records/deliver.ts'
import { recompute } from './records/effects.ts'
import { changeFurther } from './records/furtherChanges.ts'
import { appendedAction, recordHistory } from './records/history.ts'
import { type Pointing, pointAt } from './records/pointAt.ts'
import { createEach, createRecords } from './records/save.ts'
import { transitAll } from './records/transit.ts'
import { attemptWithin, keyOf, whileOpen, type Work } from './records/Work.ts'
import type { Context, Db, Procedure } from './runtime.ts'
import { storeFile } from './files/storeFile.ts'
import { canonicalRecord, isUnchanged } from './records/reading/canonical.ts'

export { type OpenValues, rowsIn, textIn, valueIn } from './procedure/procedureOpen.ts'
export type * from './procedure/procedureTypes.ts'
export type { Where } from './procedure/procedureWhere.ts'
export type { CallPart, Procedure } from './runtime.ts'
export { Refusal } from './errors.ts'

/** Values as a client sends them. */
type Given = Record<string, Value>

interface ActOptions {
  /** What history calls it. */
  action?: HistoryName
}

/** What a procedure is given beside its work. */
export interface ProcedureCall<E extends EntityName> {
  /** Whose operation named it: of records that families share, the name that the family has for them. */
  entity: E
  /** What history calls it: the action that runs it, else `update`. */
  action: HistoryName
  /** The records that it is about, whole and locked; or those that were just written. */
  records: Stored<E>[]
  /** After a write: the records as they were before it, in the same order; null for new ones. */
  before: (Stored<E> | null)[]
  /** What was asked for: canonical, and good by itself. Of a form that is being filled in, all that stands there. */
  values: Values<E>
  /** Of such a form: what the user has put in, and the parameters with which it was opened. */
  typed: ReadonlySet<string>
  parameters: Readonly<Record<string, string>>
  /** Of `foresee`: carries out what is to be foreseen; nothing of it stays. @throws Refusal whatever that refuses. */
  act(): Promise<CallResult>
}

const nothingToAct = (): never => {
  throw new Error('Only what foresees may act')
}

export class ProcedureWork extends ProcedureReading {
  /** For what has no words here: its use says why. */
  get raw(): { context: Context; db: Db } {
    return { context: this.context, db: this.db }
  }

  /** A new record of what was asked for, with its defaults, and what is wrong with these fields. */
  async draft<E extends EntityName>(
    name: E,
    values: Values<E>,
    fields: readonly FieldName<E>[],
  ): Promise<{ record: Values<E>; problems: Problem<E>[] }> {
    const { record, problems } = await drafted(this.#work, this.entity(name), values as RecordData, fields)
    return { record: record as Values<E>, problems: problems as Problem<E>[] }
  }

  /** What a new record begins with. */
  blank<E extends EntityName>(name: E): Values<E> {
    return blank(this.context, this.entity(name)) as Values<E>
  }

  /** With what its formulas make of it. */
  workedOut<E extends EntityName>(name: E, values: Values<E>): Values<E> {
    const record: RecordData = { ...(values as RecordData) }
    recompute(this.context, this.entity(name), record)
    return record as Values<E>
  }

  /** Would these values change anything of the record? */
  differs<E extends EntityName>(name: E, record: Stored<E>, values: Values<E>): boolean {
    const entity = this.entity(name)
    const now = canonicalRecord(this.context, entity, values as RecordData)
    return !isUnchanged(entity, record as RecordData, now)
  }

  /**
   * What may be written of a record, its rows as new ones. Those whose entity has a field `origin` refer by it to what
   * they were copied from.
   */
  copyOf<E extends EntityName>(name: E, record: Stored<E>, origin: string): Values<E> {
    return copyOf(this.context, this.entity(name), record as RecordData, origin) as Values<E>
  }

  /** What the rules say of a new record of which everything is given. */
  problemsOf<E extends EntityName>(name: E, values: Values<E>): Problem<E>[] {
    const record: RecordData = { ...(values as RecordData) }
    recompute(this.context, this.entity(name), record)
    return verdictOn(this.#work, this.entity(name), record) as Problem<E>[]
  }

  /** A row of a dialog as records keep it, and what is wrong with a field of it, if anything. */
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

  /** Adds records; they are whole afterwards, with their ids and numbers. */
  async insert<E extends EntityName>(
    name: E,
    records: readonly Values<E>[],
    { action = appendedAction }: ActOptions = {},
  ): Promise<Stored<E>[]> {
    const entity = this.entity(name)
    const nothing = Object.fromEntries(Object.keys(entity.fields).map((field) => [field, null]))
    const made = records.map((values): RecordData => {
      const record: RecordData = { ...nothing, ...(values as RecordData) }
      recompute(this.context, entity, record)
      return record
    })
    await this.#apply(made.map((record) => this.#change(name, record, null, action)))
    return made as unknown as Stored<E>[]
  }

  /**
   * As the form does, with its defaults, lookups and checks, also where the user may not add such records. `set`: fields
   * that no form may set.
   * @throws Refusal invalid.
   */
  async create<E extends EntityName>(name: E, values: Values<E>, { set }: { set?: Values<E> } = {}): Promise<number> {
    const [id] = await this.createAll(name, [values], { set })
    return id
  }

  /** The same for many at once. @throws Refusal invalid: of the first that is refused. */
  async createAll<E extends EntityName>(
    name: E,
    all: readonly Values<E>[],
    { set }: { set?: Values<E> } = {},
  ): Promise<number[]> {
    const made = await createRecords(this.#asWhole(), this.entity(name), all as readonly Given[], {
      set: set as Given | undefined,
    })
    return made.map(({ id }) => id)
  }

  /** The same, of which each may be refused by itself. @returns by place the id of what was made, or what refused it */
  async createEach<E extends EntityName>(
    name: E,
    all: readonly Values<E>[],
    { set }: { set?: Values<E> } = {},
  ): Promise<(number | Refusal)[]> {
    const made = await createEach(this.#asWhole(), this.entity(name), all as readonly Given[], {
      set: set as Given | undefined,
    })
    return made.map((one) => (one instanceof Refusal ? one : one.id))
  }

  /** As somebody who may do and see everything. */
  #asWhole(): Work {
    const user = { ...this.context.user, dataScope: 'all' as const, permissions: ['*:*:*'] }
    return { context: { ...this.context, user }, db: this.db }
  }

  /** What may fail by itself: nothing of it stays then, and the rest goes on. @throws whatever `act` throws. */
  attempt<T>(act: () => Promise<T>): Promise<T> {
    return attemptWithin(this.#work, act)
  }

  /** What an action of the entity does beside its procedure, on records that change so. */
  async act<E extends EntityName>(
    name: E,
    action: ActionName<E>,
    changes: readonly { record: Stored<E>; values: Values<E> }[],
  ): Promise<void> {
    const entity = this.entity(name)
    const effects = [{ ...entity.actions[action], run: undefined }]
    await this.#apply(
      changes.map(({ record, values }) => {
        const old = { ...(record as RecordData) }
        const now: RecordData = Object.assign(record as RecordData, values)
        recompute(this.context, entity, now)
        return { ...this.#change(name, now, old, action), effects, changed: Object.keys(values) }
      }),
    )
  }

  /** Changes a whole record, in this very object, with what its formulas make of it. */
  change<E extends EntityName>(name: E, record: Stored<E>, values: Values<E>, options?: ActOptions): Promise<void> {
    return this.changeAll(name, [{ record, values }], options)
  }

  /** The same for many at once. */
  changeAll<E extends EntityName>(
    name: E,
    changes: readonly { record: Stored<E>; values: Values<E> }[],
    { action = 'update' }: ActOptions = {},
  ): Promise<void> {
    const entity = this.entity(name)
    const pairs = changes.map(({ record, values }) => {
      const now = record as RecordData
      const old = { ...now }
      Object.assign(now, values)
      recompute(this.context, entity, now)
      return { record: now, old }
    })
    return changeFurther(this.#work, entity, pairs, action)
  }

  /** Lets many records refer to others, in as many statements as for one. */
  pointAt<E extends EntityName>(name: E, field: FieldName<E>, pairs: readonly Pointing[]): Promise<void> {
    return pointAt(this.#work, this.entity(name), field, pairs)
  }

  /** Takes records away; they stay in history. */
  async delete<E extends EntityName>(
    name: E,
    records: readonly { id: number }[],
    { action = 'delete' }: ActOptions = {},
  ): Promise<void> {
    const whole = await this.read(name, { where: idsWhere<E>(records.map(({ id }) => id)), lock: true })
    await this.#apply(
      (whole as RecordData[]).map((old) => ({ ...this.#change(name, { ...old }, old, action), deleted: true })),
    )
  }

  /** Whatever `act` makes of these records, step by step, history tells once. */
  async tellOnce<E extends EntityName>(
    name: E,
    records: readonly Stored<E>[],
    { action }: { action: HistoryName },
    act: () => Promise<void>,
  ): Promise<void> {
    const entity = this.entity(name)
    const pairs = (records as readonly RecordData[]).map((record) => ({ record, old: { ...record } }))
    await whileOpen(
      this.#work,
      pairs.map(({ record }) => keyOf(entity, record)),
      act,
    )
    await recordHistory(
      this.#work,
      pairs.map(({ record, old }) => this.#change(name, record, old, action)),
    )
  }

  /** History tells that something was done with records that did not change them. */
  note<E extends EntityName>(name: E, records: readonly Stored<E>[], action: HistoryName): Promise<void> {
    return recordHistory(
      this.#work,
      (records as readonly RecordData[]).map((same) => this.#change(name, same, same, action)),
    )
  }

  /** As if the user had done it, with its conditions and all that follows. @throws Refusal. */
  transition<E extends EntityName>(
    name: E,
    transition: TransitionName<E>,
    one: { id: number; values?: Values<E> },
  ): Promise<void> {
    return this.transitionAll(name, transition, [one])
  }

  /** The same of several, none of which is judged by what follows the others. @throws Refusal: of the first. */
  transitionAll<E extends EntityName>(
    name: E,
    transition: TransitionName<E>,
    all: readonly { id: number; values?: Values<E> }[],
  ): Promise<void> {
    const entity = this.entity(name)
    const found = entity.states.map(({ transitions }) => transitions[transition]).find(Boolean)!
    const given = all.map(({ id, values }) => ({ id, values: values as Given | undefined }))
    return transitAll(this.#work, entity, found, given)
  }

  /** Sends messages about a record: what an operation of its entity declares, or others. */
  notify<E extends EntityName>(name: E, record: Values<E>, notices: readonly Notify[]): Promise<void> {
    return this.notifyAll(name, [{ record, notices }])
  }

  /** The same about many at once. */
  notifyAll<E extends EntityName>(
    name: E,
    told: readonly { record: Values<E>; notices: readonly Notify[] }[],
  ): Promise<void> {
    const tellings = told.flatMap(({ record, notices }) =>
      notices.map((notice) => ({ record: record as RecordData, notice })),
    )
    return deliver(this.context, this.db, this.entity(name), tellings)
  }

  noticesOf<E extends EntityName>(name: E, action: ActionName<E>): readonly Notify[] {
    return this.entity(name).actions[action].notify
  }

  /** Keeps a file as if it had been uploaded. */
  async storeFile(name: string, content: Uint8Array): Promise<StoredFile> {
    return { ...(await storeFile(this.context, this.db, name, content)), status: 'success' }
  }

  /** @throws Refusal invalid, with these. */
  refuse<E extends EntityName>(_name: E, problems: readonly Problem<E>[]): never {
    throw invalid([...problems])
  }

  /** @throws Refusal notAllowed. */
  refuseCall(text?: Label): never {
    throw new Refusal('notAllowed', text && { text })
  }

  get #work() {
    return { context: this.context, db: this.db }
  }

  #change(name: string, record: RecordData, old: RecordData | null, action: string): Change {
    return { entity: this.entity(name), record, old, action, effects: [], changed: [] }
  }

  #apply(changes: readonly Change[]): Promise<void> {
    return apply(this.#work, changes)
  }
}

/** A procedure as the engine calls it. `E`: the entity whose operations name it. */
export const procedure =
  <E extends EntityName>(
    act: (work: ProcedureWork, call: ProcedureCall<E>) => Promise<Record<string, unknown> | void>,
  ): Procedure =>
  ({ context, db, entity, action, records, before, values, form, act: carryOut = nothingToAct }) =>
    act(new ProcedureWork(context, db), {
      entity: entity as E,
      action: (action ?? 'update') as HistoryName,
      records: records as unknown as Stored<E>[],
      before: (before ?? records.map(() => null)) as unknown as (Stored<E> | null)[],
      values: values as unknown as Values<E>,
      typed: new Set(form?.typed),
      parameters: form?.parameters ?? {},
      act: carryOut,
    })
