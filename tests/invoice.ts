import type { FileValue, RecordData, Value } from '../engine/model/model.ts'
import { picture, upload } from './customer.ts'
import type { Answer, Client, TestServer } from './server.ts'
import {
  billedCustomer,
  deliver,
  generate,
  sample,
  statements,
  statementsOf,
  type BilledCustomer,
} from './statement.ts'

export const invoices = '/settlement/invoice'

export interface Confirmed extends BilledCustomer {
  id: number
}

/** A customer of the sample with its confirmed statement of March over 19596.44. */
export async function confirmed(
  house: TestServer,
  options: Parameters<typeof billedCustomer>[1] = {},
): Promise<Confirmed> {
  const customer = await billedCustomer(house, options)
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  await confirmStatement(house, id!)
  return { ...customer, id: id! }
}

export async function confirmStatement(house: TestServer, id: number): Promise<void> {
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  const answer = await house.admin.post(`${statements}/confirm`, {
    id,
    values: { confirmEvidence: [{ ...result, status: 'success' }] },
  })
  if (answer.code !== 1) throw new Error(JSON.stringify(answer))
}

/** Another confirmed statement of the same customer, of April, over this amount. */
export async function confirmedApril(house: TestServer, customer: BilledCustomer, amount = '1000.00'): Promise<number> {
  await deliver(house, customer, [{ person: customer.people[0], feeItem: 'pension', amount, costMonth: '2026-04' }])
  await generate(house.admin, [customer.customer], '2026-04', { wageMonth: '2026-03' })
  const [, { id }] = await statementsOf(house, customer.customer)
  await confirmStatement(house, id!)
  return id!
}

/** The values that the form suggests when opened on these statements, or after what is typed. */
export const suggested = async (
  as: Client,
  {
    statements: ids = [],
    values = {},
    typed = [],
    id,
  }: { statements?: number[]; values?: Record<string, Value>; typed?: string[]; id?: number },
): Promise<Answer> =>
  as.post(`${invoices}/suggest`, {
    ...(id !== undefined && { id }),
    values,
    typed,
    parameters: ids.length > 0 ? { statements: ids.join(',') } : {},
  })

const written = [
  'customer',
  'invoiceType',
  'taxMethod',
  'diffMode',
  'title',
  'taxNumber',
  'addressPhone',
  'bankAndAccount',
  'deductionAmount',
  'invoiceRemark',
  'deliverMethod',
  'email',
  'receiverName',
  'receiverMobile',
  'receiverAddress',
]

/** The values that a form sends if all suggestions are accepted. */
export async function application(
  as: Client,
  ids: number[],
  values: Record<string, Value> = {},
): Promise<Record<string, Value>> {
  const { result } = await suggested(as, { statements: ids })
  const found = result.values as RecordData
  const rows = (name: string, fields: string[]) =>
    (found[name] as RecordData[]).map((row) => Object.fromEntries(fields.map((field) => [field, row[field] ?? null])))
  return {
    ...Object.fromEntries(written.filter((name) => (found[name] ?? null) !== null).map((name) => [name, found[name]!])),
    allocations: rows('allocations', ['statement', 'amount']) as Value,
    items: rows('items', ['itemName', 'quantity', 'amount', 'taxRate']) as Value,
    ...values,
  }
}

export const apply = async (as: Client, ids: number[], values: Record<string, Value> = {}): Promise<Answer> =>
  as.post(`${invoices}/create`, { values: await application(as, ids, values) })

export const readInvoice = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get(`${invoices}/detail`, { id })).result
export const invoicesOf = async (house: TestServer, statement: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`${invoices}/list`, {
      filters: { statements: { overlaps: [statement] } },
      sort: 'applyNo',
      size: 100,
    })
  ).result.list

/** An uploaded PDF as the file of an invoice. */
export async function invoiceFile(house: TestServer, as: Client): Promise<Value> {
  const { result } = await upload(house, as, 'invoice.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
  return [{ ...result, status: 'success' }] as FileValue[] as Value
}

let number = 0
/** A new invoice number: by default 20 digits, as of digital invoices. */
export const nextNumber = (digits = 20): string => `99${String(++number).padStart(digits - 2, '0')}`

export const issue = async (
  house: TestServer,
  id: number,
  values: Record<string, Value> = {},
  as: Client = house.admin,
): Promise<Answer> =>
  as.post(`${invoices}/issue`, {
    id,
    values: { invoiceNo: nextNumber(), issueDate: '2026-03-15', files: await invoiceFile(house, as), ...values },
  })
