import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../settlement/amounts.ts'
import { followCosts } from '../settlement/followCosts.ts'
import { approvedStates, januaryOf, openStates, readOther } from './payrollData.ts'

type Payroll = Stored<'payroll'>

/** Tax is cumulative: what came before must be approved before it. @throws Refusal notAllowed. */
export const submitPayroll = procedure<'payroll'>(async (work, { records }) => {
  for (const payroll of records.filter(({ incomeType }) => incomeType === 'wage')) {
    const lines = await linesOf(work, payroll)
    const { payrolls, lines: others } = await readOther(
      work,
      payroll,
      lines.map(({ person }) => person),
      { states: openStates, incomeType: 'wage', from: januaryOf(payroll.taxMonth), to: payroll.taxMonth },
    )
    const earlier = [...new Set(others.map((line) => line.payroll))]
      .filter((id) => id < payroll.id)
      .map((id) => payrolls.get(id)!.batchNo)
    if (earlier.length > 0)
      work.refuseCall({
        cn: `同一人员更早的批次${earlier.join('、')}尚未审核`,
        en: `The earlier batch ${earlier.join(', ')} of the same persons is not approved yet`,
      })
  }
})

/** Its lines become costs of the customer, which a statement that is open takes at once, else the next. */
export const approvePayroll = procedure<'payroll'>(async (work, { records }) => {
  const made: Stored<'costLine'>[] = []
  for (const payroll of records)
    made.push(...(await work.insert('costLine', costsOf(payroll, await linesOf(work, payroll)))))
  await followCosts(work, { made })
})

/** What billing needs of a payroll and its lines. */
type Told = Pick<Payroll, 'batchNo' | 'customer' | 'serviceContract' | 'payrollMonth' | 'incomeType'>
type Line = Part<'payrollLine', 'person' | 'grossPay' | 'currentTax' | 'afterTaxAdd'>

/** What a payroll delivers: gross pay to the customer's account, and for the record the tax that was withheld of it. */
export const costsOf = (payroll: Told, lines: readonly Line[]): Values<'costLine'>[] =>
  lines.flatMap((line): Values<'costLine'>[] => {
    const common = {
      customer: payroll.customer,
      contract: payroll.serviceContract,
      person: line.person,
      costMonth: payroll.payrollMonth,
      sourceType: 'payroll',
      sourceId: sourceOf(payroll, line),
    } as const
    return [
      {
        ...common,
        feeItem: payroll.incomeType === 'severance' ? 'severance' : 'grossWage',
        party: 'company',
        amount: decimal(line.grossPay).plus(decimal(line.afterTaxAdd)).toFixed(2),
      },
      ...(decimal(line.currentTax).isZero()
        ? []
        : [{ ...common, feeItem: 'incomeTax', party: 'personal', amount: line.currentTax } as const]),
    ]
  })

const sourceOf = ({ batchNo }: Pick<Payroll, 'batchNo'>, { id }: { id: number }): string => `${batchNo}-${id}`

/** Takes the costs back; statements that are still open are made anew without them. @throws Refusal notAllowed. */
export const unapprovePayroll = procedure<'payroll'>(async (work, { records }) => {
  for (const payroll of records) {
    const lines = await linesOf(work, payroll)
    if (lines.some(({ payStatus }) => payStatus !== null && payStatus !== 'removed'))
      work.refuseCall({
        cn: '工资已在代发批次中，不能反审核',
        en: 'The wages are in a payment batch: the approval stays',
      })
    const { taxMonth } = payroll
    const { lines: later, payrolls } = await readOther(
      work,
      payroll,
      lines.map(({ person }) => person),
      { states: approvedStates, incomeType: 'wage', from: taxMonth, to: `${taxMonth.slice(0, 4)}-12` },
    )
    const after = later
      .map((line) => payrolls.get(line.payroll)!)
      .find((other) => other.taxMonth > taxMonth || other.id > payroll.id)
    if (payroll.incomeType === 'wage' && after)
      work.refuseCall({
        cn: `之后的批次${after.batchNo}已审核，其个税以本批次为基础`,
        en: `The later batch ${after.batchNo} is approved, and its tax is based on this one`,
      })
    const costs = await work.read('costLine', {
      where: { sourceType: 'payroll', sourceId: lines.map((line) => sourceOf(payroll, line)) },
      fields: ['statement', 'statementStage'],
    })
    if (costs.some(({ statementStage }) => statementStage === 'confirmed'))
      work.refuseCall({
        cn: '工资已计入已确认的对账单，不能反审核',
        en: 'A confirmed statement bills these wages: the approval stays',
      })
    await work.delete('costLine', costs)
    await followCosts(work, { made: [], gone: costs })
  }
})

const linesOf = (work: ProcedureWork, { id }: Payroll) =>
  work.read('payrollLine', {
    where: { payroll: id, lineStatus: { not: 'removed' } },
    fields: ['person', 'grossPay', 'currentTax', 'afterTaxAdd', 'payStatus'],
  })
