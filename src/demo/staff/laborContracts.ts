import { addDays } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { earlier, stamps } from '../customer/contractPast.ts'
import type { ContractSurroundings } from '../customer/contractPast.ts'
import type { DemoPerson } from './persons.ts'

type Employee = DemoPerson & { id: number }

/** How many of those that end soon have a renewal that waits to be signed. */
const draftedRenewals = 8

/** The labour contracts of these people, earliest first, because a renewal refers to the previous one. */
export async function laborContracts(
  context: Context,
  db: Db,
  people: Employee[],
  around: ContractSurroundings,
): Promise<void> {
  const entity = context.derived.catalog.entities.contract
  const last = new Map<Employee, number>()
  const most = Math.max(...people.map(({ terms }) => terms.length))
  for (let place = 0; place < most; place++) {
    const group = people.filter(({ terms }) => terms.length > place)
    const ids = await insertMany(
      context,
      db,
      entity,
      group.map((employee) => contractOf(employee, place, last.get(employee) ?? null, around)),
      { action: 'create' },
    )
    group.forEach((employee, index) => last.set(employee, ids[index]))
  }
  const renewed = people.filter(({ course }) => course === 'expiring').slice(0, draftedRenewals)
  await insertMany(
    context,
    db,
    entity,
    renewed.map((employee) => {
      const start = addDays(employee.terms.at(-1)!.end!, 1)!
      const terms = [...employee.terms, { start, end: null }]
      return {
        ...contractOf({ ...employee, terms }, terms.length - 1, last.get(employee)!, around),
        stage: 'drafted',
        signDate: null,
        attachments: null,
        contractNo: null,
      }
    }),
    { action: 'create' },
  )
}

function contractOf(
  { id, values, course, terms, months, wage, leaveDate }: Employee,
  place: number,
  before: number | null,
  around: ContractSurroundings,
): RecordData {
  const { random, today, numbers, scan, clerk } = around
  const { start, end } = terms[place]
  const isLast = place === terms.length - 1
  const terminated = isLast ? leaveDate : null
  const isDraft = course === 'joining' && random.chance(0.5)
  const signed = isDraft ? null : earlier(addDays(start, -random.integer(1, 12))!, today)
  return {
    contractNo: numbers.next('labor', signed ?? today),
    category: 'labor',
    name: `${String(values.name)} 劳动合同`,
    customer: values.customer,
    person: id,
    agency: values.agency,
    renewalOf: before,
    renewalCount: place,
    termType: end === null ? 'openEnded' : 'fixed',
    startDate: start,
    endDate: end,
    signDate: signed,
    signMethod: random.chance(0.6) ? 'paper' : 'electronic',
    stage: isDraft ? 'drafted' : terminated ? 'terminated' : 'signed',
    filing: terminated ? 'archived' : 'current',
    terminationDate: terminated,
    terminationReason: terminated ? values.leaveReason : null,
    terminatedOn: terminated,
    archiveNo: terminated ? `DA${terminated.replaceAll('-', '')}-${id}` : null,
    employmentForm: values.employmentForm,
    dispatchPositionKind: values.employmentForm === 'dispatch' ? 'auxiliary' : null,
    position: values.position,
    workCity: values.workCity,
    workHourSystem: random.weighted([
      ['standard', 85],
      ['comprehensive', 12],
      ['flexible', 3],
    ] as const),
    monthlyWage: wage,
    probationMonths: place > 0 ? 0 : months === 24 ? 2 : 3,
    attachments: signed && random.chance(0.7) ? [scan] : null,
    createdBy: clerk,
    updatedBy: clerk,
    ...stamps(today, start),
  }
}
