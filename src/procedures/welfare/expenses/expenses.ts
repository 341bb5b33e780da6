import { sql } from 'kysely'
import { invalid, Refusal } from '../../../../engine/server/errors.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import { visibleConditions } from '../../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { updateRecords } from '../../../../engine/server/records/write.ts'
import { addMonths } from '../../../../engine/expression/index.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { approvedStates } from '../../salary/payrollData.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { enrolmentOf, expenseLineOf, familyOf, type Family } from '../handling/family.ts'
import { isTolerated } from '../reconciliation.ts'
import { sourceIdOf, sourceTypeOf } from './costs.ts'
import { deliver } from './deliver.ts'
import { renewLines } from './renew.ts'

/**
 * The month's lines of everybody who is enrolled, of an account or a customer where one is named.
 * @throws Refusal invalid, notAllowed.
 */
export const generateExpenses: Procedure = async ({ context, db, entity, values }) => {
  const family = familyOf(context, entity)
  const feeMonth = String(values.feeMonth)
  if (feeMonth > addMonths(context.now.slice(0, 7), 1)!)
    throw invalid([
      {
        field: 'feeMonth',
        code: 'feeMonth',
        message: { cn: '费用月份不能晚于下月', en: 'The fee month may be the next one at most' },
      },
    ])
  const enrolment = entityOf(context, enrolmentOf(family))
  const narrowed = (['account', 'customer'] as const).flatMap((name) =>
    (values[name] ?? null) === null ? [] : [isAnyOf(name, [values[name] as number])],
  )
  const seen = await readAll(context, db, enrolment.name, [
    ...visibleConditions(context, enrolment),
    ...narrowed,
    sql<boolean>`(${column('startMonth')} <= ${feeMonth} and ${column('status')} <> 'opening')`,
  ])
  const { due, locked } = await renewLines(context, db, family, feeMonth, seen)
  if (due > 0 && due === locked)
    throw new Refusal('notAllowed', {
      text: { cn: `${feeMonth}的费用已锁定`, en: `The expenses of ${feeMonth} are locked` },
    })
  return { due, locked }
}

/** The present month's lines of these enrolments. */
export const generateDueExpenses: Procedure = async ({ context, db, entity, records }) => {
  await renewLines(context, db, familyOf(context, entity), context.now.slice(0, 7), records)
}

const linesOf = (
  context: Context,
  db: Db,
  family: Family,
  summaries: readonly RecordData[],
  stage: string,
): Promise<RecordData[]> =>
  readAll(
    context,
    db,
    expenseLineOf(family),
    [
      isAnyOf(
        'summary',
        summaries.map(({ id }) => id!),
      ),
      sql<boolean>`${column('stage')} = ${stage}`,
    ],
    undefined,
    true,
  )

async function moveLines(
  context: Context,
  db: Db,
  family: Family,
  lines: readonly RecordData[],
  stage: string,
): Promise<void> {
  await updateRecords(
    context,
    db,
    entityOf(context, expenseLineOf(family)),
    lines.map((old) => ({ old, record: { ...old, stage } })),
  )
}

/** Confirmed expenses do not change any more, and are what settlement and payroll go by. */
export const lockExpenses: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const lines = await linesOf(context, db, family, records, 'open')
  await deliver(context, db, family, lines)
  await moveLines(context, db, family, lines, 'locked')
}

/** @throws Refusal notAllowed: a confirmed statement bills them, or wages are approved that they were taken off. */
export const unlockExpenses: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const lines = await linesOf(context, db, family, records, 'locked')
  const costs = await readAll(
    context,
    db,
    'costLine',
    [
      sql<boolean>`(${column('sourceType')} = ${sourceTypeOf(family)} and ${column('sourceId')} = any(${lines.map(({ id }) => sourceIdOf(family, id!))}::text[]))`,
    ],
    ['statementStage'],
  )
  if (costs.some(({ statementStage }) => statementStage === 'confirmed'))
    throw new Refusal('notAllowed', {
      text: { cn: '费用已计入已确认的对账单', en: 'A confirmed statement bills them' },
    })
  await refusePaid(context, db, records, lines)
  await moveLines(context, db, family, lines, 'open')
}

async function refusePaid(
  context: Context,
  db: Db,
  summaries: readonly RecordData[],
  lines: readonly RecordData[],
): Promise<void> {
  const payrolls = await readAll(
    context,
    db,
    'payroll',
    [
      sql<boolean>`(${column('welfareMonth')} = any(${[...new Set(summaries.map(({ feeMonth }) => String(feeMonth)))]}::text[])
    and ${column('incomeType')} = 'wage' and ${column('status')} = any(${approvedStates}::text[]))`,
    ],
    ['batchNo'],
  )
  const paid =
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
            isAnyOf(
              'person',
              lines.map(({ person }) => person as number | null),
            ),
            sql<boolean>`(${column('lineStatus')} <> 'removed' and (${column('welfarePersonalTotal')} <> 0 or ${column('welfareCompanyTotal')} <> 0))`,
          ],
          ['payroll'],
        )
  const [first] = paid
  if (!first) return
  const batchNo = String(payrolls.find(({ id }) => id === first.payroll)!.batchNo)
  throw new Refusal('notAllowed', {
    text: { cn: `费用已计入已审核的薪资批次${batchNo}`, en: `The approved payroll ${batchNo} has taken them` },
  })
}

/** What the bureau has taken is what is due. */
function actualFields({ items, supplement }: Family, line: RecordData): RecordData {
  const amounts = items.flatMap(({ key, hasCompany, hasPersonal }) =>
    [...(hasCompany ? ['Company'] : []), ...(hasPersonal ? ['Personal'] : [])].map((side): [string, string] => [
      `${key}${side}`,
      String(line[`${key}Actual${side}`] ?? '0.00'),
    ]),
  )
  return {
    ...Object.fromEntries(amounts),
    ...(supplement?.lateFee === 'daily' && { lateFee: String(line.actualLateFee ?? '0.00') }),
  }
}

export const acceptExpenses: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  for (const line of records)
    await changeRecord(context, db, entityOf(context, entity), line, actualFields(family, line))
  await deliver(context, db, family, records)
}

/** Amounts were typed in, or the line does not count any more. */
const tellSettlement: Procedure = async ({ context, db, entity, records }) =>
  deliver(context, db, familyOf(context, entity), records)
export const adjustExpenses = tellSettlement
export const voidExpenses = tellSettlement

/** Differences up to the family's tolerance are taken as the bureau has them. */
export const autoCheckExpenses: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const lineEntity = entityOf(context, expenseLineOf(family))
  const lines = (await linesOf(context, db, family, records, 'open')).filter(
    ({ reconcileStatus, diff }) =>
      reconcileStatus === 'different' && isTolerated(decimal(diff as Amount).toFixed(2), family.expense.tolerance),
  )
  const before = lines.map((line) => ({ ...line }))
  for (const line of lines)
    await changeRecord(context, db, lineEntity, line, { ...actualFields(family, line), reconcileStatus: 'accepted' })
  await writeHistories(
    context,
    db,
    lineEntity,
    lines.map((record, index) => ({ action: 'accept', record, old: before[index] })),
  )
  await writeHistories(
    context,
    db,
    entityOf(context, entity),
    records.map((record) => ({ action: 'autoCheck', record, old: record })),
  )
  await deliver(context, db, family, lines)
  return { accepted: lines.length }
}
