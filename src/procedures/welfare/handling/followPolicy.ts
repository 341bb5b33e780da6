import { sql } from 'kysely'
import { addMonths } from '../../../../engine/expression/index.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { changedFields } from '../../../../engine/server/stored.ts'
import { updateRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { differencesOf } from '../expenses/differences.ts'
import { recomputeOpen, writeTicketLines, type LineDraft } from '../expenses/ticketLines.ts'
import { enrolmentValues } from './additions.ts'
import { adjusted } from './adjusted.ts'
import { choicesUnder, keptChoices } from './amounts.ts'
import {
  additionOf,
  adjustmentOf,
  enrolmentOf,
  expenseSummaryOf,
  familiesOf,
  reductionOf,
  type Family,
} from './family.ts'
import { accountFor, accountIn, amountsIn, fitted, fittingFor, policyFor, type Fitting } from './fitting.ts'
import { changesAmounts, makePolicyTickets, policyType } from './policyTickets.ts'
import { takenOf } from './reductions.ts'

/**
 * A policy that has come into force is that of everybody whom it fits. Where it changes what somebody pays, an
 * adjustment says so, and the enrolment and its lines follow once that is handled; an adjustment that is open already
 * takes it along. Everybody else comes under it at once, with rates and tiers as far as it has them: lines of expenses
 * that are open and open tickets follow, and locked months from its first on get differences.
 */
export async function followPolicy(context: Context, db: Db, policy: RecordData): Promise<void> {
  for (const family of familiesOf(context).filter(({ policyKind }) => policyKind === policy.kind)) {
    const isThere =
      (policy.city ?? null) === null ? sql<boolean>`true` : sql<boolean>`${column('city')} = ${policy.city}`
    const enrolments = await readAll(
      context,
      db,
      enrolmentOf(family),
      [isThere, sql<boolean>`${column('status')} <> 'stopped'`],
      undefined,
      true,
    )
    const fitting = await fittingFor(
      context,
      db,
      family,
      enrolments.map(({ person }) => person as number),
    )
    await moveTo(
      context,
      db,
      fitting,
      policy,
      enrolments.filter(({ status }) => status !== 'opening'),
    )
    await followAdditions(
      context,
      db,
      fitting,
      enrolments.filter(({ status }) => status === 'opening'),
    )
    await followReductions(context, db, family, enrolments)
  }
}

/** Enrolments of tickets come to policies that were put in force while those were open, of each its own. */
export async function followNewer(
  context: Context,
  db: Db,
  family: Family,
  tickets: readonly RecordData[],
): Promise<void> {
  const enrolments = await readAll(
    context,
    db,
    enrolmentOf(family),
    [
      isAnyOf(
        'id',
        tickets.map(({ enrolment }) => enrolment as number),
      ),
      sql<boolean>`${column('status')} in ('enrolled', 'stopping')`,
    ],
    undefined,
    true,
  )
  const fitting = await fittingFor(
    context,
    db,
    family,
    enrolments.map(({ person }) => person as number),
  )
  for (const policy of fitting.policies.filter(({ status }) => status === 'enabled')) {
    const newer = enrolments.filter(
      (enrolment) => enrolment.policy !== policy.id && enrolledUnder(fitting, policy, enrolment),
    )
    if (newer.length > 0) await moveTo(context, db, fitting, policy, newer)
  }
}

async function moveTo(
  context: Context,
  db: Db,
  fitting: Fitting,
  policy: RecordData,
  enrolments: readonly RecordData[],
): Promise<void> {
  const { family } = fitting
  const moved = new Map(
    enrolments.flatMap((record): [number, Record<string, Value>][] => {
      const values = enrolledUnder(fitting, policy, record)
      return values ? [[record.id!, values]] : []
    }),
  )
  // Nobody adjusts for somebody who is about to leave.
  const isAdjusted = (record: RecordData) =>
    policyType(family) !== undefined &&
    record.status === 'enrolled' &&
    changesAmounts(fitting, record, moved.get(record.id!)!)
  const [asked, direct] = [true, false].map((isAsked) =>
    enrolments.filter((record) => moved.has(record.id!) && isAdjusted(record) === isAsked),
  )
  const accounts = new Map(direct.map(({ id, account }) => [id!, account as number]))
  await change(context, db, enrolmentOf(family), direct, ({ id }) => moved.get(id!)!)
  await recomputeOpen(
    context,
    db,
    family,
    direct.map(({ id }) => id!),
  )
  await writeTicketLines(
    context,
    db,
    family,
    await lateDifferences(context, db, fitting, policy, { enrolments: direct, accounts }),
  )
  if (family.pages.fm === null) return
  const open = new Set((await followAdjustments(context, db, fitting, enrolments)).map(({ person }) => person))
  await makePolicyTickets(
    context,
    db,
    fitting,
    policy,
    asked.filter(({ person }) => !open.has(person)),
  )
}

/**
 * A policy that comes late has changed months that are locked: what they differ by is paid in the first month that is
 * open.
 */
async function lateDifferences(
  context: Context,
  db: Db,
  { family, month }: Fitting,
  policy: RecordData,
  {
    enrolments,
    accounts,
  }: {
    enrolments: readonly RecordData[]
    /** As they were, by enrolment: under these the lines stand. */ accounts: ReadonlyMap<number, number>
  },
): Promise<LineDraft[]> {
  if (String(policy.effectiveFrom) > month) return []
  const own = enrolments.filter((enrolment) => enrolment.policy === policy.id)
  const locked = await readAll(
    context,
    db,
    expenseSummaryOf(family),
    [
      isAnyOf('account', [...new Set(accounts.values())]),
      sql<boolean>`(${column('feeMonth')} >= ${month} and ${column('status')} not in ('open', 'reconciling'))`,
    ],
    ['account', 'feeMonth'],
  )
  const openIn = (account: Value | undefined) =>
    addMonths(
      locked
        .filter((one) => one.account === account)
        .map(({ feeMonth }) => String(feeMonth))
        .sort()
        .at(-1) ?? addMonths(month, -1)!,
      1,
    )!
  return differencesOf(
    context,
    db,
    family,
    own.map(({ id, person }) => ({
      person: person as number,
      enrolment: id!,
      effectiveMonth: String(policy.effectiveFrom),
      handleMonth: openIn(accounts.get(id!)),
      ticketNo: `${String(policy.policyNo)}-${String(policy.version)}`,
    })),
  )
}

/**
 * What an enrolment has under the policy; undefined where it has that already, another one is that of the person, or no
 * account fits.
 */
function enrolledUnder(
  fitting: Fitting,
  { id, effectiveFrom }: RecordData,
  record: RecordData,
): Record<string, Value> | undefined {
  const { family } = fitting
  const person = fitting.persons.get(record.person as number)
  const month = [fitting.month, String(effectiveFrom), String(record.startMonth)].sort().at(-1)!
  const city = String(record.city)
  const policy = person && policyFor(fitting, person, city, month)
  const account =
    policy?.id === id && (accountIn(policy!, family, record.account) ?? accountFor(fitting, person!, policy!))
  if (!account || isLater(fitting, record, person!, policy!)) return undefined
  const choices = choicesUnder(family, policy!, record)
  return {
    policy: policy!.id!,
    account: account.id!,
    ...choices,
    ...amountsIn(fitting, { person: person!, city, month }, policy!, account, { ...record, ...choices }),
  }
}

/** Is the enrolment under one already that begins later and is that of the person from then on? */
function isLater(fitting: Fitting, record: RecordData, person: RecordData, policy: RecordData): boolean {
  const own = fitting.policies.find(({ id, status }) => id === record.policy && status === 'enabled')
  return (
    own !== undefined &&
    String(own.effectiveFrom) > [String(policy.effectiveFrom), fitting.month].sort()[1] &&
    policyFor(fitting, person, String(record.city), String(own.effectiveFrom))?.id === own.id
  )
}

const openTickets = (
  context: Context,
  db: Db,
  name: string,
  enrolments: readonly RecordData[],
): Promise<RecordData[]> =>
  readAll(
    context,
    db,
    name,
    [
      isAnyOf(
        'enrolment',
        enrolments.map(({ id }) => id!),
      ),
      sql<boolean>`${column('status')} in ('pending', 'processing', 'returned', 'failed')`,
    ],
    undefined,
    true,
  )

/** Additions are fitted anew, and what they have opened is as they are. */
async function followAdditions(
  context: Context,
  db: Db,
  fitting: Fitting,
  opened: readonly RecordData[],
): Promise<void> {
  const { family } = fitting
  const tickets = await openTickets(context, db, additionOf(family), opened)
  await change(context, db, additionOf(family), tickets, (ticket) => {
    const anew = { ...ticket, policy: null }
    const policy = fitting.policies.find(({ id }) => id === fitted(fitting, anew).policy)
    return policy ? fitted(fitting, { ...anew, ...keptChoices(family, policy, ticket) }) : {}
  })
  const enrolment = entityOf(context, enrolmentOf(family))
  const ticketOf = new Map(tickets.map((ticket) => [ticket.enrolment, ticket]))
  await change(context, db, enrolment.name, opened, ({ id }) =>
    ticketOf.has(id!) ? enrolmentValues(ticketOf.get(id!)!, enrolment) : {},
  )
}

/** Reductions have what their enrolments have. */
async function followReductions(
  context: Context,
  db: Db,
  family: Family,
  enrolments: readonly RecordData[],
): Promise<void> {
  const tickets = await openTickets(context, db, reductionOf(family), enrolments)
  const byId = new Map(enrolments.map((record) => [record.id, record]))
  await change(context, db, reductionOf(family), tickets, ({ enrolment }) =>
    takenOf(family, byId.get(enrolment as number)!),
  )
}

/** Open adjustments come to what they are by the policy of their month. @returns them */
async function followAdjustments(
  context: Context,
  db: Db,
  fitting: Fitting,
  enrolments: readonly RecordData[],
): Promise<RecordData[]> {
  const tickets = await openTickets(context, db, adjustmentOf(fitting.family), enrolments)
  const byId = new Map(enrolments.map((record) => [record.id, record]))
  await change(context, db, adjustmentOf(fitting.family), tickets, (ticket) =>
    adjusted(fitting, byId.get(ticket.enrolment as number)!, ticket),
  )
  return tickets
}

/** Writes those records that become other ones, with their history. */
async function change(
  context: Context,
  db: Db,
  name: string,
  records: readonly RecordData[],
  changesOf: (record: RecordData) => Record<string, Value>,
): Promise<void> {
  const entity = entityOf(context, name)
  const pairs = records.flatMap((record) => {
    const old = { ...record }
    recompute(context, entity, Object.assign(record, changesOf(record)))
    return changedFields(entity, old, record).length > 0 ? [{ record, old }] : []
  })
  await updateRecords(context, db, entity, pairs)
  await writeHistories(
    context,
    db,
    entity,
    pairs.map(({ record, old }) => ({ action: 'update', record, old })),
  )
}
