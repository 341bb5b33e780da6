/**
 * The values and problems of a record, however it is changed: a form, a cell, a dialog, a row of a file. It takes a
 * list (a form is a list of one, a file one of hundreds), and queries the database as often for one record as for many.
 * The records of a list belong to one entity.
 */
import { checkRecord } from '../../expression/verdict.ts'
import type { Entity, FieldProblem, RecordData, SaveRequest } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { accept, type Accepted, verdictContext } from './accept.ts'
import { recompute } from './effects.ts'
import { mapWithPauses } from './mapWithPauses.ts'
import { copied, lookUp } from './reading/lookups.ts'
import { canonicalValue, changedFields, isEqual } from './reading/canonical.ts'
import { isMaskOf } from './reading/words.ts'
import type { Proposed } from './writtenValues.ts'
import { checkWithheld, maskedFields, withheldRules, withRules } from './maskedRules.ts'
import { verify } from './verify.ts'
import { withoutHidden } from './visibleReferences.ts'

/** The values given for a record. */
export interface GivenRecord {
  /** As the operation sees it: the fields that it prompts for are writable. */
  entity: Entity
  values: SaveRequest['values']
  /** Null for a new one. */
  old: RecordData | null
  /** Fills in what follows from the changes of an existing record, as a form does before saving. */
  follows?: boolean
}

/** Merges the values with look-ups through the record's resulting references, including those of its defaults. */
export async function accepted(context: Context, db: Db, all: readonly GivenRecord[]): Promise<Accepted[]> {
  if (all.length === 0) return []
  const { entity } = all[0]
  const copies = await copied(
    context,
    db,
    entity,
    all.map(({ values, old }) => (old ? {} : values)),
  )
  const sent = all.map(({ values }, index) => withCopies(context, entity, values, copies[index]))
  // A record that the user may not see counts as missing: nothing is looked up through it.
  const lookedUp = async (records: readonly RecordData[], array: readonly GivenRecord[]) =>
    lookUp(
      context,
      db,
      entity,
      await withoutHidden(
        context,
        db,
        entity,
        records.map((record, index) => ({ record, old: array[index].old })),
      ),
    )
  const lookups = await lookedUp(sent, all)
  const take = (given: GivenRecord, index: number): Accepted => {
    const { entity: seen, old, follows } = given
    const result = accept(context, seen, sent[index], old, { lookups: lookups[index], follows })
    // Records may be found by the result of a formula over the others.
    recompute(context, seen, result.record)
    return result
  }
  const results = await mapWithPauses(all, take)
  const elsewhere = all.flatMap((given, index) =>
    refersElsewhere(context, given, sent[index], results[index].record) ? [index] : [],
  )
  if (elsewhere.length === 0) return results
  const more = await lookedUp(
    elsewhere.map((index) => results[index].record),
    elsewhere.map((index) => all[index]),
  )
  elsewhere.forEach((index, place) => Object.assign(lookups[index], more[place]))
  for (const index of elsewhere) results[index] = take(all[index], index)
  return results
}

/** A user who was shown a masked copy sends the mask back. */
function withCopies(context: Context, entity: Entity, values: SaveRequest['values'], copies: SaveRequest['values']) {
  if (Object.keys(copies).length === 0) return values
  const masks = Object.keys(copies).filter((name) =>
    isMaskOf(context, entity, entity.fields[name], values[name], copies[name]),
  )
  return { ...copies, ...Object.fromEntries(Object.entries(values).filter(([name]) => !masks.includes(name))) }
}

/** Whether the merged record refers to other records than those that were looked up. */
function refersElsewhere(
  context: Context,
  { entity, old }: GivenRecord,
  sent: RecordData,
  record: RecordData,
): boolean {
  return lookedThrough(entity).some((by) => {
    const known = Object.hasOwn(sent, by) ? canonicalValue(context, entity.fields[by], sent[by]) : old?.[by]
    return !isEqual(known, record[by])
  })
}

const known = new WeakMap<Entity['fields'], readonly string[]>()

/** The references that look-ups go through, except those that are found themselves. */
function lookedThrough({ fields }: Entity): readonly string[] {
  let names = known.get(fields)
  if (!names) {
    const looked = Object.values(fields).flatMap(({ computed }) =>
      computed?.kind === 'lookup' || computed?.kind === 'find' ? [computed.by] : [],
    )
    names = [...new Set(looked)].filter((by) => fields[by].computed?.kind !== 'find')
    known.set(fields, names)
  }
  return names
}

interface Judgeable extends Proposed {
  /** Its known problems: those fields are not checked again. */
  already: readonly Pick<FieldProblem, 'field'>[]
}

/**
 * The problems that the shared verdict finds, and those that only the database knows.
 * @param held false if the records that they refer to may change before these are written
 */
export async function problemsOf(
  context: Context,
  db: Db,
  all: readonly Judgeable[],
  { held = true } = {},
): Promise<FieldProblem[][]> {
  const masked = all.length > 0 ? maskedFields(context, all[0].entity) : new Set<string>()
  const verdicts = await mapWithPauses(all, ({ entity, record, old, already, fields }) => {
    const changed = changedFields(entity, old, record)
    const rules = withheldRules({ entity, old }, masked, changed)
    const open = withRules(
      entity,
      entity.rules.filter((rule) => !rules.includes(rule)),
    )
    const refused = new Set(already.map(({ field }) => field))
    const problems = checkRecord(open, record, verdictContext(context, old, { changed, fields })).filter(
      ({ field }) => !refused.has(field) && !refused.has(rootOf(field)),
    )
    const wrong = new Set([...refused, ...problems.map(({ field }) => field)].map(rootOf))
    // A value of the wrong type would be an error in SQL, not an answer.
    const sound = changed.filter((name) => !wrong.has(name))
    const verifiable =
      sound.length === changed.length ? fields : sound.filter((name) => !fields || fields.includes(name))
    return { problems, verifiable, rules, changed, isGood: problems.length + already.length === 0 }
  })
  const found = await verify(
    context,
    db,
    all.map(({ entity, record, old }, index) => ({
      entity,
      record,
      old,
      fields: verdicts[index].verifiable,
      isGood: verdicts[index].isGood,
    })),
    held,
  )
  const answers = verdicts.map(({ problems }, index) => [...problems, ...found[index]])
  // A check without writing reveals nothing about values that the user sees masked.
  const withheld = verdicts.flatMap(({ rules, changed, isGood }, index) =>
    held && isGood && answers[index].length === 0 && rules.length > 0
      ? [{ index, item: { ...all[index], rules, changed } }]
      : [],
  )
  if (withheld.length === 0) return answers
  const broken = await checkWithheld(
    context,
    db,
    withheld.map(({ item }) => item),
  )
  withheld.forEach(({ index }, place) => answers[index].push(...broken[place]))
  return answers
}

/** The field of a record with a problem: `contacts` of `contacts.0.mobile`. */
export const rootOf = (path: string): string => path.split('.')[0]
