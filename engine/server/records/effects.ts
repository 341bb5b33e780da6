import { compileCondition, compileFormula, type Scope, type ScopeUser } from '../../expression/index.ts'
import type { Effects, Entity, Field, RecordData, SaveEvent } from '../../model/model.ts'
import { demand, scopeUser } from '../identity/access.ts'
import type { Derived } from '../derived.ts'
import type { Context } from '../runtime.ts'
import { canonicalValue, isEqual } from './reading/canonical.ts'

const users = new WeakMap<Context, ScopeUser>()

/** The writer as expressions see them: the same for each record of a work. */
function writerIn(context: Context): ScopeUser {
  let user = users.get(context)
  if (!user) users.set(context, (user = { ...scopeUser(context.user), ip: context.origin?.ip ?? null }))
  return user
}

/** A record as its own expressions see it during a save. */
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
    user: writerIn(context),
    settings: context.settings,
    now: context.now,
    // Computed on demand, because few expressions need them.
    get changes() {
      return changesOf(entity, record, old, changed)
    },
  }
}

/** Field → [before, after], for fields that the client changed. */
const changesOf = (entity: Entity, record: RecordData, old: RecordData | null, changed: readonly string[]) =>
  Object.fromEntries(
    changed
      .filter((name) => Object.hasOwn(entity.fields, name))
      .map((name) => [name, [old?.[name] ?? null, record[name] ?? null]]),
  )

export const isTrue = (context: Context, entity: Entity, condition: string | undefined, scope: Scope): boolean =>
  condition === undefined || compileCondition(condition, context.derived.types(entity))(scope)

/** Sets fields of the record in order; each formula sees those set before it. */
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

const known = new WeakMap<Entity, { field: Field; formula: string }[]>()

/** Fields that store the result of a formula. */
export function storedFormulas(derived: Derived, entity: Entity): { field: Field; formula: string }[] {
  let formulas = known.get(entity)
  if (!formulas) {
    formulas = Object.values(entity.fields).flatMap((field) =>
      field.computed?.kind === 'formula' && derived.columns[entity.name][field.name] !== undefined
        ? [{ field, formula: field.computed.formula }]
        : [],
    )
    known.set(entity, formulas)
  }
  return formulas
}

/** Recomputes stored formulas, including those that depend on others, whatever their order in the file. */
export function recompute(context: Context, entity: Entity, record: RecordData): void {
  const formulas = storedFormulas(context.derived, entity)
  for (let pass = 0; pass <= formulas.length; pass++) {
    let isSettled = true
    for (const { field, formula } of formulas) {
      const value = canonicalValue(
        context,
        field,
        compileFormula(formula, context.derived.types(entity))(scopeOf(context, entity, record, null)),
      )
      if (!isEqual(record[field.name], value)) isSettled = false
      record[field.name] = value
    }
    if (isSettled) return
  }
}

/** The `saves` that match, in order; the fields they set are in the record afterwards. @throws Refusal permission. */
export function applyEvents(
  context: Context,
  entity: Entity,
  on: SaveEvent['on'],
  { record, old, changed }: { record: RecordData; old: RecordData | null; changed: readonly string[] },
): SaveEvent[] {
  return entity.saves.filter((event) => {
    const scope = scopeOf(context, entity, record, old, changed)
    if (event.on !== on || (event.changed && !event.changed.some((name) => changed.includes(name)))) return false
    if (!isTrue(context, entity, event.when, scope)) return false
    if (event.permission !== undefined) demand(context.user, event.permission)
    applySets(context, entity, event, record, scope)
    return true
  })
}
