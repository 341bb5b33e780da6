import { type ProcedureWork, type Stored, type Values, valueIn } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { choicesOf, type Choice } from './computeAdjustment.ts'
import { adjustmentOf, type AdjustmentName, type Enrolment, type Family } from './family.ts'
import { beforeChanges, householdChanges } from './householdChanges.ts'
import { isForHousehold } from './insuredPerson.ts'

type Adjustment = Stored<AdjustmentName>

/**
 * Enrolments as of a month: values that were adjusted from a later month on have their earlier state, and so have
 * policy, account and household type.
 */
export async function enrolmentsIn(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
  month: string,
): Promise<Enrolment[]> {
  const then = await formerEnrolments(work, family, enrolments)
  return enrolments.map((enrolment) => then(enrolment, month))
}

/** The same for any month. `without`: the numbers of tickets that do not count. */
export async function formerEnrolments(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
  without: readonly string[] = [],
): Promise<(enrolment: Enrolment, month: string) => Enrolment> {
  if (family.pages.fm === null) {
    const changesOf = await householdChanges(work, family, enrolments)
    return (enrolment, month) => beforeChanges(enrolment, changesOf(enrolment), month)
  }
  const handledOf = await handledAdjustments(
    work,
    family,
    enrolments.map(({ id }) => id),
  )
  const counted = ({ ticketNo }: Adjustment) => !without.includes(ticketNo)
  return (enrolment, month) => enrolmentInMonth(family, enrolment, handledOf(enrolment.id).filter(counted), month)
}

/** The same for enrolments, and adjustments, as they are now, whatever changes afterwards. */
export async function rememberEnrolments(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
  without: readonly string[] = [],
): Promise<(id: number, month: string) => Enrolment> {
  // Records are changed in place.
  const copies = new Map(enrolments.map((enrolment) => [enrolment.id, { ...enrolment }]))
  const then = await formerEnrolments(work, family, [...copies.values()], without)
  return (id, month) => then(copies.get(id)!, month)
}

/** The handled adjustments of an enrolment, in the order in which they were handled. */
export async function handledAdjustments(
  work: ProcedureWork,
  family: Family,
  enrolment: readonly (number | null)[],
): Promise<(enrolment: number | null) => readonly Adjustment[]> {
  const tickets = await work.read(adjustmentOf(family), { where: { enrolment, status: 'success' } })
  const byEnrolment = groupedBy(tickets.toSorted(byHandling), (ticket) => ticket.enrolment)
  return (id) => byEnrolment.get(id) ?? []
}

/** The handled adjustments of the tickets' enrolments that take effect in later months than the ticket. */
export async function laterAdjustments(
  work: ProcedureWork,
  family: Family,
  tickets: readonly Adjustment[],
): Promise<(ticket: Adjustment) => readonly Adjustment[]> {
  const handledOf = await handledAdjustments(
    work,
    family,
    tickets.map(({ enrolment }) => enrolment),
  )
  return (ticket) => handledOf(ticket.enrolment).filter(({ effectiveMonth }) => effectiveMonth > ticket.effectiveMonth)
}

export const byHandling = (a: Adjustment, b: Adjustment): number =>
  (a.handledAt ?? '').localeCompare(b.handledAt ?? '') || a.id - b.id

/** Whether the ticket changes the value; one for a policy also states the unchanged base. */
export const brings = (ticket: Values<AdjustmentName>, { old, now }: Choice): boolean =>
  ![null, undefined, valueIn(ticket, old)].includes(valueIn(ticket, now))

/**
 * An enrolment's state in a month, by all its adjustments: the latest one up to the month decides, whatever was handled
 * since for an earlier month. Each ticket's old values are those of its month at its handling: so for a value that no
 * ticket has set by then, the first handled ticket knows it, though it may take effect last.
 */
function enrolmentInMonth(family: Family, enrolment: Enrolment, all: readonly Adjustment[], month: string) {
  const [first] = all.filter(({ effectiveMonth }) => effectiveMonth > month)
  if (!first) return enrolment
  const then = all
    .filter(({ effectiveMonth }) => effectiveMonth <= month)
    .toSorted((a, b) => a.effectiveMonth.localeCompare(b.effectiveMonth))
  return {
    ...enrolment,
    ...placeIn(all, month),
    ...Object.fromEntries(
      choicesOf(family).map((choice) => {
        const brought = then.findLast((ticket) => brings(ticket, choice))
        return [choice.own, brought ? valueIn(brought, choice.now) : valueIn(first, choice.old)]
      }),
    ),
  }
}

/**
 * The policy, account and household type of a month, where they are not the present ones. What was handled last for a
 * month applies, because it knows the person best.
 */
function placeIn(all: readonly Adjustment[], month: string) {
  const moves = all.filter(isForHousehold)
  const next = moves[moves.findLastIndex(({ effectiveMonth }) => effectiveMonth <= month) + 1]
  return next ? placeBefore(next) : {}
}

const placeBefore = ({ formerPolicy: policy, formerAccount: account, formerHouseholdType }: Adjustment) => ({
  policy,
  account,
  householdType: formerHouseholdType,
})
