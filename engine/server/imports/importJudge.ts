import { checkRules, isWritable } from '../../expression/verdict.ts'
import type { Entity, Label, RecordData, Transition } from '../../model/model.ts'
import { listed } from '../errors.ts'
import { type Accepted, verdictContext } from '../records/accept.ts'
import { applySets, isTrue, recompute, scopeOf } from '../records/effects.ts'
import { mapWithPauses } from '../records/mapWithPauses.ts'
import { accepted, problemsOf, type GivenRecord } from '../records/judge.ts'
import { openedEntity } from '../records/openedEntity.ts'
import type { Context, Db } from '../runtime.ts'
import { allows, unseenOf } from '../records/save.ts'
import { changedFields } from '../records/reading/canonical.ts'
import type { Draft } from './importDraft.ts'
import type { Existing } from './importExisting.ts'
import { type ImportBatch, targetEntity } from './importFile.ts'
import { promptedFields, outcomeOf } from './importOutcome.ts'
import { type ImportProblemName, problemOf } from './importProblems.ts'
import { quotes } from './importQuote.ts'
import {
  type Begun,
  changesNothing,
  conclude,
  type Judged,
  keyColumn,
  stateText,
  type Weighed,
} from './importVerdict.ts'

/** A row, and the record that it identifies. */
export interface IdentifiedRow {
  draft: Draft
  found: Existing | undefined
}

/**
 * Judges each row: the verdict of a form, in spreadsheet terms, and whether it adds, changes or skips.
 * @param held whether referenced records are locked until the rows are written
 */
export async function judge(
  context: Context,
  db: Db,
  batch: ImportBatch,
  rows: readonly IdentifiedRow[],
  held: boolean,
): Promise<Judged[]> {
  const entity = targetEntity(context, batch.plan)
  const begun = rows.map((row) => begin(context, batch, entity, row, held))
  const open = begun.filter((row) => 'given' in row)
  const taken = await accepted(
    context,
    db,
    open.map(({ given }) => given),
  )
  const weighed = new Map<Begun | Judged, Weighed | Judged>()
  await mapWithPauses(open, (row, index) => void weighed.set(row, weigh(context, batch, entity, row, taken[index])))
  const whole = [...weighed.values()].filter((row) => 'accepted' in row)
  const found = await problemsOf(
    context,
    db,
    whole.map(({ given, accepted: { problems: refused }, problems, record, old }) => ({
      entity: given.entity,
      record,
      old,
      already: [...refused, ...problems.flatMap(({ column: field }) => (field === undefined ? [] : [{ field }]))],
    })),
    { held },
  )
  const judged = new Map<Begun | Judged | Weighed, Judged>()
  await mapWithPauses(whole, (row, index) => void judged.set(row, conclude(context, batch, entity, row, found[index])))
  return begun.map((row) => {
    const weighedRow = weighed.get(row) ?? row
    return judged.get(weighedRow) ?? (weighedRow as Judged)
  })
}

const failedAs = (
  batch: ImportBatch,
  { draft, problems }: Pick<Judged, 'draft' | 'problems'>,
  name: ImportProblemName,
  parameters: Record<string, string | Label> = {},
): Judged => ({
  draft,
  status: 'failed',
  problems: [...problems, problemOf(name, parameters, keyColumn(batch))],
})

/** What follows from whether a record with its key exists. */
function begin(
  context: Context,
  batch: ImportBatch,
  entity: Entity,
  { draft, found }: IdentifiedRow,
  held: boolean,
): Begun | Judged {
  const { plan } = batch
  // If only existing records may be meant, the existence of one that the user may not see must not be revealed; nor,
  // before the row is written, by a number that is masked for others.
  const isSensitive = plan.key.some((name) => entity.fields[name].sensitive)
  const hidesExistence = plan.missing === 'refuse' || (isSensitive && !held)
  const existing = found === 'hidden' && hidesExistence ? undefined : found
  // For an existing record the filled cells are enough, apart from those that identify it and are compared, those it
  // never has, and those for the transition.
  const chooses = typeof plan.transition === 'object' ? plan.transition.by : undefined
  const needed = draft.empty.filter(
    ({ field, compared }) =>
      !existing || compared || plan.key.includes(field) || field === chooses || entity.fields[field].kept === false,
  )
  const problems = [...draft.problems, ...needed.map((column) => problemOf('required', {}, column))]
  const failed = (name: ImportProblemName, parameters: Record<string, string | Label> = {}): Judged =>
    failedAs(batch, { draft, problems }, name, parameters)
  const quote = quotes(context, plan, draft.row)
  const keyText = plan.key.map(quote).join(' ')

  if (existing === 'hidden') return failed('scope')
  if (existing === 'several') {
    const fill = plan.columns.filter(({ field }) => plan.key.includes(field) && draft.values[field] === undefined)
    return fill.length > 0
      ? failed('ambiguous', { value: keyText, fill: listed(fill.map(({ label }) => label)) })
      : failed('indistinct', { value: keyText })
  }
  const old = existing
  if (!old && plan.missing === 'refuse' && draft.key !== '') return failed('missing', { value: keyText })
  // Without the source record of a copy, the rest cannot be checked.
  if (!old && problems.some(({ column }) => column !== undefined && column === entity.copies?.by))
    return { draft, status: 'failed', problems }
  const updates = plan.existing === 'update' || (plan.existing === 'choose' && batch.updateExisting)
  if (old && plan.existing === 'refuse') return failed('taken', { value: keyText })
  if (old && !updates)
    return { draft, status: 'skipped', problems: [problemOf('skipped', { value: keyText }, keyColumn(batch))], old }
  return { draft, problems, given: givenRecord(context, batch, entity, draft, old ?? null) }
}

/**
 * The values of a row. Fields without a column take the value given for the whole file, unless they are computed;
 * existing records keep theirs.
 */
export function givenRecord(
  context: Context,
  { plan, given }: ImportBatch,
  entity: Entity,
  { values }: Draft,
  old: RecordData | null,
): GivenRecord {
  const whole = Object.entries(given).filter(
    ([name]) =>
      isWritable(entity.fields[name], context.derived.widgets) && (!old || entity.fields[name].kept === false),
  )
  const merged = { ...Object.fromEntries(whole), ...values }
  const prompted = [...promptedFields(entity, plan)].filter((name) => merged[name] !== undefined)
  const outcome = outcomeOf(entity, plan, { ...old, ...merged })
  const shown = outcome?.form.map(({ field }) => field) ?? []
  return { entity: openedEntity(entity, prompted, shown), values: merged, old, follows: true }
}

/** The row as it would be written, with the values that the import sets; or why it may not be written. */
function weigh(context: Context, batch: ImportBatch, entity: Entity, begun: Begun, taken: Accepted): Weighed | Judged {
  const { plan } = batch
  const { draft, problems, given } = begun
  const { old } = given
  const { record } = taken
  const outcome = outcomeOf(entity, plan, record)
  applySets(context, entity, plan, record, scopeOf(context, entity, record, old))
  recompute(context, entity, record)
  if (!old && !allows(context, entity, 'create', record)) return failedAs(batch, begun, 'notAllowed')
  const changed = changedFields(entity, old, record)
  // The values that identified a record were not guessed.
  const plain = unseenOf(
    context,
    entity,
    taken.given.filter((name) => !plan.key.includes(name)),
  )
  const row: Weighed = { ...begun, accepted: taken, record, old, outcome, changed, plain }
  const leavesAlone = changesNothing(batch, row) && problems.length === 0
  if (old && !leavesAlone && !mayUpdate(context, batch, entity, old, outcome)) {
    return {
      ...failedAs(batch, { draft, problems }, 'state', { state: stateText(context, entity, old, outcome) }),
      ...refusedUpdate(context, batch, entity, old),
      old,
    }
  }
  return row
}

function mayUpdate(
  context: Context,
  { plan }: ImportBatch,
  entity: Entity,
  old: RecordData,
  outcome: Transition | undefined,
): boolean {
  if (outcome && !outcome.from.includes(String(old[outcome.field]))) return false
  return (
    isTrue(context, entity, plan.updateWhen, scopeOf(context, entity, old, old)) &&
    (outcome !== undefined || allows(context, entity, 'update', old))
  )
}

/** The message in the import's words, if it has one. */
function refusedUpdate(
  context: Context,
  batch: ImportBatch,
  entity: Entity,
  old: RecordData,
): Pick<Judged, 'problems'> | undefined {
  const { updateMessage } = batch.plan
  const column = keyColumn(batch)
  if (!updateMessage || !column) return undefined
  const [{ message }] = checkRules(
    entity,
    [{ check: 'false', at: column.field, message: updateMessage }],
    old,
    verdictContext(context, old),
  )
  return { problems: [{ column: column.field, code: 'state', message }] }
}
