import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/records/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/scope.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, readAll } from '../settlement/stored.ts'
import { followPolicy } from './handling/followPolicy.ts'
import { overlap, type PolicyScope } from './policyInForce.ts'

/**
 * A policy comes into force: the version before it ends with the month before and goes to the history, and its accounts
 * go over to the new one under their own ids, as enrolments and expenses refer to them; those and the open tickets
 * follow. @throws Refusal notAllowed where another policy covers the same.
 */
export const enablePolicy: Procedure = async ({ context, db, records }) => {
  for (const policy of records) {
    const others = await readAll(
      context,
      db,
      'policy',
      [
        sql<boolean>`${column('kind')} = ${policy.kind} and ${column('id')} <> ${policy.id} and ${column('status')} = 'enabled'`,
      ],
      undefined,
      true,
    )
    const former = others.find(({ id }) => id === policy.previousPolicy)
    if (former) await supersede(context, db, former, policy)
    refuseOverlap(
      policy,
      others.filter((one) => one !== former),
    )
    await followPolicy(context, db, policy)
  }
}

async function supersede(context: Context, db: Db, former: RecordData, policy: RecordData): Promise<void> {
  const last = addMonths(String(policy.effectiveFrom), -1)!
  if (last < String(former.effectiveFrom)) {
    throw new Refusal('notAllowed', {
      text: {
        cn: `生效月份必须晚于上一版本的生效月份${String(former.effectiveFrom)}`,
        en: `It must come into force after the version before it, ${String(former.effectiveFrom)}`,
      },
    })
  }
  const before = { ...former }
  await changeRecord(context, db, entityOf(context, 'policy'), former, { status: 'history', effectiveTo: last })
  await writeHistory(context, db, entityOf(context, 'policy'), 'supersede', former, before)
  await exchangeAccounts(context, db, policy.id!)
}

/**
 * An account of the draft and the one that it revises change places, with all that was filled in: what refers to the
 * account goes on referring to it, and the former version keeps it as it was.
 */
async function exchangeAccounts(context: Context, db: Db, draft: number): Promise<void> {
  const [account, rate] = ['policyAccount', 'policyAccountRate'].map((name) => entityOf(context, name))
  const revised = await readAll(context, db, 'policyAccount', [
    sql<boolean>`${column('policy')} = ${draft} and ${column('revisionOf')} is not null`,
  ])
  for (const copy of revised) {
    const [original] = await readAll(
      context,
      db,
      'policyAccount',
      [sql<boolean>`${column('id')} = ${copy.revisionOf}`],
      undefined,
      true,
    )
    if (!original || original.policy === draft) continue
    const own = ({ id, revision, revisionOf, ...rest }: RecordData) => rest
    const [first, second] = [own(original), own(copy)]
    await changeRecord(context, db, account, original, second)
    await changeRecord(context, db, account, copy, first)
    await sql`update ${tableOf(context, rate)} set account = case account when ${original.id} then ${copy.id}::bigint else ${original.id}::bigint end
      where account in (${original.id}, ${copy.id})`.execute(db)
  }
}

function refuseOverlap(policy: RecordData, others: readonly RecordData[]): void {
  const scope = (record: RecordData) =>
    ({
      ...record,
      city: record.city ?? null,
      householdTypes: record.householdTypes ?? [],
      effectiveTo: record.effectiveTo ?? null,
    }) as unknown as PolicyScope
  const other = others.find((one) => overlap(scope(policy), scope(one)))
  if (!other) return
  const period = `${String(other.effectiveFrom)} – ${String(other.effectiveTo ?? '')}`
  throw new Refusal('notAllowed', {
    text: {
      cn: `该城市、户口性质在${period}已有生效政策`,
      en: `A policy for this city and household type already covers ${period}`,
    },
  })
}
