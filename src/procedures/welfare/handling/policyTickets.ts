import { accept } from '../../../../engine/server/accept.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { insertRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { entityOf } from '../../settlement/stored.ts'
import { adjusted, changeOf, choicesOf } from './adjusted.ts'
import { amountFields } from './amounts.ts'
import { adjustmentOf, type Family } from './family.ts'
import { accountOf, accountUnder, type Fitting } from './fitting.ts'

/** The type of adjustment that a policy makes; undefined where the family has no adjustments. */
export const policyType = ({ adjustTypes, pages }: Family): string | undefined =>
  pages.fm === null ? undefined : adjustTypes?.find(({ value }) => value === 'policy')?.value

/** Would anything else be paid with these amounts than under the policy that the enrolment has? */
export function changesAmounts(
  fitting: Fitting,
  enrolment: RecordData,
  amounts: Readonly<Record<string, Value>>,
): boolean {
  const { family, policies, persons } = fitting
  const own = policies.find(({ id }) => id === enrolment.policy)
  const account = own && accountUnder(fitting, persons.get(enrolment.person as number)!, own, enrolment.account)
  if (!own || !account) return true
  const before = amountFields(family, own, accountOf(own, family, account), enrolment)
  return family.items
    .flatMap(({ key }) => [`${key}Company`, `${key}Personal`])
    .some((name) => Number(before[name] ?? 0) !== Number(amounts[name] ?? 0))
}

/**
 * A ticket for each of these enrolments from the first month of the policy on: what is declared stays, what it comes to
 * is new.
 */
export async function makePolicyTickets(
  context: Context,
  db: Db,
  fitting: Fitting,
  policy: RecordData,
  enrolments: readonly RecordData[],
): Promise<void> {
  const { family } = fitting
  const entity = entityOf(context, adjustmentOf(family))
  const adjustType = policyType(family)!
  const declared = choicesOf(family).filter(({ change }) => change === changeOf(family, adjustType))
  const blank = accept(context, entity, {}, null).record
  const tickets = enrolments.map((enrolment): RecordData => {
    const effectiveMonth = [String(policy.effectiveFrom), String(enrolment.startMonth)].sort()[1]
    const given: RecordData = {
      person: enrolment.person!,
      adjustType,
      effectiveMonth,
      source: 'policy',
      ...Object.fromEntries(declared.map(({ own, now }) => [now, enrolment[own] ?? null])),
    }
    const record: RecordData = {
      ...blank,
      ...given,
      ...(adjusted(fitting, enrolment, given) as RecordData),
      status: 'pending',
    }
    recompute(context, entity, record)
    return record
  })
  await insertRecords(context, db, entity, tickets)
  await writeHistories(
    context,
    db,
    entity,
    tickets.map((record) => ({ action: 'create', record, old: null })),
  )
}
