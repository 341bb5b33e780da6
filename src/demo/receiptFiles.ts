import { addDays } from '../../engine/expression/index.ts'
import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { reading, writing } from '../../engine/server/records.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { createContext, findUser } from '../../engine/server/session.ts'
import { storeFile } from '../../engine/server/storeFile.ts'
import { workbookOf } from './workbookOf.ts'

type Cells = Record<string, string>

/**
 * Flows of the bank as the cashier uploads them: yesterday's written with rows that failed, today's waiting to be
 * confirmed.
 */
export async function receiptFiles({ runtime }: Context): Promise<void> {
  const context = createContext(runtime, (await findUser(runtime, 'cashier'))!, 'cn')
  const { receiptImport, customer, companyAccount } = context.derived.catalog.entities
  const worker = createImportWorker(runtime, { log: console.error })
  const upload = async (file: string, rows: Cells[]) => {
    const content = await workbookOf(context.derived.imports.get(receiptImport.name)!, rows)
    const stored = { ...(await storeFile(context, runtime.database.kysely, file, content)), status: 'success' as const }
    const { id } = await writing.create(context, receiptImport, { values: { file: [stored] } })
    await worker.drain()
    return id
  }
  const { list: customers } = await reading.list(context, customer, {
    page: 1,
    size: 8,
    sort: 'id',
    filters: { approvalStatus: { equals: 'approved' }, accountStatus: { equals: 'enabled' } },
  })
  const {
    list: [account],
  } = await reading.list(context, companyAccount, {
    page: 1,
    size: 1,
    sort: 'id',
    filters: { purpose: { overlaps: ['receipt'] }, status: { equals: 'enabled' } },
  })
  const [today, yesterday] = [context.now.slice(0, 10), addDays(context.now.slice(0, 10), -1)!]
  const line = (date: string, number: number, cells: Cells = {}): Cells => ({
    receivedDate: date,
    companyAccount: String(account.accountNo),
    payerName: String(customers[number % customers.length].corporateName),
    payerBank: '北辰示范银行演示支行',
    amount: `${2150 + number * 317}.${10 + number}`,
    bankSerialNo: `FLOW${date.replaceAll('-', '')}${String(number).padStart(4, '0')}`,
    summary: '人事费用',
    ...cells,
  })
  const id = await upload(`银行流水${yesterday}.xlsx`, [
    line(yesterday, 1),
    line(yesterday, 2, { customer: String(customers[2].code) }),
    line(yesterday, 3, { payerName: '朗浔管理咨询（演示）有限公司' }),
    line(yesterday, 4, { receivedDate: addDays(today, 3)! }),
    line(yesterday, 5, { payerName: '' }),
    line(yesterday, 1),
    line(yesterday, 7, { customer: String(customers[0].code) }),
    line(yesterday, 8, { method: '支票' }),
  ])
  await writing.call(context, receiptImport, 'write', { id })
  await worker.drain()
  await upload(`银行流水${today}.xlsx`, [
    line(today, 1),
    line(today, 2),
    line(yesterday, 2),
    line(today, 4, { amount: '0' }),
  ])
}
