import type { Label, Notify, RecordData, Value } from '../../model/model.ts'
import { invalid, Refusal } from '../errors.ts'
import { storeFile } from '../files/storeFile.ts'
import { apply } from '../records/apply.ts'
import type { Change } from '../records/Change.ts'
import { applySets, recompute, scopeOf } from '../records/effects.ts'
import { unwatched } from '../records/fourEyes.ts'
import { changeFurther } from '../records/furtherChanges.ts'
import { appendedAction, recordHistory } from '../records/history.ts'
import { notifyAll } from '../records/notify.ts'
import { createEach, createRecords } from '../records/save.ts'
import { type Pointing, setReferences } from '../records/setReferences.ts'
import { transitAll } from '../records/transit.ts'
import { attemptWithin, keyOf, whileOpen, type Work } from '../records/Work.ts'
import type { Context, Db } from '../runtime.ts'
import { ProcedureDrafting } from './procedureDrafting.ts'
import { idsWhere } from './procedureReading.ts'
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
} from './procedureTypes.ts'

/** Values as a client sends them. */
type Given = Record<string, Value>

interface ActOptions {
  /** Its name in history. */
  action?: HistoryName
}

/** What a procedure may do: it reads and drafts, and whatever it writes is part of its work. */
export class ProcedureWork extends ProcedureDrafting {
  /** An escape hatch: each use says why it is needed. */
  get raw(): { context: Context; db: Db } {
    return { context: this.context, db: this.db }
  }

  /** Adds records; they are complete afterwards, with their ids and numbers. */
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
   * As the form does, with its defaults, look-ups and checks, even if the user may not add such records. `set`: fields
   * that no form may set.
   * @throws Refusal invalid.
   */
  async create<E extends EntityName>(name: E, values: Values<E>, { set }: { set?: Values<E> } = {}): Promise<number> {
    const [id] = await this.createAll(name, [values], { set })
    return id
  }

  /** The same for many at once. @throws Refusal invalid: the first refusal. */
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

  /** The same, but each may be refused by itself. @returns by index the id of the new record, or its refusal */
  async createEach<E extends EntityName>(
    name: E,
    all: readonly Values<E>[],
    { set }: { set?: Values<E> } = {},
  ): Promise<(number | Refusal)[]> {
    const made = await createEach(this.#asWhole(), this.entity(name), all as readonly Given[], {
      set: set as Given | undefined,
    })
    return made.map((each) => (each instanceof Refusal ? each : each.id))
  }

  /** As a user who may do everything; what is told of it is for the user who asked. */
  #asWhole(): Work {
    const { user: asking, asker = asking } = this.context
    const user = { ...asking, dataScope: 'all' as const, permissions: ['*:*:*'] }
    return { context: { ...this.context, user, asker }, db: this.db }
  }

  /**
   * Runs something that may fail by itself: it is rolled back then, and the rest goes on. @throws whatever `act`
   * throws.
   */
  attempt<T>(act: () => Promise<T>): Promise<T> {
    return attemptWithin(this.#work, act)
  }

  /** Runs an action's declared effects, apart from its procedure, on records with these changes. */
  async act<E extends EntityName>(
    name: E,
    action: ActionName<E>,
    changes: readonly { record: Stored<E>; values: Values<E> }[],
  ): Promise<void> {
    const entity = this.entity(name)
    const effects = { ...entity.actions[action], run: undefined }
    await this.#apply(
      changes.map(({ record, values }) => {
        const old = { ...(record as RecordData) }
        const now: RecordData = Object.assign(record as RecordData, values)
        recompute(this.context, entity, now)
        const changed = Object.keys(values)
        if (Object.keys(effects.set).length > 0) {
          applySets(this.context, entity, effects, now, scopeOf(this.context, entity, now, old, changed))
          recompute(this.context, entity, now)
        }
        return { ...this.#change(name, now, old, action), effects: [effects], changed }
      }),
    )
  }

  /** Changes a complete record in place, including its formulas. */
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

  /** Points a reference of many records at others, in as many statements as for one. */
  setReferences<E extends EntityName>(name: E, field: FieldName<E>, pairs: readonly Pointing[]): Promise<void> {
    return setReferences(this.#work, this.entity(name), field, pairs)
  }

  /** Deletes records; they stay in history. */
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

  /** However many steps `act` takes, history has one entry for each of these records. */
  async recordOnce<E extends EntityName>(
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

  /** Who entered what nobody else has looked at yet, by the entity's `fourEyes`. */
  unwatched<E extends EntityName>(name: E, records: readonly { id: number }[]): Promise<number[]> {
    return unwatched(
      this.#work,
      this.entity(name),
      records.map(({ id }) => id),
    )
  }

  /** Adds a history entry for something that did not change the records. */
  note<E extends EntityName>(name: E, records: readonly Stored<E>[], action: HistoryName): Promise<void> {
    return recordHistory(
      this.#work,
      (records as readonly RecordData[]).map((same) => this.#change(name, same, same, action)),
    )
  }

  /** As if the user had done it, with its conditions and effects. @throws Refusal. */
  transition<E extends EntityName>(
    name: E,
    transition: TransitionName<E>,
    call: { id: number; values?: Values<E> },
  ): Promise<void> {
    return this.transitionAll(name, transition, [call])
  }

  /** The same for several; effects of one do not influence the conditions of another. @throws Refusal: the first. */
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

  /** Sends messages about a record: those that an operation of its entity declares, or others. */
  notify<E extends EntityName>(name: E, record: Values<E>, notices: readonly Notify[]): Promise<void> {
    return this.notifyAll(name, [{ record, notices }])
  }

  /** The same for many at once. */
  notifyAll<E extends EntityName>(
    name: E,
    all: readonly { record: Values<E>; notices: readonly Notify[] }[],
  ): Promise<void> {
    const recordNotices = all.flatMap(({ record, notices }) =>
      notices.map((notice) => ({ record: record as RecordData, notice })),
    )
    return notifyAll(this.#work, this.entity(name), recordNotices)
  }

  noticesOf<E extends EntityName>(name: E, action: ActionName<E>): readonly Notify[] {
    return this.entity(name).actions[action].notify
  }

  /** Stores a file as if it had been uploaded. */
  async storeFile(name: string, content: Uint8Array): Promise<StoredFile> {
    return { ...(await storeFile(this.context, this.db, name, content)), status: 'success' }
  }

  /** @throws Refusal invalid, with these problems. */
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
