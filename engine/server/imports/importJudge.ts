import { checkField, checkRecord, checkRules, inputs, isReadOnly, isRequired } from '../../schema/verdict.ts'
import type {
  Entity,
  Field,
  Foreseen,
  ImportColumn,
  ImportProblem,
  Label,
  RecordData,
  Transition,
  Value,
} from '../../schema/model.ts'
import { accept, verdictContext } from '../accept.ts'
import { applySets, isTrue, recompute, scopeOf } from '../records/effects.ts'
import type { Context } from '../runtime.ts'
import { allows } from '../records/save.ts'
import { canonicalValue, changedFields, isEqual } from '../stored.ts'
import { textForAll } from '../words.ts'
import type { Draft } from './importDraft.ts'
import type { Existing } from './importExisting.ts'
import type { CheckedRow, ImportBatch } from './importFile.ts'
import { askedFields, outcomeOf } from './importOutcome.ts'
import { asHint, type ImportProblemName, problemOf, rowProblem } from './importProblems.ts'
import { quotes } from './importQuote.ts'

/** What a row comes to. */
export interface Judged {
  draft: Draft
  status: CheckedRow['status']
  problems: ImportProblem[]
  record?: RecordData
  old?: RecordData
}

/** What the row says, with what a new record copies, and what is looked up of the records that this refers to. */
export interface Given {
  sent: Record<string, Value>
  lookups: RecordData
}

/**
 * The verdict on one row: what a form would say of it, in the words of a spreadsheet, and whether it adds, changes or
 * leaves alone.
 */
export function judge(
  context: Context,
  batch: ImportBatch,
  entity: Entity,
  draft: Draft,
  found: Existing | undefined,
  { sent, lookups }: Given,
): Judged {
  const { plan } = batch
  // Where only records that are there are meant, whether there is one that the user may not see shall not be learnt.
  const existing = found === 'hidden' && plan.missing === 'refuse' ? undefined : found
  // Of a record that is there the filled cells are enough, but for those that it is found by and compared with, what it
  // never has, and what follows.
  const chooses = typeof plan.transition === 'object' ? plan.transition.by : undefined
  const needed = draft.empty.filter(
    ({ field, compared }) =>
      !existing || compared || plan.key.includes(field) || field === chooses || entity.fields[field].kept === false,
  )
  const problems = [...draft.problems, ...needed.map((column) => problemOf('required', {}, column))]
  const failed = (name: ImportProblemName, parameters: Record<string, string | Label> = {}): Judged => ({
    draft,
    status: 'failed',
    problems: [...problems, problemOf(name, parameters, keyColumn(batch))],
  })
  const quote = quotes(context, plan, draft.row)
  const keyText = plan.key.map(quote).join(' ')

  if (existing === 'hidden') return failed('scope')
  if (existing === 'several') return failed('several', { value: keyText })
  const old = existing
  if (!old && plan.missing === 'refuse' && draft.key !== '') return failed('missing', { value: keyText })
  // Without the record that a new one copies, nothing can be said of the rest.
  if (!old && problems.some(({ column }) => column !== undefined && column === entity.copies?.by))
    return { draft, status: 'failed', problems }
  const updates = plan.existing === 'update' || (plan.existing === 'choose' && batch.updateExisting)
  if (old && plan.existing === 'refuse') return failed('taken', { value: keyText })
  if (old && !updates)
    return { draft, status: 'skipped', problems: [problemOf('skipped', { value: keyText }, keyColumn(batch))], old }

  const asked = askedFields(entity, plan)
  const accepted = accept(context, entity, sent, old ?? null, lookups, asked)
  const { record } = accepted
  const outcome = outcomeOf(entity, plan, record)
  const set = { ...(old && lacking(context, entity, record, old)), ...plan.set }
  applySets(context, entity, { set }, record, scopeOf(context, entity, record, old ?? null))
  recompute(context, entity, record)
  if (!old && !allows(context, entity, 'create', record)) return failed('notAllowed')
  const changed = changedFields(entity, old ?? null, record)
  const leavesAlone = changed.length === 0 && problems.length === 0 && plan.transition === undefined
  if (old && !leavesAlone && !mayUpdate(context, batch, entity, old, outcome)) {
    return {
      ...failed('state', { state: stateText(context, entity, old, outcome) }),
      ...refusedUpdate(context, batch, entity, old),
      old,
    }
  }
  // What could not be read is no empty field.
  const unread = new Set(problems.flatMap(({ column }) => column ?? []))
  const verdict = verdictContext(context, old ?? null, { changed })
  // What a form only shows is good by itself there; here it was filled in.
  const open = [...asked]
    .map((name) => entity.fields[name])
    .filter((field) => draft.values[field.name] !== undefined && isReadOnly(entity, field, record, verdict))
  const wrong = [
    ...accepted.problems,
    ...open.flatMap(({ readOnlyWhen: _, ...field }) =>
      checkField(entity, { ...field, readOnly: false }, record, verdict),
    ),
    ...checkRecord(entity, record, verdict),
  ].filter(({ field }) => !unread.has(rootOf(field)))
  const faulty = new Set([...unread, ...wrong.map(({ field }) => rootOf(field))])
  // An empty cell that took over what is wrong in another is not wrong itself.
  const follows = (name: string) =>
    draft.values[name] === undefined &&
    inputs(entity.fields[name]?.defaultFrom ?? 'null', entity).some((from) => faulty.has(from))
  const own = wrong.filter(({ field }) => !follows(rootOf(field)))
  problems.push(...own.map((problem) => rowProblem(problem, plan.columns, quote)))
  for (const { column, value } of draft.compared) {
    const field = entity.fields[column.field]
    const kept = record[column.field] ?? null
    if (isEqual(canonicalValue(context, field, value), kept)) continue
    problems.push(problemOf('differs', { value: keptText(context, field, kept) }, column))
  }
  problems.push(...givenProblems(batch, record).filter(({ column }) => column === undefined || !unread.has(column)))
  problems.push(
    ...askedProblems(plan.columns, outcome, entity, record),
    ...transitionProblems(context, outcome, entity, old ?? record, record),
  )
  problems.push(
    ...checkRules(
      entity,
      plan.checks.filter((one) => !one.hint && !faulty.has(one.at)),
      record,
      verdict,
    ).map((problem) => rowProblem(problem, plan.columns, quote)),
  )
  if (old && problems.length === 0 && changed.length === 0 && plan.transition === undefined) {
    return { draft, status: 'skipped', problems: [problemOf('unchanged', {}, keyColumn(batch))], old }
  }
  return {
    draft,
    status: problems.length > 0 ? 'failed' : old ? 'toUpdate' : 'toCreate',
    problems,
    record,
    ...(old && { old }),
  }
}

/** Hints about a row that is written nevertheless. */
export function hintsOf(
  context: Context,
  { plan }: ImportBatch,
  entity: Entity,
  { draft, record, old }: Judged,
  foreseen: Foreseen['values'] = {},
): ImportProblem[] {
  const seen: RecordData = { ...record, ...foreseen }
  recompute(context, entity, seen)
  const hints = plan.checks.filter(({ hint }) => hint)
  return checkRules(
    entity,
    hints,
    seen,
    verdictContext(context, old ?? null, { changed: changedFields(entity, old ?? null, seen) }),
  ).map((problem) => asHint(rowProblem(problem, plan.columns, quotes(context, plan, draft.row))))
}

/**
 * What an update makes necessary, or what follows from what it changes, and no cell says, comes from where a new record
 * has it from, as a form fills it in.
 */
const lacking = (context: Context, entity: Entity, record: RecordData, old: RecordData): Record<string, string> => {
  const changed = new Set(changedFields(entity, old, record))
  return Object.fromEntries(
    Object.values(entity.fields).flatMap((field) => {
      const { name, defaultFrom } = field
      if (defaultFrom === undefined || (record[name] ?? null) !== null || changed.has(name)) return []
      const follows = inputs(defaultFrom, entity).some((input) => changed.has(input))
      return follows || isRequired(entity, field, record, verdictContext(context, old)) ? [[name, defaultFrom]] : []
    }),
  )
}

/** A record that is not what was said for the whole file. */
const givenProblems = ({ plan, given }: ImportBatch, record: RecordData): ImportProblem[] =>
  plan.given.flatMap(({ field, label }) => {
    if (!Object.hasOwn(given, field) || isEqual(given[field], record[field] ?? null)) return []
    const column = plan.columns.find((one) => one.field === field)
    return [{ ...problemOf('given', { column: label }), ...(column && { column: field }) }]
  })

const rootOf = (path: string): string => path.split('.')[0]

export const keyColumn = ({ plan }: ImportBatch) => plan.columns.find(({ field }) => field === plan.key[0])

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

/** What the record has, in every language; what is not for everybody as those see it who may not see it whole. */
const keptText = (context: Context, field: Field, value: Value): Label =>
  Object.fromEntries(
    Object.keys(field.label).map((language) => [language, textForAll({ ...context, language }, field, value)]),
  )

function stateText(
  context: Context,
  { fields, states }: Entity,
  old: RecordData,
  outcome: Transition | undefined,
): Label | string {
  const field = outcome?.field ?? states[0]?.field
  return field === undefined ? '' : keptText(context, fields[field], old[field] ?? null)
}

/** What the dialog of the transition would not do without, if the cell is empty too. */
const askedProblems = (
  columns: readonly ImportColumn[],
  outcome: Transition | undefined,
  { fields }: Entity,
  record: RecordData,
): ImportProblem[] =>
  (outcome?.form ?? [])
    .filter(({ field, required }) => required && (record[field] ?? null) === null)
    .map(({ field, label }) =>
      problemOf(
        'required',
        {},
        columns.find((column) => column.field === field) ?? {
          field,
          label: label ?? fields[field].label,
          required: true,
          compared: false,
        },
      ),
    )

function transitionProblems(
  context: Context,
  transition: Transition | undefined,
  entity: Entity,
  before: RecordData,
  record: RecordData,
): ImportProblem[] {
  if (!transition) return []
  if (!isTrue(context, entity, transition.when, scopeOf(context, entity, record, before))) {
    return [problemOf('state', { state: stateText(context, entity, before, transition) })]
  }
  return checkRules(entity, transition.guards, record, verdictContext(context, before)).map(({ code, message }) => ({
    code,
    message,
  }))
}
