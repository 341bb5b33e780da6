import type { Label } from '../../../engine/model/model.ts'
import {
  procedure,
  type Problem,
  type ProcedureWork,
  type Stored,
  type Values,
} from '../../../engine/server/procedure.ts'
import { decimal, money, total, zero } from '../money/amounts.ts'
import { passThroughParts } from './invoiceDraft.ts'
import {
  type Allocation,
  invoicedStatement,
  lockStatements,
  type OpenStatement,
  readContracts,
  taxed,
  termsOf,
} from './invoiced.ts'
import { isSplit, passThroughItem } from './invoiceTax.ts'
import { appendJournal } from './journal.ts'

type Invoice = Stored<'invoice'>
type Statements = ReadonlyMap<number, OpenStatement>

/**
 * Completes an application that was just written: locks its statements and checks their remaining amounts, computes its
 * seller and taxes, and if fee and pass-through amount are invoiced separately, creates the second application.
 * @throws Refusal invalid.
 */
export const writeApplication = procedure<'invoice'>(async (work, { records, before }) => {
  for (const [index, record] of records.entries()) {
    const old = before[index]
    const { allocations } = record
    const statements = await lockStatements(
      work,
      allocations.map(({ statement }) => statement),
    )
    const found = problemsOf(record, statements)
    if (found.length > 0) work.refuse('invoice', found)

    const open = allocations.map((row): Allocation => ({
      ...row,
      uninvoicedBefore: money(decimal(statements.get(row.statement)!.uninvoicedAmount).plus(row.amount)),
    }))
    const parts =
      old === null && isSplit(termsOf(record))
        ? await apart(work, record, { allocations: open, statements })
        : undefined
    await work.change('invoice', record, {
      agency: statements.get(allocations[0].statement)!.agency,
      statements: allocations.map(({ statement }) => statement),
      allocations: open,
      ...parts?.fee,
      items: taxed(parts?.fee.items ?? record.items, termsOf(record)),
    })
    await appendInvoiceEntry(work, record, old)
    if (parts) await addSecond(work, { ...record, ...parts.passThrough })
  }
})

const otherCustomer: Label = { cn: '对账单须属于该客户', en: 'The statement must belong to this customer' }
const otherAgency: Label = {
  cn: '一张发票的对账单须属于同一服务机构',
  en: 'The statements of one invoice must be of one agency',
}
const notConfirmed: Label = { cn: '对账单未确认', en: 'The statement is not confirmed' }
const tooMuch = (open: string): Label => ({
  cn: `超过未开票金额${open}`,
  en: `Exceeds the uninvoiced amount ${open}`,
})

/** The sums of the statements already include the amounts of this invoice. */
function problemsOf({ allocations, customer }: Invoice, statements: Statements): Problem<'invoice'>[] {
  const agency = statements.get(allocations[0]?.statement)?.agency
  return allocations.flatMap(({ statement, amount }, index): Problem<'invoice'>[] => {
    const at = (field: 'statement' | 'amount', message: Label): Problem<'invoice'>[] => [
      { field: `allocations.${index}.${field}`, code: 'rule', message },
    ]
    const known = statements.get(statement)
    if (!known || known.customer !== customer) return at('statement', otherCustomer)
    if (known.agency !== agency) return at('statement', otherAgency)
    if (known.stage !== 'confirmed') return at('statement', notConfirmed)
    const left = decimal(known.uninvoicedAmount)
    return left.isNegative() ? at('amount', tooMuch(money(left.plus(amount)))) : []
  })
}

const oneKind: Label = {
  cn: '分开开票须有服务费和代收代付两类明细',
  en: 'Separate invoicing needs items for both the fee and the pass-through amount',
}
const tooMuchApart: Label = {
  cn: '代收代付金额超过对账单的本次开票金额',
  en: 'The pass-through amount exceeds the amount invoiced for a statement',
}

/** The parts of the two applications. @throws Refusal invalid. */
async function apart(
  work: ProcedureWork,
  record: Invoice,
  { allocations, statements }: { allocations: readonly Allocation[]; statements: Statements },
) {
  const refuse = (message: Label) => work.refuse('invoice', [{ field: 'items', code: 'rule', message }])
  const fee = record.items.filter(({ itemName }) => itemName !== passThroughItem)
  const passThrough = record.items.filter(({ itemName }) => itemName === passThroughItem)
  if (fee.length === 0 || passThrough.length === 0) refuse(oneKind)
  const contracts = await readContracts(work, statements.values())
  const invoiced = allocations.map(({ statement, amount }) => {
    const known = statements.get(statement)!
    return invoicedStatement(known, contracts.get(known.contract), amount)
  })
  const amounts = passThroughParts(invoiced, total(passThrough.map(({ amount }) => decimal(amount))))
  if (!amounts) return refuse(tooMuchApart)
  const part = (amountAt: (index: number) => string) =>
    allocations
      .map((row, index): Allocation => ({ ...row, amount: amountAt(index) }))
      .filter(({ amount }) => !decimal(amount).isZero())
  const rest = part((index) => money(decimal(allocations[index].amount).minus(amounts[index])))
  const taken = part((index) => money(amounts[index])).map(fresh)
  return {
    fee: { allocations: rest, statements: rest.map(({ statement }) => statement), items: fee },
    passThrough: {
      allocations: taken,
      statements: taken.map(({ statement }) => statement),
      items: taxed(
        passThrough.map((row) => ({ ...fresh(row), taxRate: '0' })),
        termsOf(record),
      ),
    },
  }
}

/** A row that is not saved yet. */
export const fresh = <R extends Values<'invoiceAllocation'> | Values<'invoiceItem'>>({
  id: _id,
  revision: _revision,
  invoice: _invoice,
  ...row
}: R) => row

/** Amounts collected for others may not be on a special invoice. */
const normalTypes: { [type in Invoice['invoiceType']]?: Invoice['invoiceType'] } = {
  eSpecial: 'eNormal',
  paperSpecial: 'paperNormal',
}

async function addSecond(
  work: ProcedureWork,
  { id: _id, revision: _revision, ...record }: Values<'invoice'> & Pick<Invoice, 'invoiceType'>,
): Promise<void> {
  const invoiceType = normalTypes[record.invoiceType] ?? record.invoiceType
  const [second] = await work.insert('invoice', [{ ...record, applyNo: null, invoiceType }], { action: 'create' })
  await appendInvoiceEntry(work, second, null)
}

const appendInvoiceEntry = (work: ProcedureWork, record: Invoice, old: Invoice | null): Promise<void> =>
  appendJournal(work, [
    {
      subject: 'invoice',
      invoice: record.id,
      documentNo: record.applyNo,
      customer: record.customer,
      action: old ? 'edit' : 'apply',
      amountBefore: old ? old.amount : money(zero),
      amountAfter: record.amount,
      statusBefore: old ? old.status : null,
      statusAfter: record.status,
    },
  ])
