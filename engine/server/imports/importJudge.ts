import { checkRules, isWritable } from '../../expression/verdict.ts'
import type { Entity, Label, RecordData, Transition } from '../../model/model.ts'
import { listed } from '../errors.ts'
import { type Accepted, verdictContext } from '../records/accept.ts'
import { applySets, isTrue, recompute, scopeOf } from '../records/effects.ts'
import { inTurn } from '../records/inTurn.ts'
import { accepted, problemsOf, type Said } from '../records/judge.ts'
import { opened } from '../records/opened.ts'
import type { Context, Db } from '../runtime.ts'
import { allows, unseenOf } from '../records/save.ts'
import { changedFields } from '../records/reading/canonical.ts'
import type { Draft } from './importDraft.ts'
import type { Existing } from './importExisting.ts'
import { type ImportBatch, targetEntity } from './importFile.ts'
import { askedFields, outcomeOf } from './importOutcome.ts'
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

/** A row, and the record that is meant by it. */
export interface Meant {
  draft: Draft
  found: Existing | undefined
}

/**
 * The verdict on each row: what a form would say of it, in the words of a spreadsheet, and whether it adds, changes or
 * leaves alone.
 * @param held the records that the rows refer to stay as they are until the transaction ends
 */
export async function judge(
  context: Context,
  db: Db,
  batch: ImportBatch,
  rows: readonly Meant[],
  held: boolean,
): Promise<Judged[]> {
  const entity = targetEntity(context, batch.plan)
  const begun = rows.map((row) => begin(context, batch, entity, row, held))
  const open = begun.filter((row) => 'said' in row)
  const taken = await accepted(
    context,
    db,
    open.map(({ said }) => said),
  )
  const weighed = new Map<Begun | Judged, Weighed | Judged>()
  await inTurn(open, (row, index) => void weighed.set(row, weigh(context, batch, entity, row, taken[index])))
  const whole = [...weighed.values()].filter((row) => 'accepted' in row)
  const found = await problemsOf(
    context,
    db,
    whole.map(({ said, accepted: { problems: refused }, problems, record, old }) => ({
      entity: said.entity,
      record,
      old,
      already: [...refused, ...problems.flatMap(({ column: field }) => (field === undefined ? [] : [{ field }]))],
    })),
    { held },
  )
  const judged = new Map<Begun | Judged | Weighed, Judged>()
  await inTurn(whole, (row, index) => void judged.set(row, conclude(context, batch, entity, row, found[index])))
  return begun.map((row) => {
    const one = weighed.get(row) ?? row
    return judged.get(one) ?? (one as Judged)
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

/** What follows already from whether there is a record with its key. */
function begin(
  context: Context,
  batch: ImportBatch,
  entity: Entity,
  { draft, found }: Meant,
  held: boolean,
): Begun | Judged {
  const { plan } = batch
  // Where only records that are there are meant, whether there is one that the user may not see shall not be learnt; nor
  // by a number that is masked for others, before the row is written.
  const isSensitive = plan.key.some((name) => entity.fields[name].sensitive)
  const isUntold = plan.missing === 'refuse' || (isSensitive && !held)
  const existing = found === 'hidden' && isUntold ? undefined : found
  // Of a record that is there the filled cells are enough, but for those that it is found by and compared with, what it
  // never has, and what follows.
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
  // Without the record that a new one copies, nothing can be said of the rest.
  if (!old && problems.some(({ column }) => column !== undefined && column === entity.copies?.by))
    return { draft, status: 'failed', problems }
  const updates = plan.existing === 'update' || (plan.existing === 'choose' && batch.updateExisting)
  if (old && plan.existing === 'refuse') return failed('taken', { value: keyText })
  if (old && !updates)
    return { draft, status: 'skipped', problems: [problemOf('skipped', { value: keyText }, keyColumn(batch))], old }
  return { draft, problems, said: saidBy(context, batch, entity, draft, old ?? null) }
}

/**
 * What the row says. What no column says is what was said for the whole file, where it is not to be worked out; what
 * records have stays theirs.
 */
export function saidBy(
  context: Context,
  { plan, given }: ImportBatch,
  entity: Entity,
  { values }: Draft,
  old: RecordData | null,
): Said {
  const whole = Object.entries(given).filter(
    ([name]) =>
      isWritable(entity.fields[name], context.derived.widgets) && (!old || entity.fields[name].kept === false),
  )
  const said = { ...Object.fromEntries(whole), ...values }
  const asked = [...askedFields(entity, plan)].filter((name) => said[name] !== undefined)
  const outcome = outcomeOf(entity, plan, { ...old, ...said })
  const shown = outcome?.form.map(({ field }) => field) ?? []
  return { entity: opened(entity, asked, shown), values: said, old, follows: true }
}

/** The row as it would be written, with what the import sets itself; or that it may not be. */
function weigh(context: Context, batch: ImportBatch, entity: Entity, begun: Begun, taken: Accepted): Weighed | Judged {
  const { plan } = batch
  const { draft, problems, said } = begun
  const { old } = said
  const { record } = taken
  const outcome = outcomeOf(entity, plan, record)
  applySets(context, entity, plan, record, scopeOf(context, entity, record, old))
  recompute(context, entity, record)
  if (!old && !allows(context, entity, 'create', record)) return failedAs(batch, begun, 'notAllowed')
  const changed = changedFields(entity, old, record)
  // What a record was found by was not guessed.
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

/** What is said of it in the words of the import, where it has some. */
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
