import type { Entity, Foreseen, ImportProblem, RecordData, Value } from '../../schema/model.ts'
import { isWritable } from '../../schema/verdict.ts'
import { accept } from '../accept.ts'
import { recompute } from '../records/effects.ts'
import { procedureOf } from '../records/procedures.ts'
import { copied, lookUp } from '../lookups.ts'
import type { Context, Db } from '../runtime.ts'
import { cellAddress } from '../sheets/cellAddress.ts'
import { isEqual } from '../stored.ts'
import { textForAll } from '../words.ts'
import { valueText } from './importCells.ts'
import { draftRows } from './importDraft.ts'
import { findExisting } from './importExisting.ts'
import { type CheckedRow, type FileRow, type ImportBatch, targetEntity } from './importFile.ts'
import { hintsOf, judge, type Judged, keyColumn } from './importJudge.ts'
import { keepExported } from './importKept.ts'
import { askedFields } from './importOutcome.ts'
import { problemOf, rowProblem } from './importProblems.ts'
import { quotes } from './importQuote.ts'
import { takenValues, type Wanted } from './importUnique.ts'
import { claimValues } from './importValues.ts'

/**
 * Everything that is wrong with these rows, and what they would come to: the same verdict as a form gets, and what only
 * the database knows, one query for each column. Writes nothing but which row has which value within the file.
 * @param lock the records that would be updated, until the transaction ends
 */
export async function checkRows(
  context: Context,
  db: Db,
  batch: ImportBatch,
  rows: readonly FileRow[],
  { lock = false } = {},
): Promise<CheckedRow[]> {
  const entity = targetEntity(context, batch.plan)
  const drafts = await draftRows(context, db, batch, rows)
  const existing = await findExisting(
    context,
    db,
    batch.plan,
    drafts.filter(({ key }) => key !== '').map(({ values }) => values),
    lock,
  )
  const found = (key: string) => (key === '' ? undefined : existing.get(key))
  await keepExported(
    context,
    db,
    entity,
    batch.plan.columns,
    drafts.flatMap((draft) => {
      const old = found(draft.key)
      return typeof old !== 'object' ? [] : [{ ...draft, old }]
    }),
  )
  const copies = await copied(
    context,
    db,
    entity,
    drafts.map(({ values }) => values),
  )
  // What no column says is what was said for the whole file, where it is not to be worked out; what records have stays
  // theirs.
  const whole = Object.entries(batch.given).filter(([name]) => isWritable(entity.fields[name], context.derived.widgets))
  const told = Object.fromEntries(whole.filter(([name]) => entity.fields[name].kept === false))
  const sent = drafts.map(({ key, values }, index) =>
    found(key) ? { ...told, ...values } : { ...copies[index], ...Object.fromEntries(whole), ...values },
  )
  const olds = drafts.map(({ key }) => {
    const old = found(key)
    return typeof old !== 'object' ? null : old
  })
  const lookups = await lookedUp(context, db, batch, entity, sent, olds)
  const checked = drafts.map((draft, index) =>
    judge(context, batch, entity, draft, found(draft.key), { sent: sent[index], lookups: lookups[index] }),
  )
  await checkValues(context, db, batch, entity, checked)
  await foresee(context, db, batch, entity, checked.filter(isGood))
  return checked.map((row) => finished(batch, row))
}

/**
 * What is looked up of the records that rows refer to, and of those that are found by what a formula makes of the
 * others.
 */
async function lookedUp(
  context: Context,
  db: Db,
  { plan }: ImportBatch,
  entity: Entity,
  sent: readonly Record<string, Value>[],
  olds: readonly (RecordData | null)[],
): Promise<RecordData[]> {
  const lookups = await lookUp(context, db, entity, sent)
  const isWorkedOut = Object.values(entity.fields).some(
    ({ computed }) => computed?.kind === 'find' && entity.fields[computed.by].computed !== undefined,
  )
  if (!isWorkedOut) return lookups
  const asked = askedFields(entity, plan)
  const records = sent.map((values, index) => {
    const { record } = accept(context, entity, values, olds[index], lookups[index], asked)
    recompute(context, entity, record)
    return record
  })
  const again = await lookUp(context, db, entity, records)
  return lookups.map((one, index) => ({ ...one, ...again[index] }))
}

const isGood = ({ status }: Pick<Judged, 'status'>) => status === 'toCreate' || status === 'toUpdate'

/** What the good rows come to: what only a procedure can say against them, and the hints at those that stay. */
async function foresee(context: Context, db: Db, batch: ImportBatch, entity: Entity, rows: Judged[]): Promise<void> {
  const { foresee: name, columns } = batch.plan
  if (rows.length === 0) return
  const result =
    name === undefined
      ? undefined
      : await procedureOf(
          context,
          entity,
          name,
        )({
          context,
          db,
          entity: entity.name,
          records: rows.map(({ record }) => ({ ...record! })),
          before: rows.map(({ old }) => old ?? null),
          values: {},
        })
  rows.forEach((row, index) => {
    const foreseen = (result?.rows as Foreseen[] | undefined)?.[index]
    const quote = quotes(context, batch.plan, row.draft.row)
    row.problems.push(...(foreseen?.problems ?? []).map((problem) => rowProblem(problem, columns, quote)))
    if (row.problems.length > 0) row.status = 'failed'
    else row.problems.push(...hintsOf(context, batch, entity, row, foreseen?.values))
  })
}

/** What must not be there twice: in the file, and among the records. */
async function checkValues(
  context: Context,
  db: Db,
  batch: ImportBatch,
  entity: Entity,
  rows: Judged[],
): Promise<void> {
  const wanted = rows.flatMap((judged): Wanted<Judged>[] =>
    judged.record && judged.status !== 'skipped'
      ? Object.values(entity.fields)
          .filter(({ unique, uniqueWithin }) => unique || uniqueWithin)
          .flatMap((field) => {
            const value = judged.record![field.name] ?? null
            return value === null || isEqual(value, judged.old?.[field.name])
              ? []
              : [
                  {
                    of: judged,
                    field,
                    value,
                    within: field.uniqueWithin && judged.record![field.uniqueWithin],
                    id: judged.old?.id,
                  },
                ]
          })
      : [],
  )
  const keys = rows
    .filter(({ draft }) => draft.key !== '')
    .map((judged) => ({ of: judged, claim: { field: '', value: judged.draft.key, row: judged.draft.row.number } }))
  const values = wanted.flatMap((one) =>
    textsOf(one).map((value) => ({
      of: one.of,
      claim: { field: one.field.name, value, row: one.of.draft.row.number },
    })),
  )
  const claims = [...keys, ...values]
  const held = await claimValues(
    db,
    batch,
    claims.map(({ claim }) => claim),
  )
  const column = (name: string) => batch.plan.columns.find(({ field }) => field === name)
  for (const { of, claim } of claims) {
    const row = held.get(claim)
    const at = column(claim.field) ?? keyColumn(batch)
    if (
      row === undefined ||
      of.problems.some((problem) => problem.code === 'duplicate' && problem.column === at?.field)
    )
      continue
    of.problems.push(problemOf('duplicate', { n: row }, at))
    of.status = 'failed'
  }
  for (const { of, field, value } of await takenValues(context, db, entity, wanted)) {
    const at = column(field.name)
    of.problems.push({
      ...problemOf(
        'taken',
        { value: field.sensitive ? textForAll(context, field, value) : valueText(value) },
        at ?? { field: field.name, label: field.label, required: false, compared: false },
      ),
      ...(!at && { column: undefined }),
    })
    of.status = 'failed'
  }
}

/** Of a list each item is unique by itself. */
const textsOf = ({ value, within }: Wanted<Judged>): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) =>
    within === undefined ? valueText(one) : `${valueText(within)} ${valueText(one)}`,
  )

/** Problems in the order of the columns, each with the cell that an operator looks for. */
function finished({ plan, fields }: ImportBatch, { draft, status, problems, record, old }: Judged): CheckedRow {
  const order = new Map(plan.columns.map(({ field }, index) => [field, index]))
  const place = ({ column }: ImportProblem) =>
    column === undefined ? plan.columns.length : (order.get(column) ?? plan.columns.length)
  return {
    ...draft.row,
    key: plan.key
      .map((name) => draft.row.cells[name] ?? '')
      .join(' ')
      .trim(),
    status,
    problems: problems
      .toSorted((a, b) => place(a) - place(b))
      .map((problem) => {
        const at = problem.column === undefined ? -1 : fields.indexOf(problem.column)
        return at < 0 ? problem : { ...problem, cell: cellAddress(at, draft.row.number) }
      }),
    ...(isGood({ status }) && record && { record }),
    ...(old && { old }),
  }
}
