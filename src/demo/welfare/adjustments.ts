import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { changeOf, computeAdjustment, choicesOf } from '../../procedures/welfare/handling/computeAdjustment.ts'
import { computeBaseChange } from '../../procedures/welfare/handling/computeBaseChange.ts'
import {
  adjustmentOf,
  baseChangeOf,
  enrolmentOf,
  familiesOf,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { accountIn } from '../../procedures/welfare/handling/accountFor.ts'
import { amountsIn } from '../../procedures/welfare/handling/computeAddition.ts'
import { readTicketContext, type TicketContext } from '../../procedures/welfare/handling/ticketContext.ts'
import { openTicket } from './enrolments.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260318

/** The yearly adjustment of everybody enrolled, in the month of the policy, and a few open ones of this month. */
export async function writeAdjustments(
  context: Context,
  db: Db,
  resolve: Resolve,
  sample: number | undefined,
): Promise<void> {
  const random = new Random(seed)
  const clerk = Number(resolve('user', 'welfareClerk'))
  const work = new ProcedureWork(context, db)
  for (const family of familiesOf(work).filter(({ pages }) => pages.fm !== null)) {
    // Contributions that are the same all year stay as they are.
    const enrolments = (await work.read(enrolmentOf(family), { where: { status: 'enrolled' } })).filter(
      ({ person }) => person !== sample,
    )
    const ticketContext = await readTicketContext(
      work,
      family,
      enrolments.map(({ person }) => person),
    )
    const open = await writeOpen(context, db, ticketContext, random.some(enrolments, 10), { random, clerk })
    if (family.pages.fm!.includes('changebase'))
      await writeYearly(
        context,
        db,
        ticketContext,
        enrolments.filter(({ id }) => !open.has(id)),
        { random, clerk },
      )
  }
}

interface By {
  random: Random
  clerk: number
}

/** The enrolment before the adjustment, with another base or tier. */
function former(
  ticketContext: TicketContext,
  enrolment: RecordData,
  month: string,
  changes: RecordData,
): RecordData | undefined {
  const policy = ticketContext.policies.find(({ id }) => id === enrolment.policy)
  const account = policy && accountIn(policy, ticketContext.family, enrolment.account)
  const person = ticketContext.persons.get(enrolment.person as number)!
  const taken = { ...enrolment, ...changes }
  return (
    policy &&
    account && {
      ...taken,
      ...amountsIn(ticketContext, { person, city: String(enrolment.city), month }, policy, account, taken),
    }
  )
}

// oxlint-disable-next-line max-lines-per-function -- each row is drawn in one go, because its base, wage and ticket follow from each other
async function writeYearly(
  context: Context,
  db: Db,
  ticketContext: TicketContext,
  enrolments: readonly RecordData[],
  { random, clerk }: By,
): Promise<void> {
  const { family } = ticketContext
  const { entities } = context.derived.catalog
  const present = context.now.slice(0, 7)
  const adjustType = family.adjustTypes!.find(({ change, value }) => change === 'base' && value !== 'policy')!.value
  const rows = enrolments.flatMap(
    (enrolment): { row: RecordData; ticket?: RecordData; month: string; enrolment: RecordData }[] => {
      const mm = String(
        ticketContext.policies.find(({ id }) => id === enrolment.policy)?.baseAdjustMonth ?? 7,
      ).padStart(2, '0')
      const month =
        `${present.slice(0, 4)}-${mm}` <= present
          ? `${present.slice(0, 4)}-${mm}`
          : `${Number(present.slice(0, 4)) - 1}-${mm}`
      if (String(enrolment.startMonth) >= month) return []
      const status = random.weighted([
        ['generated', 92],
        ['declared', 3],
        ['confirmed', 2],
        ['collecting', 3],
      ] as const)
      const declared = Number(enrolment.declaredBase)
      const growth = random.integer(2, 12) / 100
      const oldBase = (status === 'generated' ? Math.round(declared / (1 + growth)) : declared).toFixed(2)
      const newBase = (status === 'generated' ? declared : Math.round(declared * (1 + growth))).toFixed(2)
      const before = former(ticketContext, enrolment, addMonths(month, -1)!, {
        declaredBase: oldBase,
        lastAdjustMonth: null,
      })
      if (!before) return []
      const moment = `${month}-0${random.integer(2, 8)} ${random.integer(10, 17)}:${random.integer(10, 59)}:00`
      const stamps = { createdBy: clerk, updatedBy: clerk, createdAt: moment, updatedAt: moment }
      const averageWage = random.chance(0.9) || status === 'declared' ? newBase : null
      const given: RecordData = {
        person: enrolment.person,
        year: Number(month.slice(0, 4)),
        effectiveMonth: month,
        averageFrom: 'payroll',
        averageWage,
        newBase: status === 'collecting' ? null : newBase,
      }
      const row: RecordData = {
        ...given,
        ...computeBaseChange(ticketContext, before, given),
        personConfirmed: status !== 'collecting' && random.chance(0.8),
        status,
        ...stamps,
      }
      const values = { adjustType, effectiveMonth: month, newBase }
      const ticket: RecordData = {
        person: enrolment.person,
        ...values,
        ...computeAdjustment(ticketContext, before, values),
        source: 'baseChange',
        status: 'success',
        result: 'success',
        handler: clerk,
        acceptedAt: moment,
        handledAt: moment,
        handleMonth: month,
        ...stamps,
      }
      return [{ row, month, enrolment, ...(status === 'generated' && { ticket }) }]
    },
  )
  const ids = await insertMany(
    context,
    db,
    entities[baseChangeOf(family)],
    rows.map(({ row }) => row),
  )
  await insertMany(
    context,
    db,
    entities[adjustmentOf(family)],
    rows.flatMap(({ ticket }, index) => (ticket ? [{ ...ticket, baseChange: ids[index] }] : [])),
  )
  await setAdjusted(
    context,
    db,
    family,
    rows.filter(({ ticket }) => ticket),
  )
}

/** Enrolments record when they were last adjusted. */
async function setAdjusted(
  context: Context,
  db: Db,
  family: Family,
  adjustedRows: readonly { month: string; enrolment: RecordData }[],
): Promise<void> {
  for (const month of new Set(adjustedRows.map((row) => row.month))) {
    const ids = adjustedRows.filter((row) => row.month === month).map(({ enrolment }) => enrolment.id!)
    // Handling was a change with history, which the demo does not invent.
    await sql`update ${tableOf(context, context.derived.catalog.entities[enrolmentOf(family)])} set "lastAdjustMonth" = ${month} where id = any(${ids}::bigint[])`.execute(
      db,
    )
  }
}

/** Open tickets of this month, one for each kind of change. @returns the enrolments that have one */
async function writeOpen(
  context: Context,
  db: Db,
  ticketContext: TicketContext,
  enrolments: readonly RecordData[],
  { random, clerk }: By,
): Promise<Set<number | undefined>> {
  const { family } = ticketContext
  const present = context.now.slice(0, 7)
  const types = family.adjustTypes!.filter(({ value }) => value !== 'policy' && value !== 'annual')
  const tickets = enrolments.flatMap((enrolment, index): RecordData[] => {
    const adjustType = types[index % types.length].value
    const choices = choicesOf(family).filter(({ change }) => change === changeOf(family, adjustType))
    const newValues = Object.fromEntries(
      choices.flatMap(({ change, own, now }): [string, string][] => {
        const value = enrolment[own] ?? null
        if (value === null) return []
        if (change === 'base')
          return [[now, (Math.round((Number(value) * (1 + random.integer(5, 20) / 100)) / 10) * 10).toFixed(2)]]
        return [
          [now, change === 'rate' ? String(Number(value) === 5 ? 6 : Number(value) - 1) : value === 't1' ? 't2' : 't1'],
        ]
      }),
    )
    if (Object.keys(newValues).length === 0) return []
    const values: RecordData = { adjustType, effectiveMonth: present, ...newValues }
    const state = random.weighted([
      ['pending', 5],
      ['processing', 3],
      ['returned', 1],
      ['failed', 1],
    ] as const)
    const moment = `${present}-01 ${random.integer(10, 17)}:${random.integer(10, 59)}:00`
    return [
      {
        person: enrolment.person,
        ...values,
        ...computeAdjustment(ticketContext, enrolment, values),
        source: random.pick(['manual', 'import']),
        createdBy: clerk,
        updatedBy: clerk,
        createdAt: moment,
        updatedAt: moment,
        ...openTicket(state, clerk, moment),
      },
    ]
  })
  await insertMany(context, db, context.derived.catalog.entities[adjustmentOf(family)], tickets)
  return new Set(tickets.map(({ enrolment }) => enrolment as number))
}
