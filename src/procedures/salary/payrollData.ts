import type { FieldName, Part, ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { lastDay } from '../monthDays.ts'
import type { Amount } from '../money/amounts.ts'
import type { TaxBracket } from './brackets.ts'
import type { Earned } from './taxLine.ts'

export const januaryOf = (month: string): string => `${month.slice(0, 4)}-01`

type PayrollState = Stored<'payroll'>['status']
type IncomeType = Stored<'payroll'>['incomeType']
/** States that count as approved, which include paid ones. */
export const approvedStates: readonly PayrollState[] = ['approved', 'paying', 'paid']
export const openStates: readonly PayrollState[] = ['draft', 'calculated', 'submitted', 'rejected']

/** The withholding agent. */
export interface Withheld {
  taxSubject: 'provider' | 'customer'
  agency: number | null
  customer: number | null
}
/** Matches the same withholding agent: us by our entity, or the customer itself. */
export const ofAgent = ({ taxSubject, agency, customer }: Withheld) =>
  taxSubject === 'customer' ? { taxSubject, customer } : { taxSubject, agency }

export const agentOf = ({ taxSubject, customer, agency }: Withheld): string =>
  `${taxSubject} ${taxSubject === 'customer' ? customer : agency}`

export const readBrackets = (work: ProcedureWork): Promise<TaxBracket[]> => work.read('taxBracket')

const lineFields = [
  'payroll',
  'person',
  'grossPay',
  'exemptIncome',
  'statutory',
  'otherDeduction',
  'currentTax',
  'welfarePersonalTotal',
  'welfareCompanyTotal',
] as const satisfies readonly FieldName<'payrollLine'>[]
export type OtherLine = Part<'payrollLine', (typeof lineFields)[number]>

const payrollFields = [
  'batchNo',
  'taxMonth',
  'welfareMonth',
  'payrollMonth',
  'approvedAt',
  'status',
] as const satisfies readonly FieldName<'payroll'>[]
type OtherPayroll = Part<'payroll', (typeof payrollFields)[number]>

interface Others {
  states: readonly PayrollState[]
  incomeType: IncomeType
  /** Tax months, inclusive. */
  from: string
  to: string
}

/** Lines of other payrolls of the same agent, in order of approval: person → their inputs to the totals. */
export async function readOther(
  work: ProcedureWork,
  payroll: Withheld & { id: number },
  people: readonly number[],
  { states, incomeType, from, to }: Others,
): Promise<{ payrolls: Map<number, OtherPayroll>; lines: OtherLine[] }> {
  const found = await work.read('payroll', {
    where: {
      ...ofAgent(payroll),
      status: states,
      incomeType,
      taxMonth: { between: [from, to] },
      id: { not: payroll.id },
    },
    fields: payrollFields,
  })
  const payrolls = new Map(found.map((each) => [each.id as number, each]))
  const lines = await work.read('payrollLine', {
    where: { payroll: [...payrolls.keys()], person: people, lineStatus: { not: 'removed' } },
    fields: lineFields,
  })
  const at = ({ payroll: id }: OtherLine) => `${payrolls.get(id)!.taxMonth} ${payrolls.get(id)!.approvedAt}`
  return { payrolls, lines: lines.sort(byApproval(at)) }
}

/** Payrolls approved in the same second are in the order of their creation, in which they must be approved. */
export const byApproval =
  <L extends { id: number; payroll: number }>(at: (line: L) => string | null) =>
  (a: L, b: L): number => {
    const [first, second] = [at(a) ?? '', at(b) ?? '']
    return first === second ? a.payroll - b.payroll || a.id - b.id : first < second ? -1 : 1
  }

export const earnedOf = (lines: readonly OtherLine[], person: number): Earned[] =>
  lines.filter((line) => line.person === person)

/** Person → the deductions that apply in a month: its own, else the latest earlier ones of the year. */
export async function readDeductions(
  work: ProcedureWork,
  { taxMonth, ...agent }: Withheld & { taxMonth: string },
  people: readonly number[],
) {
  const rows = await work.read('specialDeduction', {
    where: { person: people, ...ofAgent(agent), taxMonth: { between: [januaryOf(taxMonth), taxMonth] } },
    fields: ['person', 'taxMonth', 'cumTotal', 'cumPersonalPension'],
    order: 'taxMonth',
  })
  return new Map(rows.map((row) => [row.person as number, row]))
}

/** Person → the card for the month's wages. */
export async function readCards(
  work: ProcedureWork,
  people: readonly number[],
  month: string,
): Promise<Map<number, number>> {
  const cards = await work.read('personBankCard', {
    where: { person: people, isDefault: true, status: 'enabled', effectiveFrom: { between: [null, month] } },
    fields: ['person'],
  })
  return new Map(cards.map(({ id, person }) => [person, id]))
}

/** The basic deduction of a month of the tax year: the version in force, else the one valid until further notice. */
export async function readBasicDeduction(work: ProcedureWork, taxMonth: string): Promise<Amount> {
  const [version] = await work.read('lawRate', {
    where: { kind: 'basicDeduction', effectiveFrom: { between: [null, `${taxMonth}-01`] } },
    order: '-effectiveFrom',
    limit: 1,
  })
  return version?.value ?? work.settings.parameter.basicDeduction
}

/** City → the minimum wage on the last day of the month. */
export async function readMinimumWages(work: ProcedureWork, month: string): Promise<Map<string, Amount>> {
  const rows = (await work.read('minimumWage')).filter(({ effectiveFrom }) => (effectiveFrom ?? '') <= lastDay(month))
  return new Map(
    rows
      .sort((a, b) => ((a.effectiveFrom ?? '') < (b.effectiveFrom ?? '') ? -1 : 1))
      .map(({ city, amount }) => [city, amount]),
  )
}
