import { sql } from 'kysely'
import { recompute } from '../../../engine/server/effects.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { earnings } from './grossToNet.ts'
import { firstDay, lastDay } from './payrollData.ts'

const repeated = [...earnings, 'afterTaxAdd', 'afterTaxDeduct'].filter((name) => name !== 'otherPreTax')

/**
 * A new batch gets its lines: everybody who is at work in the month, or has left in it; or those of the batch before,
 * with what recurs.
 */
export const fillPayroll: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'payrollLine')
  for (const payroll of records) {
    const people = await readEmployed(context, db, payroll)
    const last = payroll.source === 'last' ? await readLast(context, db, payroll) : undefined
    const lines = (last ? people.filter(({ id }) => last.has(id!)) : people).map(
      ({ id, name, baseSalary }): RecordData => {
        const before = last?.get(id!)
        const line: RecordData = {
          payroll: payroll.id!,
          person: id!,
          personName: name,
          baseSalary: payroll.incomeType === 'wage' ? baseSalary : '0.00',
          ...(before && Object.fromEntries(repeated.map((name) => [name, before[name]]))),
          lineStatus: 'normal',
          welfarePersonalTotal: '0.00',
          welfareCompanyTotal: '0.00',
          currentTax: '0.00',
          statutory: '0.00',
          otherDeduction: '0.00',
        }
        recompute(context, entity, line)
        return line
      },
    )
    await insertRecords(context, db, entity, lines)
  }
}

async function readEmployed(
  context: Context,
  db: Db,
  { customer, serviceContract, agency, taxSubject, payrollMonth }: RecordData,
): Promise<RecordData[]> {
  const month = String(payrollMonth)
  return readAll(
    context,
    db,
    'person',
    [
      sql<boolean>`(${column('customer')} = ${customer} and ${column('serviceContract')} = ${serviceContract} and ${column('agency')} = ${agency}
    and ${column('taxSubject')} = ${taxSubject} and ${column('employmentStatus')} in ('active', 'leaving', 'left') and ${column('entryDate')} <= ${lastDay(month)}
    and (${column('leaveDate')} is null or ${column('leaveDate')} >= ${firstDay(month)}))`,
    ],
    ['name', 'baseSalary'],
  )
}

/** Person → their line in the last batch of the same contract and kind that was not void. */
async function readLast(
  context: Context,
  db: Db,
  { id, serviceContract, incomeType, taxSubject, agency }: RecordData,
): Promise<Map<number, RecordData>> {
  const payrolls = await readAll(
    context,
    db,
    'payroll',
    [
      sql<boolean>`(${column('serviceContract')} = ${serviceContract} and ${column('incomeType')} = ${incomeType}
    and ${column('taxSubject')} = ${taxSubject} and ${column('agency')} = ${agency} and ${column('status')} <> 'void' and ${column('id')} <> ${id})`,
    ],
    ['payrollMonth'],
  )
  const last = payrolls.sort((a, b) => (String(a.payrollMonth) < String(b.payrollMonth) ? -1 : 1)).at(-1)
  const lines = last
    ? await readAll(
        context,
        db,
        'payrollLine',
        [isAnyOf('payroll', [last.id!]), sql<boolean>`${column('lineStatus')} <> 'removed'`],
        ['person', ...repeated],
      )
    : []
  return new Map(lines.map((line) => [line.person as number, line]))
}
