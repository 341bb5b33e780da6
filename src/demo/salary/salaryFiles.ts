import type { Context } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

type Desk = Awaited<ReturnType<typeof uploadsBy>>

/** A payroll clerk's monthly uploads, each with a row that must fail. */
export async function salaryFiles(whole: Context): Promise<void> {
  const desk = await uploadsBy(whole, 'admin')
  const month = desk.context.now.slice(0, 7)
  await deductions(desk, month)
  await wages(desk, month)
  await bankResults(desk, month)
  await zeroReturns(desk, month)
}

const personOf = (record: RecordData): Cells => ({
  personName: String(record.personName ?? record.name),
  person: String(record.idNumber),
})

const wrongName: Cells = { personName: '张三丰' }

async function deductions({ found, choice, upload }: Desk, month: string): Promise<void> {
  const [last] = await found('specialDeduction', { status: { equals: 'valid' } }, 1)
  const taxMonth = last?.taxMonth ?? month
  const records = await found('specialDeduction', { status: { equals: 'valid' }, taxMonth: { equals: taxMonth } }, 4)
  await upload(
    'specialDeductionImport',
    `${month}专项附加扣除.xlsx`,
    records.map((record, index) => ({
      ...personOf(record),
      idType: choice('specialDeduction', 'idType', record.idType),
      taxMonth: String(record.taxMonth),
      ...Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) =>
          name.startsWith('cum') && typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      cumPersonalPension: '500.00',
      ...(index === 3 && wrongName),
    })),
    { given: { taxMonth } },
  )
}

async function wages({ found, upload }: Desk, month: string): Promise<void> {
  const lines = await found(
    'payrollLine',
    { batchStatus: { in: ['draft', 'calculated', 'rejected'] }, lineStatus: { equals: 'normal' } },
    4,
  )
  await upload(
    'payrollLineImport',
    `${month}工资表.xlsx`,
    lines.map((record, index) => ({
      payroll: String(record.batchNo),
      ...personOf(record),
      otherAllowance: '100.00',
      ...(index === 3 && wrongName),
    })),
  )
}

/** Payment results from the bank. */
async function bankResults({ context, found, choice, upload }: Desk, month: string): Promise<void> {
  const payments = await found('payLine', { batchStatus: { equals: 'sent' }, status: { equals: 'sent' } }, 4)
  await upload(
    'payLineImport',
    `${month}代发回盘.xlsx`,
    payments.map((record, index) => ({
      payBatch: String(record.batchNo),
      lineNo: String(record.lineNo),
      accountName: String(record.accountName),
      accountNo: String(record.accountNo),
      amount: String(record.amount),
      result: choice('payLine', 'result', 'success'),
      paidAt: `${context.now.slice(0, 10)} 08:30:00`,
      ...(index === 3 && { amount: '1.00' }),
    })),
  )
}

/** People without income in the month. */
async function zeroReturns({ found, choice, upload }: Desk, month: string): Promise<void> {
  const filed = new Set(
    (await found('personalTax', { taxMonth: { equals: month } }, 1000)).map(
      ({ person }) => (person as { id: number } | null)?.id,
    ),
  )
  const without = (await found('person', { employmentStatus: { equals: 'active' }, idType: { equals: 'idcard' } }, 30))
    .filter(({ id }) => !filed.has(id))
    .slice(0, 4)
  await upload(
    'personalTaxImport',
    `${month}零申报.xlsx`,
    without.map((record, index) => ({
      ...personOf(record),
      idType: choice('person', 'idType', record.idType),
      taxMonth: month,
      taxSubject: choice('person', 'taxSubject', record.taxSubject),
      zeroReason: choice('personalTax', 'zeroReason', 'noIncome'),
      ...(index === 3 && wrongName),
    })),
    { given: { taxMonth: month } },
  )
}
