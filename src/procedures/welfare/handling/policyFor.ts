import type { Stored, Values } from '../../../../engine/server/procedure.ts'
import { holdsIn, policyInForce, type PolicyScope } from '../policyInForce.ts'
import type { EnrolmentName } from './family.ts'
import { insuredPerson } from './insuredPerson.ts'
import type { TicketPerson, TicketContext } from './ticketContext.ts'

type Policy = Stored<'policy'>

const scopeOf = (policy: Policy): PolicyScope & { record: Policy } => ({
  kind: policy.kind,
  city: policy.city,
  householdTypes: policy.householdTypes ?? [],
  effectiveFrom: policy.effectiveFrom,
  effectiveTo: policy.effectiveTo,
  record: policy,
})

/** The policy in force for a person in a month. */
export function policyFor(
  { family, policies }: TicketContext,
  person: TicketPerson,
  city: string,
  month: string,
): Policy | undefined {
  return policyInForce(policies.map(scopeOf), {
    kind: family.policyKind,
    city,
    householdType: String(person.householdType),
    month,
  })?.record
}

/**
 * The policy of an enrolment in a month: the version that applies to it, or an earlier one, for as long as that fits
 * the person as insured then. A newer one applies once its ticket is handled; before the first of its own, whatever
 * was in force. `enrolment`: as of the month.
 */
export function policyUnder(
  context: TicketContext,
  enrolment: Values<EnrolmentName>,
  month: string,
): Policy | undefined {
  const person = insuredPerson(context, enrolment)!
  const own = context.policies.find(({ id }) => id === enrolment.policy)
  const isFor = (record: Policy) => {
    const { city, householdTypes } = scopeOf(record)
    return (
      (city ?? enrolment.city) === enrolment.city &&
      (householdTypes.length === 0 || householdTypes.includes(String(person.householdType)))
    )
  }
  const versions =
    own && isFor(own)
      ? context.policies.filter(
          (policy) =>
            policy.policyNo === own.policyNo && (policy === own || Number(policy.version) < Number(own.version)),
        )
      : []
  const then = versions.filter((version) =>
    version === own && version.status === 'history'
      ? String(version.effectiveFrom) <= month
      : holdsIn(scopeOf(version), month),
  )
  return (
    then.sort((a, b) => Number(b.version) - Number(a.version)).at(0) ??
    policyFor(context, person, String(enrolment.city), month) ??
    own
  )
}
