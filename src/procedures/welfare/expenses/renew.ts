import type { ProcedureWork, Values } from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import {
  enrolmentOf,
  expenseLineOf,
  type Enrolment,
  type Family,
  type Line,
  type LineName,
} from '../handling/family.ts'
import { readTicketContext } from '../handling/ticketContext.ts'
import { enrolmentsIn } from '../handling/formerEnrolments.ts'
import { usesYearSoFar } from '../yearSoFar.ts'
import { adoptLines } from './adoptLines.ts'
import { chargesBefore } from './yearCharges.ts'
import { deliver } from './deliver.ts'
import { correctedIn } from './refuseCorrectedMonths.ts'
import { isDecided } from './isDecided.ts'
import { paidBackIn } from './paidBackIn.ts'
import { followLines } from './undeductedContributions.ts'
import { dropEmpty, isOpen, summariesFor } from './summaries.ts'
import { normalLine } from './normalLine.ts'

/** Initial values of a new line. */
export const newLine = (family: Family): Values<LineName> => ({
  reconcileStatus: 'unchecked',
  stage: 'open',
  ...(family.supplement?.lateFee === 'daily' && { lateFee: '0.00' }),
})

const statusOf = ({ actualTotal, total }: Values<LineName>): Line['reconcileStatus'] =>
  (actualTotal ?? null) === null ? 'unchecked' : decimal(actualTotal).equals(decimal(total)) ? 'matched' : 'different'

/**
 * The normal lines of these enrolments in a month and, if later ones depend on them, those of the following months of
 * the year. @returns as `renewMonth`.
 */
export async function renewLines(
  work: ProcedureWork,
  family: Family,
  feeMonth: string,
  enrolments: readonly Enrolment[],
): Promise<{ due: number; locked: number }> {
  await adoptLines(work, family, enrolments)
  const renewed = await renewMonth(work, family, feeMonth, enrolments)
  await carryOn(work, family, feeMonth, enrolments)
  return renewed
}

/** Open normal lines of these enrolments in the later months of the year, month by month. */
async function carryOn(
  work: ProcedureWork,
  family: Family,
  month: string,
  enrolments: readonly Enrolment[],
): Promise<void> {
  if (!usesYearSoFar(family.items) || enrolments.length === 0) return
  const later = await work.groups(expenseLineOf(family), {
    where: {
      enrolment: enrolments.map(({ id }) => id),
      feeMonth: { between: [month, `${month.slice(0, 4)}-12`] },
      expenseType: 'normal',
      stage: 'open',
    },
    by: ['enrolment', 'feeMonth'],
  })
  const byMonth = groupedBy(
    later.filter(({ by }) => by.feeMonth > month),
    ({ by }) => by.feeMonth,
  )
  for (const each of [...byMonth.keys()].sort()) {
    const enrolmentIds = new Set(byMonth.get(each)!.map(({ by }) => by.enrolment))
    await renewMonth(
      work,
      family,
      each,
      enrolments.filter(({ id }) => enrolmentIds.has(id)),
    )
  }
}

/** Renews the open months of the year after lines that something else created, changed or removed. */
export async function followYear(
  work: ProcedureWork,
  family: Family,
  lines: readonly { enrolment?: number | null; belongMonth: string }[],
): Promise<void> {
  if (!usesYearSoFar(family.items)) return
  const firsts = new Map<string, { id: number; month: string }>()
  for (const { enrolment, belongMonth } of lines) {
    const key = `${enrolment} ${belongMonth.slice(0, 4)}`
    if (typeof enrolment === 'number' && belongMonth < (firsts.get(key)?.month ?? '9999-12'))
      firsts.set(key, { id: enrolment, month: belongMonth })
  }
  const enrolments = await work.byId(
    enrolmentOf(family),
    [...firsts.values()].map(({ id }) => id),
  )
  const byMonth = groupedBy([...firsts.values()], ({ month }) => month)
  for (const [month, own] of byMonth)
    await carryOn(
      work,
      family,
      month,
      own.flatMap(({ id }) => enrolments.get(id) ?? []),
    )
}

/** Those of these enrolments with a locked normal line in a later month of the year. */
export async function lockedAfter(
  work: ProcedureWork,
  family: Family,
  month: string,
  enrolments: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (!usesYearSoFar(family.items) || enrolments.length === 0) return new Map()
  const locked = await work.groups(expenseLineOf(family), {
    where: {
      enrolment: enrolments,
      feeMonth: { between: [month, `${month.slice(0, 4)}-12`] },
      expenseType: 'normal',
      stage: 'locked',
    },
    by: ['enrolment', 'feeMonth'],
  })
  return new Map(
    locked.flatMap(({ by }): [number, string][] => (by.feeMonth > month ? [[by.enrolment!, by.feeMonth]] : [])),
  )
}

/**
 * Recomputes the normal lines of these enrolments in a month: new ones are added, open ones updated, and those with
 * nothing due removed. Locked ones stay, and those decided by hand or corrected by a ticket. @returns how many lines are due, and how many of them are in locked summaries,
 * or in months on which a locked one depends.
 */
export async function renewMonth(
  work: ProcedureWork,
  family: Family,
  feeMonth: string,
  enrolments: readonly Enrolment[],
): Promise<{ due: number; locked: number }> {
  const name = expenseLineOf(family)
  const context = await readTicketContext(
    work,
    family,
    enrolments.map(({ person }) => person),
  )
  const then = await enrolmentsIn(work, family, enrolments, feeMonth)
  const soFar = await chargesBefore(work, family, enrolments, feeMonth)
  const paidBack = await paidBackIn(
    work,
    family,
    enrolments.map(({ person }) => person),
    [feeMonth],
  )
  const former = await work.read(name, {
    where: { enrolment: enrolments.map(({ id }) => id), belongMonth: feeMonth, expenseType: 'normal' },
    lock: true,
  })
  const found = new Map(former.map((line) => [line.enrolment, line]))
  const corrected = await correctedIn(work, family, enrolments, feeMonth)
  const stays = (line: Line) => line.stage !== 'open' || isDecided(line) || corrected.has(line.enrolment)
  const wanted = then
    .map((enrolment) =>
      normalLine(context, enrolment, feeMonth, {
        soFar: soFar(enrolment.id),
        paidBack: paidBack(enrolment.person, feeMonth, found.has(enrolment.id)),
      }),
    )
    .filter((line) => line !== undefined)
  const summaryOf = await summariesFor(work, family, wanted)
  // Months locked later did not include a line that does not exist yet.
  const late = await lockedAfter(
    work,
    family,
    feeMonth,
    wanted.map(({ enrolment }) => enrolment).filter((id) => !found.has(id)),
  )
  const placed = wanted.map((values) => ({ values, old: found.get(values.enrolment), summary: summaryOf(values) }))

  const followed = placed.flatMap(({ values, old, summary }) => {
    if (!old || stays(old) || !isOpen(summary)) return []
    const worked = work.withFormulas(name, { ...old, ...values, summary: summary.id })
    const { reconcileStatus } = old
    const status = reconcileStatus === 'missing' ? reconcileStatus : statusOf(worked)
    return [{ record: old, values: { ...values, summary: summary.id, reconcileStatus: status } }]
  })
  // Whatever was decided about its amounts, a line goes where the enrolment goes.
  const moved = placed.flatMap(({ values: { serviceContract, supportStaff }, old }) =>
    old?.stage === 'open' && stays(old) && old.serviceContract !== serviceContract
      ? [{ record: old, values: { serviceContract, supportStaff } }]
      : [],
  )
  const due = new Set(wanted.map(({ enrolment }) => enrolment))
  const gone = former.filter((line) => !due.has(line.enrolment!) && !stays(line))
  const left = new Set([...gone, ...followed.map(({ record }) => record)].map(({ summary }) => summary))
  const added = await work.insert(
    name,
    placed
      .filter(({ values, old, summary }) => !old && isOpen(summary) && !late.has(values.enrolment))
      .map(({ values, summary }) => ({ ...newLine(family), ...values, summary: summary.id })),
  )
  await work.changeAll(name, [...followed, ...moved])
  await deliver(work, family, [
    ...added,
    ...[...followed, ...moved].map(({ record }) => record),
    ...gone.map((line) => ({ ...line, stage: 'void' as const })),
  ])
  await work.delete(name, gone)
  await followLines(work, gone)
  await dropEmpty(work, family, [...left])
  return {
    due: wanted.length,
    locked: placed.filter(({ values, summary }) => !isOpen(summary) || late.has(values.enrolment)).length,
  }
}
