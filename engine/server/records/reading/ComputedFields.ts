import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { relational } from '../../../expression/index.ts'
import type { Aggregate, Entity, Field, Filter } from '../../../model/model.ts'
import { type Condition, descendants, scopeCondition, tableOf } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'
import { foundSql } from './findSql.ts'
import { writeSql } from './writeSql.ts'

type Sql = RawBuilder<unknown>
type Computed<K> = Extract<Field['computed'], { kind: K }>

/** The conditions of a declared filter: passed in, because filters also use computed fields. */
export type Conditions = (
  context: Context,
  entity: Entity,
  alias: string,
  filter: Filter | undefined,
  computed?: ComputedFields,
) => Condition[]

/** How records are read. `scoped`: aggregates cover only records that the user may see. */
export interface Reading {
  alias: string
  scoped: boolean
  conditions: Conditions
}

/** A value within the query. */
interface Computation {
  value: Sql
  /** The number of steps that come before it. */
  step: number
  /** Whether it only reads columns of its own record, so that its SQL may be inlined. */
  isOwn: boolean
}

/** Other records that values are read from. */
interface Source {
  fields: ComputedFields
  from(): Sql
}

/** Values that the database computes together for each record, over those of the steps before. */
interface Join {
  name: string
  columns: Map<string, Sql>
  source: Source | undefined
}

/**
 * The computed fields of the records under an alias in one query. Whatever reads other records is computed once for
 * each record, and the same records are read once, however many formulas, conditions and columns use them: written out
 * wherever they are used, formulas over formulas would grow exponentially.
 */
export class ComputedFields {
  readonly #context: Context
  readonly #entity: Entity
  readonly #of: Reading
  readonly #known = new Map<string, Computation | undefined>()
  readonly #steps: Map<string, Join>[] = []
  /** Look-ups through references that users choose are the same for everybody. */
  #forAll: ComputedFields | undefined

  constructor(context: Context, entity: Entity, reading: Reading) {
    this.#context = context
    this.#entity = entity
    this.#of = reading
  }

  /** The field's value under the alias, together with `joins`; undefined if the database cannot compute it. */
  valueOf(field: Field): Sql | undefined {
    return this.#computation(field)?.value
  }

  /** The same for a column or a computed field. */
  read(name: string): Sql {
    return this.#under(name).value
  }

  /** Whether no value needs a join. */
  get isEmpty(): boolean {
    return this.#steps.length === 0 && this.#forAll === undefined
  }

  /** Follows the table in the query's `from`; complete once every value has been requested. */
  get joins(): Sql {
    const own = this.#steps.flatMap((step) => [...step.values()].map(joinSql))
    return sql.join(this.#forAll ? [this.#forAll.joins, ...own] : own, sql` `)
  }

  /** The field's value as an expression that needs no join. */
  expression({ name, computed }: Field): Sql | undefined {
    switch (computed?.kind) {
      case 'lookup': {
        const scoped = this.#of.scoped && isFound(this.#context, this.#entity, computed.by)
        const { fields, from } = this.#apart(scoped).#recordBy(computed.by, this.#expressionUnder(computed.by, scoped))
        return sql`(select ${fields.#expressionUnder(computed.field)} ${from()})`
      }
      case 'aggregate': {
        const source = this.#recordsOf(name, computed)
        return sql`(select ${this.#aggregateOf(name, computed, source)} ${source.from()})`
      }
      case 'find':
        return this.#found(computed)
      case 'formula': {
        const formula = this.#formula(name, computed)
        return !formula || formula.isOwn
          ? formula?.value
          : sql`(select ${formula.value} from (select) as once ${this.joins})`
      }
      default:
        return undefined
    }
  }

  /** The same records in an expression of its own. */
  #apart(scoped = this.#of.scoped): ComputedFields {
    return new ComputedFields(this.#context, this.#entity, { ...this.#of, scoped })
  }

  #expressionUnder(name: string, scoped = this.#of.scoped): Sql {
    const computed = this.#isComputed(name) ? this.#apart(scoped).expression(this.#entity.fields[name]) : undefined
    return computed ?? this.#column(name)
  }

  #isComputed(name: string): boolean {
    const { derived } = this.#context
    return Object.hasOwn(this.#entity.fields, name) && derived.columns[this.#entity.name][name] === undefined
  }

  #column = (name: string): Sql => sql.ref(`${this.#of.alias}.${name}`)

  #under(name: string): Computation {
    const computed = this.#isComputed(name) ? this.#computation(this.#entity.fields[name]) : undefined
    return computed ?? { value: this.#column(name), step: 0, isOwn: true }
  }

  #computation(field: Field): Computation | undefined {
    if (!this.#known.has(field.name)) this.#known.set(field.name, this.#compute(field))
    return this.#known.get(field.name)
  }

  #compute({ name, computed }: Field): Computation | undefined {
    switch (computed?.kind) {
      case 'lookup':
        return this.#lookUp(name, computed)
      case 'aggregate':
        return this.#aggregate(name, computed)
      case 'find':
        return this.#add(name, this.#found(computed), 0)
      case 'formula': {
        const formula = this.#formula(name, computed)
        return !formula || formula.isOwn ? formula : this.#add(name, formula.value, formula.step)
      }
      default:
        return undefined
    }
  }

  #formula(name: string, computed: Computed<'formula'>): Computation | undefined {
    const { derived } = this.#context
    const formula = relational(computed.formula, derived.types(this.#entity))
    const type = this.#typeOf(name)
    if (!formula || !type) return undefined
    const used: Computation[] = []
    const valueUnder = (name: string) => {
      const computation = this.#under(name)
      used.push(computation)
      return computation.value
    }
    const value = sql`(${writeSql(formula, this.#context, valueUnder)})::${sql.raw(type)}`
    return { value, step: Math.max(0, ...used.map(({ step }) => step)), isOwn: used.every(({ isOwn }) => isOwn) }
  }

  #found(computed: Computed<'find'>): Sql {
    return foundSql(this.#context, computed, this.#column(computed.by), this.#of.scoped)
  }

  /**
   * A value of the record that a reference points at, deleted or not, because its name stays readable too. The
   * reference itself may be looked up or found; if found, it is of a record that the user may see.
   */
  #lookUp(name: string, computed: Computed<'lookup'>): Computation | undefined {
    if (this.#of.scoped && !isFound(this.#context, this.#entity, computed.by)) {
      this.#forAll ??= this.#apart(false)
      const found = this.#forAll.#computation(this.#entity.fields[name])
      return found && { ...found, step: 0 }
    }
    const { value: id, step } = this.#under(computed.by)
    const key = `by ${computed.by}`
    const source = this.#steps[step]?.get(key)?.source ?? this.#recordBy(computed.by, id)
    return this.#add(name, source.fields.read(computed.field), step, { key, source })
  }

  #recordBy(by: string, id: Sql): Source {
    const { entity } = this.#context.derived.target(this.#entity.fields[by])!
    const alias = aliasOf(`${this.#of.alias}_${by}`)
    const fields = new ComputedFields(this.#context, entity, { ...this.#of, alias })
    const table = sql`${tableOf(this.#context, entity)} as ${sql.ref(alias)}`
    return { fields, from: () => sql`from ${table} ${fields.joins} where ${sql.ref(`${alias}.id`)} = ${id}` }
  }

  #aggregate(name: string, computed: Computed<'aggregate'>): Computation {
    const { entity, by, of: field, where, below, during } = computed
    const key = JSON.stringify([entity, by, field, where, below, during])
    const source = this.#steps[0]?.get(key)?.source ?? this.#recordsOf(name, computed)
    return this.#add(name, this.#aggregateOf(name, computed, source), 0, { key, source })
  }

  #aggregateOf(name: string, { function: aggregate, field }: Computed<'aggregate'>, { fields }: Source): Sql {
    const type = this.#typeOf(name) ?? 'numeric'
    return sql`${resultOf(aggregate, fields.read(field ?? 'id'), field !== undefined)}::${sql.raw(type)}`
  }

  /**
   * The records that refer to the one under the alias. `scoped`: only those that the user may see; values behind a
   * reference are visible through the reference.
   */
  #recordsOf(name: string, computed: Computed<'aggregate'>): Source {
    const { derived } = this.#context
    const { alias: own, scoped, conditions } = this.#of
    const entity = derived.catalog.entities[computed.entity]
    const alias = aliasOf(`${own}_of_${name}`)
    const fields = new ComputedFields(this.#context, entity, { alias, scoped, conditions })
    const there = (field: string) => fields.#expressionUnder(field, false)
    const here = (field: string) => this.#expressionUnder(field, false)
    const by = sql.ref(`${alias}.${computed.by}`)
    const id = computed.of === undefined ? sql.ref(`${own}.id`) : here(computed.of)
    const scope = scoped && computed.of === undefined ? scopeCondition(this.#context, entity, alias) : undefined
    const { during } = computed
    const matching = [
      sql<boolean>`${sql.ref(`${alias}.deletedAt`)} is null`,
      ...conditions(this.#context, entity, alias, computed.where, fields),
      ...(during
        ? [
            goingOn({
              from: there(during.from),
              until: there(during.until),
              at: here(during.at),
            }),
          ]
        : []),
      ...(scope ? [scope] : []),
    ]
    const tied = computed.below
      ? sql`${by} in ${descendants(this.#context, this.#entity, sql`array[${id}]`)}`
      : derived.target(entity.fields[computed.by])?.many
        ? sql`${id} = any(${by})`
        : sql`${by} = ${id}`
    const table = sql`${tableOf(this.#context, entity)} as ${sql.ref(alias)}`
    return {
      fields,
      from: () => sql`from ${table} ${fields.joins} where ${tied} and ${sql.join(matching, sql` and `)}`,
    }
  }

  #typeOf(name: string): string | null {
    const field = this.#entity.fields[name]
    const type = this.#context.derived.widget(field).column(field.options)
    return type && widest(type)
  }

  /** Adds a value to a join of the step. */
  #add(name: string, value: Sql, step: number, from?: { key: string; source: Source }): Computation {
    const joins = (this.#steps[step] ??= new Map())
    const key = from?.key ?? ''
    if (!joins.has(key))
      joins.set(key, { name: this.#nameOf(step, joins.size), columns: new Map(), source: from?.source })
    const join = joins.get(key)!
    join.columns.set(name, value)
    return { value: sql.ref(`${join.name}.${name}`), step: step + 1, isOwn: false }
  }

  #nameOf = (step: number, place: number): string =>
    `${this.#of.alias}:${this.#of.scoped ? '' : 'all:'}${step}:${place}`
}

function joinSql({ name, columns, source }: Join): Sql {
  const values = [...columns].map(([column, value]) => sql`${value} as ${sql.ref(column)}`)
  // Without the offset the database would write the values out again wherever they are used.
  return sql`left join lateral (select ${sql.join(values)} ${source?.from() ?? sql``} offset 0) as ${sql.ref(name)} on true`
}

const goingOn = ({ from, until, at }: { from: Sql; until: Sql; at: Sql }): Condition =>
  sql<boolean>`(${from} <= ${at} and (${until} is null or ${until} >= ${at}))`

function resultOf(name: Aggregate, value: Sql, ofField: boolean): Sql {
  switch (name) {
    case 'count':
      return ofField ? sql`count(distinct ${value})` : sql`count(*)`
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`
    case 'min':
      return sql`min(${value})`
    case 'max':
    // Ids increase: the latest record has the greatest.
    case 'last':
      return sql`max(${value})`
  }
}

/** PostgreSQL cuts names after 63 bytes, so that different ones would become the same. */
const longestAlias = 45

const aliasOf = (name: string): string =>
  Buffer.byteLength(name) <= longestAlias
    ? name
    : `${name.slice(0, 20)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`

/** What is only computed may have more digits than a column could store: an overflow would fail the whole query. */
const widest = (type: string): string =>
  type.replace(/^numeric\(\d+,\s*(\d+)\)$/, 'numeric(1000,$1)').replace(/^(smallint|integer)$/, 'bigint')

/** Whether the reference is chosen among other records, not by a user, or looked up in a record that is. */
function isFound(context: Context, entity: Entity, name: string): boolean {
  const { computed } = entity.fields[name]
  if (computed?.kind === 'aggregate' || computed?.kind === 'find') return true
  if (computed?.kind !== 'lookup') return false
  const target = context.derived.target(entity.fields[computed.by])?.entity
  return isFound(context, entity, computed.by) || (target !== undefined && isFound(context, target, computed.field))
}
