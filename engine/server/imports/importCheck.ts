import { checkRecord, checkRules, inputs, isRequired } from '../../schema/verdict.ts'
import type { Entity, Field, ImportColumn, ImportProblem, Label, RecordData, Value } from '../../schema/model.ts'
import { accept, verdictContext } from '../accept.ts'
import { applySets, isTrue, recompute, scopeOf } from '../effects.ts'
import { copied, lookUp } from '../lookups.ts'
import type { Context, Db } from '../runtime.ts'
import { allows } from '../save.ts'
import { canonicalValue, changedFields, isEqual } from '../stored.ts'
import { masked, textOf } from '../words.ts'
import { cellAddress } from '../sheets/cellAddress.ts'
import { cellValue, isAsAbove, valueText } from './importCells.ts'
import { findExisting, type Existing } from './importExisting.ts'
import { type CheckedRow, type FileRow, type ImportBatch, targetEntity } from './importFile.ts'
import { keepExported } from './importKept.ts'
import { type ImportProblemName, problemOf, rowProblem } from './importProblems.ts'
import { findReferences, type Found } from './importReferences.ts'
import { takenValues, type Wanted } from './importUnique.ts'
import { claimValues } from './importValues.ts'

/** A row on its way: the values that it gives, as the API would be sent them, and the required columns in which it says nothing. */
interface Draft {
  row: FileRow
  key: string
  values: Record<string, Value>
  empty: ImportColumn[]
  compared: { column: ImportColumn; value: Value }[]
  problems: ImportProblem[]
}

/**
 * Everything that is wrong with these rows, and what they would come to: the same verdict as a form gets, and what only the database
 * knows, one query for each column. Writes nothing but which row has which value within the file.
 * @param lock the records that would be updated, until the transaction ends
 */
export async function checkRows(context: Context, db: Db, batch: ImportBatch, rows: readonly FileRow[], { lock = false } = {}): Promise<CheckedRow[]> {
  const entity = targetEntity(context, batch.plan)
  const drafts = await draftRows(context, db, batch, rows)
  const existing = await findExisting(context, db, batch.plan, drafts.filter(({ key }) => key !== '').map(({ values }) => values), lock)
  const found = (key: string) => key === '' ? undefined : existing.get(key)
  await keepExported(context, db, entity, batch.plan.columns, drafts.flatMap((draft) => {
    const old = found(draft.key)
    return old === undefined || old === 'hidden' ? [] : [{ ...draft, old }]
  }))
  const copies = await copied(context, db, entity, drafts.map(({ values }) => values))
  const sent = drafts.map(({ key, values }, index) => found(key) ? values : { ...copies[index], ...values })
  const lookups = await lookUp(context, db, entity, sent)
  const checked = drafts.map((draft, index) => judge(context, batch, entity, draft, found(draft.key), { sent: sent[index], lookups: lookups[index] }))
  await checkValues(context, db, batch, entity, checked)
  return checked.map((row) => finished(batch, row))
}

// ─── What the cells say ──────────────────────────────────────────────────────────────────────────────────────────────────

async function draftRows(context: Context, db: Db, { plan }: ImportBatch, rows: readonly FileRow[]): Promise<Draft[]> {
  const entity = context.derived.catalog.entities[plan.into]
  const textIn = (row: FileRow, column: ImportColumn) => {
    const text = row.cells[column.field] ?? ''
    return column.sameAs !== undefined && isAsAbove(text) ? row.cells[column.sameAs] ?? '' : text
  }
  const drafts = rows.map((row): Draft => ({ row, key: '', values: {}, empty: [], compared: [], problems: [] }))
  for (const column of plan.columns) {
    const field = entity.fields[column.field]
    const given = rows.map((row) => {
      const text = textIn(row, column)
      return text === '' ? undefined : cellValue(context, field, text)
    })
    const refers = context.derived.target(field) !== undefined
    const found = refers ? await findReferences(context, db, field, given.flatMap(textsIn)) : undefined
    drafts.forEach((draft, index) => {
      const value = given[index]
      if (value === undefined) {
        if (column.required) draft.empty.push(column)
        return
      }
      const meant = found ? resolved(value, column, found, draft.problems) : value as Value
      if (meant === undefined) return
      if (column.compared) draft.compared.push({ column, value: meant })
      else draft.values[column.field] = meant
    })
  }
  for (const draft of drafts) {
    const parts = plan.key.map((name) => canonicalValue(context, entity.fields[name], draft.values[name] ?? null))
    draft.key = parts.every((part) => part !== null) ? parts.map(valueText).join(' ') : ''
  }
  return drafts
}

const textsIn = (value: unknown): string[] => Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []

/** Texts → ids; undefined where one of them names nothing. */
function resolved(value: unknown, column: ImportColumn, found: ReadonlyMap<string, Found>, problems: ImportProblem[]): Value | undefined {
  const ids = textsIn(value).map((text) => {
    const one = found.get(text)
    if (typeof one === 'object') return one.id
    problems.push(problemOf(one === 'ambiguous' ? 'ambiguous' : 'reference', { value: text }, column))
    return undefined
  })
  if (ids.some((id) => id === undefined)) return undefined
  return (Array.isArray(value) ? ids : ids[0] ?? null) as Value
}

// ─── What a row comes to ─────────────────────────────────────────────────────────────────────────────────────────────────

interface Judged { draft: Draft; status: CheckedRow['status']; problems: ImportProblem[]; record?: RecordData; old?: RecordData }

/** What the row says, with what a new record copies, and what is looked up of the records that this refers to. */
interface Given { sent: Record<string, Value>; lookups: RecordData }

function judge(context: Context, batch: ImportBatch, entity: Entity, draft: Draft, existing: Existing | undefined, { sent, lookups }: Given): Judged {
  const { plan } = batch
  // Of a record that is there the filled cells are enough, but for those that it is found by and compared with.
  const needed = draft.empty.filter(({ field, compared }) => !existing || compared || plan.key.includes(field))
  const problems = [...draft.problems, ...needed.map((column) => problemOf('required', {}, column))]
  const failed = (name: ImportProblemName, parameters: Record<string, string | Label> = {}): Judged =>
    ({ draft, status: 'failed', problems: [...problems, problemOf(name, parameters, keyColumn(batch))] })
  const keyText = plan.key.map((name) => draft.row.cells[name] ?? '').join(' ')

  if (existing === 'hidden') return failed('scope')
  const old = existing
  if (!old && plan.missing === 'refuse' && draft.key !== '') return failed('missing', { value: keyText })
  if (!old && !allows(context, entity, 'create', {}) && entity.allow.create === false) return failed('notAllowed')
  // Without the record that a new one copies, nothing can be said of the rest.
  if (!old && problems.some(({ column }) => column !== undefined && column === entity.copies?.by)) return { draft, status: 'failed', problems }
  const updates = plan.existing === 'update' || plan.existing === 'choose' && batch.updateExisting
  if (old && plan.existing === 'refuse') return failed('taken', { value: keyText })
  if (old && !updates) return { draft, status: 'skipped', problems: [problemOf('skipped', { value: keyText }, keyColumn(batch))], old }

  const found = accept(context, entity, sent, old ?? null, lookups)
  const { record } = found
  const set = { ...old && lacking(context, entity, record, old), ...plan.set }
  applySets(context, entity, { set }, record, scopeOf(context, entity, record, old ?? null))
  recompute(context, entity, record)
  const changed = changedFields(entity, old ?? null, record)
  const leavesAlone = changed.length === 0 && problems.length === 0 && plan.transition === undefined
  if (old && !leavesAlone && !mayUpdate(context, batch, entity, old)) {
    return { ...failed('state', { state: stateText(context, batch, entity, old) }), ...refusedUpdate(context, batch, entity, old), old }
  }
  // What could not be read is no empty field.
  const unread = new Set(problems.flatMap(({ column }) => column ?? []))
  const wrong = [...found.problems, ...checkRecord(entity, record, verdictContext(context, old ?? null, { changed }))]
    .filter(({ field }) => !unread.has(rootOf(field)))
  const faulty = new Set([...unread, ...wrong.map(({ field }) => rootOf(field))])
  // An empty cell that took over what is wrong in another is not wrong itself.
  const follows = (name: string) => draft.values[name] === undefined
    && inputs(entity.fields[name]?.defaultFrom ?? 'null', entity).some((from) => faulty.has(from))
  const own = wrong.filter(({ field }) => !follows(rootOf(field)))
  problems.push(...own.map((problem) => rowProblem(problem, plan.columns, draft.row.cells)))
  for (const { column, value } of draft.compared) {
    const field = entity.fields[column.field]
    const kept = record[column.field] ?? null
    if (isEqual(canonicalValue(context, field, value), kept)) continue
    problems.push(problemOf('differs', { value: keptText(context, field, kept) }, column))
  }
  problems.push(...transitionProblems(context, batch, entity, old ?? record, record))
  const told = (hint: boolean) => checkRules(entity, plan.checks.filter((one) => one.hint === hint && !faulty.has(one.at)), record, verdictContext(context, old ?? null, { changed }))
    .map((problem) => rowProblem(hint ? { ...problem, code: 'hint' } : problem, plan.columns, draft.row.cells))
  problems.push(...told(false))
  if (old && problems.length === 0 && changed.length === 0 && plan.transition === undefined) {
    return { draft, status: 'skipped', problems: [problemOf('unchanged', {}, keyColumn(batch))], old }
  }
  return { draft, status: problems.length > 0 ? 'failed' : old ? 'toUpdate' : 'toCreate', problems: [...problems, ...told(true)], record, ...(old && { old }) }
}

/** What an update makes necessary and no cell says comes from where a new record has it from. */
const lacking = (context: Context, entity: Entity, record: RecordData, old: RecordData): Record<string, string> =>
  Object.fromEntries(Object.values(entity.fields).flatMap((field) => {
    const isLacking = (record[field.name] ?? null) === null && field.defaultFrom !== undefined
    return isLacking && isRequired(entity, field, record, verdictContext(context, old)) ? [[field.name, field.defaultFrom!]] : []
  }))

const rootOf = (path: string): string => path.split('.')[0]

const keyColumn = ({ plan }: ImportBatch) => plan.columns.find(({ field }) => field === plan.key[0])

function mayUpdate(context: Context, { plan }: ImportBatch, entity: Entity, old: RecordData): boolean {
  const machine = entity.states.find(({ transitions }) => plan.transition !== undefined && transitions[plan.transition])
  if (machine && !machine.transitions[plan.transition!].from.includes(String(old[machine.field]))) return false
  return isTrue(context, entity, plan.updateWhen, scopeOf(context, entity, old, old)) && (machine !== undefined || allows(context, entity, 'update', old))
}

/** What is said of it in the words of the import, where it has some. */
function refusedUpdate(context: Context, batch: ImportBatch, entity: Entity, old: RecordData): Pick<Judged, 'problems'> | undefined {
  const { updateMessage } = batch.plan
  const column = keyColumn(batch)
  if (!updateMessage || !column) return undefined
  const [{ message }] = checkRules(entity, [{ check: 'false', at: column.field, message: updateMessage }], old, verdictContext(context, old))
  return { problems: [{ column: column.field, code: 'state', message }] }
}

/** What the record has, in every language; what is not for everybody as those see it who may not see it whole. */
const keptText = (context: Context, field: Field, value: Value): Label => Object.fromEntries(Object.keys(field.label).map((language) => {
  const whole = { ...context, language }
  return [language, value !== null && field.sensitive ? String(masked(whole, field, value)) : textOf(whole, field, value)]
}))

function stateText(context: Context, { plan }: Pick<ImportBatch, 'plan'>, { fields, states }: Entity, old: RecordData): Label | string {
  const machine = states.find(({ transitions }) => plan.transition !== undefined && transitions[plan.transition]) ?? states[0]
  return machine ? keptText(context, fields[machine.field], old[machine.field] ?? null) : ''
}

function transitionProblems(context: Context, { plan }: ImportBatch, entity: Entity, before: RecordData, record: RecordData): ImportProblem[] {
  const transition = plan.transition === undefined ? undefined : entity.states.map(({ transitions }) => transitions[plan.transition!]).find(Boolean)
  if (!transition) return []
  if (!isTrue(context, entity, transition.when, scopeOf(context, entity, record, before))) {
    return [problemOf('state', { state: stateText(context, { plan }, entity, before) })]
  }
  return checkRules(entity, transition.guards, record, verdictContext(context, before)).map(({ code, message }) => ({ code, message }))
}

// ─── What must not be there twice ────────────────────────────────────────────────────────────────────────────────────────

async function checkValues(context: Context, db: Db, batch: ImportBatch, entity: Entity, rows: Judged[]): Promise<void> {
  const wanted = rows.flatMap((judged): Wanted<Judged>[] => judged.record && judged.status !== 'skipped'
    ? Object.values(entity.fields).filter(({ unique, uniqueWithin }) => unique || uniqueWithin).flatMap((field) => {
      const value = judged.record![field.name] ?? null
      return value === null || isEqual(value, judged.old?.[field.name]) ? [] : [{ of: judged, field, value, within: field.uniqueWithin && judged.record![field.uniqueWithin], id: judged.old?.id }]
    }) : [])
  const keys = rows.filter(({ draft }) => draft.key !== '').map((judged) => ({ of: judged, claim: { field: '', value: judged.draft.key, row: judged.draft.row.number } }))
  const values = wanted.flatMap((one) => textsOf(one).map((value) => ({ of: one.of, claim: { field: one.field.name, value, row: one.of.draft.row.number } })))
  const claims = [...keys, ...values]
  const held = await claimValues(db, batch, claims.map(({ claim }) => claim))
  const column = (name: string) => batch.plan.columns.find(({ field }) => field === name)
  for (const { of, claim } of claims) {
    const row = held.get(claim)
    const at = column(claim.field) ?? keyColumn(batch)
    if (row === undefined || of.problems.some((problem) => problem.code === 'duplicate' && problem.column === at?.field)) continue
    of.problems.push(problemOf('duplicate', { n: row }, at))
    of.status = 'failed'
  }
  for (const { of, field, value } of await takenValues(context, db, entity, wanted)) {
    const at = column(field.name)
    of.problems.push({ ...problemOf('taken', { value: valueText(value) }, at ?? { field: field.name, label: field.label, required: false, compared: false }), ...(!at && { column: undefined }) })
    of.status = 'failed'
  }
}

/** Of a list each item is unique by itself. */
const textsOf = ({ value, within }: Wanted<Judged>): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => within === undefined ? valueText(one) : `${valueText(within)} ${valueText(one)}`)

// ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Problems in the order of the columns, each with the cell that an operator looks for. */
function finished({ plan, fields }: ImportBatch, { draft, status, problems, record, old }: Judged): CheckedRow {
  const order = new Map(plan.columns.map(({ field }, index) => [field, index]))
  const place = ({ column }: ImportProblem) => column === undefined ? plan.columns.length : order.get(column) ?? plan.columns.length
  const good = status === 'toCreate' || status === 'toUpdate'
  return {
    ...draft.row, key: plan.key.map((name) => draft.row.cells[name] ?? '').join(' ').trim(), status,
    problems: problems.toSorted((a, b) => place(a) - place(b)).map((problem) => {
      const at = problem.column === undefined ? -1 : fields.indexOf(problem.column)
      return at < 0 ? problem : { ...problem, cell: cellAddress(at, draft.row.number) }
    }),
    ...(good && record && { record }), ...(old && { old }),
  }
}
