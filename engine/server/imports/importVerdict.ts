import { checkRules } from '../../expression/verdict.ts'
import { inputs } from '../../expression/conditions.ts'
import type {
  Entity,
  Field,
  FieldProblem,
  Foreseen,
  ImportColumn,
  ImportPlan,
  ImportProblem,
  Label,
  RecordData,
  Transition,
  Value,
} from '../../model/model.ts'
import { seesWhole } from '../identity/access.ts'
import { type Accepted, verdictContext } from '../records/accept.ts'
import { isTrue, recompute, scopeOf } from '../records/effects.ts'
import { rootOf, type GivenRecord } from '../records/judge.ts'
import type { Context } from '../runtime.ts'
import { canonicalValue, changedFields, isEqual } from '../records/reading/canonical.ts'
import { textForAll } from '../records/reading/words.ts'
import { valueText } from './importCells.ts'
import type { Draft } from './importDraft.ts'
import type { CheckedRow, ImportBatch } from './importFile.ts'
import { asHint, problemOf, rowProblem } from './importProblems.ts'
import { quotes } from './importQuote.ts'

/** The result of judging a row. */
export interface Judged {
  draft: Draft
  status: CheckedRow['status']
  problems: ImportProblem[]
  record?: RecordData
  old?: RecordData
  plain?: ReadonlySet<string>
}

/** A row that adds a record or may change one. */
export interface Begun {
  draft: Draft
  problems: ImportProblem[]
  given: GivenRecord
}

/** A row as it would be written. */
export interface Weighed extends Begun {
  accepted: Accepted
  record: RecordData
  old: RecordData | null
  outcome: Transition | undefined
  changed: string[]
  plain: ReadonlySet<string>
}

export const keyColumn = ({ plan }: ImportBatch) => plan.columns.find(({ field }) => field === plan.key[0])

/** A `finish` procedure sees the whole file, with the rows that repeat what the records have. */
export const changesNothing = ({ plan }: ImportBatch, { old, changed, plain }: Weighed): boolean =>
  old !== null && changed.length === 0 && plain.size === 0 && plan.transition === undefined && plan.finish === undefined

/** The verdict of the form and the import's own checks, in spreadsheet terms. */
export function conclude(
  context: Context,
  batch: ImportBatch,
  entity: Entity,
  row: Weighed,
  judged: readonly FieldProblem[],
): Judged {
  const { plan } = batch
  const { draft, record, old, outcome, changed, plain } = row
  const problems = [...row.problems]
  const quote = quotes(context, plan, draft.row)
  // A cell that could not be read is not an empty field.
  const unread = new Set(problems.flatMap(({ column }) => column ?? []))
  const wrong = [...row.accepted.problems, ...judged].filter(({ field }) => !unread.has(rootOf(field)))
  const faulty = new Set([...unread, ...wrong.map(({ field }) => rootOf(field))])
  // An empty cell that repeats an invalid one is not itself invalid.
  const follows = (name: string) =>
    draft.values[name] === undefined &&
    inputs(entity.fields[name]?.defaultFrom ?? 'null', entity).some((from) => faulty.has(from))
  const own = wrong.filter(({ field }) => !follows(rootOf(field)))
  problems.push(...own.map((problem) => inWords(context, plan, row, problem)))
  for (const { column, value } of draft.compared) {
    const field = entity.fields[column.field]
    // Right and wrong guesses at a masked value are answered alike.
    if (!seesWhole(context, entity, field)) {
      problems.push(problemOf('masked', {}, column))
      continue
    }
    const kept = record[column.field] ?? null
    if (isEqual(canonicalValue(context, field, value), kept)) continue
    // A look-up through a cell with an error has no value to compare.
    if (kept === null && faulty.size > 0) continue
    problems.push(problemOf('differs', { value: keptText(context, field, kept) }, column))
  }
  problems.push(...givenProblems(batch, record).filter(({ column }) => column === undefined || !unread.has(column)))
  problems.push(
    ...promptProblems(plan.columns, outcome, entity, record),
    ...transitionProblems(context, outcome, entity, old ?? record, record),
  )
  problems.push(
    ...checkRules(
      entity,
      plan.checks.filter((check) => !check.hint && !faulty.has(check.at)),
      record,
      verdictContext(context, old, { changed }),
    ).map((problem) => rowProblem(problem, plan.columns, quote)),
  )
  if (old && problems.length === 0 && changesNothing(batch, row))
    return { draft, status: 'skipped', problems: [problemOf('unchanged', {}, keyColumn(batch))], old }
  return {
    draft,
    status: problems.length > 0 ? 'failed' : old ? 'toUpdate' : 'toCreate',
    problems,
    record,
    ...(old && { old, plain }),
  }
}

/** A form's message for a field, with the value, because a file has many. */
function inWords(context: Context, plan: ImportPlan, { draft, record, given }: Weighed, problem: FieldProblem) {
  const { field: name, code } = problem
  const quote = quotes(context, plan, draft.row)
  const at = plan.columns.find(({ field }) => field === name)
  if (code === 'reference' && at && quote(name) !== '') return problemOf('reference', { value: quote(name) }, at)
  const value = record[name]
  // For a list the form names the item.
  if (code !== 'unique' || value === undefined || Array.isArray(value)) return rowProblem(problem, plan.columns, quote)
  const field = given.entity.fields[name]
  const takenProblem = problemOf(
    'taken',
    { value: field.sensitive ? textForAll(context, field, value) : valueText(value) },
    at ?? { field: name, label: field.label, required: false, compared: false },
  )
  return { ...takenProblem, column: at?.field }
}

/** Hints about a row that is written nevertheless. */
export function hintsOf(
  context: Context,
  { plan }: ImportBatch,
  entity: Entity,
  { draft, record, old }: Judged,
  foreseen: Foreseen['values'] = {},
): ImportProblem[] {
  const hints = plan.checks.filter(({ hint }) => hint)
  if (hints.length === 0) return []
  const seen: RecordData = { ...record, ...foreseen }
  recompute(context, entity, seen)
  return checkRules(
    entity,
    hints,
    seen,
    verdictContext(context, old ?? null, { changed: changedFields(entity, old ?? null, seen) }),
  ).map((problem) => asHint(rowProblem(problem, plan.columns, quotes(context, plan, draft.row))))
}

/** The record differs from a value given for the whole file. */
const givenProblems = ({ plan, given }: ImportBatch, record: RecordData): ImportProblem[] =>
  plan.given.flatMap(({ field, label }) => {
    if (!Object.hasOwn(given, field) || isEqual(given[field], record[field] ?? null)) return []
    const column = plan.columns.find((each) => each.field === field)
    return [{ ...problemOf('given', { column: label }), ...(column && { column: field }) }]
  })

/** The record's value in every language; sensitive values are masked. */
const keptText = (context: Context, field: Field, value: Value): Label =>
  Object.fromEntries(
    Object.keys(field.label).map((language) => [language, textForAll({ ...context, language }, field, value)]),
  )

export function stateText(
  context: Context,
  { fields, states }: Entity,
  old: RecordData,
  outcome: Transition | undefined,
): Label | string {
  const field = outcome?.field ?? states[0]?.field
  return field === undefined ? '' : keptText(context, fields[field], old[field] ?? null)
}

/** Fields that the transition's dialog would require, if their cells are empty. */
const promptProblems = (
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
