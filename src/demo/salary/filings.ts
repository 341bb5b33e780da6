import { recompute } from '../../../engine/server/records/effects.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { lastDay } from '../../procedures/monthDays.ts'
import { filedLineFields, filedPayrollFields, filingsOf } from '../../procedures/salary/filings.ts'
import { approvedStates } from '../../procedures/salary/payrollData.ts'
import { readEmployed } from '../staff/employed.ts'
import type { Resolve } from '../Resolve.ts'

/** The number of people without income that get a zero filing. */
const zeroFilings = 8

/**
 * Everybody's tax for these tax months: past months are filed by the tenth of the following month, the last is pending;
 * a few failed.
 */
export async function writeFilings(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const entity = context.derived.catalog.entities.personalTax
  const clerk = { ...context, user: { ...context.user, id: Number(resolve('user', 'payrollClerk')) } }
  const work = new ProcedureWork(context, db)
  const { people } = await readEmployed(context, db)
  for (const month of months) {
    const found = await work.read('payroll', {
      where: { status: approvedStates, taxMonth: month },
      fields: filedPayrollFields,
    })
    const payrolls = new Map(found.map((each) => [each.id as number, each]))
    const lines = await work.read('payrollLine', {
      where: { payroll: [...payrolls.keys()] },
      fields: filedLineFields,
    })
    const paid = new Set(lines.map(({ person }) => person as number))
    const zero = people
      .filter(
        ({ id, taxSubject, entryDate, leaveDate, taxStartMonth }) =>
          !paid.has(id) &&
          taxSubject === 'provider' &&
          entryDate <= lastDay(month) &&
          taxStartMonth <= month &&
          leaveDate === null,
      )
      .slice(0, zeroFilings)
      .map(({ id, name, customer, agency, taxSubject }): RecordData => ({
        person: id,
        personName: name,
        taxSubject,
        customer,
        agency,
        incomeType: 'wage',
        taxMonth: month,
        filingKind: 'zero',
        currentIncome: '0.00',
        exemptIncome: '0.00',
        statutory: '0.00',
        otherDeduction: '0.00',
        currentTax: '0.00',
        payrolls: null,
        zeroReason: 'noIncome',
        remark: null,
      }))
    const isPast = month < context.now.slice(0, 7)
    const filedAt = `${month}-28 10:30:00` < context.now ? `${month}-28 10:30:00` : context.now
    const made = [...filingsOf(payrolls, lines), ...zero].map((filing, index): RecordData => {
      const status = isPast ? 'filed' : index % 97 === 5 ? 'failed' : index % 11 === 3 ? 'exported' : 'pending'
      const record: RecordData = {
        ...filing,
        status,
        filedAt: status === 'filed' ? filedAt : null,
        filer: status === 'filed' ? clerk.user.id : null,
        failReason: status === 'failed' ? '身份信息验证不通过' : null,
        corrections: 0,
      }
      recompute(context, entity, record)
      return record
    })
    await insertRecords({ ...clerk, now: filedAt }, db, entity, made)
  }
}
