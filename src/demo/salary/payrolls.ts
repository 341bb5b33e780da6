import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { ProcedureWork, rowsIn, type Stored, textIn } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { costsOf } from '../../procedures/salary/approval.ts'
import type { Amount } from '../../procedures/money/amounts.ts'
import { absence, wageItemNames, type WageItems } from '../../procedures/salary/grossToNet.ts'
import { tellSalary, type SalaryEntry } from '../../procedures/salary/journal.ts'
import { readBrackets, readMinimumWages } from '../../procedures/salary/payrollData.ts'
import { readWelfare, type PersonWelfare } from '../../procedures/salary/readWelfare.ts'
import type { Earned } from '../../procedures/salary/taxLine.ts'
import { computeLine, type PayrollTerms } from '../../procedures/salary/computeLine.ts'
import { deductionsOf, deductionTotal, monthsOfYear, writeDeductions, type MonthlyDeductions } from './deductions.ts'
import { readEmployed, type Employed, type Workforce } from '../staff/employed.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260321

interface Known {
  deductions: ReadonlyMap<number, MonthlyDeductions>
  /** The last tax month with deductions. */
  declaredUntil: string
  minimums: ReadonlyMap<string, string | null>
  brackets: PayrollTerms['brackets']
  /** Year and person → their wages in it so far. */
  years: Map<string, Earned[]>
  last: Map<number, string>
  sample: number | undefined
  random: Random
  /** Customer → name. */
  customers: ReadonlyMap<number, string>
  /** Of the current month. */
  welfare: ReadonlyMap<number, PersonWelfare>
}
type Stage = 'paid' | 'approved' | 'submitted' | 'rejected' | 'calculated' | 'draft'
interface Batch {
  payroll: RecordData
  lines: RecordData[]
  stage: Stage
}

/**
 * One wage batch for each service contract and month, calculated by the same code as for a clerk; paid in the following
 * month, on the pay day. January has annual bonuses; this month's batches are in every state that occurs in a clerk's
 * work.
 */
export async function writePayrolls(
  context: Context,
  db: Db,
  resolve: Resolve,
  { months, sample }: { months: readonly string[]; sample: number | undefined },
): Promise<void> {
  const workforce = await readEmployed(context, db)
  const most = workforce.people.find(
    ({ baseSalary, taxSubject, employmentForm, id }) =>
      id !== sample &&
      taxSubject === 'provider' &&
      employmentForm !== 'agency' &&
      Number(baseSalary) > 12_000 &&
      Number(baseSalary) < 24_000,
  )?.id
  const current = context.now.slice(0, 7)
  const deductions = deductionsOf(workforce.people, { most, sample })
  const taxMonths = months.map((month) => addMonths(month, 1)!)
  await writeDeductions(context, db, workforce.people, deductions, {
    months: taxMonths,
    filed: addMonths(current, -1)!,
  })
  const known: Known = {
    deductions,
    declaredUntil: taxMonths.at(-1)!,
    minimums: await readMinimumWages(new ProcedureWork(context, db), current),
    brackets: await readBrackets(new ProcedureWork(context, db)),
    years: new Map(),
    last: new Map(),
    sample,
    random: new Random(seed),
    customers: new Map(
      (await new ProcedureWork(context, db).read('customer', { fields: ['name'] })).map(({ id, name }) => [id, name]),
    ),
    welfare: new Map(),
  }
  const clerk = Number(resolve('user', 'payrollClerk'))
  const manager = Number(resolve('user', 'financeManager'))
  for (const month of [...months, current]) {
    known.welfare = await readWelfare(
      new ProcedureWork(context, db),
      workforce.people.map(({ id }) => id),
      month,
    )
    const batches = batchesOf(context, workforce, known, month)
    await write(context, db, { clerk, manager }, month, batches)
    if (taxMonths.includes(month) && month.endsWith('-01'))
      await write(context, db, { clerk, manager }, month, bonusesOf(context, workforce, known, month))
  }
}

function batchesOf(context: Context, { people, contractOf, isThere }: Workforce, known: Known, month: string): Batch[] {
  const groups = new Map<string, Employed[]>()
  // Customers pay agency workers themselves.
  for (const person of people.filter(
    (one) => one.employmentForm !== 'agency' && one.taxSubject === 'provider' && isThere(one, month),
  )) {
    const key = `${person.customer} ${person.agency}`
    groups.set(key, [...(groups.get(key) ?? []), person])
  }
  return [...groups.values()].flatMap((group, index) => {
    const [{ customer, agency }] = group
    const customerName = known.customers.get(customer)!
    const serviceContract = contractOf(customer, addMonths(month, 1)!) ?? contractOf(customer, month)
    if (serviceContract === undefined) return []
    const payroll = payrollOf({ customer, customerName, agency, serviceContract, month, incomeType: 'wage' })
    const stage = stageOf(context, String(payroll.planPayDate), month, index)
    return [
      {
        payroll,
        stage,
        lines: group.map((person, place) =>
          wageLine(context, known, person, payroll, { stage, spoilt: stage === 'draft' && place === 0 }),
        ),
      },
    ]
  })
}

function bonusesOf(context: Context, { people, contractOf, isThere }: Workforce, known: Known, month: string): Batch[] {
  const groups = new Map<number, Employed[]>()
  for (const person of people.filter(
    (one) =>
      one.customer % 4 === 0 && one.employmentForm !== 'agency' && one.taxSubject === 'provider' && isThere(one, month),
  )) {
    groups.set(person.customer, [...(groups.get(person.customer) ?? []), person])
  }
  return [...groups.values()].flatMap((group) => {
    const [{ customer, agency }] = group
    const customerName = known.customers.get(customer)!
    const serviceContract = contractOf(customer, addMonths(month, 1)!)
    if (serviceContract === undefined) return []
    const payroll = {
      ...payrollOf({ customer, customerName, agency, serviceContract, month, incomeType: 'annualBonus' }),
      planPayDate: `${month}-20`,
      taxMonth: month,
    }
    const lines = group
      .filter((one) => one.agency === agency)
      .map((person) => {
        const bonus = new Decimal(person.baseSalary).times(known.random.pick(['0.5', '1', '1', '2', '3'])).toFixed(2)
        return finish(context, known, { person, payroll, items: { baseSalary: '0.00', bonus } })
      })
    return [{ payroll, stage: 'paid' as const, lines }]
  })
}

function payrollOf({
  month,
  incomeType,
  customerName,
  ...parties
}: {
  customer: number
  customerName: string
  agency: number
  serviceContract: number
  month: string
  incomeType: string
}): RecordData {
  const planPayDate = `${addMonths(month, 1)!}-15`
  return {
    ...parties,
    // The name that the form suggests, which is also read in English.
    name: `${customerName}${month}${incomeType === 'wage' ? '工资' : '年终奖'}`,
    payrollMonth: month,
    planPayDate,
    taxMonth: planPayDate.slice(0, 7),
    welfareMonth: month,
    incomeType,
    taxSubject: 'provider',
    source: 'active',
    remark: null,
  }
}

function stageOf(context: Context, planPayDate: string, month: string, index: number): Stage {
  if (month < context.now.slice(0, 7)) return planPayDate < context.now.slice(0, 10) ? 'paid' : 'approved'
  return (['draft', 'calculated', 'submitted', 'submitted', 'rejected', 'calculated'] as const)[index % 6]
}

function wageLine(
  context: Context,
  known: Known,
  person: Employed,
  payroll: RecordData,
  { stage, spoilt }: { stage: Stage; spoilt: boolean },
): RecordData {
  const { random } = known
  const month = String(payroll.payrollMonth)
  const base = new Decimal(person.baseSalary)
  // None of the demo's benefits is of a person yet.
  const benefits = { benefitDeduct: '0.00', benefitIncome: '0.00' }
  if (person.id === known.sample)
    return finish(context, known, { person, payroll, items: { baseSalary: person.baseSalary, ...benefits } })
  const isPart = person.entryDate > `${month}-15` || (person.leaveDate !== null && person.leaveDate <= `${month}-15`)
  const missed = isPart ? '11' : random.chance(0.06) ? String(random.integer(1, 2)) : undefined
  const items: RecordData = {
    ...benefits,
    baseSalary: person.baseSalary,
    performancePay: base
      .times(
        random.weighted([
          ['0', 60],
          ['0.05', 25],
          ['0.1', 15],
        ] as const),
      )
      .toFixed(2),
    mealAllowance: random.chance(0.5) ? '300.00' : null,
    transportAllowance: random.chance(0.3) ? '200.00' : null,
    overtimePay: random.chance(0.12) ? `${random.integer(2, 16) * 50}.00` : null,
    ...(missed !== undefined && {
      workDays: '22.0',
      actualDays: new Decimal(22).minus(missed).toFixed(1),
      absenceDeduction: absence(person.baseSalary, '21.75', '22', new Decimal(22).minus(missed).toFixed()).toFixed(2),
    }),
    ...(spoilt && { afterTaxDeduct: base.times(2).toFixed(2), remark: '扣回借支' }),
  }
  return finish(context, known, { person, payroll, items, bare: stage === 'draft' && !spoilt })
}

/** The inputs of a line. */
const wageItemsIn = (line: RecordData): WageItems & { exemptIncome: Amount } => ({
  ...Object.fromEntries(wageItemNames.map((name) => [name, textIn(line, name)])),
  exemptIncome: textIn(line, 'exemptIncome'),
})

/** What it adds to the year. */
const earnedIn = (line: RecordData): Earned => ({
  grossPay: textIn(line, 'grossPay'),
  exemptIncome: textIn(line, 'exemptIncome'),
  statutory: textIn(line, 'statutory'),
  otherDeduction: textIn(line, 'otherDeduction'),
  currentTax: textIn(line, 'currentTax'),
})

interface Unfinished {
  person: Employed
  payroll: RecordData
  items: RecordData
  /** Not calculated yet. */
  bare?: boolean
}

/** Calculates the line, as the action does, and records what it adds to the year. */
function finish(context: Context, known: Known, { person, payroll, items, bare = false }: Unfinished): RecordData {
  const entity = context.derived.catalog.entities.payrollLine
  const [taxMonth, payrollMonth, incomeType] = [
    String(payroll.taxMonth),
    String(payroll.payrollMonth),
    payroll.incomeType as Stored<'payroll'>['incomeType'],
  ]
  const year = `${taxMonth.slice(0, 4)} ${person.id}`
  const monthly = known.deductions.get(person.id)
  // A month without imported deductions uses those of the last month.
  const declared = taxMonth < known.declaredUntil ? taxMonth : known.declaredUntil
  const isDeclared = monthly !== undefined && declared.slice(0, 4) === taxMonth.slice(0, 4)
  const months = isDeclared ? monthsOfYear(declared, person) : 0
  const line: RecordData = {
    person: person.id,
    personName: person.name,
    exemptIncome: null,
    lineStatus: 'normal',
    welfarePersonalTotal: '0.00',
    welfareCompanyTotal: '0.00',
    statutory: '0.00',
    otherDeduction: '0.00',
    currentTax: '0.00',
    ...items,
  }
  if (!bare) {
    const { fields, welfare } = computeLine(
      wageItemsIn(line),
      {
        taxStartMonth: person.taxStartMonth,
        firstJobThisYear: person.firstJobThisYear === true,
        fullSixty: person.fullSixty === true,
        reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
        earlier: known.years.get(year) ?? [],
        cumSpecial: isDeclared ? `${deductionTotal(monthly, months)}.00` : null,
        cumPension: monthly?.cumPersonalPension ? `${Math.min(12_000, monthly.cumPersonalPension * months)}.00` : null,
        hasDeduction: isDeclared && declared === taxMonth,
        welfare: known.welfare.get(person.id),
        wageCard: person.card,
        leaveDate: person.leaveDate,
        minimumWage: known.minimums.get(person.workCity) ?? null,
        averageWage: null,
        previousGross: incomeType === 'wage' ? (known.last.get(person.id) ?? null) : null,
      },
      { incomeType, taxMonth, payrollMonth, brackets: known.brackets, monthly: '5000', changePercent: '30' },
    )
    Object.assign(line, fields, { welfareItems: welfare })
  }
  recompute(context, entity, line)
  if (incomeType === 'wage') {
    known.years.set(year, [...(known.years.get(year) ?? []), earnedIn(line)])
    known.last.set(person.id, String(line.grossPay))
  }
  return line
}

// ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Staff {
  clerk: number
  manager: number
}

// oxlint-disable-next-line max-lines-per-function -- it reads from top to bottom in the order in which the records are written
async function write(
  context: Context,
  db: Db,
  { clerk, manager }: Staff,
  month: string,
  batches: readonly Batch[],
): Promise<void> {
  const { entities } = context.derived.catalog
  const due = addMonths(month, 1)!
  const day = month < context.now.slice(0, 7) ? due : month
  const at = (user: number, moment: string): Context => ({
    ...context,
    user: { ...context.user, id: user },
    now: moment < context.now ? moment : context.now,
  })
  const [made, submitted, decided] = [
    at(clerk, `${day}-05 10:10:00`),
    at(clerk, `${day}-07 15:20:00`),
    at(manager, `${day}-08 09:30:00`),
  ]
  for (const { payroll, stage } of batches) {
    const isPast = !['draft', 'calculated'].includes(stage)
    const isDecided = ['approved', 'paid', 'rejected'].includes(stage)
    Object.assign(payroll, {
      status: stage,
      submitter: isPast ? clerk : null,
      submittedAt: isPast ? submitted.now : null,
      approver: isDecided && stage !== 'rejected' ? manager : null,
      approvedAt: isDecided && stage !== 'rejected' ? decided.now : null,
      rejectReason: stage === 'rejected' ? '有两名员工的加班费与考勤不符' : null,
      paidAt: stage === 'paid' ? `${due}-15 16:30:00` : null,
    })
    recompute(context, entities.payroll, payroll)
  }
  await insertRecords(
    made,
    db,
    entities.payroll,
    batches.map(({ payroll }) => payroll),
  )
  const lines = batches.flatMap(({ payroll, lines: own, stage }) =>
    own.map((line) => Object.assign(line, { payroll: payroll.id, payStatus: stage === 'paid' ? 'success' : null })),
  )
  await insertRecords(made, db, entities.payrollLine, lines)
  await insertRecords(
    made,
    db,
    entities.payrollWelfare,
    lines.flatMap(({ id, welfareItems }) =>
      rowsIn('payrollWelfare', { welfareItems }, 'welfareItems').map((row): RecordData => ({ ...row, line: id! })),
    ),
  )
  await insertRecords(
    decided,
    db,
    entities.costLine,
    batches
      .filter(({ stage }) => stage === 'approved' || stage === 'paid')
      .flatMap(({ payroll, lines: own }) => costsOf(payroll as Stored<'payroll'>, own as Stored<'payrollLine'>[])),
  )
  await tellAll({ made, submitted, decided }, db, batches)
  await tellSalary(
    new ProcedureWork(made, db),
    batches.flatMap(({ payroll, lines: own, stage }) =>
      own
        .filter((_, index) => stage !== 'paid' && index % 6 === 2)
        .map((line): SalaryEntry => ({
          subject: 'payrollLine',
          documentNo: String(payroll.batchNo),
          customer: payroll.customer as number,
          payroll: payroll.id!,
          payrollLine: line.id!,
          person: line.person as number,
          action: 'edit',
          statusBefore: 'normal',
          statusAfter: 'normal',
          amountBefore: new Decimal(String(line.netPay)).minus(100).toFixed(2),
          amountAfter: line.netPay as string,
        })),
    ),
  )
}

async function tellAll(
  { made, submitted, decided }: Record<'made' | 'submitted' | 'decided', Context>,
  db: Db,
  batches: readonly Batch[],
): Promise<void> {
  const entryOf = (
    { payroll, lines }: Batch,
    action: SalaryEntry['action'],
    statusBefore: SalaryEntry['statusBefore'],
    statusAfter: SalaryEntry['statusAfter'],
  ): SalaryEntry => {
    const amount = lines.reduce((sum, { netPay }) => sum.plus(String(netPay)), new Decimal(0)).toFixed(2)
    return {
      subject: 'payroll',
      documentNo: String(payroll.batchNo),
      customer: payroll.customer as number,
      payroll: payroll.id!,
      action,
      statusBefore,
      statusAfter,
      amountBefore: action === 'create' ? null : amount,
      amountAfter: action === 'create' ? null : amount,
    }
  }
  const beyond = (...stages: Stage[]) => batches.filter(({ stage }) => !stages.includes(stage))
  await tellSalary(
    new ProcedureWork(made, db),
    batches.map((batch) => entryOf(batch, 'create', null, 'draft')),
  )
  await tellSalary(
    new ProcedureWork(made, db),
    beyond('draft').map((batch) => entryOf(batch, 'calculate', 'draft', 'calculated')),
  )
  await tellSalary(
    new ProcedureWork(submitted, db),
    beyond('draft', 'calculated').map((batch) => entryOf(batch, 'submit', 'calculated', 'submitted')),
  )
  await tellSalary(
    new ProcedureWork(decided, db),
    beyond('draft', 'calculated', 'submitted').map((batch) =>
      entryOf(
        batch,
        batch.stage === 'rejected' ? 'reject' : 'approve',
        'submitted',
        batch.stage === 'rejected' ? 'rejected' : 'approved',
      ),
    ),
  )
}
