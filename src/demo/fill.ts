import { sql } from 'kysely'
import { addMonths } from '../../engine/expression/index.ts'
import { insertMany } from '../../engine/server/records/insertMany.ts'
import { type FieldName, ProcedureWork } from '../../engine/server/procedure.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { writeActivity } from './setting/activity.ts'
import { writeAdjustments } from './welfare/adjustments.ts'
import { writeBanks } from './bank/banks.ts'
import { writeBenefits } from './salary/benefits.ts'
import { writeBudgets } from './settlement/budgets.ts'
import { writeContracts } from './customer/contracts.ts'
import { writeCompanyBenefits } from './welfare/companyBenefits.ts'
import { customer } from './customer/customers.ts'
import type { DemoCustomer } from './customer/DemoCustomer.ts'
import { mobile } from './identifiers.ts'
import { writeEnrolments } from './welfare/enrolments.ts'
import { shapeBases, shapeSample, writeExpenses } from './welfare/expenses.ts'
import { writeFormerPeople } from './staff/formerPeople.ts'
import { writeInjuries } from './staff/injuries.ts'
import { writeFilings } from './salary/filings.ts'
import { writeInvoices } from './settlement/invoices.ts'
import { writeChangesAfterWages, writeLateChanges } from './welfare/lateChanges.ts'
import { sendMessages } from './setting/messages.ts'
import { agencies, classifications, departments, users } from './setting/organisation.ts'
import { writePayments } from './salary/payments.ts'
import { writePayrolls } from './salary/payrolls.ts'
import { networkAddress } from './pools.ts'
import { writeLetters } from './staff/letters.ts'
import { publish } from './setting/publish.ts'
import { Random } from './random.ts'
import { writePolicies } from './welfare/policies.ts'
import { writeReceipts } from './settlement/receipts.ts'
import { writeSettings } from './setting/settings.ts'
import { writeStatements } from './settlement/statements.ts'
import { writeBackPayments } from './welfare/backPayments.ts'
import { storePicture } from './pictures/storePicture.ts'
import type { Resolve } from './Resolve.ts'

const seed = 20260301
const chunk = 2000

/**
 * Fills an empty database with demo data, in one transaction; a database that already has it is left alone.
 * @returns whether it was filled
 */
export async function fill(
  context: Context,
  {
    customers: count,
    months = 12,
    persons = 0,
  }: {
    customers: number
    /** Of settlement. */ months?: number
    /** At least this many, including people who have left. */ persons?: number
  },
): Promise<boolean> {
  const { database } = context.runtime
  const [agency] = await new ProcedureWork(context, database.kysely).read('agency', { limit: 1 })
  if (agency) return false
  const started = performance.now()
  await database.kysely.transaction().execute(async (db) => {
    // One long transaction fills everything.
    await sql`set local statement_timeout = 0`.execute(db)
    const random = new Random(seed)
    const daysAgo = (days: number) => {
      const moment = new Date(Date.parse(`${context.now.replace(' ', 'T')}Z`) - days * 86_400_000)
      moment.setUTCHours(
        days === 0 ? moment.getUTCHours() : random.integer(9, 17),
        random.integer(0, 59),
        random.integer(0, 59),
      )
      const text = moment.toISOString().slice(0, 19).replace('T', ' ')
      return text > context.now ? context.now : text
    }
    const people = await organisation(context, db, random, daysAgo)
    const pictures = await storePictures(context, db)
    const around = {
      supportStaff: people.active('support'),
      salesmen: people.active('sales'),
      approver: 'customerManager',
      agencies: ['J001', 'J002', 'J003', 'J004'],
      daysAgo,
      picture: (label: string, palette: number) => pictures.get(`${label}${palette % 3}`)!,
    }
    for (let start = 0; start < count; start += chunk) {
      const made = Array.from({ length: Math.min(chunk, count - start) }, (_, index) =>
        customer(random, start + index, around),
      )
      await writeCustomers(context, db, made, people.resolve)
    }
    await writeBanks(context, db, people.resolve)
    await writeContracts(context, db, people.resolve)
    await writeSettings(context, db)
    await writePolicies(context, db)
    const sample = await shapeSample(context, db)
    await shapeBases(context, db, sample)
    await writeEnrolments(context, db, people.resolve, sample)
    // Query plans are bad until the database has statistics.
    await sql`analyze`.execute(db)
    await writeAdjustments(context, db, people.resolve, sample)
    await writeBackPayments(context, db, people.resolve, sample)
    await writeSettlement(context, db, people.resolve, { count: months, sample })
    await writeLetters(context, db, people.resolve)
    await writeInjuries(context, db, people.resolve)
    await publish(context, db, random, people.resolve)
    await sendMessages(context, db, random)
    await writeFormerPeople(context, db, people.resolve, persons)
    await writeActivity(context, db, random, daysAgo)
  })
  // Query plans are bad until the database has statistics.
  await sql`analyze`.execute(database.kysely)
  console.log(`Demo data: ${count} customers in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return true
}

async function writeSettlement(
  context: Context,
  db: Db,
  resolve: Resolve,
  { count, sample }: { count: number; sample: number | undefined },
): Promise<void> {
  const months = Array.from({ length: count }, (_, index) => addMonths(context.now.slice(0, 7), index + 1 - count)!)
  const wageMonths = months.map((month) => addMonths(month, -1)!)
  await writeExpenses(context, db, resolve, { months: [...new Set([...wageMonths, ...months])], billed: months })
  await writeLateChanges(context, db, resolve, sample)
  await writePayrolls(context, db, resolve, { months: wageMonths, sample })
  await writeChangesAfterWages(context, db, resolve, sample)
  await writePayments(context, db, resolve, wageMonths)
  await writeFilings(context, db, resolve, months)
  await writeCompanyBenefits(context, db, months, seed)
  // Query plans are bad until the database has statistics.
  await sql`analyze "costLine"`.execute(db)
  await writeBenefits(context, db, resolve)
  await writeStatements(context, db, resolve, months)
  await writeReceipts(context, db, resolve)
  await writeInvoices(context, db, resolve)
  await writeBudgets(context, db, resolve, months)
}

async function organisation(context: Context, db: Db, random: Random, daysAgo: (days: number) => string) {
  const entity = (name: string) => context.derived.catalog.entities[name]
  const ids = new Map<string, number>()
  const resolve: Resolve = (name, key) => {
    if (key === null || key === undefined) return null
    const id = ids.get(`${name}:${String(key)}`)
    if (id === undefined) throw new Error(`demo data: no ${name} "${String(key)}"`)
    return id
  }
  const work = new ProcedureWork(context, db)
  const known = async <E extends 'department' | 'user' | 'role' | 'region'>(name: E, key: FieldName<E>) => {
    for (const record of await work.read(name, { fields: [key] })) ids.set(`${name}:${String(record[key])}`, record.id)
  }
  await known('department', 'name')
  await known('user', 'loginName')
  await known('role', 'code')
  await known('region', 'code')

  for (const [index, { name, parent }] of departments.entries()) {
    const [id] = await insertMany(context, db, entity('department'), [
      { name, parent: resolve('department', parent), sort: index, status: 'enabled' },
    ])
    ids.set(`department:${name}`, id)
  }
  const staff = users(random)
  const userIds = await insertMany(
    context,
    db,
    entity('user'),
    staff.map((user) => ({
      loginName: user.loginName,
      realName: user.realName,
      mobile: mobile(random),
      email: `${user.loginName.toLowerCase()}@office.example.com`,
      department: resolve('department', user.department),
      roles: user.roles.map((role) => resolve('role', role)),
      status: user.disabled ? 'disabled' : 'enabled',
      lastLoginTime: user.neverSignedIn ? null : daysAgo(random.integer(0, 14)),
      lastLoginAddress: user.neverSignedIn ? null : networkAddress(random),
    })),
  )
  staff.forEach((user, index) => ids.set(`user:${user.loginName}`, userIds[index]))
  // The first employee leads the department from the first day on, so there is no history of it.
  await sql`update department as d set manager = (select min(u.id) from "user" as u where u.department = d.id and u.status = 'enabled')`.execute(
    db,
  )
  // They sign in with the administrator's password, unless they get their own. Passwords are not records.
  await sql`insert into system_credential (user_id, hash, must_change, changed_at)
    select id, (select hash from system_credential where user_id = ${resolve('user', 'admin')}), false, ${context.now}
    from unnest(${userIds}::bigint[]) as id`.execute(db)

  const offices = agencies(random, (days) => shiftDate(context.now, days))
  const agencyIds = await insertMany(
    context,
    db,
    entity('agency'),
    offices.map((agency) => ({ ...agency, department: resolve('department', agency.department) })),
  )
  offices.forEach((agency, index) => ids.set(`agency:${String(agency.code)}`, agencyIds[index]))

  const paths = new Map<string, string>()
  for (const [index, { name, parent, disabled }] of classifications.entries()) {
    const path = parent ? `${parent}/${name}` : name
    const [id] = await insertMany(context, db, entity('customerClassification'), [
      {
        name,
        parent: parent ? resolve('customerClassification', paths.get(parent)) : null,
        sort: index,
        status: disabled ? 'disabled' : 'enabled',
      },
    ])
    paths.set(name, path)
    ids.set(`customerClassification:${path}`, id)
  }
  const active = (role: string) =>
    staff.filter((user) => !user.disabled && user.roles.includes(role)).map((user) => user.loginName)
  return { resolve, active }
}

const shiftDate = (now: string, days: number) =>
  new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Every label on three different cards: few files, however many customers show them. */
async function storePictures(context: Context, db: Db): Promise<Map<string, RecordData>> {
  const pictures = new Map<string, RecordData>()
  for (const label of ['营业执照', '一般纳税人证明', '门头照片', '授权委托书', '印鉴卡']) {
    for (let palette = 0; palette < 3; palette++) {
      pictures.set(`${label}${palette}`, await storePicture(context, db, label, palette))
    }
  }
  return pictures
}

async function writeCustomers(context: Context, db: Db, made: DemoCustomer[], resolve: Resolve): Promise<void> {
  const { entities } = context.derived.catalog
  const references: Record<string, string> = {
    supportStaff: 'user',
    salesman: 'user',
    submitter: 'user',
    approver: 'user',
    createdBy: 'user',
    updatedBy: 'user',
    agency: 'agency',
    region: 'region',
    classification: 'customerClassification',
  }
  const resolved = made.map(({ values }) => ({
    ...values,
    ...Object.fromEntries(Object.entries(references).map(([field, entity]) => [field, resolve(entity, values[field])])),
  }))
  const ids = await insertMany(context, db, entities.customer, resolved, { action: 'create' })
  await insertMany(
    context,
    db,
    entities.customerContact,
    made.flatMap(({ contacts }, index) => contacts.map((contact) => ({ ...contact, customer: ids[index] }))),
  )
  await insertMany(
    context,
    db,
    entities.customerApproval,
    made.flatMap(({ approvals }, index) =>
      approvals.map(({ action, reason, by, at, changes }, round) => ({
        customer: ids[index],
        round: round + 1,
        action,
        reason: reason ?? null,
        changedFields: changes ? { ...changes } : null,
        operator: resolve('user', by),
        operatedAt: at,
      })),
    ),
  )
}
