import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/records/history.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { Entity, Field, Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { verdictContext } from '../../../engine/server/accept.ts'
import { isVisible, isWritable } from '../../../engine/schema/verdict.ts'
import { column, entityOf, isAnyOf, isLive } from '../settlement/stored.ts'
import { readWhole } from './readWhole.ts'

const draftThere: Label = { cn: '该政策已有修订草稿', en: 'There is a draft of it already' }

/**
 * A draft of the next version, as the policy in force is; that one stays in force until the draft is put in force.
 * @throws Refusal notAllowed.
 */
export const revisePolicy: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'policy')
  for (const policy of await readWhole(context, db, 'policy', [
    isAnyOf(
      'id',
      records.map(({ id }) => id!),
    ),
  ])) {
    await refuseSecondDraft(context, db, policy)
    const draft: RecordData = {
      ...copyOf(context, entity, policy),
      fromId: null,
      status: 'draft',
      effectiveFrom: nextFrom(context, policy),
      effectiveTo: null,
      policyNo: policy.policyNo,
      version: Number(policy.version) + 1,
      previousPolicy: policy.id,
    }
    recompute(context, entity, draft)
    await insertRecords(context, db, entity, [draft])
    await writeHistory(context, db, entity, 'create', draft, null)
    await writeHistory(context, db, entity, 'revise', policy, policy)
  }
}

/** The next month that a version after this one may begin with. */
function nextFrom(context: Context, { effectiveFrom }: RecordData): string {
  const [next, after] = [context.now.slice(0, 7), String(effectiveFrom)].map((month) => addMonths(month, 1)!)
  return next > after ? next : after
}

async function refuseSecondDraft(context: Context, db: Db, { policyNo }: RecordData): Promise<void> {
  const [draft] = await readWhole(context, db, 'policy', [
    isLive,
    sql<boolean>`${column('policyNo')} = ${policyNo} and ${column('status')} = 'draft'`,
  ])
  if (draft) throw new Refusal('notAllowed', { text: draftThere })
}

/**
 * What may be written of a record, its rows as new ones; an account knows which one it is a revision of. Families that
 * came later begin with their items.
 */
function copyOf(context: Context, entity: Entity, record: RecordData): RecordData {
  const copied = (field: Field): Value | undefined => {
    const target = context.derived.target(field)
    if (!target?.rows) return isWritable(field, context.derived.widgets) ? (record[field.name] ?? null) : undefined
    const rows = (record[field.name] ?? []) as RecordData[]
    const made = rows.map((row): RecordData => {
      const copy = {
        ...copyOf(context, target.entity, row),
        ...target.rows!.where,
        ...(target.entity.fields.revisionOf && { revisionOf: row.id }),
      }
      // Formulas may read what a row is a row of.
      recompute(context, target.entity, copy)
      return copy
    })
    return made.length > 0 || !isVisible(entity, field, record, verdictContext(context, null))
      ? (made as Value)
      : structuredClone(field.default ?? null)
  }
  return Object.fromEntries(
    Object.values(entity.fields).flatMap((field): [string, Value][] => {
      const value = copied(field)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}
