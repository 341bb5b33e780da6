import { addDays, addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { policyItems } from '../../procedures/welfare/handling/amounts.ts'
import {
  additionOf,
  enrolmentOf,
  familiesOf,
  reductionOf,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { accountIn } from '../../procedures/welfare/handling/accountFor.ts'
import { amountsIn, computeAddition } from '../../procedures/welfare/handling/computeAddition.ts'
import { readTicketContext, type TicketContext } from '../../procedures/welfare/handling/ticketContext.ts'
import { policyFor } from '../../procedures/welfare/handling/policyFor.ts'
import { earlier } from '../customer/contractPast.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260316

interface Ticket {
  person: Stored<'person'>
  values: RecordData
  /** The monthly amounts, current or final. */
  monthly: RecordData
  startMonth: string
  state: State
}
type State = 'enrolled' | 'stopping' | 'stopped' | 'pending' | 'processing' | 'returned' | 'failed'

/** Enrolments and their tickets, in each family, for everyone who is eligible in a city with a policy. */
export async function writeEnrolments(
  context: Context,
  db: Db,
  resolve: Resolve,
  sample: number | undefined,
): Promise<void> {
  const random = new Random(seed)
  const work = new ProcedureWork(context, db)
  const people = await work.read('person', { where: { employmentStatus: { not: 'cancelled' } } })
  for (const family of familiesOf(work)) {
    const ticketContext = await readTicketContext(
      work,
      family,
      people.map(({ id }) => id),
    )
    const numbers = new PersonalNumbers(family.account.personalPattern)
    const tickets = people
      .filter((person) => mayJoin(family, person) && (random.chance(0.985) || person.id === sample))
      .flatMap((person) => ticketOf(random, ticketContext, person, { numbers, isSample: person.id === sample }) ?? [])
    await write(context, db, family, tickets, { random, clerk: Number(resolve('user', 'welfareClerk')) })
  }
}

const mayJoin = ({ eligibility: { workerKinds, employmentForms } }: Family, person: Stored<'person'>): boolean =>
  (!workerKinds?.length || workerKinds.includes(String(person.workerKind))) &&
  (!employmentForms?.length || employmentForms.includes(String(person.employmentForm)))

/** Invented numbers, with the shortest length that the family allows. */
class PersonalNumbers {
  private last = 0
  private readonly digits: number
  constructor(pattern: string) {
    this.digits = Number(/\{(\d+),/.exec(pattern)?.[1] ?? 8)
  }
  next(): string {
    return `98${String(++this.last).padStart(this.digits - 2, '0')}`
  }
}

/** Nobody is enrolled earlier, however long ago they joined. */
export const earliestStart = (month: string): string => addMonths(month, -14)!

// oxlint-disable-next-line max-lines-per-function -- a ticket is drawn in one go, because its base, choices and state follow from each other
function ticketOf(
  random: Random,
  ticketContext: TicketContext,
  person: Stored<'person'>,
  { numbers, isSample }: { numbers: PersonalNumbers; isSample: boolean },
): Ticket | undefined {
  const { family, month } = ticketContext
  const city = String(person.insuranceCity)
  const policy = policyFor(ticketContext, person, city, month)
  if (!policy) return undefined
  const entry = String(person.entryDate).slice(0, 7)
  const startMonth = entry < earliestStart(month) ? earliestStart(month) : entry
  const rows = policyItems(policy, family)
  const choices = Object.fromEntries(
    rows.flatMap((row): [string, string | boolean][] => {
      const item = family.items.find(({ key }) => key === row.item)
      if (!row.enabled || !item) return []
      // Few take an optional item with a choice of rates; everyone has items that a city collects along with another.
      const isTaken = item.mandatory || row.rateMode !== 'range' || (random.chance(0.15) && !isSample)
      const { companyRateMin, companyRateMax } = row
      const rate = Math.min(
        Number(companyRateMax),
        Math.max(
          Number(companyRateMin),
          isSample
            ? 7
            : random.weighted([
                [7, 55],
                [5, 25],
                [12, 12],
                [8, 8],
              ] as const),
        ),
      )
      return [
        ...(item.mandatory ? [] : [[`${item.key}On`, isTaken] as [string, boolean]]),
        ...(isTaken && row.rateMode === 'range' ? [[`${item.key}CompanyRate`, String(rate)] as [string, string]] : []),
      ]
    }),
  )
  const salary = Number(person.baseSalary)
  const floor = Number(rows.find(({ baseFloor }) => baseFloor !== null)?.baseFloor ?? salary)
  const ceiling = Number(rows.find(({ baseCeiling }) => baseCeiling !== null)?.baseCeiling ?? Infinity)
  const declared = isSample
    ? salary
    : random.weighted([
        [salary, 60],
        [floor, 30],
        [Math.max(1, Math.round(salary * 0.8)), 10],
      ] as const)
  // High earners declare their full wage, because the ceiling applies automatically.
  const declaredBase = (salary >= ceiling ? salary : declared).toFixed(2)
  const isOpen = !['active', 'left', 'leaving'].includes(String(person.employmentStatus)) || entry >= month
  const state: State =
    person.employmentStatus === 'left'
      ? 'stopped'
      : person.employmentStatus === 'leaving'
        ? 'stopping'
        : isOpen
          ? random.weighted([
              ['pending', 5],
              ['processing', 3],
              ['returned', 1],
              ['failed', 1],
            ] as const)
          : 'enrolled'
  const given: RecordData = {
    person: person.id!,
    city,
    startMonth,
    ...choices,
    ...(family.base.mode === 'none' ? {} : { declaredBase }),
  }
  const values: RecordData = {
    ...given,
    ...computeAddition(ticketContext, given),
    needSupplement: false,
    personalAccountNo: isOpen ? null : numbers.next(),
  }
  const account = accountIn(policy, family, values.account)
  if (!account) return undefined
  const left = state === 'stopped' && person.leaveDate ? String(person.leaveDate).slice(0, 7) : month
  const monthly = amountsIn(
    ticketContext,
    { person, city, month: startMonth > left ? startMonth : left },
    policy,
    account,
    values,
  )
  return { person, values, monthly, startMonth, state }
}

// oxlint-disable-next-line max-lines-per-function -- it reads from top to bottom in the order in which the records are written
async function write(
  context: Context,
  db: Db,
  family: Family,
  tickets: readonly Ticket[],
  { random, clerk }: { random: Random; clerk: number },
): Promise<void> {
  const { entities } = context.derived.catalog
  const today = context.now.slice(0, 10)
  const month = today.slice(0, 7)
  const at = (date: string) =>
    `${earlier(date, today)} ${String(random.integer(9, 11)).padStart(2, '0')}:${String(random.integer(10, 59))}:00`
  const own = (name: string, values: RecordData): RecordData =>
    Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(entities[name].fields, field)))
  const stamps = (moment: string) => ({ createdBy: clerk, updatedBy: clerk, createdAt: moment, updatedAt: moment })
  const begun = tickets.map(({ startMonth }) => at(`${startMonth}-${String(random.integer(2, 9)).padStart(2, '0')}`))
  const ended = ({ person, startMonth }: Ticket) => {
    const last = String(person.leaveDate ?? today).slice(0, 7)
    return last < startMonth ? startMonth : last
  }
  const extras = (on: string): RecordData =>
    Object.fromEntries(
      family.extras
        .filter((extra) => extra.on.includes(on))
        .flatMap(({ key }) => {
          const value =
            entities[on === 'addition' ? additionOf(family) : enrolmentOf(family)].fields[key]?.default ?? null
          return value === null ? [] : [[key, value]]
        }),
    )

  const enrolments = await insertMany(
    context,
    db,
    entities[enrolmentOf(family)],
    tickets.map((ticket, index) => ({
      ...own(enrolmentOf(family), { ...ticket.values, ...ticket.monthly }),
      ...extras('enrolment'),
      startMonth: ticket.startMonth,
      endMonth: ticket.state === 'stopped' ? ended(ticket) : null,
      status: ['enrolled', 'stopped', 'stopping'].includes(ticket.state) ? ticket.state : 'opening',
      ...stamps(begun[index]),
    })),
  )
  const handled = (moment: string, handleMonth: string) => ({
    handler: clerk,
    acceptedAt: moment,
    handledAt: moment,
    handleMonth,
    result: 'success',
  })
  await insertMany(
    context,
    db,
    entities[additionOf(family)],
    tickets.map(({ values, startMonth, state }, index): RecordData => ({
      ...own(additionOf(family), values),
      ...extras('addition'),
      enrolment: enrolments[index],
      startMonth,
      additionType: entities[additionOf(family)].fields.additionType.default ?? null,
      source: random.weighted([
        ['person', 70],
        ['import', 20],
        ['manual', 10],
      ] as const),
      ...stamps(begun[index]),
      ...(['pending', 'processing', 'returned', 'failed'].includes(state)
        ? openTicket(state, clerk, begun[index])
        : { status: 'success', ...handled(begun[index], startMonth > month ? month : startMonth) }),
    })),
  )
  const leaving = tickets
    .map((ticket, index) => ({ ticket, index }))
    .filter(({ ticket: { state } }) => state === 'stopped' || state === 'stopping')
  await insertMany(
    context,
    db,
    entities[reductionOf(family)],
    leaving.map(({ ticket, index }): RecordData => {
      const { values, monthly, person, state, startMonth } = ticket
      const lastMonth = ended(ticket)
      const moment = at(addDays(String(person.leaveDate ?? today), -2)!)
      const reason =
        family.reductionReasons.find(({ leaveReasons }) => leaveReasons.includes(String(person.leaveReason))) ??
        family.reductionReasons[0]
      return {
        ...own(reductionOf(family), { ...values, ...monthly }),
        enrolment: enrolments[index],
        firstMonth: startMonth,
        lastMonth,
        leaveDate: person.leaveDate ?? null,
        reductionReason: reason.value,
        source: 'person',
        ...stamps(moment),
        ...(state === 'stopped'
          ? { status: 'success', ...handled(moment, lastMonth > month ? month : lastMonth) }
          : { status: 'pending' }),
      }
    }),
  )
}

/** The fields of a ticket in progress. */
export const openTicket = (state: State, clerk: number, moment: string): RecordData => ({
  status: state,
  ...(state !== 'pending' && { handler: clerk, acceptedAt: moment }),
  ...(state === 'returned' && { result: 'returned', returnReason: '缺少身份证复印件' }),
  ...(state === 'failed' && { result: 'failed', failReason: '原单位尚未办理减员' }),
})
