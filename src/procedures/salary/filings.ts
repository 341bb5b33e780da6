import type { Notify } from '../../../engine/model/model.ts'
import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { agentOf, approvedStates, byApproval, ofAgent, type Withheld } from './payrollData.ts'
import { agentAndMonthOf, noIncome, readZeroYears } from './zeroYears.ts'

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
 * may see one of the payrolls. Pending and failed filings that say something else are recomputed, or go with the wages
 * that they were made for; exported and filed ones stay, and outdated filed ones are corrected by a further filing.
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
  const paid = filingsOf(new Map(payrolls.map((payroll) => [payroll.id as number, payroll])), lines)
  const seen = paid.filter(({ payrolls: ids }) => ids!.some((id) => own.has(id as number)))
  const unpaid = await readUnpaid(work, month, paid)
  const standing = await work.read('personalTax', {
    where: { taxMonth: month, person: [...seen, ...unpaid].map(({ person }) => person) },
    lock: true,
  })
  const made = [...seen, ...(await correctedToNothing(work, standing, unpaid))]
  const done = groupedBy(standing.filter(isDone), keyOf)
  const isNews = (filing: MadeFiling) => {
    const own = done.get(keyOf(filing))
    return !own || (own.every(({ status }) => status === 'filed') && !hasSameAmounts(lastOf(own), filing))
  }
  const news = made.filter(isNews)
  const keys = new Set(news.map(keyOf))
  const looked = new Set([...seen, ...unpaid].map(keyOf))
  const gone = standing.filter(
    (each) => !isDone(each) && (keys.has(keyOf(each)) || (each.filingKind !== 'zero' && looked.has(keyOf(each)))),
  )
  const corrected = new Set(gone.filter(({ filingKind }) => filingKind === 'correction').map(keyOf))
  const wanted = news.map((filing): MadeFiling => {
    const own = done.get(keyOf(filing))
    const filingKind = own || corrected.has(keyOf(filing)) ? 'correction' : 'normal'
    return { ...filing, filingKind, corrects: own ? lastOf(own).id : null }
  })
  const replaced = groupedBy(gone, keyOf)
  const as = new Map(
    wanted.map((filing) => [filing, replaced.get(keyOf(filing))?.find((each) => isSame(each, filing))]),
  )
  const unchanged = new Set(as.values())
  const written = wanted.filter((filing) => !as.get(filing))
  const dropped = gone.filter((each) => !unchanged.has(each))
  await work.delete('personalTax', dropped)
  const begun = new Set(standing.map(agentOf))
  const filings = await work.insert('personalTax', written, { action: 'generate' })
  // One for each withholding agent and month, however often it is generated.
  const firsts = new Map(
    filings.filter((filing) => !begun.has(agentOf(filing))).map((filing) => [agentOf(filing), filing.id]),
  )
  const newFilings = await work.read('personalTax', {
    where: { id: [...firsts.values()] },
    fields: ['withholdingAgent', 'taxMonth', 'filingDeadline'],
  })
  await work.notifyAll(
    'personalTax',
    newFilings.map((record) => ({ record, notices: [deadline] })),
  )
  const withdrawn = dropped.filter((each) => !keys.has(keyOf(each)))
  return { succeeded: written.length + withdrawn.length, failed: [] }
})

const isDone = ({ status }: Filing): boolean => status === 'filed' || status === 'exported'

const keyFields = ['person', 'taxSubject', 'customer', 'agency', 'incomeType'] as const

/** The filings that the user may see of people who have no approved wages in the month any more. */
async function readUnpaid(work: ProcedureWork, taxMonth: string, paid: readonly Keyed[]): Promise<Keyed[]> {
  const keys = new Set(paid.map(keyOf))
  const where = { taxMonth, filingKind: { not: 'zero' } } as const
  const filings = await work.read('personalTax', { where, fields: keyFields, seen: true })
  return filings.filter((filing) => !keys.has(keyOf(filing)))
}

/** Filings of people who are no longer paid are corrected, unless they already have a zero filing. */
async function correctedToNothing(
  work: ProcedureWork,
  standing: readonly Filing[],
  unpaid: readonly Keyed[],
): Promise<MadeFiling[]> {
  const keys = new Set(unpaid.map(keyOf))
  const reported = [...groupedBy(standing, keyOf)].flatMap(([key, own]) =>
    keys.has(key) &&
    own.some(({ status, filingKind }) => status === 'filed' || filingKind === 'correction') &&
    !own.some((keyed) => keyed.filingKind === 'zero' && !isDone(keyed))
      ? [lastOf(own)]
      : [],
  )
  const yearOf = await readZeroYears(
    work,
    reported.filter(({ incomeType }) => incomeType === 'wage'),
  )
  return reported.map((each) => ({
    ...(each.incomeType === 'wage' && yearOf(each)),
    ...noIncome,
    person: each.person,
    personName: each.personName,
    taxSubject: each.taxSubject,
    customer: each.customer,
    agency: each.agency,
    incomeType: each.incomeType,
    taxMonth: each.taxMonth,
    filingKind: 'correction',
    status: 'pending',
  }))
}

const lastOf = (filings: readonly Filing[]): Filing => filings.toSorted((a, b) => a.id - b.id).at(-1)!

const comparedFields = [
  'currentIncome',
  'exemptIncome',
  'statutory',
  'otherDeduction',
  'currentTax',
  ...cumulated,
] as const
const hasSameAmounts = (filed: Values<'personalTax'>, made: Values<'personalTax'>): boolean =>
  comparedFields.every((name) => decimal(filed[name]).equals(decimal(made[name])))

/** Whether a filing stays as it is: with the same values, made from the same payrolls. */
const isSame = (standing: Filing, made: MadeFiling): boolean =>
  hasSameAmounts(standing, made) &&
  keptFields.every((name) => JSON.stringify(standing[name] ?? null) === JSON.stringify(made[name] ?? null))
const keptFields = ['status', 'filingKind', 'corrects', 'personName', 'payrolls'] as const

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
const summed = ['grossPay', 'exemptIncome', 'statutory', 'otherDeduction', 'currentTax'] as const
type FiledPayroll = Part<'payroll', (typeof filedPayrollFields)[number]>
type FiledLine = Part<'payrollLine', (typeof filedLineFields)[number]>
type MadeFiling = Values<'personalTax'> & Keyed

/**
 * The totals of one tax month's lines, by person, agent and kind of income: sums of the month, and for wages the year
 * from the last line. Income that is taxed at each payment has no year, so that its payments are summed up as well.
 */
export function filingsOf(payrolls: ReadonlyMap<number, FiledPayroll>, lines: readonly FiledLine[]): MadeFiling[] {
  const groups = new Map<string, FiledLine[]>()
  for (const line of lines.toSorted(byApproval(({ payroll }) => payrolls.get(payroll)!.approvedAt))) {
    const key = keyOf({ ...payrolls.get(line.payroll)!, person: line.person })
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((group): MadeFiling => {
    const { taxSubject, customer, agency, incomeType, taxMonth } = payrolls.get(group[0].payroll)!
    const last = group.at(-1)!
    const sum = (name: (typeof summed)[number] | (typeof cumulated)[number]) =>
      money(total(group.map((line) => decimal(line[name]))))
    const cumulatedOf = (name: (typeof cumulated)[number]) =>
      incomeType === 'wage' || last[name] === null ? last[name] : sum(name)
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
      ...Object.fromEntries(cumulated.map((name) => [name, cumulatedOf(name)])),
      currentTax: sum('currentTax'),
      payrolls: [...new Set(group.map(({ payroll }) => payroll))],
      status: 'pending',
    }
  })
}

type Keyed = Withheld & Pick<Filing, 'person' | 'incomeType'>
const keyOf = (filing: Keyed) => [filing.person, agentOf(filing), filing.incomeType].join(' ')

/**
 * A filed filing is fixed, and the month's deductions with it.
 * @throws Refusal notAllowed if wages that it reports were taken back.
 */
export const lockDeductions = procedure<'personalTax'>(async (work, { records, before }) => {
  await refuseTakenBack(work, before)
  await setDeductions(work, records, 'locked')
})
export const unlockDeductions = procedure<'personalTax'>((work, { records }) => setDeductions(work, records, 'valid'))

async function refuseTakenBack(work: ProcedureWork, filings: readonly (Filing | null)[]): Promise<void> {
  const existing = filings.flatMap((filing) => filing ?? [])
  const payrollsOf = ({ payrolls }: Filing) => (payrolls ?? []) as number[]
  const payrolls = await work.byId('payroll', existing.flatMap(payrollsOf), { fields: ['batchNo', 'status'] })
  for (const filing of existing) {
    const gone = payrollsOf(filing)
      .map((id) => payrolls.get(id))
      .find((payroll) => payroll && !approvedStates.includes(payroll.status))
    if (!gone) continue
    const next =
      filing.status === 'exported'
        ? { cn: '请标记失败，再重新生成申报数据', en: 'mark it as failed, and generate the filings again' }
        : { cn: '请重新生成申报数据', en: 'generate the filings again' }
    work.refuseCall({
      cn: `${filing.personName}的工资批次${gone.batchNo}已反审核，不能标记为已申报：${next.cn}`,
      en:
        `The approval of payroll ${gone.batchNo} was undone, ` +
        `so the filing of ${filing.personName} cannot be marked as filed: ${next.en}`,
    })
  }
}

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
