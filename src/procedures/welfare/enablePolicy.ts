import { addMonths } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { followFormerPolicies } from './handling/followFormerPolicies.ts'
import { followNewHouseholds } from './handling/followHousehold.ts'
import { followPolicy } from './handling/followPolicy.ts'
import { overlap, type PolicyScope } from './policyInForce.ts'

type Policy = Stored<'policy'>
type Account = Stored<'policyAccount'>

/**
 * Puts a policy in force: the previous version ends with the previous month and goes to the history, and its accounts
 * move to the new one with their ids, because enrolments and expenses refer to them; those and the open tickets follow.
 * @throws Refusal notAllowed if another policy covers the same.
 */
export const enablePolicy = procedure<'policy'>(async (work, { records }) => {
  for (const policy of records) {
    const where = { kind: policy.kind, id: { not: policy.id }, status: 'enabled' } as const
    const others = await work.read('policy', { where, lock: true })
    const former = others.find(({ id }) => id === policy.previousPolicy)
    if (former) await supersede(work, former, policy)
    refuseOverlap(
      work,
      policy,
      others.filter((other) => other !== former),
    )
    await followPolicy(work, policy)
    await followFormerPolicies(work, policy)
    await followNewHouseholds(work, policy)
  }
})

async function supersede(work: ProcedureWork, former: Policy, policy: Policy): Promise<void> {
  const last = addMonths(policy.effectiveFrom, -1)!
  if (last < former.effectiveFrom)
    work.refuseCall({
      cn: `生效月份必须晚于上一版本的生效月份${former.effectiveFrom}`,
      en: `It must take effect after the previous version, ${former.effectiveFrom}`,
    })
  await work.change('policy', former, { status: 'history', effectiveTo: last })
  await exchangeAccounts(work, policy.id)
}

/** The fields of an account that do not go with its id; its rates are moved separately. */
const own = ({
  id,
  revision,
  revisionOf,
  rates,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
  ...rest
}: Account): Values<'policyAccount'> => rest

/**
 * Swaps an account of the draft with the one that it revises, including its data: references to the account stay valid,
 * and the previous version keeps it as it was.
 */
async function exchangeAccounts(work: ProcedureWork, draft: number): Promise<void> {
  const revised = await work.read('policyAccount', {
    where: { policy: draft, revisionOf: { empty: false } },
    lock: true,
  })
  const originals = await work.byId(
    'policyAccount',
    revised.map(({ revisionOf }) => revisionOf),
    { lock: true },
  )
  const pairs = revised.flatMap((copy): [Account, Account][] => {
    const original = originals.get(copy.revisionOf!)
    return original && original.policy !== draft ? [[original, copy]] : []
  })
  const changes = pairs.flatMap(([original, copy]) => [
    { record: original, values: own(copy) },
    { record: copy, values: own(original) },
  ])
  const rates = pairs.flatMap(([original, copy]) => [
    ...(original.rates ?? []).map(({ id }) => ({ id, at: copy.id })),
    ...(copy.rates ?? []).map(({ id }) => ({ id, at: original.id })),
  ])
  await work.changeAll('policyAccount', changes)
  await work.setReferences('policyAccountRate', 'account', rates)
}

function refuseOverlap(work: ProcedureWork, policy: Policy, others: readonly Policy[]): void {
  const scope = (record: Policy): PolicyScope => ({ ...record, householdTypes: record.householdTypes ?? [] })
  const other = others.find((each) => overlap(scope(policy), scope(each)))
  if (!other) return
  const period = `${other.effectiveFrom} – ${other.effectiveTo ?? ''}`
  work.refuseCall({
    cn: `该城市、户口性质在${period}已有生效政策`,
    en: `A policy for this city and household type already covers ${period}`,
  })
}
