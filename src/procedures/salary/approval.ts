import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { addMonths } from '../../../engine/expression/index.ts'
import { followCosts } from '../settlement/followCosts.ts'
import { followContributions } from '../welfare/expenses/undeductedContributions.ts'
import { namedBatches } from './namedBatches.ts'
import { refuseOutdated } from './outdated.ts'
import { approvedStates, januaryOf, openStates, readOther } from './payrollData.ts'
import { followBenefits } from './undeductedBenefits.ts'
import { lateMonths } from './welfareLeft.ts'

type Payroll = Stored<'payroll'>

/**
 * Tax is cumulative, so earlier payrolls must be approved first, and this one must be up to date.
 * @throws Refusal notAllowed.
 */
export const submitPayroll = procedure<'payroll'>(async (work, { records }) => {
  for (const payroll of records) {
    if (payroll.incomeType === 'wage') await refuseOutOfOrder(work, payroll)
    await refuseOutdated(work, payroll, 'submit')
  }
})

/**
 * Its lines become costs of the customer, which go to an open statement at once, else to the next.
 * @throws Refusal notAllowed.
 */
export const approvePayroll = procedure<'payroll'>(async (work, { records }) => {
  const made: Stored<'costLine'>[] = []
  for (const payroll of records) {
    const lines = await linesOf(work, payroll)
    // Two payrolls of one person are not approved concurrently: the second sees what the first has withheld.
    await work.read('person', { where: { id: lines.map(({ person }) => person) }, fields: ['name'], lock: true })
    if (payroll.incomeType === 'wage') {
      await holdUndeducted(work, lines)
      await refuseOutOfOrder(work, payroll)
    }
    await refuseOutdated(work, payroll, 'approve')
    made.push(...(await work.insert('costLine', costsOf(payroll, lines))))
    await followDeducted(work, payroll, lines)
  }
  await followCosts(work, { made })
})

/**
 * Locks what these wages deduct, so that it cannot be settled by hand at the same time; what already was, they no
 * longer deduct.
 */
async function holdUndeducted(work: ProcedureWork, lines: readonly Line[]): Promise<void> {
  const where = { person: lines.map(({ person }) => person), settledOn: { empty: true } } as const
  await work.read('undeducted', { where, fields: ['feeMonth'], lock: true })
}

/** Updates the list of contributions and benefits not deducted. */
async function followDeducted(
  work: ProcedureWork,
  { incomeType, welfareMonth: to, customer }: Payroll,
  lines: readonly Line[],
): Promise<void> {
  if (incomeType !== 'wage') return
  const people = lines.map(({ person }) => person)
  await followContributions(work, people, { from: addMonths(to, -lateMonths)!, to })
  await followBenefits(
    work,
    people.map((person) => ({ person, customer })),
  )
}

/** Wages of the same people are approved by tax month; those of one month that wait have only their creation order. */
async function refuseOutOfOrder(work: ProcedureWork, payroll: Payroll): Promise<void> {
  const people = (await linesOf(work, payroll)).map(({ person }) => person)
  const { taxMonth, id } = payroll
  const others = async (states: typeof openStates, from: string, to: string) => {
    const { payrolls, lines } = await readOther(work, payroll, people, { states, incomeType: 'wage', from, to })
    return [...new Set(lines.map((line) => line.payroll))].map((each) => payrolls.get(each)!)
  }
  const year = taxMonth.slice(0, 4)
  const earlier = (await others(openStates, januaryOf(taxMonth), taxMonth)).filter(
    (other) => other.taxMonth < taxMonth || other.id < id,
  )
  if (earlier.length > 0) {
    const named = await namedBatches(work, earlier)
    work.refuseCall({
      cn: `同一人员更早的批次${named.cn}尚未审核`,
      en: `The earlier batch ${named.en} of the same employees is not approved yet`,
    })
  }
  const later = (await others(approvedStates, taxMonth, `${year}-12`)).find((other) => other.taxMonth > taxMonth)
  if (later) {
    const named = await namedBatches(work, [later])
    work.refuseCall({
      cn: `同一人员${later.taxMonth}的批次${named.cn}已审核，其个税未计入本批次；请将税款所属期改为${later.taxMonth}或之后`,
      en:
        `The batch ${named.en} of ${later.taxMonth} of the same employees is already approved, and its tax does not ` +
        `include this one: choose tax month ${later.taxMonth} or later`,
    })
  }
}

/** What billing needs of a payroll and its lines. */
type BilledPayroll = Pick<Payroll, 'batchNo' | 'customer' | 'serviceContract' | 'payrollMonth' | 'incomeType'>
type Line = Part<'payrollLine', 'person' | 'grossPay' | 'currentTax' | 'afterTaxAdd'>

/** The costs of a payroll: gross pay for the customer's account and, for information, the tax withheld from it. */
export const costsOf = (payroll: BilledPayroll, lines: readonly Line[]): Values<'costLine'>[] =>
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

/** Withdraws the costs; open statements are recomputed without them. @throws Refusal notAllowed. */
export const unapprovePayroll = procedure<'payroll'>(async (work, { records, before }) => {
  for (const [index, payroll] of records.entries()) {
    const lines = await linesOf(work, payroll)
    if (lines.some(({ payStatus }) => payStatus !== null && payStatus !== 'removed'))
      work.refuseCall({
        cn: '工资已在代发批次中，不能反审核',
        en: 'The wages are already in a payment batch, so the approval cannot be undone',
      })
    await refuseFiled(work, payroll, lines)
    // The undone approval has already emptied its time in the record.
    if (payroll.incomeType === 'wage') await refuseBasis(work, before[index]!, lines)
    const costs = await work.read('costLine', {
      where: { sourceType: 'payroll', sourceId: lines.map((line) => sourceOf(payroll, line)) },
      fields: ['statement', 'statementStage'],
    })
    if (costs.some(({ statementStage }) => statementStage === 'confirmed'))
      work.refuseCall({
        cn: '工资已计入已确认的对账单，不能反审核',
        en: 'A confirmed statement already bills these wages, so the approval cannot be undone',
      })
    await work.delete('costLine', costs)
    await dropHandovers(work, payroll)
    await followDeducted(work, payroll, lines)
    await followCosts(work, { made: [], gone: costs })
  }
})

/** Tax is based on what was approved before it, so approvals of the same people are undone in reverse order. */
async function refuseBasis(work: ProcedureWork, payroll: Payroll, lines: readonly Line[]): Promise<void> {
  const { taxMonth } = payroll
  const { lines: others, payrolls } = await readOther(
    work,
    payroll,
    lines.map(({ person }) => person),
    { states: approvedStates, incomeType: 'wage', from: taxMonth, to: `${taxMonth.slice(0, 4)}-12` },
  )
  const isLater = (other: Part<'payroll', 'taxMonth' | 'approvedAt'>): boolean => {
    if (other.taxMonth !== taxMonth) return other.taxMonth > taxMonth
    return other.approvedAt === payroll.approvedAt ? other.id > payroll.id : other.approvedAt! > payroll.approvedAt!
  }
  const after = others.map((line) => payrolls.get(line.payroll)!).find(isLater)
  if (!after) return
  const named = await namedBatches(work, [after])
  work.refuseCall({
    cn: `之后的批次${named.cn}已审核，其个税以本批次为基础`,
    en: `The later batch ${named.en} is approved, and its tax is based on this one`,
  })
}

/** Drops the handover of payslips, because those handed over do not show what will be approved next. */
async function dropHandovers(work: ProcedureWork, { id }: Payroll): Promise<void> {
  const given = await work.read('payrollLine', { where: { payroll: id, payslipAt: { empty: false } } })
  await work.changeAll(
    'payrollLine',
    given.map((record) => ({ record, values: { payslipAt: null, payslipBy: null } })),
  )
}

/** Refuses to change what was reported to the tax office, until the filing is withdrawn; what was exported may have been reported. */
async function refuseFiled(work: ProcedureWork, { id, taxMonth }: Payroll, lines: readonly Line[]): Promise<void> {
  const filings = await work.read('personalTax', {
    where: { person: lines.map(({ person }) => person), taxMonth, status: ['filed', 'exported'] },
    fields: ['personName', 'payrolls', 'status'],
  })
  const own = filings.filter(({ payrolls }) => (payrolls as readonly number[] | null)?.includes(id))
  const exported = own.find(({ status }) => status === 'exported')
  if (exported)
    work.refuseCall({
      cn: `${exported.personName}的个税申报表已导出，不能反审核：未报送的请标记失败；已报送的请标记已申报，再撤回申报`,
      en:
        `The tax filing of ${exported.personName} has been exported, so the approval cannot be undone: ` +
        'mark it as failed if it was not sent; otherwise mark it as filed, and withdraw the filing',
    })
  const [filed] = own
  if (filed)
    work.refuseCall({
      cn: `${filed.personName}的个税已申报，不能反审核：请先撤回申报`,
      en: `The tax of ${filed.personName} has been filed, so the approval cannot be undone: withdraw the filing first`,
    })
}

const linesOf = (work: ProcedureWork, { id }: Payroll) =>
  work.read('payrollLine', {
    where: { payroll: id, lineStatus: { not: 'removed' } },
    fields: ['person', 'grossPay', 'currentTax', 'afterTaxAdd', 'payStatus'],
  })
