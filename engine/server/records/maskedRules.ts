/**
 * Rules that read values which the user only sees masked: their answers would reveal the range of such a value, so they
 * are handled like answers about unique values.
 */
import { inputsOfRule } from '../../expression/conditions.ts'
import { checkRecord } from '../../expression/verdict.ts'
import type { Entity, Field, FieldProblem, Rule } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { verdictContext } from './accept.ts'
import { isTried, noteTries } from './maskedTries.ts'
import type { Proposed } from './writtenValues.ts'

/** A record whose other problems are known. */
interface Withheld extends Proposed {
  rules: readonly Rule[]
  changed: string[]
}

/** The fields of the entity that this user only sees masked. */
export const maskedFields = (context: Context, entity: Entity): ReadonlySet<string> =>
  new Set(Object.values(entity.fields).flatMap((field) => (isTried(context, entity, field) ? [field.name] : [])))

/** The rules that compare what the user changed with a masked value that they did not give themselves. */
export function withheldRules(
  { entity, old }: Pick<Proposed, 'entity' | 'old'>,
  masked: ReadonlySet<string>,
  changed: readonly string[],
): readonly Rule[] {
  if (masked.size === 0) return []
  const isKept = (name: string) =>
    masked.has(name) &&
    (entity.fields[name].computed !== undefined || ((old?.[name] ?? null) !== null && !changed.includes(name)))
  return entity.rules.filter((rule) => {
    const read = inputsOfRule(rule, entity)
    return read.some(isKept) && read.some((name) => changed.includes(name))
  })
}

const known = new WeakMap<Entity, Map<string, Entity>>()

/** The entity with only these of its rules; always the same object, because what is known of it is kept by it. */
export function withRules(entity: Entity, rules: readonly Rule[]): Entity {
  if (rules.length === entity.rules.length) return entity
  const key = entity.rules.map((rule) => Number(rules.includes(rule))).join('')
  const variants = known.get(entity) ?? new Map<string, Entity>()
  known.set(entity, variants)
  const found = variants.get(key) ?? { ...entity, rules: [...rules] }
  variants.set(key, found)
  return found
}

/**
 * The withheld rules that are broken, of records that are about to be written and have no other problem.
 * @throws Refusal tooManyRequests.
 */
export async function checkWithheld(context: Context, db: Db, all: readonly Withheld[]): Promise<FieldProblem[][]> {
  await noteTries(
    context,
    db,
    all.map(({ entity, old, rules }) => ({ entity, id: old?.id ?? 0, fields: maskedInputs(context, entity, rules) })),
  )
  return all.map(({ entity, record, old, rules, changed, fields }) =>
    checkRecord(withRules(entity, rules), record, verdictContext(context, old, { changed, fields })),
  )
}

const maskedInputs = (context: Context, entity: Entity, rules: readonly Rule[]): Set<Field> =>
  new Set(
    rules
      .flatMap((rule) => inputsOfRule(rule, entity).map((name) => entity.fields[name]))
      .filter((field) => isTried(context, entity, field)),
  )
