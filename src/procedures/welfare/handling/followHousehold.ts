import { procedure, type ProcedureWork, type Stored, type Values } from '../../../../engine/server/procedure.ts'
import { adjustedFor } from './adjustedEnrolment.ts'
import { computeAdjustment } from './computeAdjustment.ts'
import { openStates } from './enrolments.ts'
import { adjustmentOf, enrolmentOf, familiesOf, type AdjustmentName, type Enrolment, type Family } from './family.ts'
import { followAdditions, followNewer } from './followPolicy.ts'
import { moveOf } from './householdMove.ts'
import { notifyHousehold, type HouseholdNews } from './householdNews.ts'
import { isForHousehold } from './insuredPerson.ts'
import { moveAtOnce, type Moving } from './moveAtOnce.ts'
import { policyType } from './policyTickets.ts'
import { readTicketContext, type TicketContext } from './ticketContext.ts'

type Policy = Stored<'policy'>
type Ticket = Stored<AdjustmentName>

/** People whose household type was changed are insured as that says: open additions at once, the others by a ticket. */
export const followHousehold = procedure<'person'>(async (work, { records, before }) => {
  const news: HouseholdNews[] = []
  const former = new Map(records.map(({ id }, index) => [id, before[index]?.householdType ?? null]))
  for (const family of familiesOf(work)) {
    const person = records.map(({ id }) => id)
    const enrolments = await work.read(enrolmentOf(family), {
      where: { person, status: ['opening', 'enrolled'] },
      lock: true,
    })
    // One from before the type was kept is for the type that its person had until now.
    const untyped = enrolments.filter(({ status, householdType }) => status === 'enrolled' && householdType === null)
    await work.changeAll(
      enrolmentOf(family),
      untyped.map((record) => ({ record, values: { householdType: former.get(record.person!) ?? null } })),
    )
    const context = await readTicketContext(work, family, person)
    await followAdditions(
      work,
      context,
      enrolments.filter(({ status }) => status === 'opening'),
    )
    news.push(...(await follow(work, context, enrolments)))
  }
  await notifyHousehold(work, news)
})

/** The same for enrolments that could not follow at once, or have another policy since. */
export async function followHouseholds(
  work: ProcedureWork,
  family: Family,
  ids: readonly (number | null)[],
  policy?: Policy,
): Promise<void> {
  const enrolments = await work.read(enrolmentOf(family), {
    where: { id: ids.filter((id) => id !== null), status: 'enrolled' },
    lock: true,
  })
  const context = await readTicketContext(
    work,
    family,
    enrolments.map(({ person }) => person),
  )
  await notifyHousehold(work, await follow(work, context, enrolments, policy))
}

/** A policy that came into force is also for people who had its household type before it. */
export async function followNewHouseholds(work: ProcedureWork, policy: Policy): Promise<void> {
  if ((policy.householdTypes ?? []).length === 0 && policy.city === null) return
  for (const family of familiesOf(work).filter(({ policyKind }) => policyKind === policy.kind)) {
    const where = { status: 'enrolled', ...(policy.city !== null && { city: policy.city }) } as const
    const enrolments = await work.read(enrolmentOf(family), { where, fields: ['person', 'householdType'] })
    const people = await work.byId(
      'person',
      enrolments.map(({ person }) => person),
      { fields: ['householdType'] },
    )
    const waiting = enrolments.filter(
      ({ person, householdType }) => householdType !== (people.get(person!)?.householdType ?? householdType),
    )
    if (waiting.length > 0)
      await followHouseholds(
        work,
        family,
        waiting.map(({ id }) => id),
        policy,
      )
  }
}

async function follow(
  work: ProcedureWork,
  context: TicketContext,
  all: readonly Enrolment[],
  policy?: Policy,
): Promise<HouseholdNews[]> {
  const { family, persons } = context
  const enrolled = all
    .filter(({ status }) => status === 'enrolled')
    .map((enrolment) => ({
      enrolment,
      person: persons.get(enrolment.person!)!,
      move: moveOf(context, enrolment, policy),
    }))
  const open = await openOf(
    work,
    family,
    enrolled.map(({ enrolment }) => enrolment),
  )
  const name = enrolmentOf(family)
  const same = enrolled.filter(({ move }) => move.is === 'same')
  await work.changeAll(
    name,
    same.map(({ enrolment: record, person }) => ({ record, values: { householdType: person.householdType } })),
  )
  const others = enrolled.flatMap(({ move, ...found }) => (move.is === 'other' ? [{ ...found, ...move }] : []))
  if (family.pages.fm === null) return moveAtOnce(work, context, others)
  const isIdle = (ticket: Ticket) => isForHousehold(ticket) && ticket.status !== 'processing'
  const dropped = enrolled.flatMap(({ move, enrolment }) => {
    const ticket = open.get(enrolment.id)
    return ticket && isIdle(ticket) && (move.is === 'none' || move.is === 'same') ? [ticket] : []
  })
  await work.changeAll(
    adjustmentOf(family),
    dropped.map((record) => ({ record, values: { status: 'cancelled' } })),
    { action: 'cancel' },
  )
  // A version may have waited for them.
  await followNewer(work, family, dropped)
  const refused = enrolled.flatMap(({ move, enrolment: { person } }) =>
    move.is === 'none' && move.reason ? [{ person: person!, family, text: move.reason }] : [],
  )
  const waiting = others.flatMap(({ enrolment, person }) => {
    const ticket = open.get(enrolment.id)
    return ticket && !isIdle(ticket) && ticket.householdType !== person.householdType ? [ticket] : []
  })
  return [
    ...refused,
    ...dropped.map(({ person, ticketNo }) => ({
      person,
      family,
      text: { cn: `任务${ticketNo}已撤销`, en: `${ticketNo} was cancelled` },
    })),
    ...waiting.map(({ person, ticketNo }) => ({
      person,
      family,
      text: {
        cn: `任务${ticketNo}办结后，生成调整任务`,
        en: `an adjustment follows when ${ticketNo} is finished`,
      },
    })),
    ...(await writeTickets(
      work,
      context,
      others
        .map((each) => ({ ...each, ticket: open.get(each.enrolment.id) }))
        .filter(({ ticket, person }) =>
          ticket ? isIdle(ticket) && ticket.householdType !== person.householdType : true,
        ),
    )),
  ]
}

async function openOf(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
): Promise<ReadonlyMap<number | null, Ticket>> {
  if (family.pages.fm === null) return new Map()
  const enrolment = enrolments.map(({ id }) => id)
  const tickets = await work.read(adjustmentOf(family), { where: { enrolment, status: openStates }, lock: true })
  return new Map(tickets.map((ticket) => [ticket.enrolment, ticket]))
}

/** New tickets, and open ones for a type that the person no longer has. */
async function writeTickets(
  work: ProcedureWork,
  context: TicketContext,
  moving: readonly (Moving & { ticket: Ticket | undefined })[],
): Promise<HouseholdNews[]> {
  const { family } = context
  const name = adjustmentOf(family)
  const found = await adjustedFor(
    work,
    context,
    moving.map(({ enrolment }) => enrolment),
  )
  const blank = work.blank(name)
  const wanted = moving.map(({ enrolment, person, month, ticket }) => {
    const given: Values<AdjustmentName> = {
      person: enrolment.person,
      adjustType: policyType(family),
      effectiveMonth: month,
      source: 'policy',
      householdType: person.householdType,
    }
    return { ticket, values: { ...given, ...computeAdjustment(context, found(enrolment, month), given) } }
  })
  const changed = wanted.flatMap(({ ticket, values }) => (ticket ? [{ record: ticket, values }] : []))
  await work.changeAll(name, changed)
  const made = await work.insert(
    name,
    wanted
      .filter(({ ticket }) => !ticket)
      .map(({ values }): Values<AdjustmentName> => ({ ...blank, ...values, status: 'pending' })),
    { action: 'create' },
  )
  return [...made, ...changed.map(({ record }) => record)].map(({ person, ticketNo, effectiveMonth }) => ({
    person,
    family,
    text: {
      cn: `调整任务${ticketNo}，自${effectiveMonth}起`,
      en: `adjustment ${ticketNo} from ${effectiveMonth} on`,
    },
  }))
}
