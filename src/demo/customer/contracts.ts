import { sql } from 'kysely'
import { addDays, addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { blankPage } from '../pictures/blankPage.ts'
import { ContractNumbers, earlier, readCustomers, stamps } from './contractPast.ts'
import type { ContractSurroundings, Customer, Employer } from './contractPast.ts'
import { laborContracts } from '../staff/laborContracts.ts'
import { writeEmployment } from '../staff/employment.ts'
import { headcount, person } from '../staff/persons.ts'
import type { Course, DemoPerson } from '../staff/persons.ts'
import { Random } from '../random.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260305
/** From this customer on, contracts last long enough for people to join. */
const firstOpen = 7

/** The service contracts of approved, enabled customers, their people, and the labour contracts of those people. */
export async function writeContracts(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const { entities } = context.derived.catalog
  const today = context.now.slice(0, 10)
  const scan = {
    ...(await storeFile(context, db, '合同扫描件.pdf', new TextEncoder().encode(blankPage))),
    status: 'success',
  }
  const around: ContractSurroundings = {
    today,
    numbers: new ContractNumbers(today),
    scan,
    clerk: Number(resolve('user', 'contractClerk')),
    random,
  }
  const customers = await readCustomers(context, db)

  const contracts = new Map<Customer, number>()
  const waiting: { customer: Customer; last: ServiceTerm; predecessor: number | null }[] = []
  for (const [index, customer] of customers.entries()) {
    const terms = serviceTerms(around, index)
    let before: number | null = null
    for (const [place, term] of terms.entries()) {
      const isLast = place === terms.length - 1
      if (isLast && term.stage === 'drafted' && before !== null) {
        waiting.push({ customer, last: term, predecessor: before })
        continue
      }
      const [id] = (await insertMany(
        context,
        db,
        entities.contract,
        [serviceContract(around, customer, term, before)],
        { action: 'create' },
      )) as [number]
      if (term.stage !== 'terminated') contracts.set(customer, id)
      before = term.stage === 'terminated' ? null : id
    }
  }
  for (const { customer, last, predecessor } of waiting) {
    await insertMany(context, db, entities.contract, [serviceContract(around, customer, last, predecessor)], {
      action: 'create',
    })
  }

  const people = peopleOf(around, contracts)
  const ids = await insertMany(
    context,
    db,
    entities.person,
    people.map(({ values }) => ({
      ...values,
      createdBy: around.clerk,
      updatedBy: around.clerk,
      ...stamps(today, String(values.entryDate)),
    })),
    { action: 'create' },
  )
  const employees = people.map((person: DemoPerson, index) => ({ ...person, id: ids[index] }))
  await laborContracts(context, db, employees, around)
  await nameFirst(context, db)
  await writeEmployment(context, db, employees, around)
}

/** The people whom the customers employ under these contracts. */
function peopleOf({ random, today }: ContractSurroundings, contracts: ReadonlyMap<Customer, number>): DemoPerson[] {
  const taken = new Set<string>()
  return [...contracts].flatMap(([customer, contract], index) => {
    const employer: Employer = { ...customer, contract, city: customer.cities[0] }
    const own: DemoPerson[] = []
    for (let left = headcount(random); left > 0; left--) {
      // Some people of one customer share a name.
      const name =
        (own.length > 5 && random.chance(0.01)) || (index === 0 && own.length === 5)
          ? String(own[1].values.name)
          : undefined
      own.push(
        person(random, {
          today,
          employer,
          course: courseOf(random, index, own.length),
          taken,
          ...(name !== undefined && { name }),
        }),
      )
    }
    return own
  })
}

/** Renewals show the first contract of their chain, whose number is only assigned when it is written. */
async function nameFirst(context: Context, db: Db): Promise<void> {
  const table = tableOf(context, context.derived.catalog.entities.contract)
  // A chain may have any length, which no condition of the procedure interface can follow.
  await sql`with recursive chain as (
    select id, "contractNo" as first from ${table} where "renewalOf" is null
    union all select c.id, chain.first from ${table} as c join chain on c."renewalOf" = chain.id
  ) update ${table} as c set "firstNo" = chain.first from chain where c.id = chain.id and c."renewalOf" is not null`.execute(
    db,
  )
}

/** The first customers cover the required cases. */
function courseOf(random: Random, customer: number, place: number): Course {
  if (place === 0 && customer < 3) return 'thirdTerm'
  if (place === 1 && customer < 3) return 'openEnded'
  if (place === 2 && customer > firstOpen && customer <= firstOpen + 6) return 'joining'
  if (place === 2 && customer === 6) return 'leaving'
  const course = random.weighted([
    ['active', 715],
    ['expiring', 55],
    ['expired', 25],
    ['terminated', 125],
    ['resigning', 25],
    ['joining', 40],
    ['cancelled', 10],
    ['openEnded', 5],
  ] as const)
  return customer <= firstOpen && (course === 'joining' || course === 'cancelled') ? 'active' : course
}

// ─── Service contracts ───────────────────────────────────────────────────────────────────────────────────────────────────

interface ServiceTerm {
  start: string
  end: string
  stage: 'drafted' | 'signed' | 'terminated'
  terminated?: string
}

/** The terms of a customer, by its index: one ends today, some end soon, some have ended, and so on. */
function serviceTerms({ random, today }: ContractSurroundings, index: number): ServiceTerm[] {
  const months = random.chance(0.6) ? 12 : 24
  const offset =
    index === 0
      ? 0
      : index < 4
        ? random.integer(5, 55)
        : index < 6
          ? -random.integer(3, 20)
          : random.integer(70, months * 28)
  const end = addDays(today, offset)!
  const start = addMonths(addDays(end, 1)!, -months)!
  const current: ServiceTerm = { start, end, stage: 'signed' }
  const former: ServiceTerm = { start: addMonths(start, -months)!, end: addDays(start, -1)!, stage: 'signed' }
  const next = (stage: ServiceTerm['stage']): ServiceTerm => ({
    start: addDays(end, 1)!,
    end: addDays(addMonths(addDays(end, 1)!, months)!, -1)!,
    stage,
  })
  if (index === 2) return [current, next('drafted')]
  if (index === 3) return [current, next('signed')]
  if (index === 6)
    return [{ start: addDays(today, 12)!, end: addDays(addMonths(addDays(today, 12)!, 12)!, -1)!, stage: 'drafted' }]
  if (index === 7) return [{ ...former, stage: 'terminated', terminated: addDays(former.end, -40)! }, current]
  return index % 5 < 2 ? [former, current] : [current]
}

function serviceContract(
  { random, numbers, scan, clerk, today }: ContractSurroundings,
  customer: Customer,
  term: ServiceTerm,
  before: number | null,
): RecordData {
  const { start, end, stage } = term
  const isSmall = customer.taxpayerKind === 'small'
  const taxMethod = isSmall
    ? 'fullSimple'
    : random.weighted([
        ['diffSimple', 50],
        ['fullGeneral', 40],
        ['diffGeneral', 10],
      ] as const)
  const signed = stage === 'drafted' ? null : earlier(addDays(start, -random.integer(3, 20))!, today)
  return {
    contractNo: numbers.next('service', signed ?? today),
    category: 'service',
    name: `${customer.name} ${start.slice(0, 4)}年服务合同`,
    customer: customer.id,
    agency: customer.agency,
    renewalOf: before,
    renewalCount: before === null ? 0 : 1,
    termType: 'fixed',
    startDate: start,
    endDate: end,
    signDate: signed,
    signMethod: random.chance(0.7) ? 'paper' : 'electronic',
    stage,
    filing: stage === 'terminated' ? 'archived' : 'current',
    terminationDate: term.terminated ?? null,
    terminationReason: term.terminated ? 'customerEnd' : null,
    terminatedOn: term.terminated ?? null,
    archiveNo: term.terminated ? `DA${term.terminated.replaceAll('-', '')}-${customer.id}` : null,
    serviceTypes: customer.serviceTypes,
    feeRules: customer.serviceTypes.map((serviceType) => feeRule(random, serviceType, start)),
    paymentTerms: customer.paymentTerms,
    paymentDay: ['prepaid', 'fixedDay'].includes(customer.paymentTerms) ? (customer.paymentDay ?? 10) : null,
    statementDay: customer.statementDay,
    taxMethod,
    taxRate: { fullSimple: '3', diffSimple: '5', fullGeneral: '6', diffGeneral: '6' }[taxMethod],
    surchargeRate: '12',
    taxBorne: random.chance(0.7) ? 'exclusive' : 'inclusive',
    invoiceType: customer.billingType,
    diffInvoiceMode: taxMethod.startsWith('diff') ? random.pick(['single', 'split']) : null,
    ...(random.chance(0.25)
      ? { advanceAllowed: true, advanceLimit: `${random.integer(2, 20)}0000.00` }
      : { advanceAllowed: false }),
    lateFeeRate: '0.05',
    depositAmount: random.chance(0.3) ? `${random.integer(1, 10)}0000.00` : null,
    expectedHeadcount: random.integer(3, 80),
    autoRenew: random.chance(0.2),
    noticeDays: 30,
    attachments: signed ? [scan] : null,
    createdBy: clerk,
    updatedBy: clerk,
    ...stamps(today, start),
  }
}

function feeRule(random: Random, serviceType: string, start: string): RecordData {
  const common = {
    serviceType,
    chargeRule: random.weighted([
      ['fullMonth', 70],
      ['halfMonth', 20],
      ['byDay', 10],
    ] as const),
    effectiveFrom: start.slice(0, 7),
  }
  const feeMode = random.weighted([
    ['perHead', 60],
    ['percentage', 15],
    ['fixed', 15],
    ['tiered', 10],
  ] as const)
  switch (feeMode) {
    case 'perHead':
      return { ...common, feeMode, unitPrice: `${random.integer(12, 40) * 5}.00` }
    case 'percentage':
      return {
        ...common,
        feeMode,
        ratePercent: String(random.integer(3, 8)),
        percentBase: random.pick(['wage', 'passThrough', 'total']),
      }
    case 'fixed':
      return { ...common, feeMode, fixedAmount: `${random.integer(5, 50)}00.00` }
    case 'tiered':
      return {
        ...common,
        feeMode,
        tiers: [
          { from: 1, to: 50, price: '150.00' },
          { from: 51, to: 100, price: '130.00' },
          { from: 101, to: null, price: '110.00' },
        ],
      }
  }
}
