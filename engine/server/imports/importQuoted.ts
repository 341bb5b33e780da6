import type { ImportPlan, ImportProblem, RecordData } from '../../model/model.ts'
import type { Quoted, StoredMessage } from '../records/reading/storedMessages.ts'
import { idsOf } from '../records/reading/references.ts'
import { lookedThrough } from '../records/visibleReferences.ts'
import type { Context } from '../runtime.ts'
import { targetEntity } from './importFile.ts'
import { neutralOf, quotesFileOnly } from './importProblems.ts'

/** A problem as it is stored, for all who may read the row. */
export type StoredProblem = ImportProblem & StoredMessage

/**
 * Problems are worded for who has the row checked, and read by others and later: each names the records that it may
 * quote, namely the row's own, those that its record looks something up in, and those that a refusal named.
 * @param values the record as it would be written, or what is known of it
 */
export function withQuoted(
  context: Context,
  plan: ImportPlan,
  problems: readonly ImportProblem[],
  { old, values, named = [] }: { old: number | undefined; values: RecordData; named?: readonly Quoted[] },
): StoredProblem[] {
  if (problems.every(quotesFileOnly)) return [...problems]
  const entity = targetEntity(context, plan)
  const quoted: Quoted[] = [
    ...(old === undefined ? [] : [{ entity: entity.name, id: old, own: true as const }]),
    ...lookedThrough(context, entity).flatMap(({ field, target }) =>
      idsOf(values[field.name]).map((id) => ({ entity: target.name, id })),
    ),
    ...named,
  ]
  if (quoted.length === 0) return [...problems]
  return problems.map((problem) =>
    quotesFileOnly(problem) ? problem : { ...problem, quoted, neutral: neutralOf(problem, plan.columns) },
  )
}
