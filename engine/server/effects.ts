import { sql } from 'kysely'
import { compileCondition, compileFormula, type Scope } from '../expression/index.ts'
import type { Append, Effects, Entity, Field, RecordData, Update } from '../schema/model.ts'
import { accept } from './accept.ts'
import type { Derived } from './derived.ts'
import { scopeUser } from './access.ts'
import { writeHistory } from './history.ts'
import { keepAdministrator } from './keepAdministrator.ts'
import { keepLimits } from './limits.ts'
import { lookUp } from './lookups.ts'
import { deliver } from './messages.ts'
import { main, readStored } from './read.ts'
import { idsOf } from './references.ts'
import type { Context, Db, Procedure } from './runtime.ts'
import { canonicalRecord, canonicalValue, changedFields } from './stored.ts'
import { insertRecords, updateRecord } from './write.ts'

/** A record as its own expressions see it while it is being saved. */
export function scopeOf(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  changed: readonly string[] = [],
): Scope {
  return {
    record,
    old,
    changed,
    user: { ...scopeUser(context.user), ip: context.origin?.ip ?? null },
    settings: context.settings,
    now: context.now,
    changes: changesOf(entity, record, old, changed),
  }
}

/** Field → [before, after], of what the client changed. */
const changesOf = (entity: Entity, record: RecordData, old: RecordData | null, changed: readonly string[]) =>
  Object.fromEntries(
    changed
      .filter((name) => Object.hasOwn(entity.fields, name))
      .map((name) => [name, [old?.[name] ?? null, record[name] ?? null]]),
  )

export const isTrue = (context: Context, entity: Entity, condition: string | undefined, scope: Scope): boolean =>
  condition === undefined || compileCondition(condition, context.derived.types(entity))(scope)

/** Sets fields of the record; every formula sees those set before it. */
export function applySets(
  context: Context,
  entity: Entity,
  effects: Pick<Effects, 'set'>,
  record: RecordData,
  scope: Scope,
): void {
  for (const [name, formula] of Object.entries(effects.set)) {
    record[name] = canonicalValue(
      context,
      entity.fields[name],
      compileFormula(formula, context.derived.types(entity))(scope),
    )
  }
}

/** The fields that keep what a formula has come to. */
export const storedFormulas = (derived: Derived, entity: Entity): { field: Field; formula: string }[] =>
  Object.values(entity.fields).flatMap((field) =>
    field.computed?.kind === 'formula' && derived.columns[entity.name][field.name] !== undefined
      ? [{ field, formula: field.computed.formula }]
      : [],
  )

/** Formulas with a column, worked out anew; those that build on others are too, whatever their order in the file. */
export function recompute(context: Context, entity: Entity, record: RecordData): void {
  const formulas = storedFormulas(context.derived, entity)
  for (let pass = 0; pass <= formulas.length; pass++) {
    const before = { ...record }
    for (const { field, formula } of formulas) {
      record[field.name] = canonicalValue(
        context,
        field,
        compileFormula(formula, context.derived.types(entity))(scopeOf(context, entity, record, null)),
      )
    }
    if (changedFields(entity, before, record).length === 0) return
  }
}

/**
 * What follows the write itself, in its transaction: the records that it refers to, new ones of other entities, limits,
 * messages. All of it sees the saved record.
 */
export async function followUp(
  context: Context,
  db: Db,
  entity: Entity,
  effects: readonly Pick<Effects, 'append' | 'updates' | 'notify' | 'run'>[],
  scope: Scope,
): Promise<void> {
  for (const { updates } of effects)
    for (const update of updates) await updateReferred(context, db, entity, update, scope)
  await appendRecords(
    context,
    db,
    entity,
    effects.flatMap(({ append }) => append.map((one) => ({ append: one, scope }))),
  )
  await keepLimits(context, db, entity, scope.record.id!)
  await keepAdministrator(context, db, entity, scope.old)
  await deliver(
    context,
    db,
    entity,
    scope.record,
    effects.flatMap(({ notify }) => notify).filter(({ when }) => isTrue(context, entity, when, scope)),
  )
  await goOn(context, db, entity, [{ effects, record: scope.record, old: scope.old ?? null }])
}

/** The procedures that go on with what was written: each once, with all records whose effects name it. */
export async function goOn(
  context: Context,
  db: Db,
  entity: Entity,
  written: readonly { effects: readonly Pick<Effects, 'run'>[]; record: RecordData; old: RecordData | null }[],
): Promise<void> {
  for (const name of new Set(written.flatMap(({ effects }) => effects.flatMap(({ run }) => run ?? [])))) {
    const theirs = written.filter(({ effects }) => effects.some(({ run }) => run === name))
    await procedureOf(
      context,
      entity,
      name,
    )({
      context,
      db,
      entity: entity.name,
      records: theirs.map(({ record }) => record),
      before: theirs.map(({ old }) => old),
      values: {},
    })
  }
}

export function procedureOf(context: Context, entity: Entity, name: string): Procedure {
  const procedure = context.runtime.procedures[name]
  if (!procedure) throw new Error(`${entity.file}: there is no procedure "${name}"`)
  return procedure
}

/** Changes the record that this one refers to. What is looked up of it is read once nobody else can change it. */
async function updateReferred(
  context: Context,
  db: Db,
  entity: Entity,
  { entity: name, by, when, set }: Update,
  scope: Scope,
): Promise<void> {
  const [id] = idsOf(canonicalValue(context, entity.fields[by], scope.record[by] ?? null))
  if (id === undefined || !isTrue(context, entity, when, scope)) return
  const target = context.derived.catalog.entities[name]
  const [stored] = await readStored(context, db, target, [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`], {
    lock: true,
    rows: true,
  })
  if (!stored) return
  const old = canonicalRecord(context, target, stored)
  const [found] = await lookUp(context, db, entity, [{ [by]: scope.record[by] }])
  const seen = { ...scope, record: { ...scope.record, ...found } }
  const record = { ...old }
  for (const [field, formula] of Object.entries(set)) {
    record[field] = canonicalValue(
      context,
      target.fields[field],
      compileFormula(formula, context.derived.types(entity))(seen),
    )
  }
  recompute(context, target, record)
  if (changedFields(target, old, record).length === 0) return
  await updateRecord(context, db, target, record, old, new Set())
  await keepLimits(context, db, target, id)
  await writeHistory(context, db, target, 'update', record, old)
}

/**
 * Records added to other entities in the same transaction: what the formulas say, seen from the saved record. One
 * insert for each entity.
 */
export async function appendRecords(
  context: Context,
  db: Db,
  entity: Entity,
  appends: readonly { append: Append; scope: Scope }[],
): Promise<void> {
  const added = new Map<Entity, RecordData[]>()
  for (const { append, scope } of appends) {
    const target = context.derived.catalog.entities[append.entity]
    const { record } = accept(context, target, {}, null)
    for (const [name, formula] of Object.entries(append.set)) {
      record[name] = canonicalValue(
        context,
        target.fields[name],
        compileFormula(formula, context.derived.types(entity))(scope),
      )
    }
    recompute(context, target, record)
    added.set(target, [...(added.get(target) ?? []), record])
  }
  for (const [target, records] of added) await insertRecords(context, db, target, records)
}
