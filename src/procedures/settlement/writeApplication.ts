import { invalid } from '../../../engine/server/errors.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { FieldProblem, Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { decimal, money, total, zero } from './amounts.ts'
import { passThroughParts } from './invoiceDraft.ts'
import {
  invoicedStatement,
  invoiceEntity,
  lockStatements,
  readContracts,
  rowsOf,
  taxed,
  termsOf,
  type Allocation,
} from './invoiced.ts'
import { isSplit, passThroughItem } from './invoiceTax.ts'
import { appendJournal } from './journal.ts'
import { changeRecord, entityOf } from './stored.ts'

/**
 * Goes on with an application that was just written: its statements are held and must have as much left, its seller and
 * its taxes are worked out, and where fee and pass-through amount are invoiced apart, the second application is made.
 * @throws Refusal invalid.
 */
export const writeApplication: Procedure = async ({ context, db, records, before }) => {
  for (const [index, record] of records.entries()) {
    const old = before?.[index] ?? null
    const allocations = rowsOf(record.allocations) as Allocation[]
    const statements = await lockStatements(
      context,
      db,
      allocations.map(({ statement }) => statement),
    )
    const found = problemsOf(record, allocations, statements)
    if (found.length > 0) throw invalid(found)

    const open = allocations.map((row): Allocation => ({
      ...row,
      uninvoicedBefore: money(decimal(statements.get(row.statement)!.uninvoicedAmount as string).plus(row.amount!)),
    }))
    const whole = {
      agency: statements.get(allocations[0].statement)!.agency,
      statements: allocations.map(({ statement }) => statement) as Value,
      allocations: open as Value,
    }
    const parts =
      old === null && isSplit(termsOf(record)) ? await apart(context, db, record, open, statements) : undefined
    await changeRecord(context, db, entityOf(context, invoiceEntity), record, {
      ...whole,
      ...parts?.fee,
      items: taxed(rowsOf(parts?.fee.items ?? record.items), termsOf(record)) as Value,
    })
    await tell(context, db, record, old)
    if (parts) await addSecond(context, db, { ...record, ...parts.passThrough })
  }
}

const otherCustomer: Label = { cn: '对账单须属于该客户', en: 'The statement must be of this customer' }
const otherAgency: Label = {
  cn: '一张发票的对账单须属于同一服务机构',
  en: 'The statements of one invoice must be of one agency',
}
const notConfirmed: Label = { cn: '对账单未确认', en: 'The statement is not confirmed' }
const tooMuch = (open: string): Label => ({
  cn: `超过未开票金额${open}`,
  en: `More than the ${open} that is not invoiced`,
})

/** The amounts of this invoice are in the sums of the statements already. */
function problemsOf(
  record: RecordData,
  allocations: readonly Allocation[],
  statements: ReadonlyMap<number, RecordData>,
): FieldProblem[] {
  const agency = statements.get(allocations[0]?.statement)?.agency
  return allocations.flatMap(({ statement, amount }, index): FieldProblem[] => {
    const at = (field: string, message: Label): FieldProblem[] => [
      { field: `allocations.${index}.${field}`, code: 'rule', message },
    ]
    const one = statements.get(statement)
    if (!one || one.customer !== record.customer) return at('statement', otherCustomer)
    if (one.agency !== agency) return at('statement', otherAgency)
    if (one.stage !== 'confirmed') return at('statement', notConfirmed)
    const left = decimal(one.uninvoicedAmount as string)
    return left.isNegative() ? at('amount', tooMuch(money(left.plus(amount!)))) : []
  })
}

const oneKind: Label = {
  cn: '分开开票须有服务费和代收代付两类明细',
  en: 'Invoicing apart takes items of the fee and of the pass-through amount',
}
const tooMuchApart: Label = {
  cn: '代收代付金额超过对账单的本次开票金额',
  en: 'The pass-through amount is more than what is invoiced of a statement',
}

/** What each of the two applications has. @throws Refusal invalid. */
async function apart(
  context: Context,
  db: Db,
  record: RecordData,
  allocations: readonly Allocation[],
  statements: ReadonlyMap<number, RecordData>,
) {
  const items = rowsOf(record.items)
  const [fee, passThrough] = [
    items.filter(({ itemName }) => itemName !== passThroughItem),
    items.filter(({ itemName }) => itemName === passThroughItem),
  ]
  if (fee.length === 0 || passThrough.length === 0) throw invalid([{ field: 'items', code: 'rule', message: oneKind }])
  const contracts = await readContracts(context, db, statements.values())
  const invoiced = allocations.map(({ statement, amount }) => {
    const one = statements.get(statement)!
    return invoicedStatement(one, contracts.get(one.contract as number), amount)
  })
  const amounts = passThroughParts(invoiced, total(passThrough.map(({ amount }) => decimal(amount as string))))
  if (!amounts) throw invalid([{ field: 'items', code: 'rule', message: tooMuchApart }])
  const part = (of: (index: number) => string) =>
    allocations
      .map((row, index): Allocation => ({ ...row, amount: of(index) }))
      .filter(({ amount }) => !decimal(amount).isZero())
  const rest = part((index) => money(decimal(allocations[index].amount).minus(amounts[index])))
  const taken = part((index) => money(amounts[index])).map((row): Allocation => ({
    ...fresh(row),
    statement: row.statement,
    amount: row.amount,
  }))
  return {
    fee: {
      allocations: rest as Value,
      statements: rest.map(({ statement }) => statement) as Value,
      items: fee as Value,
    },
    passThrough: {
      allocations: taken as Value,
      statements: taken.map(({ statement }) => statement) as Value,
      items: taxed(
        passThrough.map((row) => ({ ...fresh(row), taxRate: '0' })),
        termsOf(record),
      ) as Value,
    },
  }
}

/** A row that is not saved yet. */
export const fresh = ({ id: _id, revision: _revision, invoice: _invoice, ...row }: RecordData): RecordData => row

/** What is collected for others stands on no special invoice. */
const normalTypes: Readonly<Record<string, string>> = { eSpecial: 'eNormal', paperSpecial: 'paperNormal' }

async function addSecond(
  context: Context,
  db: Db,
  { id: _id, revision: _revision, ...record }: RecordData,
): Promise<void> {
  const entity = entityOf(context, invoiceEntity)
  const second: RecordData = {
    ...record,
    applyNo: null,
    invoiceType: normalTypes[String(record.invoiceType)] ?? record.invoiceType,
  }
  recompute(context, entity, second)
  await insertRecords(context, db, entity, [second])
  await tell(context, db, second, null)
  await writeHistory(context, db, entity, 'create', second, null)
}

async function tell(context: Context, db: Db, record: RecordData, old: RecordData | null): Promise<void> {
  await appendJournal(context, db, [
    {
      subject: 'invoice',
      invoice: record.id,
      documentNo: String(record.applyNo),
      customer: record.customer as number,
      action: old ? 'edit' : 'apply',
      amountBefore: old ? String(old.amount) : money(zero),
      amountAfter: String(record.amount),
      statusBefore: old ? String(old.status) : null,
      statusAfter: String(record.status),
    },
  ])
}
