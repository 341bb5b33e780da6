import { addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type ProcedureWork,
  textIn,
  type Values,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { householdChangeOf, type Enrolment, type EnrolmentName, type Family } from './family.ts'

// Families without adjustments have no tickets that know what an enrolment was under before: the enrolment has its last
// change itself, and the earlier ones as rows, all with the same fields.

/** The first month under another household type, and the policy, account and type before it. */
export const formerPlace = {
  since: 'householdFrom',
  householdType: 'formerHouseholdType',
  policy: 'formerPolicy',
  account: 'formerAccount',
}

const placeNames = ['policy', 'account', 'householdType'] as const

/** What holds a change: an enrolment, or one of its rows. */
type Changed = OpenValues
const sinceOf = (change: OpenValues): string => textIn(change, formerPlace.since) ?? ''
const bySince = (a: OpenValues, b: OpenValues): number => sinceOf(a).localeCompare(sinceOf(b))

/** The changes of these enrolments in the order of their months, those that they have themselves as of the call. */
export async function householdChanges(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
): Promise<(enrolment: Enrolment) => readonly Changed[]> {
  const where = { enrolment: enrolments.map(({ id }) => id) }
  const rows = groupedBy(await work.read(householdChangeOf(family), { where }), ({ enrolment }) => enrolment)
  return (enrolment) =>
    [...(rows.get(enrolment.id) ?? []), enrolment]
      .filter((change) => valueIn(change, formerPlace.since) !== null)
      .toSorted(bySince)
}

/** The enrolment as it was in a month, by its changes. */
export function beforeChanges(enrolment: Enrolment, changes: readonly Changed[], month: string): Enrolment {
  const next = changes.find((change) => month < sinceOf(change))
  if (!next) return enrolment
  const former: OpenValues = Object.fromEntries(placeNames.map((name) => [name, valueIn(next, formerPlace[name])]))
  return { ...enrolment, ...former }
}

/**
 * Stores changes from these months on. A change whose place held for no month before the new one is replaced by it.
 * @param formerly the state of an enrolment in a month, before any of this
 * @returns the fields with which an enrolment holds its change
 */
export async function addHouseholdChanges(
  work: ProcedureWork,
  family: Family,
  {
    moving,
    formerly,
  }: {
    moving: readonly { enrolment: Enrolment; month: string }[]
    formerly: (id: number, month: string) => Enrolment
  },
): Promise<(enrolment: Enrolment) => OpenValues> {
  const name = householdChangeOf(family)
  const monthOf = new Map(moving.map(({ enrolment, month }) => [enrolment.id, month]))
  const rows = await work.read(name, { where: { enrolment: [...monthOf.keys()] }, lock: true })
  await work.delete(
    name,
    rows.filter((row) => sinceOf(row) >= monthOf.get(row.enrolment!)!),
  )
  await work.insert(
    name,
    moving
      .map(({ enrolment }) => enrolment)
      .filter((own) => sinceOf(own) !== '' && sinceOf(own) < monthOf.get(own.id)!)
      .map((own) => {
        const change: OpenValues = Object.fromEntries(Object.values(formerPlace).map((key) => [key, valueIn(own, key)]))
        return { ...change, enrolment: own.id }
      }),
  )
  return ({ id }) => {
    const month = monthOf.get(id)!
    const then = formerly(id, addMonths(month, -1)!)
    return {
      [formerPlace.since]: month,
      ...Object.fromEntries(placeNames.map((each) => [formerPlace[each], then[each] ?? null])),
    }
  }
}

/** For enrolments that start over. @returns the fields without a change. */
export async function dropHouseholdChanges(
  work: ProcedureWork,
  family: Family,
  enrolment: readonly number[],
): Promise<Values<EnrolmentName>> {
  if (family.pages.fm !== null) return {}
  const name = householdChangeOf(family)
  await work.delete(name, await work.read(name, { where: { enrolment }, lock: true }))
  return Object.fromEntries(Object.values(formerPlace).map((key) => [key, null]))
}
