import type { Label } from '../../../engine/model/model.ts'
import {
  type FieldName,
  procedure,
  type ProcedureWork,
  type Stored,
  type Values,
} from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money, total } from '../money/amounts.ts'
import {
  type BillingDetails,
  billingDetailFields,
  buyerOf,
  deliveryMethods,
  receiverOf,
  remarkOf,
  typeOf,
} from './invoiceBuyer.ts'
import { draftLines, passThroughShare, type InvoicedStatement } from './invoiceDraft.ts'
import {
  invoicedStatement,
  type InvoicingTerms,
  type Item,
  type OpenStatement,
  readContracts,
  readSeen,
  sumOf,
  taxed,
} from './invoiced.ts'
import { isDifferential, isSplit } from './invoiceTax.ts'

type Invoice = Stored<'invoice'>
type Given = Values<'invoice'>
type Row = Values<'invoiceAllocation'>
/** Whether the field keeps its value. */
type Stays = (name: FieldName<'invoice'>) => boolean

/** Fields derived from the others, even if a user has entered them. */
const own = new Set<string>([
  'customer',
  'allocations',
  'items',
  'deductionAmount',
  'invoiceType',
  'taxMethod',
  'diffMode',
  'amount',
  'taxAmount',
  'netAmount',
  'deliverMethod',
] satisfies FieldName<'invoice'>[])

/**
 * Suggestions for an application: a customer's open statements, the statements' terms, items and taxes, and the
 * customer's billing and delivery data. The user's input stays, except for statements of another customer.
 */
export const suggestInvoice = procedure<'invoice'>(async (work, { records, values, typed, parameters }) => {
  const old = records.at(0)
  const isTyped = (name: FieldName<'invoice'>) => typed.has(name)
  const stays: Stays = (name) => isTyped(name) || old !== undefined
  const chosen = (values.allocations ?? []).length === 0 && !isTyped('customer') ? idsIn(parameters.statements) : []
  const { statements, allocations } = await statementsOf(work, { values, chosen, old })
  const customer = values.customer ?? old?.customer ?? statements.at(0)?.customer ?? null
  if (customer === null) return { values: {} }

  const contracts = await readContracts(work, statements)
  const [billing] = await work.read('customer', { where: { id: customer }, fields: billingDetailFields })
  const terms = termsIn(values, { statement: statements.at(0), contracts, billing, stays })
  const invoiced = allocations.flatMap(({ statement, amount }): InvoicedStatement[] => {
    const match = statements.find(({ id }) => id === statement)
    return match ? [invoicedStatement(match, contracts.get(match.contract), amount ?? null)] : []
  })
  const hasDeduction = isDifferential(terms) && !isSplit(terms)
  const share = money(total(invoiced.map(passThroughShare)))
  const deductionAmount = !hasDeduction
    ? null
    : isTyped('deductionAmount') || (old && !isTyped('allocations'))
      ? (values.deductionAmount ?? null)
      : share
  const keepsItems = isTyped('items') || (old !== undefined && !isTyped('allocations') && !isTyped('taxMethod'))
  const items = taxed(keepsItems ? (values.items ?? []) : await withCodes(work, itemsOf(invoiced, terms)), {
    ...terms,
    deduction: deductionAmount,
  })
  const taxAmount = sumOf(items.map((item) => item.taxAmount))
  const amount = sumOf(allocations.map((row) => row.amount))
  // Users who see unmasked invoices are shown a customer's account for an invoice, but not without one.
  const isFilled = statements.length > 0
  const found: Given = {
    customer,
    allocations,
    ...terms,
    taxMethod: terms.taxMethod || null,
    deductionAmount,
    items,
    amount,
    taxAmount,
    netAmount: money(decimal(amount).minus(taxAmount)),
    ...(!old &&
      statements.length > 0 && { invoiceRemark: remarkOf(work.dictionary('serviceType'), statements, contracts) }),
    ...delivery(String(terms.invoiceType), { values, billing, stays, isFilled }),
    ...(!old && isFilled && buyerOf(billing)),
  }
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => own.has(name) || !typed.has(name))) }
})

const itemsOf = (invoiced: readonly InvoicedStatement[], terms: Parameters<typeof draftLines>[1]): Item[] =>
  draftLines(invoiced, terms).map(({ itemName, amount, taxRate }) => ({ itemName, amount, taxRate, quantity: '1' }))

/** Each with the tax class code that its kind of item has had most often. */
async function withCodes(work: ProcedureWork, items: readonly Item[]): Promise<Item[]> {
  const used = await work.groups('invoiceItem', {
    where: { itemName: items.flatMap(({ itemName }) => itemName ?? []), taxClassCode: { empty: false } },
    by: ['itemName', 'taxClassCode'],
  })
  const codes = new Map(
    used.toSorted((a, b) => a.count - b.count).map(({ by }) => [by.itemName as Item['itemName'], by.taxClassCode]),
  )
  return items.map((item) => ({ ...item, taxClassCode: codes.get(item.itemName) ?? null }))
}

/** `12,13` as in an address. */
const idsIn = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)

const severalOwners: Label = {
  cn: '请选择同一客户、同一服务机构的对账单',
  en: 'Choose statements of one customer and one agency',
}
const nothingOpen: Label = {
  cn: '所选对账单未确认或没有未开票金额',
  en: 'The statements are not confirmed, or are already invoiced in full',
}

/** The statements of the rows; if there are none, or they belong to another customer, the requested or open ones. */
async function statementsOf(
  work: ProcedureWork,
  { values, chosen, old }: { values: Given; chosen: readonly number[]; old: Invoice | undefined },
): Promise<{ statements: OpenStatement[]; allocations: Row[] }> {
  const rows = values.allocations ?? []
  const ids = rows.flatMap(({ statement }) => (typeof statement === 'number' ? [statement] : []))
  const given = await readSeen(work, { id: ids })
  const { customer = null } = values
  const isOthers = customer !== null && given.some((statement) => statement.customer !== customer)
  const taken = new Map<number, Amount>((old?.allocations ?? []).map(({ statement, amount }) => [statement, amount]))
  // What this invoice has already taken is available to it.
  const open = ({ id, uninvoicedAmount }: OpenStatement) =>
    money(decimal(uninvoicedAmount).plus(decimal(taken.get(id))))
  if (given.length > 0 && !isOthers) {
    const allocations = rows.map((row): Row => {
      const statement = given.find(({ id }) => id === row.statement)
      return statement
        ? {
            ...row,
            billMonth: statement.billMonth,
            uninvoicedBefore: open(statement),
            amount: row.amount ?? open(statement),
          }
        : row
    })
    return { statements: given, allocations }
  }
  const statements = chosen.length > 0 ? await chosenStatements(work, chosen) : await openStatements(work, customer)
  return {
    statements,
    allocations: statements.map((statement) => ({
      statement: statement.id,
      billMonth: statement.billMonth,
      uninvoicedBefore: open(statement),
      amount: open(statement),
    })),
  }
}

const isOpen = ({ stage, uninvoicedAmount }: OpenStatement) => stage === 'confirmed' && decimal(uninvoicedAmount).gt(0)

async function chosenStatements(work: ProcedureWork, ids: readonly number[]): Promise<OpenStatement[]> {
  const statements = (await readSeen(work, { id: ids })).filter(isOpen)
  if (statements.length === 0) work.refuseCall(nothingOpen)
  if (new Set(statements.map(({ customer, agency }) => `${customer} ${agency}`)).size > 1)
    work.refuseCall(severalOwners)
  return statements
}

/** Statements of one agency with one tax method, because an invoice has one seller and one tax method. */
async function openStatements(work: ProcedureWork, customer: number | null): Promise<OpenStatement[]> {
  if (customer === null) return []
  const open = (await readSeen(work, { customer, stage: 'confirmed' })).filter(isOpen)
  return open.filter(({ agency, taxMethod }) => agency === open[0].agency && taxMethod === open[0].taxMethod)
}

interface Found {
  statement: OpenStatement | undefined
  contracts: ReadonlyMap<number, InvoicingTerms>
  billing: BillingDetails
  stays: Stays
}

function termsIn(values: Given, { statement, contracts, billing, stays }: Found) {
  const contract = statement && contracts.get(statement.contract)
  const taxMethod = stays('taxMethod') || !statement ? values.taxMethod : statement.taxMethod
  const mode = stays('diffMode') && values.diffMode ? values.diffMode : (contract?.diffInvoiceMode ?? 'single')
  return {
    invoiceType: stays('invoiceType') ? (values.invoiceType ?? null) : typeOf(contract, billing),
    taxMethod: taxMethod ?? '',
    diffMode: isDifferential({ taxMethod: taxMethod ?? '' }) ? mode : null,
  } as const
}

/** The user's choice stays if it is still valid. */
function delivery(
  invoiceType: string,
  { values, billing, stays, isFilled }: { values: Given; billing: BillingDetails; stays: Stays; isFilled: boolean },
): Given {
  const methods = deliveryMethods(invoiceType, billing)
  const typed = stays('deliverMethod') ? methods.find((method) => method === values.deliverMethod) : undefined
  const method = typed ?? methods[0]
  return {
    deliverMethod: method,
    ...(method === 'email' && !stays('email') && { email: billing.invoiceEmail }),
    ...(method === 'express' && isFilled && !stays('receiverName') && receiverOf(billing)),
  }
}
