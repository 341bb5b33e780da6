import type { Notify } from '../../../engine/model/model.ts'
import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { agentOf, approvedStates, ofAgent, type Withheld } from './payrollData.ts'

type Filing = Stored<'personalTax'>

const cumulated = [
  'cumIncome',
  'cumBasic',
  'cumStatutory',
  'cumSpecial',
  'cumOther',
  'cumTaxable',
  'cumTax',
  'cumPaidTax',
] as const

/**
 * Creates one filing for each person, agent and kind of income from the approved payrolls of a tax month, if the user
 * may see one of the payrolls. Pending and failed filings are recomputed; exported and filed ones stay, and outdated
 * filed ones are corrected by a further filing.
 */
export const generateFilings = procedure<'personalTax'>(async (work, { values }) => {
  const month = values.taxMonth!
  const where = { status: approvedStates, taxMonth: month }
  const own = new Set((await work.read('payroll', { where, fields: ['status'], seen: true })).map(({ id }) => id))
  const payrolls = await work.read('payroll', { where, fields: filedPayrollFields })
  const lines = await work.read('payrollLine', {
    where: { payroll: payrolls.map(({ id }) => id), lineStatus: { not: 'removed' } },
    fields: filedLineFields,
  })
  // A filing covers everything that a person was paid, including payrolls that this user may not see.
  const made = filingsOf(new Map(payrolls.map((one) => [one.id as number, one])), lines).filter(({ payrolls: of }) =>
    of!.some((id) => own.has(id as number)),
  )
  const standing = await work.read('personalTax', {
    where: { taxMonth: month, person: made.map(({ person }) => person) },
    lock: true,
  })
  const isDone = ({ status }: Filing) => status === 'filed' || status === 'exported'
  const done = groupedBy(standing.filter(isDone), keyOf)
  const isNews = (one: MadeFiling) => {
    const own = done.get(keyOf(one))
    return !own || (own.every(({ status }) => status === 'filed') && !saysTheSame(lastOf(own), one))
  }
  const written = made.filter(isNews)
  const keys = new Set(written.map(keyOf))
  const gone = standing.filter((one) => !isDone(one) && keys.has(keyOf(one)))
  const corrected = new Set(gone.filter(({ filingKind }) => filingKind === 'correction').map(keyOf))
  await work.delete('personalTax', gone)
  const begun = new Set(standing.map(agentOf))
  const filings = await work.insert(
    'personalTax',
    written.map((one): MadeFiling => {
      const own = done.get(keyOf(one))
      const filingKind = own || corrected.has(keyOf(one)) ? 'correction' : 'normal'
      return { ...one, filingKind, corrects: own ? lastOf(own).id : null }
    }),
    { action: 'generate' },
  )
  // One for each withholding agent and month, however often it is generated.
  const firsts = new Map(filings.filter((one) => !begun.has(agentOf(one))).map((one) => [agentOf(one), one.id]))
  const told = await work.read('personalTax', {
    where: { id: [...firsts.values()] },
    fields: ['withholdingAgent', 'taxMonth', 'filingDeadline'],
  })
  await work.notifyAll(
    'personalTax',
    told.map((record) => ({ record, notices: [deadline] })),
  )
  return { succeeded: written.length, failed: [] }
})

const lastOf = (filings: readonly Filing[]): Filing => filings.toSorted((a, b) => a.id - b.id).at(-1)!

const said = ['currentIncome', 'exemptIncome', 'statutory', 'otherDeduction', 'currentTax', ...cumulated] as const
const saysTheSame = (filed: Values<'personalTax'>, made: Values<'personalTax'>): boolean =>
  said.every((name) => decimal(filed[name]).equals(decimal(made[name])))

const deadline: Notify = {
  type: 'taxDeadline',
  link: '/salary/personaltax',
  title: { cn: '个税申报期限：{withholdingAgent} {taxMonth}', en: 'Tax filing: {withholdingAgent}, {taxMonth}' },
  content: {
    cn: '请于{filingDeadline}前完成{taxMonth}税款所属期的申报',
    en: 'File the taxes of {taxMonth} by {filingDeadline}',
  },
}

/** The fields of payrolls and their lines that are filed. */
export const filedPayrollFields = [
  'taxSubject',
  'customer',
  'agency',
  'incomeType',
  'taxMonth',
  'approvedAt',
] as const satisfies readonly (keyof Stored<'payroll'>)[]
export const filedLineFields = [
  'payroll',
  'person',
  'personName',
  'grossPay',
  'exemptIncome',
  'statutory',
  'otherDeduction',
  'currentTax',
  ...cumulated,
] as const satisfies readonly (keyof Stored<'payrollLine'>)[]
type FiledPayroll = Part<'payroll', (typeof filedPayrollFields)[number]>
type FiledLine = Part<'payrollLine', (typeof filedLineFields)[number]>
type MadeFiling = Values<'personalTax'> & Keyed

/**
 * The totals of one tax month's lines, by person, agent and kind of income: sums of the month, and the year from the
 * last line.
 */
export function filingsOf(payrolls: ReadonlyMap<number, FiledPayroll>, lines: readonly FiledLine[]): MadeFiling[] {
  const groups = new Map<string, FiledLine[]>()
  const at = ({ id, payroll }: FiledLine) => `${payrolls.get(payroll)!.approvedAt} ${String(id).padStart(12, '0')}`
  for (const line of lines.toSorted((a, b) => (at(a) < at(b) ? -1 : 1))) {
    const key = keyOf({ ...payrolls.get(line.payroll)!, person: line.person })
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((group): MadeFiling => {
    const { taxSubject, customer, agency, incomeType, taxMonth } = payrolls.get(group[0].payroll)!
    const last = group.at(-1)!
    const sum = (name: 'grossPay' | 'exemptIncome' | 'statutory' | 'otherDeduction' | 'currentTax') =>
      money(total(group.map((line) => decimal(line[name]))))
    return {
      person: last.person,
      personName: last.personName,
      taxSubject,
      customer,
      agency,
      incomeType,
      taxMonth,
      filingKind: 'normal',
      currentIncome: sum('grossPay'),
      exemptIncome: sum('exemptIncome'),
      statutory: sum('statutory'),
      otherDeduction: sum('otherDeduction'),
      ...Object.fromEntries(cumulated.map((name) => [name, last[name]])),
      currentTax: sum('currentTax'),
      payrolls: [...new Set(group.map(({ payroll }) => payroll))],
      status: 'pending',
    }
  })
}

type Keyed = Withheld & Pick<Filing, 'person' | 'incomeType'>
const keyOf = (filing: Keyed) => [filing.person, agentOf(filing), filing.incomeType].join(' ')

export type OfMonth = Withheld & Pick<Filing, 'person' | 'taxMonth'>
export const agentAndMonthOf = (filing: OfMonth): string => `${agentOf(filing)} ${filing.taxMonth}`

/** A filed filing is fixed, and the month's deductions with it. */
export const lockDeductions = procedure<'personalTax'>((work, { records }) => setDeductions(work, records, 'locked'))
export const unlockDeductions = procedure<'personalTax'>((work, { records }) => setDeductions(work, records, 'valid'))

async function setDeductions(
  work: ProcedureWork,
  filings: readonly Filing[],
  status: Stored<'specialDeduction'>['status'],
): Promise<void> {
  for (const own of groupedBy(filings, agentAndMonthOf).values()) {
    const [{ taxMonth, ...agent }] = own
    const person = own.map((filing) => filing.person)
    const rows = await work.read('specialDeduction', { where: { person, ...ofAgent(agent), taxMonth }, lock: true })
    await work.changeAll(
      'specialDeduction',
      rows.map((record) => ({ record, values: { status } })),
    )
  }
}
