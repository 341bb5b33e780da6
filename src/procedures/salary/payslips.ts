import { sql } from 'kysely'
import { Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { storeFile } from '../../../engine/server/storeFile.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import type { Block } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import type { Amount } from '../settlement/amounts.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { readWhole } from '../welfare/readWhole.ts'
import { tellSalary } from './journal.ts'
import { payslipBlocks } from './payslipText.ts'

/**
 * The payslips of everybody in a batch, a page each, kept with it and downloaded; the lines know when they were handed
 * out.
 * @throws Refusal notAllowed.
 */
export const sendPayslips: Procedure = async ({ context, db, records }) => {
  const files: { url: string; name: string }[] = []
  for (const payroll of records) {
    const lines = await readWhole(
      context,
      db,
      'payrollLine',
      [sql<boolean>`${column('payroll')} = ${payroll.id} and ${column('lineStatus')} = 'normal'`],
      true,
    )
    if (lines.length === 0)
      throw new Refusal('notAllowed', { text: { cn: '批次没有可发放的人员', en: 'Nobody in the batch is paid' } })
    const file = await printed(context, db, payroll, lines, `${String(payroll.name)}工资条.pdf`)
    await changeRecord(context, db, entityOf(context, 'payroll'), payroll, {
      payslipFile: [{ ...file, status: 'success' }] as unknown as Value,
      payslipAt: context.now,
    })
    for (const line of lines)
      await changeRecord(context, db, entityOf(context, 'payrollLine'), line, { payslipAt: context.now })
    const { batchNo, customer, netTotal, status } = payroll
    await tellSalary(context, db, [
      {
        subject: 'payroll',
        documentNo: String(batchNo),
        action: 'payslip',
        payroll: payroll.id,
        customer,
        amountBefore: netTotal,
        amountAfter: netTotal,
        statusBefore: status,
        statusAfter: status,
      },
    ])
    await writeHistory(context, db, entityOf(context, 'payroll'), 'payslip', payroll, payroll)
    files.push({ url: file.url, name: file.name })
  }
  return { files }
}

/** The payslip of one person, as often as it is asked for. */
export const downloadPayslip: Procedure = async ({ context, db, records }) => {
  const files: { url: string; name: string }[] = []
  for (const { id } of records) {
    const [line] = await readWhole(context, db, 'payrollLine', [isAnyOf('id', [id!])])
    const [payroll] = await readAll(context, db, 'payroll', [isAnyOf('id', [line.payroll as number])])
    const { url, name } = await printed(
      context,
      db,
      payroll,
      [line],
      `${String(payroll.payrollMonth)}工资条-${String(line.personName)}.pdf`,
    )
    await writeHistory(context, db, entityOf(context, 'payrollLine'), 'payslip', line, line)
    files.push({ url, name })
  }
  return { files }
}

async function printed(context: Context, db: Db, payroll: RecordData, lines: readonly RecordData[], name: string) {
  const people = new Map(
    (
      await readAll(
        context,
        db,
        'person',
        [
          isAnyOf(
            'id',
            lines.map(({ person }) => person as number),
          ),
        ],
        ['name', 'jobNumber', 'position'],
      )
    ).map((person) => [person.id!, person]),
  )
  const cards = new Map(
    (
      await readAll(
        context,
        db,
        'personBankCard',
        [
          isAnyOf(
            'id',
            lines.map(({ wageCard }) => (wageCard ?? null) as number | null),
          ),
        ],
        ['accountNo'],
      )
    ).map(({ id, accountNo }) => [id, String(accountNo).slice(-4)]),
  )
  const { entities, dictionaries } = context.derived.catalog
  const labels = Object.fromEntries(
    Object.values(entities.payrollLine.fields).map((field) => [field.name, field.label]),
  )
  const items = new Map(dictionaries.feeItem.choices.map(({ value, label }) => [value, label.cn]))
  const slips = lines.map((line): Block[] => {
    const person = people.get(line.person as number)!
    return payslipBlocks(
      {
        employer: String(payroll.withholdingAgent),
        payrollMonth: String(payroll.payrollMonth),
        payDate: String(payroll.planPayDate),
        line,
        card: cards.get(line.wageCard as number) ?? null,
        person: {
          name: String(person.name),
          jobNumber: (person.jobNumber ?? null) as string | null,
          position: (person.position ?? null) as string | null,
        },
        welfare: ((line.welfare ?? []) as RecordData[]).map(({ item, personal }) => ({
          label: items.get(String(item)) ?? String(item),
          personal: personal as Amount,
        })),
      },
      labels,
    )
  })
  const content = await printPdf({
    title: name,
    size: 'a5',
    blocks: slips.flatMap((slip, index) =>
      index === 0 ? slip : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...slip],
    ),
  })
  return storeFile(context, db, name, content)
}
