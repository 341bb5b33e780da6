import { sql } from 'kysely'
import { recompute } from '../../../../engine/server/records/effects.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { changedFields } from '../../../../engine/server/stored.ts'
import { insertRecords, softDelete, updateRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { contributionFields, monthly, policyItems } from '../handling/amounts.ts'
import { expenseLineOf, type Family } from '../handling/family.ts'
import { accountOf, fittingFor, policyUnder, type Fitting } from '../handling/fitting.ts'
import { enrolmentsIn } from '../handling/formerly.ts'
import { dueIn, type PayCycle } from '../yearly.ts'
import { deliver } from './deliver.ts'
import { dropEmpty, isOpen, summariesFor } from './summaries.ts'

/** What an enrolment says of its month, as the fields of a line; undefined where nothing is due. */
export function normalLine(fitting: Fitting, enrolment: RecordData, feeMonth: string): RecordData | undefined {
  const { family } = fitting
  const person = fitting.persons.get(enrolment.person as number)
  const isDue =
    enrolment.status !== 'opening' &&
    String(enrolment.feeFrom ?? enrolment.startMonth) <= feeMonth &&
    feeMonth <= String(enrolment.endMonth ?? '9999-12')
  const policy = person && policyUnder(fitting, enrolment, person, feeMonth)
  const account = policy && accountIn(fitting, policy, enrolment.account as number)
  if (!person || !isDue || !policy || !account) return undefined
  const due = dueIn(
    feeMonth,
    String(enrolment.startMonth),
    monthly(family, policy, account, enrolment),
    policyItems(policy, family) as unknown as PayCycle[],
  )
  const fields = contributionFields(family, due)
  if (decimal(fields.companyTotal as Amount).isZero() && decimal(fields.personalTotal as Amount).isZero())
    return undefined
  return {
    ...ownerFields(family, enrolment, person),
    ...fields,
    policy: policy.id!,
    enrolment: enrolment.id!,
    feeMonth,
    belongMonth: feeMonth,
    expenseType: 'normal',
    sourceNo: null,
  }
}

/** An account under whichever version of its policy, as this version has it. */
function accountIn({ family, policies }: Fitting, version: RecordData, id: number): RecordData | undefined {
  const account = policies
    .flatMap((policy) => (policy[`${family.key}Accounts`] ?? []) as RecordData[])
    .find((one) => one.id === id)
  return account && accountOf(version, family, account)
}

/** Whose a line is, and what was chosen for them. */
function ownerFields({ items, base }: Family, enrolment: RecordData, person: RecordData): RecordData {
  const names = [
    'person',
    'customer',
    'serviceContract',
    'supportStaff',
    'city',
    'account',
    'personalAccountNo',
    ...(base.mode === 'none' ? [] : ['declaredBase']),
    ...items.flatMap(({ key, mandatory, sameRate, rateModes }) => [
      ...(mandatory ? [] : [`${key}On`]),
      ...(rateModes.includes('range') ? [`${key}CompanyRate`, ...(sameRate ? [] : [`${key}PersonalRate`])] : []),
      ...(rateModes.includes('tier') ? [`${key}Tier`] : []),
    ]),
  ]
  return {
    ...Object.fromEntries(names.map((name) => [name, enrolment[name] ?? null])),
    personName: person.name,
    idNumber: person.idNumber,
  } as RecordData
}

/** What begins with a new line. */
export const newLine = (family: Family): RecordData => ({
  reconcileStatus: 'unchecked',
  stage: 'open',
  ...(family.supplement?.lateFee === 'daily' && { lateFee: '0.00' }),
})

/** Decided by hand: it stays as it is. */
const isDecided = ({ adjustReason, reconcileStatus }: RecordData): boolean =>
  (adjustReason ?? null) !== null || reconcileStatus === 'accepted'
const statusOf = ({ actualTotal, total }: RecordData): string =>
  (actualTotal ?? null) === null
    ? 'unchecked'
    : decimal(actualTotal as Amount).equals(decimal(total as Amount))
      ? 'matched'
      : 'different'

/**
 * The normal lines of these enrolments in a month, made anew from what is in force: new ones are added, open ones
 * follow, those of which nothing is due any more go. Locked ones stay. @returns how many lines are due, and how many of
 * them are in summaries that are locked.
 */
export async function renewLines(
  context: Context,
  db: Db,
  family: Family,
  feeMonth: string,
  enrolments: readonly RecordData[],
): Promise<{ due: number; locked: number }> {
  const entity = entityOf(context, expenseLineOf(family))
  const fitting = await fittingFor(
    context,
    db,
    family,
    enrolments.map(({ person }) => person as number),
  )
  const then = await enrolmentsIn(context, db, family, enrolments, feeMonth)
  const wanted = then.map((enrolment) => normalLine(fitting, enrolment, feeMonth)).filter((line) => line !== undefined)
  const former = await readAll(
    context,
    db,
    entity.name,
    [
      isAnyOf(
        'enrolment',
        enrolments.map(({ id }) => id!),
      ),
      sql<boolean>`(${column('feeMonth')} = ${feeMonth} and ${column('expenseType')} = 'normal')`,
    ],
    undefined,
    true,
  )
  const summaryOf = await summariesFor(
    context,
    db,
    family,
    wanted.map((line) => ({
      feeMonth,
      account: line.account as number,
      customer: line.customer as number | null,
      city: line.city as string | null,
    })),
  )
  const found = new Map(former.map((line) => [line.enrolment, line]))
  const placed = wanted.map((values) => ({
    values,
    old: found.get(values.enrolment),
    summary: summaryOf(values as never),
  }))

  const added = placed
    .filter(({ old, summary }) => !old && isOpen(summary))
    .map(({ values, summary }): RecordData => ({ ...newLine(family), ...values, summary: summary.id! }))
  const followed = placed.flatMap(({ values, old, summary }) => {
    if (!old || old.stage !== 'open' || isDecided(old) || !isOpen(summary)) return []
    const record: RecordData = { ...old, ...values, summary: summary.id! }
    recompute(context, entity, record)
    if (old.reconcileStatus !== 'missing') record.reconcileStatus = statusOf(record)
    return [{ record, old }]
  })
  const due = new Set(wanted.map(({ enrolment }) => enrolment))
  const gone = former.filter((line) => !due.has(line.enrolment) && line.stage === 'open' && !isDecided(line))
  for (const record of added) recompute(context, entity, record)
  await insertRecords(context, db, entity, added)
  await updateRecords(
    context,
    db,
    entity,
    followed.filter(({ record, old }) => changedFields(entity, old, record).length > 0),
  )
  await deliver(context, db, family, [
    ...added,
    ...followed.map(({ record }) => record),
    ...gone.map((line) => ({ ...line, stage: 'void' })),
  ])
  await softDelete(
    context,
    db,
    entity,
    gone.map(({ id }) => id!),
  )
  await dropEmpty(context, db, family, [
    ...new Set([...gone, ...followed.map(({ old }) => old)].map(({ summary }) => summary as number)),
  ])
  return { due: wanted.length, locked: placed.filter(({ summary }) => !isOpen(summary)).length }
}
