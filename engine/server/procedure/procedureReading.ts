/** What procedures read: records by the names and types that the schema files declare. */
import { sql, type RawBuilder } from 'kysely'
import type { Dictionary, Entity, Label, RecordData } from '../../model/model.ts'
import { permissionsTo } from '../derived.ts'
import { asAsked, demand, may, seesWhole } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { formulaSql } from '../records/reading/formulaSql.ts'
import { offeredBy } from '../records/reading/offered.ts'
import { type Group, type GroupOptions, readProcedureGroups } from './procedureGroups.ts'
import type { EntityName, FieldName, Id, Order, Part, Stored, RecordTypes, SettingTypes } from './procedureTypes.ts'
import { isEmptyWhere, type Where, whereConditions } from './procedureWhere.ts'
import { columnOf, main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { refuseMissing } from '../records/save.ts'
import { refuseStale, staleAmong } from '../records/seen.ts'
import { visibleIds } from '../records/visibleReferences.ts'
import type { Context, Db } from '../runtime.ts'
import { type Condition, tableOf } from '../identity/scope.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'

export interface ReadOptions<E extends EntityName, F extends FieldName<E>> {
  where?: Where<RecordTypes[E]>
  /** Only these fields; if absent, the record is complete, with its rows, and may be changed. */
  fields?: readonly F[]
  /** Sorted by these, then by id, ascending; empty values last. */
  order?: Order<E> | readonly Order<E>[]
  limit?: number
  /** Locks them until the work ends; refused if the user was shown other revisions. */
  lock?: boolean
  /** Only records and values that the user may see unmasked; otherwise all. */
  seen?: boolean
}

/** The read half of a work; `ProcedureDrafting` adds judging, and `ProcedureWork` writing. */
export class ProcedureReading {
  protected readonly context: Context
  protected readonly db: Db

  constructor(context: Context, db: Db) {
    this.context = context
    this.db = db
  }

  /** The business time, `yyyy-MM-dd HH:mm:ss`. */
  get now(): string {
    return this.context.now
  }
  get today(): string {
    return this.context.now.slice(0, 10)
  }
  /** Null for the system itself. */
  get user(): Id<'user'> | null {
    return this.context.user.id || null
  }
  get ip(): string | null {
    return this.context.origin?.ip ?? null
  }
  /** The language of immediate answers; what is stored is in every language. */
  get language(): string {
    return this.context.language
  }
  get settings(): SettingTypes {
    return this.context.settings as unknown as SettingTypes
  }
  /** The parameters of a template's families, in the template's own shape. */
  families<P>(template: string): readonly P[] {
    return (this.context.derived.catalog.families[template] ?? []) as unknown as readonly P[]
  }
  dictionary(name: string): Dictionary {
    return this.context.derived.catalog.dictionaries[name]
  }
  /** The stored fields of its records, without computed and unstored ones. */
  keptFields(name: EntityName): string[] {
    return Object.values(this.entity(name).fields).flatMap(({ name: field, computed, kept }) =>
      computed || kept === false ? [] : field,
    )
  }
  labelOf<E extends EntityName>(name: E, field: FieldName<E>): Label {
    return this.entity(name).fields[field].label
  }

  isSensitive<E extends EntityName>(name: E, field: FieldName<E>): boolean {
    return this.entity(name).fields[field].sensitive === true
  }

  /** Stored records, without deleted ones. */
  async read<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    { where = {}, fields, order, limit, lock = false, seen = false }: ReadOptions<E, F> = {},
  ): Promise<Part<E, F>[]> {
    if (isEmptyWhere(where)) return []
    const entity = this.entity(name)
    const context = this.reader(seen)
    const conditions = [...this.there(entity, seen), ...whereConditions(context, entity, where, seen)]
    if (lock) await this.lockFirst(entity, conditions)
    const stored = await readStored(context, this.db, entity, conditions, {
      fields,
      order: this.orderOf(entity, [order ?? []].flat()),
      limit,
      rows: !fields,
    })
    if (lock) await this.verifySeen(entity, stored)
    return stored.map((record) => canonicalRecord(context, entity, record)) as Part<E, F>[]
  }

  /** The first record that `read` returns. */
  async first<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    options: Omit<ReadOptions<E, F>, 'limit'>,
  ): Promise<Part<E, F> | undefined> {
    return (await this.read(name, { ...options, limit: 1 })).at(0)
  }

  /** By id → record, of those that exist. */
  async byId<E extends EntityName, F extends FieldName<E> = FieldName<E>>(
    name: E,
    ids: readonly (number | null | undefined)[],
    options: Omit<ReadOptions<E, F>, 'where'> = {},
  ): Promise<Map<number, Part<E, F>>> {
    const found = await this.read(name, { ...options, where: idsWhere<E>(ids) })
    return new Map(found.map((record) => [(record as RecordData).id!, record]))
  }

  /** One complete record; undefined if it does not exist. */
  async one<E extends EntityName>(name: E, id: number | null | undefined): Promise<Stored<E> | undefined> {
    return (await this.read(name, { where: idsWhere<E>([id]) })).at(0) as Stored<E> | undefined
  }

  /** One complete record, locked until the work ends. @throws Refusal unknownRecord, outOfScope. */
  async lock<E extends EntityName>(name: E, id: number, options?: { seen?: boolean }): Promise<Stored<E>> {
    return (await this.lockAll(name, [id], options)).get(id)!
  }

  /** Several by id, in id order. @throws Refusal as `lock`. */
  async lockAll<E extends EntityName>(
    name: E,
    ids: readonly number[],
    { seen = false } = {},
  ): Promise<Map<number, Stored<E>>> {
    const found = (await this.byId(name, ids, { lock: true, seen })) as Map<number, Stored<E>>
    if (ids.some((id) => !found.has(id))) refuseMissing(this.reader(seen), this.entity(name))
    return found
  }

  /** Counts and sums by group. */
  groups<E extends EntityName, K extends FieldName<E>, M extends FieldName<E>>(
    name: E,
    options: GroupOptions<E, K, M>,
  ): Promise<Group<E, K, M>[]> {
    return readProcedureGroups(this.reader(false), this.db, this.entity(name), options)
  }

  /** Whether the user may choose this record in a reference. */
  async isOffered<E extends EntityName>(name: E, field: FieldName<E>, id: number | null | undefined): Promise<boolean> {
    if (typeof id !== 'number') return false
    const reference = this.entity(name).fields[field]
    const { entity } = this.context.derived.target(reference)!
    const offered = [...visibleConditions(this.asked, entity), ...offeredBy(this.asked, reference)]
    const where = [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...offered]
    return (await readStored(this.context, this.db, entity, where, { fields: [] })).length > 0
  }

  /** Those of these records that the user may view, and so be told of by name. */
  async visibleAmong(name: EntityName, ids: readonly (number | null)[]): Promise<ReadonlySet<number>> {
    const entity = this.entity(name)
    if (!permissionsTo(entity, 'view').some((permission) => may(this.asked.user, permission))) return new Set()
    return visibleIds(
      this.asked,
      this.db,
      entity,
      ids.filter((id) => id !== null),
    )
  }

  /** Whether the user may see the entity at all. */
  mayView(name: EntityName): boolean {
    return may(this.asked.user, this.entity(name).permissions.view)
  }

  /** Checks that the user may see the entity at all. @throws Refusal permission. */
  demandView(name: EntityName): void {
    demand(this.asked.user, this.entity(name).permissions.view)
  }

  /**
   * Checks that the user may see these fields unmasked, because they go into something that is shown as it is. @throws
   * Refusal permission.
   */
  demandWhole<E extends EntityName>(name: E, fields: readonly FieldName<E>[]): void {
    const entity = this.entity(name)
    if (!fields.every((field) => seesWhole(this.context, entity, entity.fields[field]))) throw new Refusal('permission')
  }

  /** Applies even to records that the user may not see, so any caller may name them as seen. @throws Refusal. */
  private async verifySeen(entity: Entity, records: readonly RecordData[]): Promise<void> {
    const stale = staleAmong(this.context, entity, records)
    if (stale.length === 0) return
    const ids = stale.map(({ id }) => id!)
    const visible = await visibleIds(this.asked, this.db, entity, ids)
    refuseStale(
      this.context,
      entity,
      stale.filter(({ id }) => visible.has(id!)),
      records.length === 1,
    )
  }

  /** As the user, even if another procedure creates with more rights the record that this one goes on from. */
  private get asked(): Context {
    return asAsked(this.context)
  }

  protected reader(seen: boolean): Context {
    const { user } = this.context
    return seen ? this.asked : { ...this.context, user: { ...user, dataScope: 'all' } }
  }

  private there(entity: Entity, seen: boolean): Condition[] {
    return seen ? visibleConditions(this.asked, entity) : [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`]
  }

  /**
   * Locked before reading, because after a wait for the lock, the query would see other records as they were before it.
   * Rows that refer to them may still be written meanwhile.
   */
  private async lockFirst(entity: Entity, conditions: readonly Condition[]): Promise<void> {
    await sql`select 1 from ${tableOf(this.context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}
      order by ${sql.ref(`${main}.id`)} for no key update of ${sql.ref(main)}`.execute(this.db)
  }

  private orderOf(entity: Entity, orders: readonly string[]): RawBuilder<unknown> {
    const keys = orders.map((order) => {
      const name = order.replace(/^-/, '')
      const field = entity.fields[name]
      const value =
        name === 'id'
          ? sql.ref(`${main}.id`)
          : (columnOf(this.context, entity, field) ??
            formulaSql(this.context, entity, field, main, declaredConditions, false))
      if (!value) throw new Error(`${entity.file}: the database does not know ${entity.name}.${order}`)
      return sql`${value} ${order.startsWith('-') ? sql`desc` : sql`asc`} nulls last`
    })
    return sql.join([...keys, sql.ref(`${main}.id`)])
  }

  protected entity(name: string): Entity {
    return this.context.derived.catalog.entities[name]
  }
}

export const idsWhere = <E extends EntityName>(ids: readonly (number | null | undefined)[]) =>
  ({ id: [...new Set(ids.filter((id) => typeof id === 'number'))] }) as unknown as Where<RecordTypes[E]>
