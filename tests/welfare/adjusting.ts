import { expect } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import type { Answer } from '../server.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

export const family = 'socialsecurity'

/** @throws unless the call was carried out */
export const done = (answer: Answer): Answer => {
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
  return answer
}

/** A server on which enrolments are adjusted, and their months generated and locked. */
export const adjustingHouse = async () => adjustingIn(await handlingHouse())

/** The same on a server with more furniture. */
export function adjustingIn<T extends HandlingHouse>(handling: T) {
  const { house, call, create } = handling
  const list = async (entity: string, person: number): Promise<RecordData[]> =>
    (
      await house.admin.get(`/welfare/${entity}/list`, {
        filters: { person: { equals: person } },
        sort: 'id',
        size: 100,
      })
    ).result.list
  const open = async (person: number, effectiveMonth: string, newBase: string): Promise<number> =>
    done(await create(`${family}Adjustment`, { person, adjustType: 'midyear', effectiveMonth, newBase })).result.id
  const { admin } = house
  const path = '/welfare/policy'
  /** Puts a version with these values in force. @returns its id */
  async function revisePolicy(id: number, values: Record<string, Value>): Promise<number> {
    done(await admin.post(`${path}/revise`, { id }))
    const [draft] = (await admin.get(`${path}/list`, { filters: { status: { equals: 'draft' } } })).result.list
    const { revision } = (await admin.get(`${path}/detail`, { id: draft.id })).result
    done(await admin.post(`${path}/update`, { id: draft.id, revision, values }))
    done(await admin.post(`${path}/enable`, { id: draft.id }))
    return draft.id
  }
  return {
    ...handling,
    revisePolicy,
    /** Puts a version with another floor in force. @returns its id */
    reviseFloor(id: number, effectiveFrom: string, baseFloor: string): Promise<number> {
      const items = policyRows(house, family, { baseFloor, baseCeiling: '36000' }) as Value
      return revisePolicy(id, { effectiveFrom, [`${family}Items`]: items })
    },
    on: (day: string) => Object.assign(house.runtime, { clock: clockOn(day) }),
    list,
    /** Each line of a person: the month it belongs to, that in which it is paid, its type, and its total. */
    lines: async (person: number, of: string = family) =>
      (await list(`${of}ExpenseLine`, person)).map(({ belongMonth, feeMonth, expenseType, total }) =>
        [belongMonth, feeMonth, expenseType, total].join(' '),
      ),
    open,
    async adjust(person: number, effectiveMonth: string, newBase: string, handleMonth: string): Promise<number> {
      const id = await open(person, effectiveMonth, newBase)
      done(await call(`${family}Adjustment`, 'succeed', id, { handleMonth }))
      return id
    },
    generate: async (feeMonth: string) =>
      done(await house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth } })),
    /** Confirms, reopens, … all summaries of the month. */
    async summaries(feeMonth: string, action: string): Promise<void> {
      const filters = { feeMonth: { between: [feeMonth, feeMonth] } }
      const found = (await house.admin.get(`/welfare/${family}ExpenseSummary/list`, { filters, size: 100 })).result.list
      for (const { id } of found as { id: number }[]) done(await call(`${family}ExpenseSummary`, action, id))
    },
  }
}
export type AdjustingHouse = Awaited<ReturnType<typeof adjustingHouse>>
