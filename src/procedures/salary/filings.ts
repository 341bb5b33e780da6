import type { Notify } from '../../../engine/model/model.ts'
import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { firstDay, lastDay } from '../months.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import {
  agentOf,
  approvedStates,
  januaryOf,
  ofAgent,
  readBasicDeduction,
  readBrackets,
  readDeductions,
  readOther,
  type Withheld,
} from './payrollData.ts'
import { wageTax } from './taxLine.ts'
import { readTaxpayers, taxpayerFields } from './taxpayerOf.ts'

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
 * Makes one filing for each person, agent and kind of income from the approved payrolls of a tax month, where the user
 * may see one of the payrolls. Waiting and failed filings are made anew; exported and filed ones stay, and what is filed
 * and not true any more is corrected by a further one.
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
  // A filing is of all that a person was paid, also in payrolls that this user may not see.
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

/** What of payrolls, and of their lines, is filed. */
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
 * What lines of one tax month come to, by person, agent and kind of income: sums of the month, and the year as the last
 * line has it.
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

/** A month without income counts in the year nevertheless: its deduction goes on. */
export const fillZeroFiling = procedure<'personalTax'>(async (work, { records }) => {
  const zero = records.filter(({ filingKind }) => filingKind === 'zero')
  const yearOf = await readZeroYears(work, zero)
  await work.changeAll(
    'personalTax',
    zero.map((record) => ({ record, values: yearOf(record) })),
  )
})

type OfMonth = Withheld & Pick<Filing, 'person' | 'taxMonth'>
const agentAndMonthOf = (filing: OfMonth) => `${agentOf(filing)} ${filing.taxMonth}`

/** What the year comes to with such filings: read at once for all of one agent and month. */
async function readZeroYears(
  work: ProcedureWork,
  filings: readonly OfMonth[],
): Promise<(filing: OfMonth) => Values<'personalTax'>> {
  if (filings.length === 0) return () => ({})
  const people = await work.byId(
    'person',
    filings.map(({ person }) => person),
    { fields: taxpayerFields },
  )
  const brackets = await readBrackets(work)
  const known = new Map<string, (id: number) => Values<'personalTax'>>()
  for (const [key, own] of groupedBy(filings, agentAndMonthOf)) {
    const [agent] = own
    const { taxMonth } = agent
    const ids = own.map(({ person }) => person)
    const wanted = { states: approvedStates, incomeType: 'wage', from: januaryOf(taxMonth), to: taxMonth } as const
    const earlier = await readOther(work, { ...agent, id: 0 }, ids, wanted)
    const rows = await readDeductions(work, agent, ids)
    const taxpayerOf = await readTaxpayers(
      work,
      agent,
      ids.map((id) => people.get(id)!),
      { taxMonth, earlier },
    )
    const terms = { brackets, monthly: await readBasicDeduction(work, taxMonth) }
    const earned = groupedBy(earlier.lines, ({ person }) => person)
    known.set(key, (id) => {
      const row = rows.get(id)
      const {
        cumExempt: _exempt,
        taxRate: _rate,
        quickDeduction: _quick,
        ...year
      } = wageTax(
        { grossPay: null, exemptIncome: null, statutory: null, otherDeduction: null },
        taxpayerOf(people.get(id)!),
        {
          taxMonth,
          earlier: earned.get(id) ?? [],
          cumSpecial: row?.cumTotal ?? null,
          cumPension: row?.cumPersonalPension ?? null,
        },
        terms,
      )
      return { ...year, currentTax: '0.00' }
    })
  }
  return (filing) => known.get(agentAndMonthOf(filing))!(filing.person)
}

/** Everybody whom we file for in the month, and who has no filing of that agent in it, gets a zero one. */
export const fillZeroFilings = procedure<'personalTax'>(async (work, { values }) => {
  const month = values.taxMonth!
  const people = [...(await readAtWork(work, month)), ...(await readGone(work, month))]
  const filed = await work.read('personalTax', {
    where: { taxMonth: month },
    fields: ['person', 'taxSubject', 'customer', 'agency'],
  })
  const there = new Set(filed.map((one) => `${agentOf(one)} ${one.person}`))
  const wanted = people.flatMap(({ name, ...one }) => {
    const key = `${agentOf(one)} ${one.person}`
    if (there.has(key)) return []
    there.add(key)
    return [{ filing: { ...one, taxMonth: month }, name }]
  })
  const yearOf = await readZeroYears(
    work,
    wanted.map(({ filing }) => filing),
  )
  const made = wanted.map(({ filing, name }): Values<'personalTax'> => ({
    ...filing,
    personName: name,
    incomeType: 'wage',
    filingKind: 'zero',
    currentIncome: '0.00',
    exemptIncome: '0.00',
    statutory: '0.00',
    otherDeduction: '0.00',
    status: 'pending',
    zeroReason: values.zeroReason,
    ...yearOf(filing),
  }))
  await work.insert('personalTax', made, { action: 'zeroAuto' })
  return { succeeded: made.length, failed: [] }
})

type Filed = Withheld & { person: number; name: string }

/** Who is at work now, and was in the month. */
async function readAtWork(work: ProcedureWork, month: string): Promise<Filed[]> {
  const people = await work.read('person', {
    where: {
      employmentStatus: ['active', 'leaving'],
      taxSubject: 'provider',
      entryDate: { between: [null, lastDay(month)] },
      taxStartMonth: { between: [null, month] },
    },
    fields: ['name', 'customer', 'agency', 'taxSubject'],
    seen: true,
  })
  return people.map(({ id, name, customer, agency, taxSubject }) => ({
    person: id,
    name,
    customer,
    agency,
    taxSubject,
  }))
}

/** Who is at work now, and was in another employment in the month: where that was, they are filed too. */
async function readGone(work: ProcedureWork, month: string): Promise<Filed[]> {
  const stints = await work.read('employmentRecord', {
    where: {
      taxSubject: 'provider',
      entryDate: { between: [null, lastDay(month)] },
      leaveDate: { between: [firstDay(month), null] },
    },
    fields: ['person', 'customer', 'agency', 'taxSubject'],
    seen: true,
  })
  const people = await work.byId(
    'person',
    stints.map(({ person }) => person),
    { fields: ['name', 'employmentStatus'] },
  )
  return stints.flatMap(({ person, customer, agency, taxSubject }) => {
    const { name, employmentStatus } = people.get(person)!
    const isBack = employmentStatus === 'active' || employmentStatus === 'leaving'
    return isBack ? [{ person, name, customer, agency, taxSubject: taxSubject! }] : []
  })
}

/** What is filed is fixed: the deductions of the month with it. */
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
