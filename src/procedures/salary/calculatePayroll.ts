import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { Refusal } from '../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { changedFields } from '../../../engine/server/stored.ts'
import { insertRecords, softDelete, updateRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { type Amount, decimal, money, total } from '../settlement/amounts.ts'
import { column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { readAverageWages } from './averageWage.ts'
import { tellSalary } from './journal.ts'
import {
  approvedStates,
  earnedOf,
  januaryOf,
  openStates,
  readBrackets,
  readCards,
  readDeductions,
  readMinimumWages,
  readOther,
} from './payrollData.ts'
import { readWelfare } from './readWelfare.ts'
import { workOutLine, type PayrollTerms } from './workOut.ts'

/** Welfare, cards and tax of every line anew, and what to look at. @throws Refusal notAllowed. */
export const calculatePayroll: Procedure = async ({ context, db, records, before }) => {
  for (const [index, payroll] of records.entries()) {
    const netTotal = await calculate(context, db, payroll)
    await tellSalary(context, db, [
      {
        subject: 'payroll',
        documentNo: String(payroll.batchNo),
        customer: payroll.customer,
        payroll: payroll.id!,
        action: 'calculate',
        statusBefore: before![index]!.status,
        statusAfter: 'calculated',
        amountBefore: before![index]!.netTotal ?? null,
        amountAfter: netTotal,
      },
    ])
  }
}

async function calculate(context: Context, db: Db, payroll: RecordData): Promise<string> {
  const entity = entityOf(context, 'payrollLine')
  const month = String(payroll.taxMonth)
  const incomeType = String(payroll.incomeType)
  const lines = await readAll(context, db, 'payrollLine', [
    isAnyOf('payroll', [payroll.id!]),
    sql<boolean>`${column('lineStatus')} <> 'removed'`,
  ])
  const ids = lines.map(({ person }) => person as number)
  const people = new Map(
    (
      await readAll(
        context,
        db,
        'person',
        [isAnyOf('id', ids)],
        ['name', 'workCity', 'leaveDate', 'taxStartMonth', 'firstJobThisYear', 'fullSixty', 'taxRelief', 'reliefRate'],
      )
    ).map((person) => [person.id!, person]),
  )
  const other = (states: readonly string[], type: string, from: string) =>
    readOther(context, db, payroll, ids, { states, incomeType: type, from, to: month })
  const earlier = await other(approvedStates, 'wage', januaryOf(month))
  if (incomeType === 'annualBonus')
    refuseSecondBonus(people, (await other(approvedStates, 'annualBonus', januaryOf(month))).lines)
  const averages =
    incomeType === 'severance'
      ? await readAverageWages(
          context,
          db,
          [...new Set([...people.values()].map(({ workCity }) => String(workCity)))],
          month,
        )
      : new Map<string, Amount>()
  const averageOf = ({ averageWage, person }: RecordData): Amount =>
    (averageWage ?? averages.get(String(people.get(person as number)!.workCity)) ?? null) as Amount
  if (incomeType === 'severance')
    refuseUnknownAverage(
      people,
      lines.filter((line) => averageOf(line) === null),
    )
  const welfare = await readWelfare(context, db, ids, String(payroll.welfareMonth))
  const deducted = await alreadyDeducted(context, db, payroll, ids)
  const deductions = await readDeductions(context, db, payroll, ids)
  const cards = await readCards(context, db, ids, String(payroll.payrollMonth))
  const minimums = await readMinimumWages(context, db, String(payroll.payrollMonth))
  const last = (
    await readOther(context, db, payroll, ids, {
      states: approvedStates,
      incomeType: 'wage',
      from: addMonths(month, -1)!,
      to: addMonths(month, -1)!,
    })
  ).lines
  const { basicDeduction, payChangePercent } = context.settings.parameter
  const terms: PayrollTerms = {
    incomeType,
    taxMonth: month,
    payrollMonth: String(payroll.payrollMonth),
    brackets: await readBrackets(context, db),
    monthly: basicDeduction as Amount,
    changePercent: payChangePercent as Amount,
  }

  const worked = lines.map((line) => {
    const id = line.person as number
    const person = people.get(id)!
    const row = deductions.get(id)
    const { fields, welfare: rows } = workOutLine(
      line as never,
      {
        taxStartMonth: String(person.taxStartMonth),
        firstJobThisYear: person.firstJobThisYear === true,
        fullSixty: person.fullSixty === true,
        reliefRate: person.taxRelief === 'none' ? null : (person.reliefRate as Amount),
        earlier: earnedOf(earlier.lines, id),
        cumSpecial: (row?.cumTotal ?? null) as Amount,
        cumPension: (row?.cumPersonalPension ?? null) as Amount,
        hasDeduction: row?.taxMonth === month,
        welfare: deducted.has(id) ? { items: [], open: false } : welfare.get(id),
        wageCard: cards.get(id) ?? null,
        leaveDate: person.leaveDate as string | null,
        minimumWage: minimums.get(String(person.workCity)) ?? null,
        averageWage: incomeType === 'severance' ? averageOf(line) : null,
        previousGross: last.some((one) => one.person === id)
          ? money(total(earnedOf(last, id).map(({ grossPay }) => decimal(grossPay))))
          : null,
      },
      terms,
    )
    const record: RecordData = { ...line, ...fields }
    recompute(context, entity, record)
    return { old: line, record, rows }
  })
  await updateRecords(
    context,
    db,
    entity,
    worked.filter(({ old, record }) => changedFields(entity, old, record).length > 0),
  )
  const welfareEntity = entityOf(context, 'payrollWelfare')
  const former = await readAll(
    context,
    db,
    'payrollWelfare',
    [
      isAnyOf(
        'line',
        lines.map(({ id }) => id!),
      ),
    ],
    ['line'],
  )
  await softDelete(
    context,
    db,
    welfareEntity,
    former.map(({ id }) => id!),
  )
  await insertRecords(
    context,
    db,
    welfareEntity,
    worked.flatMap(({ record, rows }) => rows.map((row) => ({ ...row, line: record.id! }))),
  )
  return money(total(worked.map(({ record }) => decimal(record.netPay as Amount))))
}

/** Whose welfare of the month another wage payroll has taken already, approved or not. */
async function alreadyDeducted(
  context: Context,
  db: Db,
  payroll: RecordData,
  people: readonly number[],
): Promise<Set<number>> {
  const payrolls = await readAll(
    context,
    db,
    'payroll',
    [
      sql<boolean>`(${column('welfareMonth')} = ${payroll.welfareMonth} and ${column('incomeType')} = 'wage'
    and ${column('id')} <> ${payroll.id} and ${column('status')} = any(${[...openStates, ...approvedStates]}::text[]))`,
    ],
    ['welfareMonth'],
  )
  const lines =
    payrolls.length === 0
      ? []
      : await readAll(
          context,
          db,
          'payrollLine',
          [
            isAnyOf(
              'payroll',
              payrolls.map(({ id }) => id!),
            ),
            isAnyOf('person', people),
            sql<boolean>`(${column('lineStatus')} <> 'removed' and (${column('welfarePersonalTotal')} <> 0 or ${column('welfareCompanyTotal')} <> 0))`,
          ],
          ['person'],
        )
  return new Set(lines.map(({ person }) => person as number))
}

function refuseSecondBonus(people: ReadonlyMap<number, RecordData>, taxed: readonly RecordData[]): void {
  const names = [...new Set(taxed.map(({ person }) => String(people.get(person as number)?.name)))]
  if (names.length === 0) return
  throw new Refusal('notAllowed', {
    text: {
      cn: `${names.join('、')}本年度已使用全年一次性奖金计税，请剔除或并入工资`,
      en: `The annual bonus method was already used this year for ${names.join(', ')}: remove them, or pay it with the wages`,
    },
  })
}

/** What of a severance is exempt follows the average wage: where no policy says it, somebody has to. */
function refuseUnknownAverage(people: ReadonlyMap<number, RecordData>, unknown: readonly RecordData[]): void {
  const names = unknown.map(({ person }) => String(people.get(person as number)?.name))
  if (names.length === 0) return
  throw new Refusal('notAllowed', {
    text: {
      cn: `${names.join('、')}的工作城市没有生效的政策，请在明细中填写当地月平均工资`,
      en: `No policy is in force where ${names.join(', ')} work${names.length > 1 ? '' : 's'}: enter the local average wage in the lines`,
    },
  })
}
