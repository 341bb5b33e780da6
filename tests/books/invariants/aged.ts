import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { Broken, type World } from '../world.ts'

/** What the customers owed at the end of a day. */
export interface Owed {
  day: string
  outstandingAmount: string
  /** Of it, what was not due yet. */ notDue: string
}

const remembered = ({ kept }: World): Map<string, Owed> => {
  const owed = (kept.get('owed') ?? new Map()) as Map<string, Owed>
  kept.set('owed', owed)
  return owed
}

const ofCustomers = (world: World) => ({ customer: { in: world.customers.map(({ id }) => id) } })

/** Writes down what is owed, before the day ends. */
export async function writeDown(world: World): Promise<void> {
  const { day } = world
  const owing = (await world.all('/settlement/statement', ofCustomers(world))).filter(
    ({ stage }) => stage === 'confirmed',
  )
  const isOverdue = ({ outstandingAmount, dueDate }: RecordData) =>
    Number(outstandingAmount) > 0 && String(dueDate) < day
  const total = (among: RecordData[]) =>
    among.reduce((all, { outstandingAmount }) => all.plus(String(outstandingAmount)), new Decimal(0)).toFixed(2)
  const notDue = total(owing.filter((each) => !isOverdue(each)))
  remembered(world).set(day, { day, outstandingAmount: total(owing), notDue })
}

/** What the product says today of the last day written down, and of one long before. */
export async function readOwed(world: World): Promise<Owed[]> {
  const days = [...remembered(world).keys()].filter((day) => day < world.day)
  return Promise.all(
    [...new Set([days.at(days.length / 2), days.at(-1)])].flatMap((day) =>
      day === undefined ? [] : owedOn(world, day),
    ),
  )
}

async function owedOn(world: World, day: string): Promise<Owed> {
  const filters = {
    ...ofCustomers(world),
    billMonth: { between: ['2026-01', '2027-12'] },
    status: { in: ['confirmed', 'invoiced', 'settled'] },
  }
  const query = { screen: 'report.report', tab: 'ageing', asOf: day, filters }
  const { totals } = await world.get<{ totals: Record<string, string> }>('/plans/report', query)
  return { day, outstandingAmount: totals.outstandingAmount, notDue: totals.notDue }
}

/** What was owed on a past day, and how old it was, stays what it was then. */
export function aged({ owed }: { owed: readonly Owed[] }, world: World): void {
  for (const { day, ...is } of owed) {
    const was = remembered(world).get(day)!
    for (const figure of ['outstandingAmount', 'notDue'] as const)
      if (!new Decimal(is[figure]).eq(was[figure]))
        throw new Broken('aged', `${figure} of ${day} was ${was[figure]} then and is ${is[figure]} for that day now`)
  }
}
