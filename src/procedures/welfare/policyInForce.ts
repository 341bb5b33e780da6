/** What decides for whom and when a policy applies. */
export interface PolicyScope {
  kind: string
  /** Null for the whole country. */
  city: string | null
  /** Empty for everybody. */
  householdTypes: readonly string[]
  effectiveFrom: string
  effectiveTo: string | null
}

/**
 * The policy in force in a month: the city's takes precedence over a nationwide one, one for the household type over a
 * general one.
 */
export function policyInForce<P extends PolicyScope>(
  policies: readonly P[],
  query: { kind: string; city: string; householdType: string; month: string },
): P | undefined {
  const fitting = policies.filter(
    (policy) =>
      policy.kind === query.kind &&
      holdsIn(policy, query.month) &&
      (policy.city === null || policy.city === query.city) &&
      (policy.householdTypes.length === 0 || policy.householdTypes.includes(query.householdType)),
  )
  const rank = ({ city, householdTypes }: P) => (city === null ? 0 : 2) + (householdTypes.length === 0 ? 0 : 1)
  return fitting.sort((a, b) => rank(b) - rank(a)).at(0)
}

export const holdsIn = ({ effectiveFrom, effectiveTo }: PolicyScope, month: string) =>
  effectiveFrom <= month && (effectiveTo === null || month <= effectiveTo)

/**
 * Whether both would apply to a person in the same month. A general policy and one for a household type may coexist.
 */
export function overlap(a: PolicyScope, b: PolicyScope): boolean {
  const sameHouseholds =
    a.householdTypes.length === 0
      ? b.householdTypes.length === 0
      : a.householdTypes.some((type) => b.householdTypes.includes(type))
  return (
    a.kind === b.kind &&
    a.city === b.city &&
    sameHouseholds &&
    a.effectiveFrom <= (b.effectiveTo ?? a.effectiveFrom) &&
    b.effectiveFrom <= (a.effectiveTo ?? b.effectiveFrom)
  )
}
