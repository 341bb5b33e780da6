import { expect } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import type { Answer } from '../server.ts'
import type { BilledCustomer } from '../statement.ts'
import { handlingHouse } from './handled.ts'

export const family = 'socialsecurity'

export const done = (answer: Answer) =>
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
export const idOf = (value: unknown) => (value as { id: number } | null)?.id ?? null

/** A server on which people join, leave and move between customers, insured in one family. */
export async function movingHouse() {
  const handling = await handlingHouse()
  const { house, call } = handling
  const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
  /** Employed by a customer from January, and insured from a month on or not at all. */
  const joins = async (
    { customer, agency, contract: service }: BilledCustomer,
    insuredFrom?: string,
    entryDate = '2026-01-05',
  ): Promise<number> => {
    const values: Record<string, Value> = {
      entryDate,
      insuranceCity: '110100',
      baseSalary: '12000',
      medicalinsuranceNeeded: false,
      accumulationfundNeeded: false,
      [`${family}Needed`]: insuredFrom !== undefined,
      ...(insuredFrom !== undefined && { [`${family}StartMonth`]: insuredFrom }),
    }
    return (await employee(house, { customer, agency, service, values })).id
  }
  const act = (id: number, action: string, values?: Record<string, Value>) =>
    house.admin.post(`/staff/person/${action}`, { id, ...(values && { values }) })
  const ticketsOf = async (kind: string, person: number): Promise<RecordData[]> =>
    (
      await house.admin.get(`/welfare/${family}${kind}/list`, {
        filters: { person: { equals: person } },
        sort: 'id',
        size: 100,
      })
    ).result.list
  const goes = async (id: number, leaveDate: string, handleMonth: string): Promise<void> => {
    done(await act(id, 'leave', { leaveDate, leaveReason: 'mutual' }))
    for (const { id: ticket, status } of await ticketsOf('Reduction', id))
      if (status !== 'success') done(await call(`${family}Reduction`, 'succeed', ticket!, { handleMonth }))
  }
  return {
    ...handling,
    on,
    joins,
    act,
    ticketsOf,
    goes,
    async moves(id: number, leaveDate: string, to: BilledCustomer, entryDate: string): Promise<void> {
      await goes(id, leaveDate, entryDate.slice(0, 7))
      done(await act(id, 'close'))
      const { customer, agency, contract: serviceContract } = to
      done(await act(id, 'rehire', { customer, agency, serviceContract, entryDate, baseSalary: '12000' }))
    },
    /** Handles the addition created by the hire. */
    async insure(person: number, handleMonth: string): Promise<void> {
      const open = (await ticketsOf('Addition', person)).find(({ status }) => status === 'pending')!
      done(await call(`${family}Addition`, 'succeed', open.id!, { handleMonth }))
    },
    generate: async (feeMonth: string, { customer }: BilledCustomer) =>
      done(await house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth, customer } })),
    costs: async (person: number): Promise<unknown[][]> =>
      (
        await house.admin.get('/settlement/costLine/list', {
          filters: { person: { equals: person }, sourceType: { in: ['socialExpense'] } },
          sort: 'id',
          size: 100,
        })
      ).result.list.map((cost: RecordData) => [
        idOf(cost.customer),
        idOf(cost.contract),
        cost.costMonth,
        cost.billMonth,
        cost.feeItem,
        cost.party,
        cost.amount,
      ]),
  }
}
export type MovingHouse = Awaited<ReturnType<typeof movingHouse>>
