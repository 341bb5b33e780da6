import { type OpenValues, type Stored, textIn, type Values } from '../../../../engine/server/procedure.ts'
import { type About, aboutOf } from '../about.ts'
import { clamped, limitsOf } from '../contribution.ts'
import { computeAdjustment } from './computeAdjustment.ts'
import { accountBase, policyAccounts, policyItems } from './amounts.ts'
import type { BaseChangeName, EnrolmentName, Family } from './family.ts'
import { insuredPerson } from './insuredPerson.ts'
import { policyFor } from './policyFor.ts'
import type { TicketContext } from './ticketContext.ts'

/** The first type that changes the base, except the one generated when a policy changes. */
export const yearlyType = ({ adjustTypes }: Family): string | undefined =>
  adjustTypes?.find(({ change, value }) => change === 'base' && value !== 'policy')?.value

/** The base after the limits of the policy's items, any of which may cut it. */
function clampOf(
  { family, policies }: TicketContext,
  { policy: policyId, account, newBase: base }: Pick<Values<BaseChangeName>, 'policy' | 'account' | 'newBase'>,
  about: About,
): Stored<BaseChangeName>['clamp'] {
  const policy = policies.find(({ id }) => id === policyId)
  if (!policy || base === null || base === undefined) return null
  const own = policyAccounts(policy, family).find(({ id }) => id === account)
  const then = { ...about, accountBase: own ? accountBase(own) : null }
  const taken = policyItems(policy, family)
    .filter(({ enabled, amountMode }) => enabled && amountMode !== 'fixed')
    .map((row) => {
      const item = family.items.find(({ key }) => key === row.item) ?? {}
      return clamped({ ...limitsOf(item, row, String(base), then), baseRound: 'halfUp2' }, String(base))
    })
  return taken.some((each) => each.greaterThan(String(base)))
    ? 'below'
    : taken.some((each) => each.lessThan(String(base)))
      ? 'above'
      : 'within'
}

/** The derived values of a row from its enrolment, its month and the declared base. */
export function computeBaseChange(
  context: TicketContext,
  enrolment: Values<EnrolmentName>,
  record: Values<BaseChangeName>,
) {
  const { family, month } = context
  const person = insuredPerson(context, enrolment)!
  const now =
    policyFor(context, person, String(enrolment.city), month) ??
    context.policies.find(({ id }) => id === enrolment.policy)
  const effectiveMonth =
    record.effectiveMonth ??
    (now ? `${String(record.year)}-${String(now.baseAdjustMonth).padStart(2, '0')}` : `${String(record.year)}-01`)
  const entered: OpenValues = { newBase: record.newBase ?? null }
  const {
    enrolment: id,
    customer,
    serviceContract,
    supportStaff,
    city,
    policy,
    account,
    ...rest
  } = computeAdjustment(context, enrolment, {
    adjustType: yearlyType(family),
    effectiveMonth,
    ...entered,
  })
  const isDeclared = (record.newBase ?? null) !== null
  const bases = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => name === 'base' || (name.endsWith('Base') && name !== 'oldBase'))
      .map(([name, value]) => [name, isDeclared ? value : null]),
  )
  return {
    effectiveMonth,
    oldBase: textIn(rest, 'oldBase'),
    enrolment: id,
    customer,
    serviceContract,
    supportStaff,
    city,
    policy,
    account,
    ...bases,
    clamp: clampOf(
      context,
      { policy, account, newBase: record.newBase },
      aboutOf(person, effectiveMonth, { headcount: context.headcountOf(customer, effectiveMonth) }),
    ),
  }
}
