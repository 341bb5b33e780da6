/**
 * The door through which procedures read and change records: by the names and types that the schema files give them, in
 * the work that they are part of. What they write is recorded with it, in the same transaction.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Dictionary, Entity, FieldProblem, Label, Notify, RecordData, Value } from '../schema/model.ts'
import { demand } from './access.ts'
import { invalid, Refusal } from './errors.ts'
import { declaredConditions } from './filters.ts'
import { formulaSql } from './formulaSql.ts'
import { readOptions } from './options.ts'
import { type Group, type GroupOptions, readProcedureGroups } from './procedureGroups.ts'
import type {
  EntityName,
  FieldName,
  Id,
  Order,
  Part,
  Problem,
  Stored,
  StoredFile,
  TransitionName,
  Values,
} from './procedureTypes.ts'
import { drafted, problemIn, verdictOn } from './procedureChecks.ts'
import { isEmptyWhere, type Where, whereConditions } from './procedureWhere.ts'
import { allOf, columnOf, main, readStored, visibleConditions } from './read.ts'
import { apply } from './records/apply.ts'
import { transit } from './records/call.ts'
import type { Change } from './records/Change.ts'
import { deliver } from './records/deliver.ts'
import { recompute } from './records/effects.ts'
import { changeFurther } from './records/furtherChanges.ts'
import { appendedAction, recordHistory } from './records/history.ts'
import { pointAt } from './records/pointAt.ts'
import { createRecord, refuseMissing } from './records/save.ts'
import { verifySeen } from './records/seen.ts'
import { keyOf, whileOpen } from './records/Work.ts'
import type { Context, Db, Procedure } from './runtime.ts'
import { type Condition, tableOf } from './scope.ts'
import { storeFile } from './storeFile.ts'
import { canonicalRecord } from './stored.ts'

export type * from './procedureTypes.ts'
export type { Where } from './procedureWhere.ts'
export type { Procedure } from './runtime.ts'
export { Refusal } from './errors.ts'

/** Entity → its record; `npm run schemas -- types` fills it from the schema files. */
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface RecordTypes {}
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface SettingTypes {}
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface TransitionTypes {}

export interface ReadOptions<E extends EntityName, F extends FieldName<E>> {
  where?: Where<RecordTypes[E]>
  /** Only these; without, the record is whole, with its rows, and may be changed. */
  fields?: readonly F[]
  /** By these, then by their ids, upwards; empty ones last. */
  order?: Order<E> | readonly Order<E>[]
  limit?: number
  /** Nobody else changes them until the work ends; refused where the user was shown other revisions of them. */
  lock?: boolean
  /** Only what the user may see; otherwise all there is. */
  seen?: boolean
}

interface ActOptions {
  /** What history calls it. */
  action?: string
}

/** What a procedure is given beside its work. */
export interface ProcedureCall<E extends EntityName> {
  /** The records that it is about, whole and locked; or those that were just written. */
  records: Stored<E>[]
  /** After a write: the records as they were before it, in the same order; null for new ones. */
  before: (Stored<E> | null)[]
  /** What was asked for: canonical, and good by itself. Of a form that is being filled in, all that stands there. */
  values: Values<E>
  /** Of such a form: what the user has put in, and the parameters with which it was opened. */
  typed: ReadonlySet<string>
  parameters: Readonly<Record<string, string>>
}

export class ProcedureWork {
  readonly #context: Context
  readonly #db: Db

  constructor(context: Context, db: Db) {
    this.#context = context
    this.#db = db
  }

  /** The business time, `yyyy-MM-dd HH:mm:ss`. */
  get now(): string {
    return this.#context.now
  }
  get today(): string {
    return this.#context.now.slice(0, 10)
  }
  /** Null: the system itself. */
  get user(): Id<'user'> | null {
    return this.#context.user.id || null
  }
  get ip(): string | null {
    return this.#context.origin?.ip ?? null
  }
  /** Of what is answered at once; what is kept is told in every language. */
  get language(): string {
    return this.#context.language
  }
  get settings(): SettingTypes {
    return this.#context.settings as unknown as SettingTypes
  }
  /** What families of a template say of themselves: each template's own shape. */
  families<P>(template: string): readonly P[] {
    return (this.#context.derived.catalog.families[template] ?? []) as unknown as readonly P[]
  }
  dictionary(name: string): Dictionary {
    return this.#context.derived.catalog.dictionaries[name]
  }
  labelOf<E extends EntityName>(name: E, field: FieldName<E>): Label {
    return this.#entity(name).fields[field].label
  }
  /** For what has no words here: its use says why. */
  get raw(): { context: Context; db: Db } {
    return { context: this.#context, db: this.#db }
  }

  /** The call of a procedure that does not come through this door yet. */
  untyped<E extends EntityName>(
    name: E,
    { records = [], values = {} }: { records?: readonly Stored<E>[]; values?: Values<E> },
  ): Parameters<Procedure>[0] {
    return {
      ...this.raw,
      entity: name,
      records: [...(records as readonly RecordData[])],
      values: values as Record<string, Value>,
    }
  }

  /** Records as they are kept; deleted ones are none. */
  async read<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    { where = {}, fields, order, limit, lock = false, seen = false }: ReadOptions<E, F> = {},
  ): Promise<Part<E, F>[]> {
    if (isEmptyWhere(where)) return []
    const entity = this.#entity(name)
    const context = this.#reader(seen)
    const conditions = [...this.#there(entity, seen), ...whereConditions(context, entity, where)]
    if (lock) await this.#lock(entity, conditions)
    const stored = await readStored(context, this.#db, entity, conditions, {
      fields,
      order: this.#order(entity, [order ?? []].flat()),
      limit,
      rows: !fields,
    })
    if (lock) verifySeen(context, entity, stored)
    return stored.map((record) => canonicalRecord(context, entity, record)) as Part<E, F>[]
  }

  /** The first that `read` answers. */
  async first<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    options: Omit<ReadOptions<E, F>, 'limit'>,
  ): Promise<Part<E, F> | undefined> {
    return (await this.read(name, { ...options, limit: 1 })).at(0)
  }

  /** By id → record, of those that are there. */
  async byId<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    ids: readonly (number | null | undefined)[],
    options: Omit<ReadOptions<E, F>, 'where'> = {},
  ): Promise<Map<number, Part<E, F>>> {
    const found = await this.read(name, { ...options, where: idsWhere<E>(ids) })
    return new Map(found.map((record) => [(record as RecordData).id!, record]))
  }

  /** One, whole; undefined where it is not there. */
  async one<E extends EntityName>(name: E, id: number | null | undefined): Promise<Stored<E> | undefined> {
    return (await this.read(name, { where: idsWhere<E>([id]) })).at(0) as Stored<E> | undefined
  }

  /** One, whole, that nobody else changes until the work ends. @throws Refusal unknownRecord, outOfScope. */
  async lock<E extends EntityName>(name: E, id: number, { seen = false } = {}): Promise<Stored<E>> {
    const [found] = await this.read(name, { where: idsWhere<E>([id]), lock: true, seen })
    return (found as Stored<E> | undefined) ?? refuseMissing(this.#reader(seen), this.#entity(name))
  }

  /** How many there are of each group, and what they add up to. */
  groups<E extends EntityName, K extends FieldName<E>, M extends FieldName<E>>(
    name: E,
    options: GroupOptions<E, K, M>,
  ): Promise<Group<E, K, M>[]> {
    return readProcedureGroups(this.#reader(false), this.#db, this.#entity(name), options)
  }

  /** May the user choose this record where one is referred to? */
  async isOffered(name: EntityName, id: number | null | undefined): Promise<boolean> {
    if (typeof id !== 'number') return false
    const { list } = await readOptions(this.#context, this.#db, this.#entity(name), { ids: [id], page: 1, size: 1 })
    return list.length > 0 && !list[0].disabled
  }

  /** A new record of what was asked for, with its defaults, and what is wrong with these fields. */
  async draft<E extends EntityName>(
    name: E,
    values: Values<E>,
    fields: readonly FieldName<E>[],
  ): Promise<{ record: Values<E>; problems: Problem<E>[] }> {
    const { record, problems } = await drafted(this.#work, this.#entity(name), values as RecordData, fields)
    return { record: record as Values<E>, problems: problems as Problem<E>[] }
  }

  /** What the rules say of a new record of which everything is given. */
  problemsOf<E extends EntityName>(name: E, values: Values<E>): Problem<E>[] {
    const record: RecordData = { ...(values as RecordData) }
    recompute(this.#context, this.#entity(name), record)
    return verdictOn(this.#work, this.#entity(name), record) as Problem<E>[]
  }

  /** A row of a dialog as records keep it, and what is wrong with a field of it, if anything. */
  canonical<E extends EntityName>(name: E, row: Values<E>): Values<E> {
    return canonicalRecord(this.#context, this.#entity(name), row as RecordData) as Values<E>
  }
  problemIn<E extends EntityName, F extends FieldName<E>>(
    name: E,
    field: F,
    value: Values<E>[F],
  ): Omit<FieldProblem, 'field'> | undefined {
    return problemIn(this.#work, this.#entity(name), field, value as Value)
  }

  /** Is this a thing that the user may see at all? @throws Refusal permission. */
  demandView(name: EntityName): void {
    demand(this.#context.user, this.#entity(name).permissions.view)
  }

  /** Adds records; they are whole afterwards, with their ids and numbers. */
  async insert<E extends EntityName>(
    name: E,
    records: readonly Values<E>[],
    { action = appendedAction }: ActOptions = {},
  ): Promise<Stored<E>[]> {
    const entity = this.#entity(name)
    const nothing = Object.fromEntries(Object.keys(entity.fields).map((field) => [field, null]))
    const made = records.map((values): RecordData => {
      const record: RecordData = { ...nothing, ...(values as RecordData) }
      recompute(this.#context, entity, record)
      return record
    })
    await this.#apply(made.map((record) => this.#change(name, record, null, action)))
    return made as unknown as Stored<E>[]
  }

  /**
   * As the form does, with its defaults, lookups and checks, also where the user may not add such records.
   * @throws Refusal invalid.
   */
  async create<E extends EntityName>(name: E, values: Values<E>): Promise<number> {
    const { user } = this.#context
    const context = { ...this.#context, user: { ...user, dataScope: 'all' as const, permissions: ['*:*:*'] } }
    const { id } = await createRecord({ context, db: this.#db }, this.#entity(name), values as Record<string, Value>)
    return id
  }

  /** What an action of the entity does beside its procedure, on a record that changes so. */
  async act<E extends EntityName>(name: E, action: string, record: Stored<E>, values: Values<E>): Promise<void> {
    const entity = this.#entity(name)
    const old = { ...(record as RecordData) }
    const now: RecordData = Object.assign(record as RecordData, values)
    recompute(this.#context, entity, now)
    const effects = [{ ...entity.actions[action], run: undefined }]
    await this.#apply([{ ...this.#change(name, now, old, action), effects, changed: Object.keys(values) }])
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
    const entity = this.#entity(name)
    const pairs = changes.map(({ record, values }) => {
      const now = record as RecordData
      const old = { ...now }
      Object.assign(now, values)
      recompute(this.#context, entity, now)
      return { record: now, old }
    })
    return changeFurther(this.#work, entity, pairs, action)
  }

  /**
   * Lets many records refer to others in one statement. Their own history tells nothing of it: that of the others does.
   */
  pointAt<E extends EntityName>(
    name: E,
    field: FieldName<E>,
    pairs: readonly { id: number; at: number | null }[],
  ): Promise<void> {
    return pointAt(this.#work, this.#entity(name), field, pairs)
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
    { action }: { action: string },
    act: () => Promise<void>,
  ): Promise<void> {
    const entity = this.#entity(name)
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
  note<E extends EntityName>(name: E, records: readonly Stored<E>[], action: string): Promise<void> {
    return recordHistory(
      this.#work,
      (records as readonly RecordData[]).map((same) => this.#change(name, same, same, action)),
    )
  }

  /** As if the user had done it, with its conditions and all that follows. @throws Refusal. */
  transition<E extends EntityName>(
    name: E,
    transition: TransitionName<E>,
    { id, values }: { id: number; values?: Values<E> },
  ): Promise<void> {
    const entity = this.#entity(name)
    const found = entity.states.map(({ transitions }) => transitions[transition]).find(Boolean)!
    return transit(this.#work, entity, found, { id, values: values as Record<string, Value> | undefined })
  }

  /** Sends messages about a record: what an operation of its entity declares, or others. */
  notify<E extends EntityName>(name: E, record: Values<E>, notices: readonly Notify[]): Promise<void> {
    return deliver(this.#context, this.#db, this.#entity(name), record as RecordData, notices)
  }

  noticesOf(name: EntityName, action: string): readonly Notify[] {
    return this.#entity(name).actions[action].notify
  }

  /** Keeps a file as if it had been uploaded. */
  async storeFile(name: string, content: Uint8Array): Promise<StoredFile> {
    return { ...(await storeFile(this.#context, this.#db, name, content)), status: 'success' }
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
    return { context: this.#context, db: this.#db }
  }

  #reader(seen: boolean): Context {
    const { user } = this.#context
    return seen ? this.#context : { ...this.#context, user: { ...user, dataScope: 'all' } }
  }

  #there(entity: Entity, seen: boolean): Condition[] {
    return seen ? visibleConditions(this.#context, entity) : [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`]
  }

  /**
   * Before they are read: who had to wait would see other records as they were before the wait. Rows that refer to them
   * may still be written meanwhile.
   */
  async #lock(entity: Entity, conditions: readonly Condition[]): Promise<void> {
    await sql`select 1 from ${tableOf(this.#context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}
      order by ${sql.ref(`${main}.id`)} for no key update of ${sql.ref(main)}`.execute(this.#db)
  }

  #order(entity: Entity, orders: readonly string[]): RawBuilder<unknown> {
    const keys = orders.map((order) => {
      const field = entity.fields[order.replace(/^-/, '')]
      const value =
        columnOf(this.#context, entity, field) ??
        formulaSql(this.#context, entity, field, main, declaredConditions, false)
      if (!value) throw new Error(`${entity.file}: the database does not know ${entity.name}.${order}`)
      return sql`${value} ${order.startsWith('-') ? sql`desc` : sql`asc`} nulls last`
    })
    return sql.join([...keys, sql.ref(`${main}.id`)])
  }

  #entity(name: string): Entity {
    return this.#context.derived.catalog.entities[name]
  }

  #change(name: string, record: RecordData, old: RecordData | null, action: string): Change {
    return { entity: this.#entity(name), record, old, action, effects: [], changed: [] }
  }

  #apply(changes: readonly Change[]): Promise<void> {
    return apply(this.#work, changes)
  }
}

const idsWhere = <E extends EntityName>(ids: readonly (number | null | undefined)[]) =>
  ({ id: [...new Set(ids.filter((id) => typeof id === 'number'))] }) as unknown as Where<RecordTypes[E]>

/** A procedure as the engine calls it. `E`: the entity whose operations name it. */
export const procedure =
  <E extends EntityName>(
    act: (work: ProcedureWork, call: ProcedureCall<E>) => Promise<Record<string, unknown> | void>,
  ): Procedure =>
  ({ context, db, records, before, values, form }) =>
    act(new ProcedureWork(context, db), {
      records: records as unknown as Stored<E>[],
      before: (before ?? records.map(() => null)) as unknown as (Stored<E> | null)[],
      values: values as unknown as Values<E>,
      typed: new Set(form?.typed),
      parameters: form?.parameters ?? {},
    })
