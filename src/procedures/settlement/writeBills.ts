import { sql } from 'kysely'
import { tableOf } from '../../../engine/server/scope.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { changedFields } from '../../../engine/server/stored.ts'
import { insertRecords, softDelete, updateRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import type { Bill, BilledItem, BillLine } from './bill.ts'
import { entityOf, isAnyOf, readAll } from './stored.ts'

interface Written {
  statement: RecordData
  bill: Bill
}

/** What a statement keeps of its bill. */
export const statementAmounts = ({ headcount, amounts }: Bill): RecordData => ({ headcount, ...amounts })

const keyOf = ({ statement, lineType, person }: RecordData) => [statement, lineType, person ?? ''].join(' ')

/**
 * Lines and items of statements become what their bills say: what is there already keeps its id, what is gone is
 * deleted.
 */
export async function writeBills(
  context: Context,
  db: Db,
  written: readonly Written[],
  people: ReadonlyMap<number, RecordData>,
  areNew: boolean,
): Promise<void> {
  const ids = written.map(({ statement }) => statement.id!)
  const [lines, items] = [entityOf(context, 'statementLine'), entityOf(context, 'statementItem')]
  const former = areNew ? [] : await readAll(context, db, 'statementLine', [isAnyOf('statement', ids)])
  const known = new Map(former.map((line) => [keyOf(line), line]))
  const placed = written.flatMap(({ statement, bill }) =>
    bill.lines.map((line, index) => {
      const values = { ...lineValues(statement.id!, line, people), place: index + 1 }
      const old = known.get(keyOf(values))
      return { line, old, record: { ...old, ...values } as RecordData }
    }),
  )
  await insertRecords(
    context,
    db,
    lines,
    placed.filter(({ old }) => !old).map(({ record }) => record),
  )
  await updateRecords(
    context,
    db,
    lines,
    placed.flatMap(({ record, old }) => (old && changedFields(lines, old, record).length > 0 ? [{ record, old }] : [])),
  )

  const kept = areNew ? [] : await readAll(context, db, 'statementItem', [isAnyOf('statement', ids)])
  const byId = new Map(kept.map((item) => [item.id!, item]))
  const wanted = placed.flatMap(({ line, record }) =>
    line.items.map((item, index): RecordData => ({
      ...itemValues(item),
      statement: record.statement,
      line: record.id,
      place: index + 1,
    })),
  )
  await insertRecords(
    context,
    db,
    items,
    wanted.filter(({ id }) => id === undefined),
  )
  await updateRecords(
    context,
    db,
    items,
    wanted.flatMap((values) => {
      const old = byId.get(values.id!)
      return old && changedFields(items, old, values).length > 0 ? [{ record: { ...old, ...values }, old }] : []
    }),
  )
  const staying = new Set(wanted.map(({ id }) => id))
  await softDelete(
    context,
    db,
    items,
    kept.flatMap(({ id }) => (staying.has(id) ? [] : id!)),
  )
  const stayingLines = new Set(placed.map(({ record }) => record.id))
  await softDelete(
    context,
    db,
    lines,
    former.flatMap(({ id }) => (stayingLines.has(id) ? [] : id!)),
  )
}

function lineValues(
  statement: number,
  { lineType, person, amounts, memoPersonal }: BillLine,
  people: ReadonlyMap<number, RecordData>,
): RecordData {
  const {
    name = null,
    idNumber = null,
    costCenter = null,
    insuranceCity = null,
  } = (person === null ? undefined : people.get(person)) ?? {}
  return {
    statement,
    lineType,
    person,
    personName: name,
    idNumber,
    costCenter,
    workCity: insuranceCity,
    ...amounts,
    memoPersonal,
  }
}

function itemValues({ id, ...item }: BilledItem): RecordData {
  return {
    ...(id !== undefined && { id }),
    policy: null,
    base: null,
    rate: null,
    fixedAmount: null,
    reason: null,
    ...item,
  } as unknown as RecordData
}

/** From now on these costs are billed by these statements; null sets them free. */
export async function billCosts(
  context: Context,
  db: Db,
  billed: readonly { costs: readonly number[]; statement: number | null }[],
): Promise<void> {
  const rows = billed.flatMap(({ costs, statement }) => costs.map((id) => ({ id, statement })))
  if (rows.length === 0) return
  await sql`update ${tableOf(context, entityOf(context, 'costLine'))} as cost set statement = billed.statement, revision = cost.revision + 1, "updatedAt" = ${context.now}::timestamp(0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as billed (id bigint, statement bigint) where cost.id = billed.id`.execute(
    db,
  )
}
