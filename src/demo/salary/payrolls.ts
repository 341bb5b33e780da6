import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { readBrackets, readMinimumWages } from '../../procedures/salary/payrollData.ts'
import { readWelfare } from '../../procedures/salary/readWelfare.ts'
import { deductionsOf, writeDeductions } from './deductions.ts'
import { readEmployed, type Employed, type Workforce } from '../staff/employed.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'
import { wageLine, calculatedLine, type Known } from './payrollLines.ts'
import { insertPayrolls, type Batch, type Stage } from './insertPayrolls.ts'

const seed = 20260321

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
    await insertPayrolls(context, db, { clerk, manager }, month, batches)
    if (taxMonths.includes(month) && month.endsWith('-01'))
      await insertPayrolls(context, db, { clerk, manager }, month, bonusesOf(context, workforce, known, month))
  }
}

function batchesOf(context: Context, { people, contractOf, isThere }: Workforce, known: Known, month: string): Batch[] {
  const groups = new Map<string, Employed[]>()
  // Customers pay agency workers themselves.
  for (const person of people.filter(
    (employed) =>
      employed.employmentForm !== 'agency' && employed.taxSubject === 'provider' && isThere(employed, month),
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
    (employed) =>
      employed.customer % 4 === 0 &&
      employed.employmentForm !== 'agency' &&
      employed.taxSubject === 'provider' &&
      isThere(employed, month),
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
      .filter((employed) => employed.agency === agency)
      .map((person) => {
        const bonus = new Decimal(person.baseSalary).times(known.random.pick(['0.5', '1', '1', '2', '3'])).toFixed(2)
        return calculatedLine(context, known, { person, payroll, items: { baseSalary: '0.00', bonus } })
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
