import type { Context } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

/**
 * The files that a payroll clerk uploads in a month, each with a row that cannot be: deductions, wages, what the bank
 * paid, who earned nothing.
 */
export async function salaryFiles(whole: Context): Promise<void> {
  const { context, found, choice, upload } = await uploadsBy(whole, 'admin')
  const month = context.now.slice(0, 7)
  const person = (record: RecordData, cells: Cells = {}): Cells => ({
    personName: String(record.personName ?? record.name),
    person: String(record.idNumber),
    ...cells,
  })

  const [last] = await found('specialDeduction', { status: { equals: 'valid' } }, 1)
  const taxMonth = last?.taxMonth ?? month
  const deductions = await found('specialDeduction', { status: { equals: 'valid' }, taxMonth: { equals: taxMonth } }, 4)
  const deduction = (record: RecordData, cells: Cells = {}): Cells => ({
    ...person(record),
    idType: choice('specialDeduction', 'idType', record.idType),
    taxMonth: String(record.taxMonth),
    ...Object.fromEntries(
      Object.entries(record).flatMap(([name, value]) =>
        name.startsWith('cum') && typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
    cumPersonalPension: '500.00',
    ...cells,
  })
  await upload(
    'specialDeductionImport',
    `${month}专项附加扣除.xlsx`,
    deductions.map((record, index) => deduction(record, index === 3 ? { personName: '张三丰' } : {})),
    { given: { taxMonth } },
  )

  const lines = await found(
    'payrollLine',
    { batchStatus: { in: ['draft', 'calculated', 'rejected'] }, lineStatus: { equals: 'normal' } },
    4,
  )
  const wage = (record: RecordData, cells: Cells = {}): Cells => ({
    payroll: String(record.batchNo),
    ...person(record),
    otherAllowance: '100.00',
    ...cells,
  })
  await upload(
    'payrollLineImport',
    `${month}工资表.xlsx`,
    lines.map((record, index) => wage(record, index === 3 ? { personName: '张三丰' } : {})),
  )

  const payments = await found('payLine', { batchStatus: { equals: 'sent' }, status: { equals: 'sent' } }, 4)
  const paid = (record: RecordData, cells: Cells = {}): Cells => ({
    payBatch: String(record.batchNo),
    lineNo: String(record.lineNo),
    accountName: String(record.accountName),
    accountNo: String(record.accountNo),
    amount: String(record.amount),
    result: choice('payLine', 'result', 'success'),
    paidAt: `${context.now.slice(0, 10)} 08:30:00`,
    ...cells,
  })
  await upload(
    'payLineImport',
    `${month}代发回盘.xlsx`,
    payments.map((record, index) => paid(record, index === 3 ? { amount: '1.00' } : {})),
  )

  const filed = new Set(
    (await found('personalTax', { taxMonth: { equals: month } }, 1000)).map(
      ({ person: of }) => (of as { id: number } | null)?.id,
    ),
  )
  const without = (await found('person', { employmentStatus: { equals: 'active' }, idType: { equals: 'idcard' } }, 30))
    .filter(({ id }) => !filed.has(id))
    .slice(0, 4)
  const zero = (record: RecordData, cells: Cells = {}): Cells => ({
    ...person(record),
    idType: choice('person', 'idType', record.idType),
    taxMonth: month,
    taxSubject: choice('person', 'taxSubject', record.taxSubject),
    zeroReason: choice('personalTax', 'zeroReason', 'noIncome'),
    ...cells,
  })
  await upload(
    'personalTaxImport',
    `${month}零申报.xlsx`,
    without.map((record, index) => zero(record, index === 3 ? { personName: '张三丰' } : {})),
    { given: { taxMonth: month } },
  )
}
