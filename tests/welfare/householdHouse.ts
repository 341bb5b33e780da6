import type { RecordData, Value } from '../../engine/model/model.ts'
import { adjustingIn, done, family } from './adjusting.ts'
import { furnishedHandling, furnishHandling } from './handled.ts'
import { changeHousehold, policyForType } from './households.ts'

export const adjustment = `${family}Adjustment`
/** A month under each policy with the base of 5,000. */
export const [general, special] = ['1732.54', '2286.00']

/** A server on which people with a rural household have a policy of their own. */
export async function householdHouse() {
  const all = adjustingIn(
    await furnishedHandling({
      name: 'household',
      async furnish(house) {
        const made = await furnishHandling(house)
        // Instead of 6,821.
        const rural = await policyForType({ house, ...made }, { type: 'localRural', floor: '9000' })
        return { ...made, rural }
      },
    }),
  )
  const { database } = all.house
  return {
    ...all,
    becomes: (id: number, householdType: string) => changeHousehold(all, id, householdType),
    adjustments: (person: number) => all.list(adjustment, person),
    handle: async (ticket: RecordData, handleMonth: string) =>
      done(await all.call(adjustment, 'succeed', ticket.id!, { handleMonth })),
    async enrolledWith(overrides: Record<string, Value> = {}) {
      const { person, enrolment } = await all.enrolled(family, {}, overrides)
      return { person: person.id, enrolment, now: () => all.detail(`${family}Enrolment`, enrolment) }
    },
    messagesTo: async (person: number): Promise<string[]> =>
      (
        await database.pool.query(
          `select distinct content->>'cn' as content from message where type = 'householdChanged' and link like $1`,
          [`%id=${person}`],
        )
      ).rows.map(({ content }) => content),
  }
}
export type HouseholdHouse = Awaited<ReturnType<typeof householdHouse>>
