import * as fc from 'fast-check'
import { addDays, addMonths, endOf } from '../model/months.ts'
import { type Contract, type Customer, lastDay, type World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'
import { change, employed } from './moves.ts'

const at = fc.nat({ max: 99 })
const path = '/contract/contract'
const places = [0, 1] as const

const currentOf = (world: World, wanted: (contract: Contract) => boolean) =>
  world.customers.flatMap((customer, where) =>
    places
      .filter((place) => wanted(customer.contracts[customer.current[place]]))
      .map((place) => ({ customer, where, place, contract: customer.contracts[customer.current[place]] })),
  )

export const contracts = {
  endContract: kind({
    weight: 1,
    values: fc.record({ at, when: fc.constantFrom('lastMonth', 'thisMonth', 'today') }),
    async run(world, { when, ...values }) {
      const chosen = pick(
        currentOf(world, ({ end = lastDay }) => end > world.day),
        values.at,
      )
      if (!chosen) return undefined
      const { contract, where, place } = chosen
      const last = endOf(addMonths(world.month, -1))
      const day =
        when === 'thisMonth' ? endOf(world.month) : when === 'lastMonth' && last > '2026-01-01' ? last : world.day
      const { startDate } = await world.get(`${path}/detail`, { id: contract.id })
      if (day <= String(startDate)) return undefined
      const answer = await world.act(path, 'terminate', contract.id, {
        terminationDate: day,
        terminationReason: 'mutual',
      })
      if (answer.code === 1)
        Object.assign(contract, {
          end: day,
          act: world.model.acts,
          changed: world.model.acts,
          before: contract.end,
          endedOn: world.day,
        })
      return describeStep(`contract ${place} of C${where} ends on ${day}`, answer)
    },
  }),

  /** On the same day the termination of a contract may be undone, also after another has followed it. */
  undoEnd: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const ended = world.customers.flatMap(({ contracts: all }, where) =>
        all.flatMap((contract, index) => (contract.endedOn === world.day ? [{ contract, where, index }] : [])),
      )
      const chosen = pick(ended, values.at)
      if (!chosen) return undefined
      const { contract, where, index } = chosen
      const answer = await world.act(path, 'undoTerminate', contract.id)
      if (answer.code === 1)
        Object.assign(contract, {
          end: contract.before,
          act: undefined,
          changed: world.model.acts,
          before: undefined,
          endedOn: undefined,
        })
      return describeStep(`the end of contract ${index} of C${where} is undone`, answer)
    },
  }),

  /** After a contract has ended, often late, another follows, and most of its people move to it. */
  renew: kind({
    weight: 5,
    values: fc.record({ at, moves: fc.constantFrom(true, true, false), months: fc.constantFrom(3, 24) }),
    async run(world, { moves, months, ...values }) {
      const chosen = pick(
        currentOf(world, ({ end = lastDay }) => end < addMonths(world.month, 1)),
        values.at,
      )
      if (!chosen) return undefined
      const { customer, where, place, contract } = chosen
      const startDate = addDays(contract.end!, 1)
      const endDate = addDays(`${addMonths(startDate.slice(0, 7), months)}-01`, -1)
      const terms = { startDate, endDate, ...(contract.act === undefined && { renewalOf: contract.id }) }
      const id = await world.sign(customer, place, terms)
      const former = customer.current[place]
      customer.contracts.push({ id, place, start: startDate, end: endDate })
      customer.current[place] = customer.contracts.length - 1
      const entries = [`contract ${place} of C${where} goes on from ${startDate} to ${endDate}`]
      if (moves) entries.push(...(await movePeople(world, where, former, customer.current[place])))
      return entries.join('; ')
    },
  }),

  credit: kind({
    weight: 2,
    values: fc.record({ at }),
    async run(world, values) {
      const customer = { in: world.customers.map(({ id }) => id) }
      const statement = pick(
        (await world.all('/settlement/statement', { customer })).filter(({ openCredit }) => Number(openCredit) < 0),
        values.at,
      )
      if (!statement) return undefined
      const where = world.customers.findIndex(({ id }) => id === (statement.customer as { id: number }).id)
      const answer = await world.act('/settlement/statement', 'creditBalance', statement.id!, {
        creditAccount: world.agencyOf(where).receiptAccount,
      })
      return describeStep(
        `${String(statement.openCredit)} of ${String(statement.statementNo)} go to the balance`,
        answer,
      )
    },
  }),
}

/** Moves everybody whom one contract of the customer bills to another. */
async function movePeople(world: World, where: number, from: number, to: number): Promise<string[]> {
  const { contracts: all }: Customer = world.customers[where]
  const entries: string[] = []
  for (const who of employed(world)) {
    const { id, stints } = world.model.people[who]
    const stint = stints.at(-1)!
    if (stint.customer !== where || stint.contract !== from) continue
    const answer = await change(world, id, { serviceContract: all[to].id })
    if (answer.code === 1) stint.contract = to
    entries.push(describeStep(`P${who} moves to it`, answer))
  }
  return entries
}
