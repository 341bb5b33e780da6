import * as fc from 'fast-check'
import { employee } from '../../contract.ts'
import type { Value } from '../../../engine/model/model.ts'
import { families } from '../model/amounts.ts'
import { addDays, addMonths, monthOf } from '../model/months.ts'
import { coverOf, isOpen, type Kind as Of, type Person, type Stint } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { kind, pick, describeStep, ticketMade } from './Kind.ts'

const at = fc.nat({ max: 29 })
const path = '/staff/person'
export const bases = fc.constantFrom('5000', '8765.5', '12000', '20000', '40000')

/** Records the additions that the product creates for a stint. */
async function additionsOf(world: World, person: number, stint: Stint): Promise<void> {
  for (const { family, from, base } of stint.plans) {
    const id = await ticketMade(world, { family, kind: 'Addition', person })
    if (id !== undefined) world.model.tickets.push({ id, family, kind: 'Addition', person, state: 'open', from, base })
  }
}
/**
 * The additions of former stints that nobody has begun are cancelled: what they would have insured is reported, and
 * left.
 */
async function replaced({ model, get }: World, who: number): Promise<void> {
  for (const ticket of model.tickets) {
    if (ticket.person !== who || ticket.kind !== 'Addition' || ticket.state !== 'open') continue
    // One that was undone is still with the bureau.
    const { status } = await get(`/welfare/${ticket.family}Addition/detail`, { id: ticket.id })
    if (status === 'processing') continue
    if (status !== 'cancelled') throw new Broken('borne', `P${who}'s addition of a former employment is ${status}`)
    ticket.state = 'cancelled'
    const cover = coverOf(model, who, ticket.family)
    for (const { plans } of model.people[who].stints.slice(0, -1))
      for (const plan of plans)
        if (plan.family === ticket.family && plan.from >= ticket.from! && !cover.has(plan.from)) plan.dropped = true
  }
}
const plansFrom = (from: string, base: string): Stint['plans'] => families.map((family) => ({ family, from, base }))
const last = ({ stints }: Person): Stint => stints.at(-1)!

const hasHandled = ({ model }: World, who: number, wanted: Of): boolean =>
  model.tickets.some(({ person, kind: is, state }) => person === who && is === wanted && state === 'success')

export const people = {
  join: kind({
    weight: 6,
    values: fc.record({
      customer: at,
      base: bases,
      salary: fc.constantFrom('6000', '9000', '15000', '30000'),
      days: fc.integer({ min: -20, max: 10 }),
      late: fc.integer({ min: 0, max: 1 }),
    }),
    async run(world, { customer, base, salary, days, late }) {
      if (world.model.people.length >= 30) return undefined
      const where = customer % world.customers.length
      const entry = [addDays(world.day, days), '2026-01-01'].toSorted()[1]
      const from = addMonths(monthOf(entry), late)
      const name = `员工${'甲乙丙丁戊己庚辛壬癸'[world.model.people.length % 10]}`
      const familyValues = Object.fromEntries(
        families.flatMap((family): [string, Value][] => [
          [`${family}Needed`, true],
          [`${family}StartMonth`, from],
          [`${family}DeclaredBase`, base],
        ]),
      )
      const { id: to, contracts, current } = world.customers[where]
      const contract = contracts[current[0]]
      // Nobody is engaged under a contract that has ended.
      if (contract.end !== undefined && contract.end < addDays(world.day, 10)) return undefined
      const { id } = await employee(world.house, {
        customer: to,
        agency: world.agencyOf(where).id,
        service: contract.id,
        name,
        values: { entryDate: entry, insuranceCity: world.city, baseSalary: salary, ...familyValues },
      })
      const stint: Stint = {
        customer: where,
        agency: world.customers[where].agency,
        contract: current[0],
        from: entry,
        changed: world.model.acts,
        taxFrom: monthOf(entry),
        plans: plansFrom(from, base),
      }
      const person = world.model.people.length
      world.model.people.push({
        id,
        name,
        state: entry <= world.day ? 'active' : 'pending',
        stints: [stint],
        household: 'localUrban',
      })
      await additionsOf(world, person, stint)
      return `P${person} joins C${where} on ${entry}, insured from ${from} on ${base}, earning ${salary}`
    },
  }),

  giveUp: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const { people: all, tickets } = world.model
      const who = pick(
        all.flatMap(({ state }, index) => (state === 'pending' ? [index] : [])),
        values.at,
      )
      if (who === undefined || (world.avoids('2.3') && hasHandled(world, who, 'Addition'))) return undefined
      const answer = await world.act(path, 'giveUp', all[who].id)
      if (answer.code === 1) {
        all[who].state = 'cancelled'
        for (const ticket of tickets) if (ticket.person === who && ticket.state === 'open') ticket.state = 'cancelled'
      }
      return describeStep(`P${who} does not come`, answer)
    },
  }),

  leave: kind({
    weight: 2,
    values: fc.record({ at, days: fc.integer({ min: -40, max: 20 }), after: fc.integer({ min: -1, max: 0 }) }),
    async run(world, { days, after, ...values }) {
      const { people: all, tickets } = world.model
      const who = pick(
        all.flatMap(({ state }, index) => (state === 'active' ? [index] : [])),
        values.at,
      )
      if (
        who === undefined ||
        (world.avoids('2.3') && families.some((family) => isOpen(world.model, who, family, ['Addition'])))
      )
        return undefined
      const day = addDays(world.day, days)
      const to = addMonths(monthOf(day), after)
      const insured = families.filter((family) => coverOf(world.model, who, family).size > 0)
      const lastMonths = Object.fromEntries(insured.map((family): [string, Value] => [`${family}LastMonth`, to]))
      const answer = await world.act(path, 'leave', all[who].id, {
        leaveDate: day,
        leaveReason: 'resignation',
        ...lastMonths,
      })
      if (answer.code === 1) {
        all[who].state = 'leaving'
        Object.assign(last(all[who]), { to: day, changed: world.model.acts })
        // The form has no last month for a family in which the person is not yet insured.
        for (const plan of last(all[who]).plans) plan.to = insured.includes(plan.family) ? to : monthOf(day)
        for (const family of families) {
          // A reduction of the former stint that is still open becomes that of this one.
          for (const ticket of tickets)
            if (ticket.person === who && ticket.family === family && ticket.kind === 'Reduction')
              if (ticket.state === 'open') ticket.to = to
          const id = await ticketMade(world, { family, kind: 'Reduction', person: who })
          if (id !== undefined) tickets.push({ id, family, kind: 'Reduction', person: who, state: 'open', to })
        }
      }
      return describeStep(`P${who} leaves on ${day}, insured until ${to}`, answer)
    },
  }),

  cancelLeave: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const { people: all, tickets } = world.model
      const who = pick(
        all.flatMap(({ state }, index) => (state === 'leaving' ? [index] : [])),
        values.at,
      )
      if (who === undefined || (world.avoids('2.3') && hasHandled(world, who, 'Reduction'))) return undefined
      const answer = await world.act(path, 'cancelLeave', all[who].id)
      if (answer.code === 1) {
        all[who].state = 'active'
        delete last(all[who]).to
        last(all[who]).changed = world.model.acts
        for (const plan of last(all[who]).plans) delete plan.to
        for (const ticket of tickets)
          if (ticket.person === who && ticket.kind === 'Reduction' && ticket.state === 'open')
            ticket.state = 'cancelled'
      }
      return describeStep(`P${who} stays after all`, answer)
    },
  }),

  rehire: kind({
    weight: 1,
    values: fc.record({ at, customer: at, base: bases }),
    async run(world, { base, ...values }) {
      const { people: all } = world.model
      const who = pick(
        all.flatMap(({ state }, index) => (state === 'left' || state === 'cancelled' ? [index] : [])),
        values.at,
      )
      if (
        who === undefined ||
        (world.avoids('2.9') && families.some((family) => isOpen(world.model, who, family, ['Reduction'])))
      )
        return undefined
      const where = values.customer % world.customers.length
      const { id: customer, contracts, current } = world.customers[where]
      const contract = contracts[current[0]]
      if (contract.end !== undefined && contract.end < world.day) return undefined
      const from = world.month
      const answer = await world.act(path, 'rehire', all[who].id, {
        customer,
        serviceContract: contract.id,
        agency: world.agencyOf(where).id,
        supportStaff: await world.house.findId('/setting/user', 'admin'),
        position: '装配工',
        workCity: '320500',
        insuranceCity: world.city,
        employmentForm: 'dispatch',
        entryDate: world.day,
        baseSalary: '9000',
      })
      if (answer.code === 1) {
        const earlier = all[who].stints.filter(({ plans }) => all[who].state !== 'cancelled' || plans.length === 0)
        // Income at the same agent continues within the year, and with it the count of deducted months.
        const { agency } = world.customers[where]
        const taxFrom = earlier.find((stint) => stint.agency === agency)?.taxFrom ?? from
        const plans = plansFrom(from, base)
        const stint: Stint = {
          customer: where,
          agency,
          contract: current[0],
          from: world.day,
          changed: world.model.acts,
          taxFrom,
          plans,
        }
        all[who].stints = [...earlier, stint]
        all[who].state = 'active'
        await replaced(world, who)
        const before = world.model.tickets.length
        await additionsOf(world, who, stint)
        for (const plan of stint.plans) {
          const made = world.model.tickets.slice(before).find(({ family }) => family === plan.family)
          if (!made) continue
          const { startMonth, declaredBase } = await world.get(`/welfare/${plan.family}Addition/detail`, {
            id: made.id,
          })
          plan.from = made.from = String(startMonth)
          plan.base = made.base = String(declaredBase)
        }
      }
      return describeStep(`P${who} comes back, to C${where}`, answer)
    },
  }),
}
