import type { ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import { recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { accountUnder } from './accountFor.ts'
import { choicesUnder } from './amounts.ts'
import { amountsIn } from './computeAddition.ts'
import { enrolmentOf, type Enrolment, type EnrolmentName } from './family.ts'
import { lateDifferences } from './lateDifferences.ts'
import { rememberEnrolments } from './formerEnrolments.ts'
import { addHouseholdChanges } from './householdChanges.ts'
import type { HouseholdNews } from './householdNews.ts'
import type { TicketContext, TicketPerson } from './ticketContext.ts'

/** An enrolment that gets another policy from a month on, because its person has another household type. */
export interface Moving {
  enrolment: Enrolment
  person: TicketPerson
  policy: Stored<'policy'>
  month: string
}

/** In a family without adjustments: from the month on, with differences for locked ones. */
export async function moveAtOnce(
  work: ProcedureWork,
  context: TicketContext,
  moving: readonly Moving[],
): Promise<HouseholdNews[]> {
  const { family } = context
  const formerly = await rememberEnrolments(
    work,
    family,
    moving.map(({ enrolment }) => enrolment),
  )
  const changeOf = await addHouseholdChanges(work, family, { moving, formerly })
  await work.changeAll(
    enrolmentOf(family),
    moving.map((each) => ({
      record: each.enrolment,
      values: { ...changeOf(each.enrolment), ...movedValues(context, each) },
    })),
  )
  await recomputeOpen(
    work,
    family,
    moving.map(({ enrolment }) => enrolment.id),
  )
  for (const { enrolment, policy, month } of moving) {
    const change = { policy, from: month, enrolments: [enrolment], formerly }
    await writeTicketLines(work, family, await lateDifferences(work, context, change))
  }
  return moving.map(({ enrolment, month }) => ({
    person: enrolment.person!,
    family,
    text: { cn: `自${month}起按新户口性质缴纳`, en: `insured as the new household type from ${month} on` },
  }))
}

function movedValues(context: TicketContext, { enrolment, person, policy, month }: Moving): Values<EnrolmentName> {
  const { family } = context
  const account = accountUnder(context, person, policy, enrolment.account)!
  const choices = choicesUnder(family, policy, enrolment)
  return {
    policy: policy.id,
    account: account.id,
    householdType: person.householdType,
    ...choices,
    ...amountsIn(context, { person, city: String(enrolment.city), month }, policy, account, {
      ...enrolment,
      ...choices,
    }),
  }
}
