import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { taxed } from '../invariants/taxed.ts'
import { absence } from '../model/tax.ts'
import { addMonths } from '../model/months.ts'
import type { Payroll } from '../model/tables.ts'
import type { World } from '../world.ts'
import { giveCards } from './cards.ts'
import { withdrawFilings } from './filings.ts'
import { kind, pick, describeStep } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/salary/payroll'
const lines = '/salary/payrollLine'

export const linesOf = (world: World, payroll: number): Promise<RecordData[]> =>
  world.all(lines, { payroll: { equals: payroll } })
const named = (world: World, { id }: Payroll) =>
  `payroll ${world.model.payrolls.findIndex((payroll) => payroll.id === id)}`

const isOpen = ({ approved, voided }: Payroll): boolean => !approved && !voided

async function act(world: World, payroll: Payroll, action: string): Promise<string> {
  const as = action === 'approve' || action === 'unapprove' ? world.stage.manager : world.stage.clerk
  if (action === 'calculate') await giveCards(world)
  const answer = await world.act(path, action, payroll.id, undefined, as)
  if (answer.code === 1 && action === 'approve') {
    Object.assign(payroll, { approved: true, act: ++world.model.acts })
    await taxed(world, payroll, await linesOf(world, payroll.id))
  }
  if (answer.code === 1 && action === 'unapprove') {
    payroll.approved = false
    world.model.wages = world.model.wages.filter(({ payroll: paidIn }) => paidIn !== payroll.id)
  }
  if (answer.code === 1 && action === 'void') payroll.voided = true
  return describeStep(`${named(world, payroll)}: ${action}`, answer)
}

interface Begun {
  customer: number
  agency: number
  /** Index of the customer's contract. */ contract: number
  month: string
  incomeType: Payroll['incomeType']
}
async function begin(world: World, { customer, agency, contract, month, incomeType }: Begun): Promise<string> {
  const { id, contracts } = world.customers[customer]
  const answer = await world.post(`${path}/create`, {
    values: {
      customer: id,
      serviceContract: contracts[contract].id,
      agency: world.agencies[agency].id,
      payrollMonth: month,
      planPayDate: world.day,
      taxMonth: world.month,
      welfareMonth: month,
      incomeType,
      name: `${month}工资`,
    } satisfies Record<string, Value>,
  })
  const details = { taxMonth: world.month, welfareMonth: month, incomeType, approved: false }
  if (answer.code === 1) world.model.payrolls.push({ id: answer.result.id, customer, agency, ...details })
  return describeStep(`payroll ${world.model.payrolls.length - 1} of C${customer} for ${month}, ${incomeType}`, answer)
}

async function finish(world: World, payroll: Payroll): Promise<string> {
  const entries: string[] = []
  for (const action of ['calculate', 'submit', 'approve']) {
    entries.push(await act(world, payroll, action))
    if (entries.at(-1)!.includes('refused:')) break
  }
  return entries.join('; ')
}

/** Plans the payment of an open payroll for another month, in which it is taxed then. */
async function move(world: World, payroll: Payroll, months: number): Promise<string> {
  const taxMonth = addMonths(world.month, months)
  const answer = await world.post(`${path}/update`, {
    id: payroll.id,
    revision: await world.revisionOf(path, payroll.id),
    values: { taxMonth, planPayDate: `${taxMonth}-20` },
  })
  if (answer.code === 1) payroll.taxMonth = taxMonth
  return describeStep(`${named(world, payroll)} is taxed in ${taxMonth}`, answer)
}

export const payrolls = {
  payroll: kind({
    weight: 5,
    values: fc.record({
      customer: at,
      back: fc.constantFrom(1, 1, 1, 0, 2),
      isBonus: fc.constantFrom(false, false, false, true),
      // Rarely, a payroll of people whom another of our entities employs or the other contract bills.
      other: fc.constantFrom(false, false, false, true),
      second: fc.constantFrom(false, false, true),
    }),
    async run(world, { customer, back, isBonus, other, second }) {
      const where = customer % world.customers.length
      const { current, agency: own } = world.customers[where]
      const agency = other ? (own + 1) % world.agencies.length : own
      const month = addMonths(world.month, -back)
      if (month < '2026-01') return undefined
      const incomeType = isBonus ? 'annualBonus' : 'wage'
      return begin(world, { customer: where, agency, contract: current[second ? 1 : 0], month, incomeType })
    },
  }),

  /** In the orderly way: the wages of the last month of a person's colleagues are made and approved. */
  payday: kind({
    weight: 9,
    values: fc.record({ at }),
    async run(world, values) {
      const stint = pick(
        world.model.people.flatMap(({ state, stints }) => (state === 'cancelled' ? [] : stints.slice(-1))),
        values.at,
      )
      if (!stint || stint.from > world.day) return undefined
      const month = [addMonths(world.month, -1), stint.from.slice(0, 7)].toSorted()[1]
      const entries = [await begin(world, { ...stint, month, incomeType: 'wage' })]
      if (!entries[0].includes('refused:')) entries.push(await finish(world, world.model.payrolls.at(-1)!))
      return entries.join('; ')
    },
  }),

  wage: kind({
    weight: 4,
    values: fc.record({
      at,
      line: at,
      extra: fc.constantFrom('0', '1000', '20000.37', '40000'),
      missing: fc.constantFrom('0', '0', '1', '4.5'),
      deduct: fc.constantFrom('0', '0', '250'),
    }),
    async run(world, { line: which, extra, missing, deduct, ...values }) {
      const payroll = pick(world.model.payrolls.filter(isOpen), values.at)
      const line = payroll && pick(await linesOf(world, payroll.id), which)
      if (!payroll || !line) return undefined
      const base = new Decimal(String(line.baseSalary))
      const isBonus = payroll.incomeType === 'annualBonus'
      const answer = await world.post(`${lines}/update`, {
        id: line.id,
        revision: await world.revisionOf(lines, line.id!),
        values: {
          ...(isBonus ? { bonus: extra } : { performancePay: extra }),
          ...(!isBonus && {
            workDays: '22',
            actualDays: new Decimal(22).minus(missing).toFixed(1),
            absenceDeduction: absence(base, new Decimal(missing)).toFixed(2),
          }),
          afterTaxDeduct: deduct,
        } satisfies Record<string, Value>,
      })
      const who = world.model.people.findIndex(({ id }) => id === (line.person as { id: number }).id)
      return describeStep(`${named(world, payroll)}: P${who} earns ${extra} more, is missing ${missing} days`, answer)
    },
  }),

  /** Advances one payroll by one step, so that several are in progress at once. */
  proceed: kind({
    weight: 8,
    values: fc.record({
      at,
      action: fc.constantFrom('calculate', 'submit', 'approve', 'calculate', 'submit', 'approve', 'unapprove', 'void'),
    }),
    async run(world, { action, ...values }) {
      const payroll = pick(
        world.model.payrolls.filter(({ voided }) => !voided),
        values.at,
      )
      return payroll && act(world, payroll, action)
    },
  }),

  taxLater: kind({
    weight: 2,
    values: fc.record({ at, months: fc.constantFrom(0, 1, -1) }),
    async run(world, { months, ...values }) {
      const payroll = pick(world.model.payrolls.filter(isOpen), values.at)
      return payroll && move(world, payroll, months)
    },
  }),

  /** Takes back one of the last payrolls, whatever was filed of it, and does something else with it. */
  takeBack: kind({
    weight: 3,
    values: fc.record({ at: fc.nat({ max: 2 }), next: fc.constantFrom('void', 'later', 'again', 'nothing') }),
    async run(world, { next, ...values }) {
      const last = world.model.payrolls.filter(({ approved }) => approved).toSorted((a, b) => b.act! - a.act!)
      const payroll = last.at(values.at) ?? last.at(0)
      if (!payroll) return undefined
      const entries = [...(await withdrawFilings(world, payroll.id)), await act(world, payroll, 'unapprove')]
      if (payroll.approved) return entries.join('; ')
      if (next === 'void') entries.push(await act(world, payroll, 'void'))
      if (next === 'later') entries.push(await move(world, payroll, 1))
      if (next === 'again') entries.push(await finish(world, payroll))
      return entries.join('; ')
    },
  }),

  finish: kind({
    weight: 5,
    values: fc.record({ at }),
    async run(world, values) {
      const payroll = pick(world.model.payrolls.filter(isOpen), values.at)
      if (!payroll) return undefined
      return finish(world, payroll)
    },
  }),

  deduction: kind({
    weight: 2,
    values: fc.record({ at, children: fc.integer({ min: 1, max: 2 }) }),
    async run(world, { children, ...values }) {
      const { people, deductions } = world.model
      const person = people.length === 0 ? undefined : values.at % people.length
      if (person === undefined) return undefined
      const cumTotal = String(2000 * children * Number(world.month.slice(5)))
      const answer = await world.post('/salary/specialDeduction/create', {
        values: { person: people[person].id, taxMonth: world.month, cumChildEducation: cumTotal },
      })
      // Declared to the agent that employs them in the month.
      const { stints } = people[person]
      const stint = stints.findLast(({ from }) => from.slice(0, 7) <= world.month) ?? stints.at(-1)!
      const { agency } = stint
      if (answer.code === 1) deductions.push({ person, agency, taxMonth: world.month, cumTotal })
      return describeStep(`P${person} deducts ${cumTotal} for children up to ${world.month}`, answer)
    },
  }),
}
