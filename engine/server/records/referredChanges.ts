import { sql } from 'kysely'
import { compileFormula } from '../../expression/index.ts'
import type { Entity, Field, RecordData, Update } from '../../model/model.ts'
import { lookUp } from './reading/lookups.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { idsOf } from './reading/references.ts'
import type { Context } from '../runtime.ts'
import { canonicalRecord, canonicalValue, isUnchanged } from './reading/canonical.ts'
import type { Change } from './Change.ts'
import { isTrue, recompute, scopeOf } from './effects.ts'
import type { Work } from './Work.ts'

/** A record, and the update that it makes to the record it refers to. */
export interface Referring {
  change: Change
  update: Update
  target: number
}

/**
 * Groups the updates that written records make to others, by the referring field: each group is written before the next
 * is read, because two fields may refer to the same record.
 */
export function referringOf({ context }: Work, changes: readonly Change[]): Referring[][] {
  const groups = new Map<string, Referring[]>()
  for (const change of changes) {
    const { entity, record, effects } = change
    for (const update of effects.flatMap(({ updates }) => updates)) {
      const [target] = idsOf(canonicalValue(context, entity.fields[update.by], record[update.by] ?? null))
      if (target === undefined) continue
      const key = `${entity.name}.${update.by}`
      groups.set(key, groups.get(key) ?? [])
      groups.get(key)!.push({ change, update, target })
    }
  }
  return [...groups.values()]
}

/**
 * The changes of the records referred to: all are locked and read first, then changed in the order of the records that
 * refer to them.
 */
export async function referredChanges({ context, db }: Work, referring: readonly Referring[]): Promise<Change[]> {
  const { entity } = referring[0].change
  const { by } = referring[0].update
  const target = context.derived.catalog.entities[referring[0].update.entity]
  const ids = [...new Set(referring.map(({ target: id }) => id))].sort((a, b) => a - b)
  const stored = await readStored(
    context,
    db,
    target,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`],
    {
      order: sql.ref(`${main}.id`),
      lock: true,
      rows: true,
    },
  )
  const changes = new Map(
    stored.map((record) => {
      const old = canonicalRecord(context, target, record)
      return [old.id!, { entity: target, record: { ...old }, old, action: 'update', effects: [], changed: [] }]
    }),
  )
  const looked = await lookUp(
    context,
    db,
    entity,
    referring.map(({ target: id }) => ({ [by]: id })),
  )
  referring.forEach(({ change, update, target: id }, index) => {
    const referred = changes.get(id)
    if (!referred) return
    const seen = { ...change.record, ...looked[index], ...lookedUpIn(context, entity, by, referred.record) }
    const scope = scopeOf(context, entity, seen, change.old, change.changed)
    if (!isTrue(context, entity, update.when, scope)) return
    for (const [field, formula] of Object.entries(update.set)) {
      const value = compileFormula(formula, context.derived.types(entity))(scope)
      referred.record[field] = canonicalValue(context, target.fields[field], value)
    }
    recompute(context, target, referred.record)
  })
  return [...changes.values()].filter(({ record, old }) => !isUnchanged(target, old, record))
}

/** The record referred to, as already changed by another that refers to it. */
const lookedUpIn = (context: Context, entity: Entity, by: string, referred: RecordData): RecordData =>
  Object.fromEntries(
    Object.values(entity.fields).flatMap((field: Field) =>
      field.computed?.kind === 'lookup' && field.computed.by === by && Object.hasOwn(referred, field.computed.field)
        ? [[field.name, canonicalValue(context, field, referred[field.computed.field])]]
        : [],
    ),
  )
