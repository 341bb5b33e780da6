import { sql } from 'kysely'
import { Refusal } from '../../../engine/server/errors.ts'
import { recompute } from '../../../engine/server/effects.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { insertRecords, softDelete } from '../../../engine/server/write.ts'
import type { Label, RecordData } from '../../../engine/schema/model.ts'
import { type Amount, decimal } from '../settlement/amounts.ts'
import { lockOpen, workOutAnew } from '../settlement/rework.ts'
import { column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { approvedStates, januaryOf, openStates, readOther } from './payrollData.ts'

const refused = (text: Label) => new Refusal('notAllowed', { text })

/** Tax is cumulative: what came before must be approved before it. @throws Refusal notAllowed. */
export const submitPayroll: Procedure = async ({ context, db, records }) => {
  for (const payroll of records.filter(({ incomeType }) => incomeType === 'wage')) {
    const lines = await linesOf(context, db, payroll)
    const { payrolls, lines: others } = await readOther(
      context,
      db,
      payroll,
      lines.map(({ person }) => person as number),
      {
        states: openStates,
        incomeType: 'wage',
        from: januaryOf(String(payroll.taxMonth)),
        to: String(payroll.taxMonth),
      },
    )
    const earlier = [...new Set(others.map((line) => line.payroll as number))]
      .filter((id) => id < payroll.id!)
      .map((id) => String(payrolls.get(id)!.batchNo))
    if (earlier.length > 0)
      throw refused({
        cn: `同一人员更早的批次${earlier.join('、')}尚未审核`,
        en: `The earlier batch ${earlier.join(', ')} of the same persons is not approved yet`,
      })
  }
}

/** Its lines become costs of the customer, which statements bill. */
export const approvePayroll: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'costLine')
  for (const payroll of records) {
    const costs = costsOf(payroll, await linesOf(context, db, payroll))
    for (const cost of costs) recompute(context, entity, cost)
    await insertRecords(context, db, entity, costs)
  }
}

/** What a payroll delivers: gross pay to the customer's account, and for the record the tax that was withheld of it. */
export function costsOf(payroll: RecordData, lines: readonly RecordData[]): RecordData[] {
  return lines.flatMap((line): RecordData[] => {
    const common = {
      customer: payroll.customer,
      contract: payroll.serviceContract,
      person: line.person,
      costMonth: payroll.payrollMonth,
      sourceType: 'payroll',
      sourceId: sourceOf(payroll, line),
      billMonth: null,
      policy: null,
      base: null,
      rate: null,
      fixedAmount: null,
      joinedOn: line.joinedOn ?? null,
      leftOn: line.leftOn ?? null,
      workedDays: null,
      statement: null,
    }
    const cost = decimal(line.grossPay as Amount).plus(decimal((line.afterTaxAdd ?? null) as Amount))
    return [
      {
        ...common,
        feeItem: payroll.incomeType === 'severance' ? 'severance' : 'grossWage',
        party: 'company',
        amount: cost.toFixed(2),
      },
      ...(decimal(line.currentTax as Amount).isZero()
        ? []
        : [{ ...common, feeItem: 'incomeTax', party: 'personal', amount: String(line.currentTax) }]),
    ]
  })
}

export const sourceOf = ({ batchNo }: RecordData, { id }: RecordData): string => `${String(batchNo)}-${String(id)}`

/** Takes the costs back; statements that are still open are made anew without them. @throws Refusal notAllowed. */
export const unapprovePayroll: Procedure = async ({ context, db, records }) => {
  for (const payroll of records) {
    const lines = await linesOf(context, db, payroll)
    if (lines.some(({ payStatus }) => payStatus !== null && payStatus !== 'removed'))
      throw refused({
        cn: '工资已在代发批次中，不能反审核',
        en: 'The wages are in a payment batch: the approval stays',
      })
    const { lines: later, payrolls } = await readOther(
      context,
      db,
      payroll,
      lines.map(({ person }) => person as number),
      {
        states: approvedStates,
        incomeType: 'wage',
        from: String(payroll.taxMonth),
        to: `${String(payroll.taxMonth).slice(0, 4)}-12`,
      },
    )
    const after = later
      .map((line) => payrolls.get(line.payroll as number)!)
      .find(({ id, taxMonth }) => String(taxMonth) > String(payroll.taxMonth) || id! > payroll.id!)
    if (payroll.incomeType === 'wage' && after)
      throw refused({
        cn: `之后的批次${String(after.batchNo)}已审核，其个税以本批次为基础`,
        en: `The later batch ${String(after.batchNo)} is approved, and its tax is based on this one`,
      })
    const costs = await readAll(
      context,
      db,
      'costLine',
      [
        sql<boolean>`(${column('sourceType')} = 'payroll' and ${column('sourceId')} = any(${lines.map((line) => sourceOf(payroll, line))}::text[]))`,
      ],
      ['statement', 'statementStage'],
    )
    if (costs.some(({ statementStage }) => statementStage === 'confirmed'))
      throw refused({
        cn: '工资已计入已确认的对账单，不能反审核',
        en: 'A confirmed statement bills these wages: the approval stays',
      })
    await softDelete(
      context,
      db,
      entityOf(context, 'costLine'),
      costs.map(({ id }) => id!),
    )
    for (const id of new Set(
      costs.flatMap(({ statement, statementStage }) => (statementStage === 'generated' ? (statement as number) : [])),
    )) {
      await workOutAnew(context, db, await lockOpen(context, db, id))
    }
  }
}

const linesOf = (context: Context, db: Db, { id }: RecordData): Promise<RecordData[]> =>
  readAll(
    context,
    db,
    'payrollLine',
    [isAnyOf('payroll', [id!]), sql<boolean>`${column('lineStatus')} <> 'removed'`],
    ['person', 'grossPay', 'currentTax', 'afterTaxAdd', 'payStatus'],
  )
