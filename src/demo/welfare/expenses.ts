import { sql } from 'kysely'
import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { costsOf, sourceIdOf, sourceTypeOf } from '../../procedures/welfare/expenses/costs.ts'
import { readContracts } from '../../procedures/welfare/expenses/deliver.ts'
import { newLine } from '../../procedures/welfare/expenses/renew.ts'
import { normalLine } from '../../procedures/welfare/expenses/normalLine.ts'
import {
  enrolmentOf,
  expenseLineOf,
  expenseSummaryOf,
  familiesOf,
  backPaymentMonthOf,
  backPaymentOf,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { readTicketContext } from '../../procedures/welfare/handling/ticketContext.ts'
import { enrolmentsIn } from '../../procedures/welfare/handling/formerEnrolments.ts'
import { linesOf } from '../../procedures/welfare/handling/backPaymentLines.ts'
import { dayOf } from '../../procedures/welfare/monthRange.ts'
import { readEmployed } from '../staff/employed.ts'
import type { Resolve } from '../Resolve.ts'

/**
 * The costs of everybody enrolled in these months: those before the last two are compared with the bureau's tables and
 * paid, except the latest, which is confirmed; last month's expenses wait for their tables. Costs of `billed` months
 * are delivered to settlement, if the customer has a contract then.
 */
export async function writeExpenses(
  context: Context,
  db: Db,
  resolve: Resolve,
  { months, billed }: { months: readonly string[]; billed: readonly string[] },
): Promise<void> {
  const clerk = Number(resolve('user', 'welfareClerk'))
  const work = new ProcedureWork(context, db)
  const { contractOf } = await readEmployed(context, db)
  const policies = await work.read('policy', { fields: ['name'] })
  const names = new Map<unknown, unknown>(policies.map(({ id, name }) => [id, name]))
  for (const family of familiesOf(work)) {
    const enrolments = await work.read(enrolmentOf(family))
    const ticketContext = await readTicketContext(
      work,
      family,
      enrolments.map(({ person }) => person),
    )
    const backPaid = await backPaidLines(context, db, family, enrolments)
    for (const month of months) {
      const then = await enrolmentsIn(work, family, enrolments, month)
      const normal = then.flatMap((enrolment) => normalLine(ticketContext, enrolment, month) ?? [])
      const lines = [
        ...normal.map((line): RecordData => ({ ...line })),
        ...backPaid.filter(({ feeMonth }) => feeMonth === month),
      ]
      const made = await writeMonth(context, db, family, { month, lines, clerk })
      const isBilled = ({ customer }: RecordData) =>
        billed.includes(month) && contractOf(customer as number, month) !== undefined
      await deliverAll(context, db, family, made.filter(isBilled), names)
    }
    // Query plans are bad until the database has statistics.
    await sql`analyze ${tableOf(context, context.derived.catalog.entities[expenseLineOf(family)])}`.execute(db)
  }
}

/** A line for each month of the successful back-payments. */
async function backPaidLines(
  context: Context,
  db: Db,
  family: Family,
  enrolments: readonly RecordData[],
): Promise<RecordData[]> {
  if (family.pages.supplement === null) return []
  const entity = context.derived.catalog.entities[expenseLineOf(family)]
  const work = new ProcedureWork(context, db)
  const tickets = await work.read(backPaymentOf(family), { where: { status: 'success' } })
  const months = await work.read(backPaymentMonthOf(family), { where: { supplement: tickets.map(({ id }) => id) } })
  const people = await work.byId(
    'person',
    tickets.map(({ person }) => person),
    { fields: ['name', 'idNumber'] },
  )
  return tickets.flatMap((ticket) =>
    linesOf(
      family,
      ticket,
      months.filter(({ supplement }) => supplement === ticket.id),
      enrolments.find(({ id }) => id === ticket.enrolment),
    ).map((draft): RecordData => {
      const { name, idNumber } = people.get(ticket.person)!
      const line: RecordData = { ...newLine(family), ...draft, personName: name, idNumber }
      recompute(context, entity, line)
      return line
    }),
  )
}

async function writeMonth(
  context: Context,
  db: Db,
  family: Family,
  { month, lines, clerk }: { month: string; lines: RecordData[]; clerk: number },
): Promise<RecordData[]> {
  const { entities } = context.derived.catalog
  const age = monthsSince(month, context.now)
  // A few of this month are already confirmed, if no table is needed.
  const statusOf = (index: number) =>
    age > 2 ? 'paid' : age === 2 || (age === 0 && index % 8 === 3) ? 'confirmed' : 'open'
  const isCompared = age >= 2
  const at = (day: number, time: string) => {
    const moment = `${dayOf(month, day)} ${time}`
    return moment < context.now ? moment : context.now
  }
  const made = { ...context, user: { ...context.user, id: clerk }, now: at(2, '09:20:00') }
  const groups = new Map<string, RecordData[]>()
  for (const line of lines) {
    const key = `${String(line.account)} ${String(line.customer)}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  const summaries = [...groups.values()].map(([{ account, customer, city }], index): RecordData => ({
    feeMonth: month,
    account,
    customer,
    city,
    status: statusOf(index),
    ...(isCompared && { bigTableAt: at(18, '10:05:00') }),
    ...(statusOf(index) !== 'open' && { confirmedBy: clerk, confirmedAt: at(19, '16:40:00') }),
    ...(statusOf(index) === 'paid' && { paidDate: at(25, '').slice(0, 10) }),
  }))
  await insertRecords(made, db, entities[expenseSummaryOf(family)], summaries)
  const whole = [...groups.values()].flatMap((own, index) =>
    own.map((line): RecordData => ({
      ...newLine(family),
      ...line,
      summary: summaries[index].id!,
      diff: null,
      ...(isCompared && { ...matchingActuals(family, line), reconcileStatus: 'matched' }),
      ...(statusOf(index) !== 'open' && { stage: 'locked' }),
    })),
  )
  await insertRecords(made, db, entities[expenseLineOf(family)], whole)
  return whole
}

/** The bureau's table had the same. */
const matchingActuals = ({ items, base }: Family, line: RecordData): RecordData => ({
  actualTotal: line.total,
  diff: '0.00',
  ...(line.lateFee !== undefined && { actualLateFee: line.lateFee }),
  ...(base.mode === 'shared' && { actualBase: line.base }),
  ...Object.fromEntries(
    items.flatMap(({ key, hasCompany, hasPersonal }) => [
      ...(base.mode === 'perItem' ? [[`${key}ActualBase`, line[`${key}Base`]]] : []),
      ...(hasCompany ? [[`${key}ActualCompany`, line[`${key}Company`]]] : []),
      ...(hasPersonal ? [[`${key}ActualPersonal`, line[`${key}Personal`]]] : []),
    ]),
  ),
})

/** The key that finds a line's contract. */
const asContracted = ({ serviceContract, feeMonth }: RecordData) => ({
  serviceContract: (serviceContract ?? null) as number | null,
  feeMonth: String(feeMonth),
})

async function deliverAll(
  context: Context,
  db: Db,
  family: Family,
  lines: readonly RecordData[],
  names: ReadonlyMap<unknown, unknown>,
): Promise<void> {
  const { entities } = context.derived.catalog
  const contractOf = await readContracts(new ProcedureWork(context, db), lines.map(asContracted))
  const costs = lines.flatMap((line) =>
    costsOf(family, line).map((cost): RecordData => ({
      ...cost,
      customer: line.customer,
      contract: contractOf(asContracted(line)),
      person: line.person,
      costMonth: line.belongMonth,
      policy: String(names.get(line.policy)),
      billMonth: line.expenseType === 'normal' ? null : String(line.feeMonth),
      sourceType: sourceTypeOf(family),
      sourceId: sourceIdOf(family, line.id!),
    })),
  )
  for (const cost of costs) recompute(context, entities.costLine, cost)
  await insertRecords(context, db, entities.costLine, costs)
  const first = new Map<unknown, number>()
  for (const { sourceId, id } of costs) if (!first.has(sourceId)) first.set(sourceId, id!)
  const rows = lines.map(({ id }) => ({ id, cost: first.get(sourceIdOf(family, id!)) ?? null }))
  // With `setReferences`, each line would count as changed a second time.
  await sql`update ${tableOf(context, entities[expenseLineOf(family)])} as line set cost = linked.cost
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as linked (id bigint, cost bigint) where line.id = linked.id`.execute(
    db,
  )
}

function monthsSince(month: string, now: string): number {
  let age = 0
  while (addMonths(month, age)! < now.slice(0, 7)) age += 1
  return age
}

/**
 * A person whose contributions of a month are exactly three and a half thousand on twenty: the law's own example of a
 * year's withholding.
 */
export async function shapeSample(context: Context, db: Db): Promise<number | undefined> {
  const people = await new ProcedureWork(context, db).read('person')
  const before = addMonths(`${context.now.slice(0, 4)}-01`, -2)!
  const person = people.find(
    ({ insuranceCity, workerKind, entryDate, employmentStatus, employmentForm, taxSubject, taxRelief }) =>
      insuranceCity === '310100' &&
      workerKind === 'regular' &&
      String(entryDate).slice(0, 7) < before &&
      employmentStatus === 'active' &&
      employmentForm !== 'agency' &&
      taxSubject === 'provider' &&
      taxRelief === 'none',
  )
  if (!person) return undefined
  // Set from the start, because a change would have history.
  await sql`update ${tableOf(context, context.derived.catalog.entities.person)} set "baseSalary" = ${sampleSalary.toFixed(2)}, "probationSalary" = null where id = ${person.id}`.execute(
    db,
  )
  return person.id
}
/**
 * The required base cases: a person who earns exactly the insured maximum of their city, one who earns far more, and
 * two who earn less than the minimum.
 */
export async function shapeBases(context: Context, db: Db, sample: number | undefined): Promise<void> {
  const entity = context.derived.catalog.entities.person
  const work = new ProcedureWork(context, db)
  const regular = await work.read('person', {
    where: { workerKind: 'regular', employmentStatus: 'active', taxSubject: 'provider' },
    fields: ['insuranceCity', 'workCity'],
  })
  const people = regular.filter(({ id, insuranceCity, workCity }) => id !== sample && insuranceCity === workCity)
  const limits = await limitsOfCities(work)
  const shaped =
    limits.length === 0
      ? []
      : limits
          .toSorted((a, b) => a.city.localeCompare(b.city))
          .slice(0, 4)
          .flatMap(({ city, ceiling, minimum }, index): [{ id: number }, string][] => {
            const person = people.find(({ insuranceCity, id }) => insuranceCity === city && id % 5 === index)
            return person
              ? [
                  [
                    person,
                    [
                      ceiling,
                      new Decimal(ceiling).times(2).toFixed(2),
                      new Decimal(minimum).minus(100).toFixed(2),
                      new Decimal(minimum).minus(50).toFixed(2),
                    ][index],
                  ],
                ]
              : []
          })
  for (const [{ id }, salary] of shaped)
    // Set from the start, too.
    await sql`update ${tableOf(context, entity)} set "baseSalary" = ${salary}, "probationSalary" = null where id = ${id}`.execute(
      db,
    )
}

/** The maximum insured base and the minimum contribution base of each city. */
async function limitsOfCities(work: ProcedureWork): Promise<{ city: string; ceiling: string; minimum: string }[]> {
  const enabled = await work.read('policy', { where: { status: 'enabled' }, fields: ['city'] })
  const policies = new Map<number, (typeof enabled)[number]>(enabled.map((each) => [each.id, each]))
  const items = await work.read('policyItem', {
    where: { policy: [...policies.keys()], baseCeiling: { empty: false } },
    fields: ['policy', 'baseCeiling'],
  })
  const wages = await work.groups('minimumWage', { by: ['city'], min: ['amount'] })
  return wages.flatMap(({ by: { city }, min }) => {
    const ceilings = items.filter(({ policy }) => policies.get(policy)!.city === city)
    return ceilings.length === 0
      ? []
      : [
          {
            city,
            ceiling: Decimal.max(...ceilings.map((ceiling) => ceiling.baseCeiling!)).toFixed(2),
            minimum: min.amount!,
          },
        ]
  })
}

export const sampleSalary = new Decimal(20_000)
