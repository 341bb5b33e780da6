/** Prepares what the simplest cash receipt needs, as any client would. */
import type { Pool } from 'pg'
import { uscc } from '../customer.ts'
import type { Load } from './Load.ts'

export const receipts = '/settlement/receipt/create'

type Create = (path: string, values: object) => Promise<number>

/** @returns a function that gives the values of a receipt by a payer */
export async function openDesk(create: Create): Promise<(payer: string) => object> {
  const agency = await create('/customer/agency/create', {
    code: 'J001',
    name: '自营机构',
    kind: 'own',
    uscc: uscc(90_000),
    taxpayerKind: 'general',
    cities: ['310100'],
  })
  const bank = await create('/bank/bank/create', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '990100000018',
    kind: 'stateOwned',
    city: '310100',
  })
  const companyAccount = await create('/bank/companyAccount/create', {
    agency,
    accountName: '自营机构',
    accountNo: '9900880000000012',
    bank,
    accountKind: 'basic',
    purpose: ['receipt'],
  })
  return (payerName) => ({ payerName, companyAccount, amount: '1.00', method: 'cash', receivedDate: '2026-03-10' })
}

/** Compares with the database: acknowledged receipts that are missing, and those that are there twice. */
export async function counted(pool: Pool, { prefix, names }: Load): Promise<{ lost: string[]; doubled: string[] }> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    'select "payerName" as name, count(*)::integer as count from receipt where "payerName" like $1 group by 1',
    [`${prefix}%`],
  )
  const there = new Map(rows.map(({ name, count }) => [name, count]))
  return {
    lost: [...names].filter((name) => !there.has(name)),
    doubled: rows.filter(({ count }) => count > 1).map(({ name }) => name),
  }
}
