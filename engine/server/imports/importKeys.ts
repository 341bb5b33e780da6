import type { Value } from '../../model/model.ts'
import { accepted } from '../records/judge.ts'
import { canonicalValue } from '../records/reading/canonical.ts'
import type { Context, Db } from '../runtime.ts'
import { valueText } from './importCells.ts'
import type { Draft } from './importDraft.ts'
import { mayBeEmpty } from './importExisting.ts'
import type { ImportBatch } from './importFile.ts'
import { givenRecord } from './importJudge.ts'

/** Sets the key of each row. A part of the key without a column is computed as for a new record. */
export async function keyRows(context: Context, db: Db, batch: ImportBatch, drafts: readonly Draft[]): Promise<void> {
  const { plan } = batch
  const entity = context.derived.catalog.entities[plan.into]
  const hasColumn = (name: string) => plan.columns.some(({ field }) => field === name)
  const made = plan.key.every(hasColumn)
    ? []
    : await accepted(
        context,
        db,
        drafts.map((draft) => givenRecord(context, batch, entity, draft, null)),
      )
  drafts.forEach((draft, index) => {
    const values = plan.key.map((name): Value => {
      const value = (hasColumn(name) ? draft.values : made[index].record)[name] ?? null
      return canonicalValue(context, entity.fields[name], value)
    })
    const isWhole = values.every((value, at) => value !== null || mayBeEmpty(plan, plan.key[at]))
    draft.sought = Object.fromEntries(plan.key.map((name, at) => [name, values[at]]))
    draft.key = isWhole ? values.map(valueText).join(' ') : ''
  })
}
