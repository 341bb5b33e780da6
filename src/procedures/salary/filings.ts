import { sql } from 'kysely'
import { recompute } from '../../../engine/server/effects.ts'
import { writeHistories } from '../../../engine/server/history.ts'
import { deliver } from '../../../engine/server/messages.ts'
import { readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { canonicalRecord } from '../../../engine/server/stored.ts'
import { insertRecords, softDelete } from '../../../engine/server/write.ts'
import type { Notify, RecordData, Value } from '../../../engine/schema/model.ts'
import { type Amount, decimal, money, total } from '../settlement/amounts.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import {
  approvedStates,
  earnedOf,
  hasState,
  januaryOf,
  lastDay,
  ofAgent,
  readBrackets,
  readDeductions,
  readOther,
} from './payrollData.ts'
import { wageTax } from './taxLine.ts'

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
 * One filing for each person, agent and kind of income from the approved payrolls of a tax month; those that wait or
 * have failed are made anew, what is exported or filed stays.
 */
export const generateFilings: Procedure = async ({ context, db, values }) => {
  const month = String(values.taxMonth)
  const payroll = entityOf(context, 'payroll')
  const payrolls = new Map(
    (
      await readStored(context, db, payroll, [
        ...visibleConditions(context, payroll),
        hasState(approvedStates),
        sql<boolean>`${column('taxMonth')} = ${month}`,
      ])
    )
      .map((row) => canonicalRecord(context, payroll, row))
      .map((one) => [one.id!, one]),
  )
  const lines = await readAll(context, db, 'payrollLine', [
    isAnyOf('payroll', [...payrolls.keys()]),
    sql<boolean>`${column('lineStatus')} <> 'removed'`,
  ])
  const made = filingsOf(payrolls, lines)
  const standing = await readAll(
    context,
    db,
    'personalTax',
    [
      sql<boolean>`${column('taxMonth')} = ${month}`,
      isAnyOf(
        'person',
        made.map(({ person }) => person as number),
      ),
    ],
    undefined,
    true,
  )
  const isDone = ({ status }: RecordData) => status === 'filed' || status === 'exported'
  const done = new Set(standing.filter(isDone).map(keyOf))
  const corrected = new Set(standing.filter(({ filingKind }) => filingKind === 'correction').map(keyOf))
  const written = made.filter((one) => !done.has(keyOf(one)))
  const keys = new Set(written.map(keyOf))
  await softDelete(
    context,
    db,
    entityOf(context, 'personalTax'),
    standing.filter((one) => !isDone(one) && keys.has(keyOf(one))).map(({ id }) => id!),
  )
  const begun = new Set(standing.map(agentOf))
  const filings = written.map((one): RecordData => ({
    ...one,
    filingKind: corrected.has(keyOf(one)) ? 'correction' : 'normal',
  }))
  await writeFilings(context, db, filings, 'generate')
  // Once for each withholding agent and month, however often it is generated.
  const firsts = new Map(filings.filter((one) => !begun.has(agentOf(one))).map((one) => [agentOf(one), one]))
  const told = await readAll(
    context,
    db,
    'personalTax',
    [
      isAnyOf(
        'id',
        [...firsts.values()].map(({ id }) => id!),
      ),
    ],
    ['withholdingAgent', 'taxMonth', 'filingDeadline'],
  )
  for (const first of told) await deliver(context, db, entityOf(context, 'personalTax'), first, [deadline])
  return { succeeded: written.length, failed: [] }
}

const deadline: Notify = {
  type: 'taxDeadline',
  link: '/salary/personaltax',
  title: { cn: '个税申报期限：{withholdingAgent} {taxMonth}', en: 'Tax filing: {withholdingAgent}, {taxMonth}' },
  content: {
    cn: '请于{filingDeadline}前完成{taxMonth}税款所属期的申报',
    en: 'File the taxes of {taxMonth} by {filingDeadline}',
  },
}

/**
 * What lines of one tax month come to, by person, agent and kind of income: sums of the month, and the year as the last
 * line has it.
 */
export function filingsOf(payrolls: ReadonlyMap<number, RecordData>, lines: readonly RecordData[]): RecordData[] {
  const groups = new Map<string, RecordData[]>()
  const at = (line: RecordData) =>
    `${String(payrolls.get(line.payroll as number)!.approvedAt)} ${String(line.id).padStart(12, '0')}`
  for (const line of lines.toSorted((a, b) => (at(a) < at(b) ? -1 : 1))) {
    const { taxSubject, customer, agency, incomeType } = payrolls.get(line.payroll as number)!
    const key = keyOf({ person: line.person, taxSubject, customer, agency, incomeType })
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((group) => {
    const { taxSubject, customer, agency, incomeType, taxMonth } = payrolls.get(group[0].payroll as number)!
    const last = group.at(-1)!
    const sum = (name: string) => money(total(group.map((line) => decimal((line[name] ?? null) as Amount))))
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
      ...Object.fromEntries(cumulated.map((name) => [name, last[name] ?? null])),
      currentTax: sum('currentTax'),
      payrolls: [...new Set(group.map(({ payroll }) => payroll as number))] as Value,
      status: 'pending',
      zeroReason: null,
      remark: null,
    }
  })
}

const agentOf = ({ taxSubject, customer, agency }: RecordData) =>
  `${String(taxSubject)} ${String(taxSubject === 'customer' ? customer : agency)}`
const keyOf = ({ person, taxSubject, customer, agency, incomeType }: RecordData) =>
  [person, taxSubject, taxSubject === 'customer' ? customer : agency, incomeType].join(' ')

async function writeFilings(context: Context, db: Db, filings: RecordData[], action: string): Promise<void> {
  const entity = entityOf(context, 'personalTax')
  for (const filing of filings) recompute(context, entity, filing)
  await insertRecords(context, db, entity, filings)
  await writeHistories(
    context,
    db,
    entity,
    filings.map((record) => ({ action, record, old: null })),
  )
}

/** A month without income counts in the year nevertheless: its deduction goes on. */
export const fillZeroFiling: Procedure = async ({ context, db, records }) => {
  for (const record of records.filter(({ filingKind }) => filingKind === 'zero'))
    await changeRecord(context, db, entityOf(context, 'personalTax'), record, await zeroYear(context, db, record))
}

async function zeroYear(context: Context, db: Db, filing: RecordData): Promise<RecordData> {
  const [month, id] = [String(filing.taxMonth), filing.person as number]
  const [person] = await readAll(
    context,
    db,
    'person',
    [isAnyOf('id', [id])],
    ['taxStartMonth', 'firstJobThisYear', 'fullSixty', 'taxRelief', 'reliefRate'],
  )
  const { lines } = await readOther(context, db, { ...filing, id: 0 }, [id], {
    states: approvedStates,
    incomeType: 'wage',
    from: januaryOf(month),
    to: month,
  })
  const row = (await readDeductions(context, db, filing, [id])).get(id)
  const {
    cumExempt: _exempt,
    taxRate: _rate,
    quickDeduction: _quick,
    ...year
  } = wageTax(
    { grossPay: null, exemptIncome: null, statutory: null, otherDeduction: null },
    {
      taxStartMonth: String(person.taxStartMonth),
      firstJobThisYear: person.firstJobThisYear === true,
      fullSixty: person.fullSixty === true,
      reliefRate: person.taxRelief === 'none' ? null : (person.reliefRate as Amount),
    },
    {
      taxMonth: month,
      earlier: earnedOf(lines, id),
      cumSpecial: (row?.cumTotal ?? null) as Amount,
      cumPension: (row?.cumPersonalPension ?? null) as Amount,
    },
    {
      brackets: await readBrackets(context, db),
      monthly: context.settings.parameter.basicDeduction as Amount,
    },
  )
  return { ...(year as unknown as RecordData), currentTax: '0.00' }
}

/** Everybody at work whom we file for and who has no filing in the month gets a zero one. */
export const fillZeroFilings: Procedure = async ({ context, db, values }) => {
  const month = String(values.taxMonth)
  const person = entityOf(context, 'person')
  const people = (
    await readStored(
      context,
      db,
      person,
      [
        ...visibleConditions(context, person),
        sql<boolean>`(${column('employmentStatus')} in ('active', 'leaving') and ${column('taxSubject')} = 'provider'
    and ${column('entryDate')} <= ${lastDay(month)} and ${column('taxStartMonth')} <= ${month})`,
      ],
      { fields: ['name', 'customer', 'agency', 'taxSubject'] },
    )
  ).map((one) => canonicalRecord(context, person, one))
  const there = new Set(
    (await readAll(context, db, 'personalTax', [sql<boolean>`${column('taxMonth')} = ${month}`], ['person'])).map(
      (one) => one.person,
    ),
  )
  const made = people
    .filter(({ id }) => !there.has(id!))
    .map(({ id, name, customer, agency, taxSubject }): RecordData => ({
      person: id!,
      personName: name,
      customer,
      agency,
      taxSubject,
      incomeType: 'wage',
      taxMonth: month,
      filingKind: 'zero',
      currentIncome: '0.00',
      exemptIncome: '0.00',
      statutory: '0.00',
      otherDeduction: '0.00',
      status: 'pending',
      zeroReason: values.zeroReason,
      currentTax: '0.00',
      payrolls: null,
      remark: null,
    }))
  for (const record of made) Object.assign(record, await zeroYear(context, db, record))
  await writeFilings(context, db, made, 'zeroAuto')
  return { succeeded: made.length, failed: [] }
}

/** What is filed is fixed: the deductions of the month with it. */
export const lockDeductions: Procedure = async ({ context, db, records }) => {
  for (const record of records) await setDeductions(context, db, record, 'locked')
}
export const unlockDeductions: Procedure = async ({ context, db, records }) => {
  for (const record of records) await setDeductions(context, db, record, 'valid')
}

async function setDeductions(context: Context, db: Db, filing: RecordData, status: string): Promise<void> {
  const rows = await readAll(
    context,
    db,
    'specialDeduction',
    [
      isAnyOf('person', [filing.person as number]),
      ofAgent(filing),
      sql<boolean>`${column('taxMonth')} = ${filing.taxMonth}`,
    ],
    undefined,
    true,
  )
  for (const row of rows) await changeRecord(context, db, entityOf(context, 'specialDeduction'), row, { status })
}
