import type { Foreseen } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Values } from '../../../engine/server/procedure.ts'

/** Employed, or about to be. */
const present = ['pending', 'active', 'leaving'] as const

/** Mobile → the ids of employed people with it, among those that the user sees. */
async function holdersOf(work: ProcedureWork, mobiles: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  if (mobiles.length === 0) return found
  const people = await work.read('person', {
    where: { mobile: [...new Set(mobiles)], employmentStatus: present },
    fields: ['mobile'],
    seen: true,
  })
  for (const { id, mobile } of people) found.set(mobile, [...(found.get(mobile) ?? []), id])
  return found
}

/** How many others have the number; null if nobody has. */
const others = (holders: readonly number[] = [], own?: number): number | null =>
  holders.filter((id) => id !== own).length || null

/** Whether another person has the mobile number and, for a new person, whether the ID is already known. */
export async function samePeople(
  work: ProcedureWork,
  { mobile, idType, idNumber }: Values<'person'>,
  own?: number,
): Promise<Values<'person'>> {
  const holders = mobile ? (await holdersOf(work, [mobile])).get(mobile) : []
  const [known] =
    own === undefined && idType && idNumber
      ? await work.read('person', { where: { idType, idNumber }, fields: ['employmentStatus'], seen: true })
      : []
  return {
    mobileHolders: others(holders, own),
    ...(own === undefined && { known: known?.id ?? null, knownStatus: known?.employmentStatus ?? null }),
  }
}

/** Rows of joiners before they are written: how many others have each mobile. */
export const foreseePerson = procedure<'person'>(async (work, { records }) => {
  const holders = await holdersOf(
    work,
    records.flatMap(({ mobile }) => mobile ?? []),
  )
  return {
    rows: records.map(({ id, mobile }): Foreseen => ({ values: { mobileHolders: others(holders.get(mobile), id) } })),
  }
})
