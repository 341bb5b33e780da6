import * as fc from 'fast-check'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { families, type Family } from '../model/amounts.ts'
import { addMonths, monthsBetween } from '../model/months.ts'
import { coverOf, isDuring, isGoing, type Ticket } from '../model/tables.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep, ticketMade } from './Kind.ts'
import { makeExpenses } from './time.ts'
import { bases } from './people.ts'

const at = fc.nat({ max: 99 })
const pathOf = ({ family, kind: suffix }: Ticket) => `/welfare/${family}${suffix}`
const named = ({ family, kind: suffix, person }: Ticket) => `P${person}'s ${family} ${suffix.toLowerCase()}`

interface Whose {
  person: number
  family: Family
  base: string
  /** The first requested month. */ month?: string
}

/** A person enrolled in a family. */
function insured(world: World, choice: number): Whose | undefined {
  return pick(
    world.model.people.flatMap((_, person) =>
      families.flatMap((family) => {
        const base = coverOf(world.model, person, family).get(world.month)
        return base === undefined ? [] : [{ person, family, base }]
      }),
    ),
    choice,
  )
}

/** A month of a stint in which the person was not insured, preferably of a former stint. */
function missing({ model, month: present }: World, choice: number): Whose | undefined {
  const gaps = model.people.flatMap(({ stints, state }, person) =>
    state === 'cancelled' || state === 'pending'
      ? []
      : families.flatMap((family) => {
          const cover = coverOf(model, person, family)
          return stints.flatMap((stint) =>
            monthsBetween(stint.from.slice(0, 7), addMonths(present, -1))
              .filter((month) => isDuring(stint, month) && !cover.has(month))
              .map((month) => ({ person, family, base: stint.plans[0]?.base ?? '5000', month, isFormer: stint.to })),
          )
        }),
  )
  const former = gaps.filter(({ isFormer }) => isFormer !== undefined)
  return pick(former.length > 0 && choice % 2 === 0 ? former : gaps, choice)
}

const lockOf = (world: World, family: Family, { feeMonth, customer }: RecordData) =>
  `${family} ${String(feeMonth)} ${world.customers.findIndex(({ id }) => id === (customer as { id: number }).id)}`

/** The amounts of a line, as the form of its adjustment asks for them. */
const amountsIn = ({ house }: World, family: Family, line: RecordData): Record<string, Value> => {
  const { items } = house.runtime.derived.catalog.families.handling.find(({ key }) => key === family)!
  const names = (items as { key: string; hasCompany?: boolean; hasPersonal?: boolean }[]).flatMap((item) => [
    ...(item.hasCompany === false ? [] : [`${item.key}Company`]),
    ...(item.hasPersonal === false ? [] : [`${item.key}Personal`]),
  ])
  return Object.fromEntries(names.map((name) => [name, line[name] as Value]))
}

const summariesOf = (world: World, family: Family) =>
  world.all(`/welfare/${family}ExpenseSummary`, { customer: { in: world.customers.map(({ id }) => id) } })

const isLocked = (world: World, { family, person }: Ticket, month: string) =>
  world.model.locked.has(`${family} ${month} ${world.model.people[person].stints.at(-1)!.customer}`)

/** Whether the ticket reaches back over months with a back-payment or a difference. */
const isOverOthers = ({ model }: World, { kind: suffix, family, person, from, to }: Ticket) =>
  (suffix === 'Adjustment' || suffix === 'Reduction') &&
  model.tickets.some(
    (ticket) =>
      ticket.state === 'success' &&
      ticket.family === family &&
      ticket.person === person &&
      (ticket.kind === 'Supplement' || ticket.kind === 'Adjustment') &&
      (ticket.kind === 'Supplement' ? ticket.to! : ticket.handleMonth!) >= (from ?? to!),
  )

const planOf = ({ model }: World, { family, person }: Pick<Ticket, 'family' | 'person'>) =>
  model.people[person].stints.at(-1)!.plans.find((each) => each.family === family)!

/**
 * Someone who left while the addition was open needs a reduction; someone rehired while a reduction was, an addition.
 */
async function followed(world: World, { family, kind: suffix, person, to }: Ticket): Promise<void> {
  const { people, tickets: all } = world.model
  const plan = planOf(world, { family, person })
  const goes = isGoing(people[person])
  if (goes !== (suffix === 'Addition')) return
  const next = goes ? 'Reduction' : 'Addition'
  const id = await ticketMade(world, { family, kind: next, person })
  if (id === undefined) return
  if (goes) {
    plan.to = [plan.to!, plan.from].toSorted()[1]
    all.push({ id, family, kind: next, person, state: 'open', to: plan.to })
  } else {
    const { declaredBase } = await world.get(`/welfare/${family}Addition/detail`, { id })
    plan.from = [plan.from, addMonths(to!, 1)].toSorted()[1]
    plan.base = String(declaredBase)
    // Even if an earlier addition of this plan was cancelled.
    delete plan.dropped
    all.push({ id, family, kind: next, person, state: 'open', from: plan.from, base: plan.base })
  }
}

async function handle(world: World, ticket: Ticket, handleMonth: string): Promise<string | undefined> {
  if (world.avoids('2.4') && isLocked(world, ticket, handleMonth)) return undefined
  if (world.avoids('2.5') && isOverOthers(world, ticket)) return undefined
  const isFund = ticket.family === 'accumulationfund' && ticket.kind === 'Addition'
  const answer = await world.act(pathOf(ticket), 'succeed', ticket.id, {
    handleMonth,
    ...(isFund && { personalAccountNo: String(900_077_770_000 + world.stage.next()) }),
  })
  if (answer.code === 1) {
    Object.assign(ticket, { state: 'success', handleMonth, act: world.model.acts })
    const { kind: suffix, family, person, from, base } = ticket
    // Open additions follow the person.
    if (suffix === 'Addition') ticket.household = world.model.people[person].household
    if (suffix === 'Addition' && from! < handleMonth) {
      const id = await ticketMade(world, { family, kind: 'Supplement', person })
      if (id !== undefined) {
        const to = addMonths(handleMonth, -1)
        world.model.tickets.push({ id, family, kind: 'Supplement', person, state: 'open', from, to, base })
        // Even if an earlier back-payment of these months was cancelled.
        const plan = planOf(world, ticket)
        if (plan.from === addMonths(to, 1)) plan.from = from!
      }
    }
    if (suffix === 'Addition' || suffix === 'Reduction') await followed(world, ticket)
  }
  return describeStep(`${named(ticket)} is handled in ${handleMonth}`, answer)
}

export const tickets = {
  handle: kind({
    weight: 16,
    values: fc.record({ at, month: fc.constantFrom(0, 0, 0, -1, 1) }),
    async run(world, values) {
      const ticket = pick(
        world.model.tickets.filter(({ state }) => state === 'open'),
        values.at,
      )
      return ticket && handle(world, ticket, addMonths(world.month, values.month))
    },
  }),

  /** Handles every open ticket, as a clerk working through the list does. */
  handleAll: kind({
    weight: 5,
    values: fc.record({}),
    async run(world) {
      const entries: (string | undefined)[] = []
      for (const ticket of world.model.tickets.filter(({ state }) => state === 'open'))
        entries.push(await handle(world, ticket, world.month))
      const done = entries.filter((text) => text !== undefined)
      return done.length === 0 ? undefined : done.join('; ').replaceAll('refused:', 'not:')
    },
  }),

  cancel: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const { people, tickets: all } = world.model
      const ticket = pick(
        all.filter(({ state, ofPolicy }) => state === 'open' && !ofPolicy),
        values.at,
      )
      if (!ticket) return undefined
      const answer = await world.act(pathOf(ticket), 'cancel', ticket.id)
      if (answer.code === 1) {
        ticket.state = 'cancelled'
        const plans = people[ticket.person].stints.flatMap((stint) =>
          stint.plans.filter(({ family }) => family === ticket.family),
        )
        const plan = plans.at(-1)!
        if (ticket.kind === 'Addition') {
          // It may have been open since an earlier stint, and covered that one too.
          const cover = coverOf(world.model, ticket.person, ticket.family)
          for (const each of plans)
            if (each === plan || (each.from >= ticket.from! && !cover.has(each.from))) each.dropped = true
        }
        // The office has decided not to pay the months before.
        else if (ticket.kind === 'Supplement' && ticket.from === plan.from) plan.from = addMonths(ticket.to!, 1)
      }
      return describeStep(`${named(ticket)} is cancelled`, answer)
    },
  }),

  revoke: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const ticket = pick(
        world.model.tickets.filter(
          ({ state, ofPolicy, kind: suffix, family, person }) =>
            state === 'success' &&
            !ofPolicy &&
            // What was decided by hand stays, and somebody has to void it.
            !(suffix === 'Addition' && world.model.decided.has(`${family} ${person}`)),
        ),
        values.at,
      )
      if (!ticket) return undefined
      const answer = await world.act(pathOf(ticket), 'revoke', ticket.id)
      if (answer.code === 1) {
        ticket.state = 'open'
        delete ticket.act
        // The back-payment of the months before is cancelled with the addition that created it, and a leaver's reduction.
        const { tickets: all, people } = world.model
        const gone = isGoing(people[ticket.person]) ? ['Supplement', 'Reduction'] : ['Supplement']
        for (const other of all)
          if (ticket.kind === 'Addition' && gone.includes(other.kind) && other.state === 'open')
            if (other.person === ticket.person && other.family === ticket.family) other.state = 'cancelled'
      }
      return describeStep(`${named(ticket)} is undone`, answer)
    },
  }),

  adjust: kind({
    weight: 3,
    values: fc.record({ at, base: bases, months: fc.integer({ min: -3, max: 1 }) }),
    async run(world, { base, months, ...values }) {
      const whose = insured(world, values.at)
      if (!whose || whose.base === base) return undefined
      const { family, person } = whose
      const from = addMonths(world.month, months)
      const adjustType = family === 'medicalinsurance' ? 'midyear' : 'annual'
      const answer = await world.post(`/welfare/${family}Adjustment/create`, {
        values: {
          person: world.model.people[person].id,
          adjustType,
          effectiveMonth: from,
          newBase: base,
        } satisfies Record<string, Value>,
      })
      if (answer.code === 1)
        world.model.tickets.push({
          id: answer.result.id,
          family,
          kind: 'Adjustment',
          person,
          state: 'open',
          from,
          base,
        })
      return describeStep(`P${person}'s ${family} base is to be ${base} from ${from}`, answer)
    },
  }),

  backPay: kind({
    weight: 3,
    values: fc.record({ at, back: fc.integer({ min: 1, max: 4 }), months: fc.integer({ min: 0, max: 1 }) }),
    async run(world, { back, months, ...values }) {
      const whose = values.at % 3 === 0 ? insured(world, values.at) : missing(world, values.at)
      if (!whose) return undefined
      const { family, person, base } = whose
      const from = whose.month ?? addMonths(world.month, -back)
      const to = [addMonths(from, months), addMonths(world.month, -1)].toSorted()[0]
      if (from < '2026-01' || to < from) return undefined
      const answer = await world.post(`/welfare/${family}Supplement/create`, {
        values: {
          person: world.model.people[person].id,
          supplementType: 'missed',
          fromMonth: from,
          toMonth: to,
          base,
          reason: '漏缴',
        } satisfies Record<string, Value>,
      })
      if (answer.code === 1)
        world.model.tickets.push({
          id: answer.result.id,
          family,
          kind: 'Supplement',
          person,
          state: 'open',
          from,
          to,
          base,
          backPayment: {
            no: String((await world.get(`/welfare/${family}Supplement/detail`, { id: answer.result.id })).ticketNo),
            stint: world.model.people[person].stints.findLastIndex((stint) => isDuring(stint, from)),
          },
        })
      return describeStep(`P${person} pays ${family} back for ${from} to ${to}`, answer)
    },
  }),

  lock: kind({
    weight: 4,
    values: fc.record({ at }),
    async run(world, values) {
      const family = families[values.at % families.length]
      const summary = pick(
        (await summariesOf(world, family)).filter(({ status }) => status === 'open' || status === 'reconciling'),
        values.at,
      )
      if (!summary) return undefined
      // A summary that is confirmed before its lines are made has none.
      if (world.avoids('2.4')) await makeExpenses(world)
      const answer = await world.act(`/welfare/${family}ExpenseSummary`, 'confirm', summary.id!)
      if (answer.code === 1) world.model.locked.add(lockOf(world, family, summary))
      return describeStep(`${family} of ${String(summary.feeMonth)} is confirmed`, answer)
    },
  }),

  /** Somebody checks a line and keeps it as it is, by hand: from then on it follows nothing. */
  decide: kind({
    weight: 2,
    values: fc.record({ at }),
    async run(world, values) {
      const family = families[values.at % families.length]
      const path = `/welfare/${family}ExpenseLine`
      const lines = await world.all(path, { customer: { in: world.customers.map(({ id }) => id) } })
      const line = pick(
        lines.filter(({ expenseType, lineStatus }) => expenseType === 'normal' && lineStatus === 'open'),
        values.at,
      )
      if (!line) return undefined
      const person = world.model.people.findIndex(({ id }) => id === (line.person as { id: number }).id)
      const answer = await world.act(path, 'adjust', line.id!, {
        ...amountsIn(world, family, line),
        adjustReason: '核对无误',
      })
      if (answer.code === 1) world.model.decided.add(`${family} ${person}`)
      return describeStep(`P${person}'s ${family} of ${String(line.belongMonth)} is kept by hand`, answer)
    },
  }),

  unlock: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const family = families[values.at % families.length]
      const summary = pick(
        (await summariesOf(world, family)).filter(({ status }) => status === 'confirmed'),
        values.at,
      )
      if (!summary) return undefined
      const answer = await world.act(`/welfare/${family}ExpenseSummary`, 'unconfirm', summary.id!)
      if (answer.code === 1) world.model.locked.delete(lockOf(world, family, summary))
      return describeStep(`${family} of ${String(summary.feeMonth)} is open again`, answer)
    },
  }),
}
