import { procedure, type ProcedureWork, type Stored, type StoredFile } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { Block } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { appendSalaryJournal, type SalaryEntry } from './journal.ts'
import { payslipBlocks } from './payslipText.ts'

type Payroll = Stored<'payroll'>
type Line = Stored<'payrollLine'>

/**
 * The payslips of everybody in a batch, a page each, stored with it and downloaded.
 * @throws Refusal notAllowed, permission.
 */
export const sendPayslips = procedure<'payroll'>(async (work, { records }) => {
  work.demandWhole('payroll', ['payslipFile'])
  const files: { url: string; name: string }[] = []
  for (const payroll of records) {
    const lines = await work.read('payrollLine', { where: { payroll: payroll.id, lineStatus: 'normal' }, lock: true })
    if (lines.length === 0) work.refuseCall({ cn: '批次没有可发放的人员', en: 'Nobody in the batch is paid' })
    const file = await printed(work, payroll, lines, `${payroll.name}工资条.pdf`)
    await work.change('payroll', payroll, { payslipFile: [file] }, { action: 'payslip' })
    await appendSalaryJournal(work, [entryOf(payroll, 'payslip')])
    files.push({ url: file.url, name: file.name })
  }
  return { files }
})

const entryOf = ({ id, batchNo, customer, netTotal, status }: Payroll, action: SalaryEntry['action']): SalaryEntry => ({
  subject: 'payroll',
  documentNo: batchNo,
  action,
  payroll: id,
  customer,
  amountBefore: netTotal,
  amountAfter: netTotal,
  statusBefore: status,
  statusAfter: status,
})

export const preparePayslips = procedure<'payroll'>((work) =>
  Promise.resolve({ values: { payslipBy: null, payslipAt: work.now, payslipRemark: null } }),
)

/**
 * Records that everybody in a batch got their payslip: when, how, and with what evidence. Those who have a record keep it
 * while others have none; after that, another handover corrects all.
 * @throws Refusal invalid.
 */
export const handOverPayslips = procedure<'payroll'>(async (work, { records, values }) => {
  const { payslipBy, payslipAt, payslipRemark } = values
  const isThen = ({ approvedAt }: Payroll) =>
    payslipAt && payslipAt <= work.now && (approvedAt === null || payslipAt >= approvedAt)
  if (!records.every(isThen)) work.refuse('payroll', [{ field: 'payslipAt', code: 'range', message: notThen }])
  const lines = await work.read('payrollLine', {
    where: { payroll: records.map(({ id }) => id), lineStatus: 'normal' },
    lock: true,
  })
  await work.changeAll(
    'payroll',
    records.map((record) => ({ record, values: { payslipBy, payslipAt, payslipRemark } })),
    { action: 'handOverPayslips' },
  )
  const own = groupedBy(lines, ({ payroll }) => payroll)
  const given = [...own.values()].flatMap((all) => {
    const without = all.filter((line) => line.payslipAt === null)
    return without.length > 0 ? without : all
  })
  await work.changeAll(
    'payrollLine',
    given.map((record) => ({ record, values: { payslipAt, payslipBy } })),
  )
  await appendSalaryJournal(
    work,
    records.map((payroll) => ({ ...entryOf(payroll, 'handOverPayslips'), reason: payslipRemark })),
  )
})

const notThen = {
  cn: '送达时间须在批次审核之后，且不晚于现在',
  en: 'The delivery must be after the approval of the batch and not in the future',
}

/** The payslip of one person, any number of times. @throws Refusal permission. */
export const downloadPayslip = procedure<'payrollLine'>(async (work, { records }) => {
  const files: { url: string; name: string }[] = []
  for (const { id } of records) {
    const line = (await work.one('payrollLine', id))!
    const payroll = (await work.one('payroll', line.payroll))!
    const name = `${payroll.payrollMonth}工资条-${line.personName}.pdf`
    const file = await printed(work, payroll, [line], name)
    await work.note('payrollLine', [line], 'payslip')
    files.push({ url: file.url, name: file.name })
  }
  return { files }
})

async function printed(
  work: ProcedureWork,
  payroll: Payroll,
  lines: readonly Line[],
  name: string,
): Promise<StoredFile> {
  work.demandWhole('payrollLine', ['baseSalary', 'absenceDeduction'])
  const people = await work.byId(
    'person',
    lines.map(({ person }) => person),
    { fields: ['name', 'jobNumber', 'position'] },
  )
  const cards = await work.byId(
    'personBankCard',
    lines.map(({ wageCard }) => wageCard),
    { fields: ['accountNo'] },
  )
  const items = new Map(work.dictionary('feeItem').choices.map(({ value, label }) => [value, label.cn]))
  const slips = lines.map((line): Block[] => {
    const { name: called, jobNumber, position } = people.get(line.person)!
    return payslipBlocks(
      {
        employer: String(payroll.withholdingAgent),
        payrollMonth: payroll.payrollMonth,
        payDate: payroll.planPayDate,
        line,
        card: cards.get(line.wageCard ?? 0)?.accountNo.slice(-4) ?? null,
        person: { name: called, jobNumber, position },
        welfare: (line.welfare ?? []).map(({ item, personal }) => ({ label: items.get(item) ?? item, personal })),
      },
      (field) => work.labelOf('payrollLine', field),
    )
  })
  const content = await printPdf({
    title: name,
    size: 'a5',
    blocks: slips.flatMap((slip, index) =>
      index === 0 ? slip : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...slip],
    ),
  })
  return work.storeFile(name, content)
}
