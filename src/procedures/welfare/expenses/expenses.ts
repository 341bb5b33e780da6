import { addMonths } from '../../../../engine/expression/index.ts'
import { procedure, type ProcedureWork, type Stored, textIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { namedBatches } from '../../salary/namedBatches.ts'
import { approvedStates } from '../../salary/payrollData.ts'
import { decimal } from '../../money/amounts.ts'
import {
  enrolmentOf,
  expenseLineOf,
  familyOf,
  type EnrolmentName,
  type Family,
  type Line,
  type LineName,
  type SummaryName,
} from '../handling/family.ts'
import { isTolerated } from '../reconciliation.ts'
import { sourceIdOf, sourceTypeOf } from './costs.ts'
import { deliver } from './deliver.ts'
import { refuseCorrectedMonths } from './refuseCorrectedMonths.ts'
import { monthKey, readWageLines } from './outstanding.ts'
import { place } from './placeExpenses.ts'
import { followYear, renewLines } from './renew.ts'
import { refuseCounted, refuseUnordered } from './yearOrder.ts'

type Summary = Stored<SummaryName>

/**
 * The month's lines of everybody enrolled, for an account or a customer if given.
 * @throws Refusal invalid, notAllowed.
 */
export const generateExpenses = procedure<SummaryName>(async (work, { entity, values }) => {
  const family = familyOf(work, entity)
  const { account = null, customer = null } = values
  const feeMonth = values.feeMonth!
  refuseMonth(work, entity, feeMonth)
  const seen = await work.read(enrolmentOf(family), {
    where: enrolledIn(feeMonth, { account, customer }),
    seen: true,
  })
  const { due, locked } = await renewLines(work, family, feeMonth, seen)
  if (due > 0 && due === locked)
    work.refuseCall({ cn: `${feeMonth}的费用已锁定`, en: `The expenses of ${feeMonth} are locked` })
  return {
    succeeded: due - locked,
    tally: [
      {
        label: { cn: `已生成${feeMonth}的费用{n}条`, en: `{n} {n|expense|expenses} of ${feeMonth} generated` },
        n: due - locked,
      },
      { label: { cn: '另有{n}条已锁定', en: '{n} {n|is|are} locked' }, n: locked },
    ],
    summary: { cn: `${feeMonth}没有需要生成的费用`, en: `Nobody has expenses in ${feeMonth}` },
  }
})

/** Each customer separately. @throws Refusal as above. */
export const divideExpenses = procedure<SummaryName>(async (work, { entity, values }) => {
  refuseMonth(work, entity, values.feeMonth!)
  const { account = null, customer = null } = values
  const found = await work.read(enrolmentOf(familyOf(work, entity)), {
    where: enrolledIn(values.feeMonth!, { account, customer }),
    fields: ['customer'],
    seen: true,
  })
  const ids = new Set(found.map((each) => each.customer))
  const customers = await work.read('customer', { where: { id: [...ids] }, fields: ['name'] })
  return { parts: customers.map(({ id, name }) => ({ id, name, values: { customer: id } })) }
})

const enrolledIn = (feeMonth: string, { account, customer }: { account: number | null; customer: number | null }) => ({
  startMonth: { between: [null, feeMonth] as [null, string] },
  status: { not: 'opening' as const },
  ...(account !== null && { account }),
  ...(customer !== null && { customer }),
})

function refuseMonth(work: ProcedureWork, entity: SummaryName, feeMonth: string): void {
  if (feeMonth > addMonths(work.today.slice(0, 7), 1)!)
    work.refuse(entity, [
      {
        field: 'feeMonth',
        code: 'feeMonth',
        message: { cn: '费用月份不能晚于下月', en: 'The fee month can be next month at the latest' },
      },
    ])
}

/** The current month's lines of these enrolments. */
export const generateDueExpenses = procedure<EnrolmentName>(async (work, { entity, records }) => {
  await renewLines(work, familyOf(work, entity), work.today.slice(0, 7), records)
})

const linesOf = (
  work: ProcedureWork,
  family: Family,
  summaries: readonly Summary[],
  stage: Line['stage'],
): Promise<Line[]> =>
  work.read(expenseLineOf(family), { where: { summary: summaries.map(({ id }) => id), stage }, lock: true })

const moveLines = (work: ProcedureWork, family: Family, lines: readonly Line[], stage: Line['stage']): Promise<void> =>
  work.changeAll(
    expenseLineOf(family),
    lines.map((record) => ({ record, values: { stage } })),
  )

/**
 * Confirmed expenses are final; settlement and payroll use them. Lines of people who were unknown and are known by now
 * go to the summaries of their customers first. @throws Refusal notAllowed.
 */
export const lockExpenses = procedure<SummaryName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const open = await linesOf(work, family, records, 'open')
  await changedByHand(work, family, open.filter(isNobodys))
  const lines = open.filter(({ summary }) => records.some(({ id }) => id === summary))
  await refuseUnordered(
    work,
    family,
    lines,
    records.map(({ id }) => id),
  )
  await deliver(work, family, lines)
  await moveLines(work, family, lines, 'locked')
})

/**
 * @throws Refusal notAllowed if a confirmed statement bills them, approved wages had them deducted, or a later month
 * compensates for them.
 */
export const unlockExpenses = procedure<SummaryName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const lines = await linesOf(work, family, records, 'locked')
  await refuseCorrectedMonths(work, family, lines)
  const costs = await work.read('costLine', {
    where: { sourceType: sourceTypeOf(family), sourceId: lines.map(({ id }) => sourceIdOf(family, id)) },
    fields: ['statementStage'],
  })
  if (costs.some(({ statementStage }) => statementStage === 'confirmed'))
    work.refuseCall({ cn: '费用已计入已确认的对账单', en: 'They are billed on a confirmed statement' })
  await refusePaid(work, family, lines)
  await moveLines(work, family, lines, 'open')
  await refuseCounted(
    work,
    family,
    lines.filter(({ expenseType }) => expenseType === 'normal'),
  )
})

/** Wages deduct contributions of their own month, and those of earlier months that came late. */
async function refusePaid(work: ProcedureWork, { key }: Family, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const months = new Set(lines.map(({ person, feeMonth }) => monthKey(person ?? 0, feeMonth)))
  const from = lines.map(({ feeMonth }) => feeMonth).sort()[0]
  const people = [...new Set(lines.flatMap(({ person }) => person ?? []))]
  const wages = await readWageLines(work, people, { from, states: approvedStates })
  const wageOf = new Map(wages.map((wage) => [wage.id, wage]))
  const taken = await work.groups('payrollWelfare', {
    where: { line: [...wageOf.keys()], family: key as Stored<'payrollWelfare'>['family'] },
    by: ['line', 'feeMonth'],
  })
  const paid = taken
    .map(({ by: { line, feeMonth } }) => ({ wage: wageOf.get(line)!, feeMonth }))
    .find(({ wage, feeMonth }) => months.has(monthKey(wage.person, feeMonth ?? wage.welfareMonth!)))
  if (!paid) return
  const named = await namedBatches(
    work,
    await work.read('payroll', { where: { id: paid.wage.payroll }, fields: ['batchNo'] }),
  )
  work.refuseCall({
    cn: `费用已计入已审核的薪资批次${named.cn}`,
    en: `The approved payroll ${named.en} already includes them`,
  })
}

/** Whether it is of a person whom no customer employs, as far as known at the import. */
const isNobodys = ({ customer, stage }: Line): boolean => customer === null && stage === 'open'
const isChargedToNobody = (line: Line): boolean => isNobodys(line) && !decimal(line.total).isZero()

/** @throws Refusal notAllowed if the bureau charges for a person whom no customer employs: nobody would be billed. */
function refuseUnknown(work: ProcedureWork, lines: readonly Line[]): void {
  const unknown = lines.find(isChargedToNobody)
  if (unknown)
    work.refuseCall({
      cn: `系统中没有${unknown.personName}的证件号码，费用无客户承担：请先在系统中录入该人员，或作废该费用`,
      en: `Nobody in the system has the ID number of ${unknown.personName}, so no customer bears it: add the person first, or void the line`,
    })
}

/** Lines of people who were unknown at their import belong to those who are known by now. @throws Refusal notAllowed. */
async function changedByHand(work: ProcedureWork, family: Family, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const unknown = lines.filter(isChargedToNobody)
  await place(work, expenseLineOf(family), unknown)
  refuseUnknown(work, unknown)
  await refuseCounted(work, family, lines)
  await deliver(work, family, lines)
  await followYear(work, family, lines)
}

/** Sets the bureau's figures to what is due. */
function actualFields({ items, supplement }: Family, line: Line): Record<string, Value> {
  const amounts = items.flatMap(({ key, hasCompany, hasPersonal }) =>
    [...(hasCompany ? ['Company'] : []), ...(hasPersonal ? ['Personal'] : [])].map((side): [string, string] => [
      `${key}${side}`,
      textIn(line, `${key}Actual${side}`) ?? '0.00',
    ]),
  )
  return {
    ...Object.fromEntries(amounts),
    ...(supplement?.lateFee === 'daily' && { lateFee: textIn(line, 'actualLateFee') ?? '0.00' }),
  }
}

export const acceptExpenses = procedure<LineName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await work.changeAll(
    entity,
    records.map((record) => ({ record, values: actualFields(family, record) })),
  )
  await changedByHand(work, family, records)
})

/** After amounts were entered, or the line no longer counts. */
const afterChangeByHand = procedure<LineName>((work, { entity, records }) =>
  changedByHand(work, familyOf(work, entity), records),
)
export const adjustExpenses = afterChangeByHand
export const voidExpenses = afterChangeByHand

/** Accepts the bureau's figures if they differ by no more than the family's tolerance. */
export const autoCheckExpenses = procedure<SummaryName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const lines = (await linesOf(work, family, records, 'open')).filter(
    ({ reconcileStatus, diff }) =>
      reconcileStatus === 'different' && isTolerated(decimal(diff).toFixed(2), family.expense.tolerance),
  )
  await work.changeAll(
    expenseLineOf(family),
    lines.map((record) => ({ record, values: { ...actualFields(family, record), reconcileStatus: 'accepted' } })),
    { action: 'accept' },
  )
  await work.note(entity, records, 'autoCheck')
  await changedByHand(work, family, lines)
  return { accepted: lines.length }
})
