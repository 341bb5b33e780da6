import { sql } from 'kysely'
import { Refusal } from '../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { decimal, money, total } from './amounts.ts'
import { draftLines, passThroughShare, type InvoicedStatement } from './invoiceDraft.ts'
import { isDifferential, isSplit } from './invoiceTax.ts'
import { billingFields, buyerOf, deliveryMethods, receiverOf, remarkOf, typeOf } from './invoiceBuyer.ts'
import { invoicedStatement, readContracts, readSeen, rowsOf, sumOf, taxed } from './invoiced.ts'
import { column, isAnyOf, readAll } from './stored.ts'

/**
 * What the form of an application takes: of a customer its open statements, of statements their terms, items and taxes,
 * and the customer's billing and delivery. What the user has put in stays, but for statements of another customer.
 */
export const suggestInvoice: Procedure = async ({ context, db, records, values, form }) => {
  const old = records.at(0)
  const typed = new Set(form!.typed)
  const stays = (name: string) => typed.has(name) || old !== undefined
  const chosen =
    rowsOf(values.allocations).length === 0 && !typed.has('customer') ? idsIn(form!.parameters.statements) : []
  const { statements, allocations } = await statementsOf(context, db, values, chosen, old)
  const customer = (values.customer ?? old?.customer ?? statements.at(0)?.customer ?? null) as number | null
  if (customer === null) return { values: {} }

  const contracts = await readContracts(context, db, statements)
  const [billing] = await readAll(context, db, 'customer', [isAnyOf('id', [customer])], billingFields)
  const terms = termsIn(values, statements, contracts, billing, stays)
  const invoiced = allocations.flatMap(({ statement, amount }): InvoicedStatement[] => {
    const one = statements.find(({ id }) => id === statement)
    return one ? [invoicedStatement(one, contracts.get(one.contract as number), (amount ?? null) as string | null)] : []
  })
  const hasDeduction = isDifferential(terms) && !isSplit(terms)
  const share = money(total(invoiced.map(passThroughShare)))
  const deductionAmount = !hasDeduction
    ? null
    : typed.has('deductionAmount') || (old && !typed.has('allocations'))
      ? (values.deductionAmount ?? null)
      : share
  const keepsItems =
    typed.has('items') || (old !== undefined && !['allocations', 'taxMethod'].some((name) => typed.has(name)))
  const drafted = (): RecordData[] => draftLines(invoiced, terms).map((line) => ({ ...line, quantity: '1' }))
  const items = taxed(keepsItems ? rowsOf(values.items) : drafted(), {
    ...terms,
    deduction: deductionAmount as string | null,
  })
  const taxAmount = sumOf(items, 'taxAmount')
  const amount = sumOf(allocations, 'amount')
  const found: Record<string, Value> = {
    customer,
    allocations: allocations as Value,
    ...terms,
    deductionAmount,
    items: items as Value,
    amount,
    taxAmount,
    netAmount: money(decimal(amount).minus(taxAmount)),
    ...(!old && statements.length > 0 && { invoiceRemark: remarkOf(context, statements, contracts) }),
    ...delivery(String(terms.invoiceType), values, billing, stays),
    ...(!old && buyerOf(billing)),
  }
  const own = new Set([
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
  ])
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => own.has(name) || !typed.has(name))) }
}

/** `12,13` as an address has it. */
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
  en: 'The statements are not confirmed, or all of them is invoiced',
}

/**
 * The statements of the rows; where there are none, or they are another customer's, those that are asked for or open.
 */
async function statementsOf(
  context: Context,
  db: Db,
  values: RecordData,
  chosen: readonly number[],
  old: RecordData | undefined,
) {
  const rows = rowsOf(values.allocations)
  const ids = rows.flatMap(({ statement }) => (typeof statement === 'number' ? [statement] : []))
  const given = ids.length > 0 ? await readSeen(context, db, [isAnyOf('id', ids)]) : []
  const isOthers =
    values.customer !== null &&
    values.customer !== undefined &&
    given.some(({ customer }) => customer !== values.customer)
  const taken = new Map(rowsOf(old?.allocations).map(({ statement, amount }) => [statement, String(amount)]))
  // What this invoice has taken already is open to it.
  const open = ({ id, uninvoicedAmount }: RecordData) =>
    money(decimal(uninvoicedAmount as string).plus(taken.get(id!) ?? 0))
  if (given.length > 0 && !isOthers) {
    const allocations = rows.map((row): RecordData => {
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
  const statements =
    chosen.length > 0
      ? await chosenStatements(context, db, chosen)
      : await openStatements(context, db, values.customer as number | null)
  return {
    statements,
    allocations: statements.map((one): RecordData => ({
      statement: one.id!,
      billMonth: one.billMonth,
      uninvoicedBefore: open(one),
      amount: open(one),
    })),
  }
}

const isOpen = ({ stage, uninvoicedAmount }: RecordData) =>
  stage === 'confirmed' && decimal(uninvoicedAmount as string).gt(0)

async function chosenStatements(context: Context, db: Db, ids: readonly number[]): Promise<RecordData[]> {
  const statements = (await readSeen(context, db, [isAnyOf('id', ids)])).filter(isOpen)
  if (statements.length === 0) throw new Refusal('notAllowed', { text: nothingOpen })
  if (new Set(statements.map(({ customer, agency }) => `${String(customer)} ${String(agency)}`)).size > 1)
    throw new Refusal('notAllowed', { text: severalOwners })
  return statements
}

/** Those of one agency, taxed in one way: one invoice has one seller and one tax method. */
async function openStatements(context: Context, db: Db, customer: number | null | undefined): Promise<RecordData[]> {
  if (customer === null || customer === undefined) return []
  const open = (
    await readSeen(context, db, [isAnyOf('customer', [customer]), sql`${column('stage')} = 'confirmed'`])
  ).filter(isOpen)
  return open.filter(({ agency, taxMethod }) => agency === open[0].agency && taxMethod === open[0].taxMethod)
}

function termsIn(
  values: RecordData,
  statements: readonly RecordData[],
  contracts: ReadonlyMap<number, RecordData>,
  billing: RecordData,
  stays: (name: string) => boolean,
) {
  const [first] = statements
  const contract = first && contracts.get(first.contract as number)
  const taxMethod = stays('taxMethod') || !first ? (values.taxMethod ?? null) : (first.taxMethod ?? null)
  const mode = stays('diffMode') && values.diffMode ? values.diffMode : (contract?.diffInvoiceMode ?? 'single')
  return {
    invoiceType: stays('invoiceType') ? (values.invoiceType ?? null) : typeOf(contract, billing),
    taxMethod: taxMethod as string,
    diffMode: isDifferential({ taxMethod: String(taxMethod) }) ? (mode as string) : null,
  }
}

/** The user's choice stays where it fits. */
function delivery(
  invoiceType: string,
  { deliverMethod }: RecordData,
  customer: RecordData,
  stays: (name: string) => boolean,
): Record<string, Value> {
  const methods = deliveryMethods(invoiceType, customer)
  const method = stays('deliverMethod') && methods.includes(String(deliverMethod)) ? deliverMethod! : methods[0]
  return {
    deliverMethod: method,
    ...(method === 'email' && !stays('email') && { email: customer.invoiceEmail ?? null }),
    ...(method === 'express' && !stays('receiverName') && receiverOf(customer)),
  }
}
