import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { families, type Family } from '../model/amounts.ts'
import type { World } from '../world.ts'
import { type Owed, readOwed } from './aged.ts'

/** What the product's lists show of a company at one moment. */
export interface Books {
  expenses: Record<Family, RecordData[]>
  summaries: Record<Family, RecordData[]>
  costs: RecordData[]
  /** The list of unbilled costs. */ unbilled: RecordData[]
  payrolls: RecordData[]
  wages: RecordData[]
  /** The list of contributions that no wages have deducted. */ undeducted: RecordData[]
  statements: RecordData[]
  lines: RecordData[]
  items: RecordData[]
  receipts: RecordData[]
  matches: RecordData[]
  invoices: RecordData[]
  customers: RecordData[]
  payments: RecordData[]
  /** What was owed on past days. */ owed: Owed[]
}

export async function read(world: World): Promise<Books> {
  const customer = { in: world.customers.map(({ id }) => id) }
  const each = async (name: string) =>
    Object.fromEntries(
      await Promise.all(
        families.map(async (family) => [family, await world.all(`/welfare/${family}${name}`, { customer })]),
      ),
    ) as Record<Family, RecordData[]>
  const statements = await world.all('/settlement/statement', { customer })
  const statement = { in: statements.map(({ id }) => id) }
  const below = (path: string) => (statements.length === 0 ? [] : world.all(path, { statement }))
  const payrolls = await world.all('/salary/payroll', { customer })
  return {
    expenses: await each('ExpenseLine'),
    summaries: await each('ExpenseSummary'),
    costs: await world.all('/settlement/costLine', { customer }),
    unbilled: await world.all('/settlement/costLine', { customer, statement: { empty: true } }),
    payrolls,
    wages: await world.all('/salary/payrollLine', { customer }),
    undeducted: await world.all('/salary/undeducted', { customer }),
    statements,
    lines: await below('/settlement/statementLine'),
    items: await below('/settlement/statementItem'),
    receipts: await world.all('/settlement/receipt', { customer }),
    matches: await below('/settlement/receiptMatch'),
    invoices: await world.all('/settlement/invoice', { customer }),
    customers: await Promise.all(world.customers.map(({ id }) => world.get('/customer/detail', { id }))),
    payments: await paymentsOf(world),
    owed: await readOwed(world),
  }
}

async function paymentsOf(world: World): Promise<RecordData[]> {
  const batches = (
    await world.all('/salary/payBatch', {
      agency: { in: world.agencies.map(({ id }) => id) },
    })
  ).map(({ id }) => id)
  return batches.length === 0 ? [] : world.all('/salary/payLine', { payBatch: { in: batches } })
}

export const money = (value: unknown): Decimal => new Decimal(String(value ?? 0))
export const sum = (among: readonly RecordData[], field: string): Decimal =>
  among.reduce((all, record) => all.plus(money(record[field])), new Decimal(0))

/** The id of the record that a reference points at. */
export const idOf = (reference: unknown): number => (reference as { id: number } | null)?.id ?? 0
