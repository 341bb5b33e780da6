import { addDays } from '../../../engine/expression/index.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

/**
 * Bank statements as the cashier uploads them: yesterday's written with failed rows, today's waiting for confirmation.
 */
export async function receiptFiles(whole: Context): Promise<void> {
  const { context, found, upload } = await uploadsBy(whole, 'cashier')
  const customers = await found(
    'customer',
    { approvalStatus: { equals: 'approved' }, accountStatus: { equals: 'enabled' } },
    8,
  )
  const [account] = await found(
    'companyAccount',
    { purpose: { overlaps: ['receipt'] }, status: { equals: 'enabled' } },
    1,
  )
  if (customers.length === 0) return
  const payer = (number: number) => customers[number % customers.length]
  const [today, yesterday] = [context.now.slice(0, 10), addDays(context.now.slice(0, 10), -1)!]
  const line = (date: string, number: number, cells: Cells = {}): Cells => ({
    receivedDate: date,
    companyAccount: String(account.accountNo),
    payerName: String(payer(number).corporateName),
    payerBank: '北辰示范银行演示支行',
    amount: `${2150 + number * 317}.${10 + number}`,
    bankSerialNo: `FLOW${date.replaceAll('-', '')}${String(number).padStart(4, '0')}`,
    summary: '人事费用',
    ...cells,
  })
  await upload('receiptImport', `银行流水${yesterday}.xlsx`, [
    line(yesterday, 1),
    line(yesterday, 2, { customer: String(payer(2).code) }),
    line(yesterday, 3, { payerName: '朗浔管理咨询（演示）有限公司' }),
    line(yesterday, 4, { receivedDate: addDays(today, 3)! }),
    line(yesterday, 5, { payerName: '' }),
    line(yesterday, 1),
    line(yesterday, 7, { customer: String(payer(0).code) }),
    line(yesterday, 8, { method: '支票' }),
  ])
  await upload(
    'receiptImport',
    `银行流水${today}.xlsx`,
    [line(today, 1), line(today, 2), line(yesterday, 2), line(today, 4, { amount: '0' })],
    { waits: true },
  )
}
