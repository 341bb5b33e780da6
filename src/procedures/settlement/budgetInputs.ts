import { addMonths } from '../../../engine/expression/index.ts'
import type { FieldName, Part, ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import type { Amount } from '../money/amounts.ts'
import { firstDay } from '../monthDays.ts'
import { readLastPaid } from '../salary/lastPaid.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { feeColumns, type FeeAmounts } from './computeStatement.ts'
import type { BilledContract, BilledMonths } from './billableCosts.ts'
import { rulesOf } from './billedItems.ts'
import { isStanding } from './isStanding.ts'
import {
  categoriesOf,
  computeBudget,
  plannedColumns,
  type Budget,
  type Planned,
  type PlannedAmounts,
} from './computeBudget.ts'
import { servicesOf } from './services.ts'
import { taxTermsOf } from './recomputeStatements.ts'
import { changeKind, type Employed } from './roster.ts'

/** How many months back a person's last statement may be. */
const monthsBack = 3

/** A planned line: `id` of a stored one. */
export interface PlannedLine {
  id?: number
  lineType: 'person' | 'company'
  person: number | null
  label: string | null
  workCity: string | null
  amounts: PlannedAmounts
}

export type LastLine = Part<'statementLine', 'statement' | 'lineType' | 'person' | (typeof feeColumns)[number]>
type Contract = Pick<BilledContract, 'id' | 'customer'>

/** The newest statement lines of these customers before the month. */
export interface LastLines {
  /** By person, for a customer. */
  ofPersons(customer: number): ReadonlyMap<number, LastLine>
  /** All lines of the newest statement of a contract, or else of its customer. */
  ofContract(contract: Contract): LastLine[]
  companyAmount(contract: Contract): Amount
}

export async function readLast(work: ProcedureWork, customers: readonly number[], month: string): Promise<LastLines> {
  const statements = await work.read('statement', {
    where: {
      customer: customers,
      billMonth: { between: [addMonths(month, -monthsBack), addMonths(month, -1)] },
      ...isStanding,
    },
    fields: ['contract', 'customer', 'billMonth'],
    order: 'billMonth',
  })
  const place = new Map(statements.map(({ id }, index) => [id as number, index]))
  const lines = (
    await work.read('statementLine', {
      where: { statement: statements.map(({ id }) => id), lineType: { not: 'adjustment' } },
      fields: ['statement', 'lineType', 'person', ...feeColumns],
    })
  ).sort((a, b) => place.get(a.statement)! - place.get(b.statement)!)
  const ofContract = ({ id, customer }: Contract) => {
    const newest =
      statements.findLast(({ contract }) => contract === id) ??
      statements.findLast((statement) => statement.customer === customer)
    return newest ? lines.filter(({ statement }) => statement === newest.id) : []
  }
  const owners = new Map(statements.map(({ id, customer }) => [id, customer]))
  const personal = groupedBy(
    lines.filter(({ person }) => person !== null),
    ({ statement }) => owners.get(statement)!,
  )
  return {
    ofPersons: (customer) => new Map((personal.get(customer) ?? []).map((line) => [line.person!, line])),
    ofContract,
    companyAmount: (contract) =>
      ofContract(contract).find(({ lineType }) => lineType === 'company')?.totalAmount ?? null,
  }
}

export type Staff = Employed & {
  record: Part<'person', 'customer' | 'serviceContract' | 'insuranceCity'>
}

/**
 * Everybody who works or has worked for these customers: an entry each, the current one after those of earlier stints
 * that ended in the month or later and were followed by a return, here or elsewhere.
 */
export async function readEmployed(work: ProcedureWork, customers: readonly number[], month: string): Promise<Staff[]> {
  const present = await work.read('person', {
    where: { customer: customers, employmentStatus: { not: 'cancelled' } },
    fields: staffFields,
  })
  const stints = await work.read('employmentRecord', {
    where: { customer: customers, leaveDate: { between: [firstDay(month), null] } },
    fields: ['person', 'customer', 'serviceContract', 'employmentForm', 'entryDate', 'leaveDate'],
    order: 'entryDate',
  })
  const people = await work.byId(
    'person',
    stints.map(({ person }) => person),
    { fields: staffFields },
  )
  const former = stints.filter(({ person, entryDate }) => entryDate < people.get(person)!.entryDate)
  const paid = new Map<number, Map<number, string | null>>()
  for (const [contract, own] of groupedBy(former, ({ serviceContract }) => serviceContract))
    paid.set(
      contract,
      await readLastPaid(
        work,
        contract,
        own.map(({ person }) => person),
      ),
    )
  return [
    ...former.map(({ person, ...stint }) => {
      const { baseSalary, insuranceCity } = people.get(person)!
      const lastPaid = paid.get(stint.serviceContract)?.get(person)
      return staffOf({ ...stint, id: person, insuranceCity, baseSalary: lastPaid ?? baseSalary })
    }),
    ...present.map(staffOf),
  ]
}

const staffFields = [
  'customer',
  'serviceContract',
  'baseSalary',
  'employmentForm',
  'insuranceCity',
  'entryDate',
  'leaveDate',
] as const satisfies readonly FieldName<'person'>[]

const staffOf = (record: Part<'person', (typeof staffFields)[number]>): Staff => ({
  person: record.id,
  baseSalary: record.baseSalary,
  isPaid: record.employmentForm !== 'agency',
  joinedOn: record.entryDate,
  leftOn: record.leaveDate,
  employmentForm: record.employmentForm,
  record,
})

/** The contract to be budgeted, with its own terms or those stored in a budget. */
interface Plan {
  contract: Pick<BilledContract, 'id' | 'customer' | 'contractNo' | 'feeRules'>
  terms: Parameters<typeof taxTermsOf>[0]
  month: string
  lines: readonly PlannedLine[]
  people: ReadonlyMap<number, Employed>
  last: LastLines
}

/**
 * These lines with computed amounts: the budget as a whole, and each line in stored form. If there is no line for
 * charges to the company, one is added.
 */
export function computeBudgetLines({ contract, terms, month, lines, people, last }: Plan): {
  worked: Budget
  records: Values<'budgetLine'>[]
} {
  const known = (person: number | null) => (person === null ? undefined : people.get(person))
  const ofPerson = last.ofPersons(contract.customer)
  const rules = rulesOf(contract, month)
  const types = [...new Set(rules.map(({ serviceType }) => serviceType!))]
  const planned = lines.map(({ lineType, person, amounts }): Planned => {
    const { joinedOn = null, leftOn = null, employmentForm = null } = known(person) ?? {}
    const categories = new Set(categoriesOf(amounts))
    const hasJoined = joinedOn?.slice(0, 7) === month
    return {
      isCompany: lineType === 'company',
      joinedOn,
      leftOn,
      services: servicesOf(types, { employmentForm, categories, feeItems: new Set(), hasJoined }),
      amounts,
    }
  })
  const worked = computeBudget(planned, {
    month,
    contractNo: contract.contractNo,
    rules,
    tax: taxTermsOf(terms),
  })
  const all = worked.rest ? [...lines, companyLine] : lines
  const companyAt = all.findIndex(({ lineType }) => lineType === 'company')
  const records = all.map(({ amounts: _, ...line }, index): Values<'budgetLine'> => {
    const amounts = worked.lines[index] ?? (worked.rest as FeeAmounts)
    const previousAmount =
      line.person !== null
        ? (ofPerson.get(line.person)?.totalAmount ?? null)
        : index === companyAt
          ? last.companyAmount(contract)
          : null
    return {
      ...line,
      ...amounts,
      previousAmount,
      changeKind: changeKind(
        { leftOn: known(line.person)?.leftOn ?? null },
        previousAmount,
        amounts.totalAmount,
        month,
      ),
    }
  })
  return { worked, records }
}

export const plannedOf = (line: Pick<Stored<'budgetLine'>, (typeof plannedColumns)[number]>): PlannedAmounts =>
  Object.fromEntries(plannedColumns.map((name) => [name, line[name]])) as PlannedAmounts

const companyLine: PlannedLine = {
  lineType: 'company',
  person: null,
  label: null,
  workCity: null,
  amounts: Object.fromEntries(plannedColumns.map((name) => [name, null])) as PlannedAmounts,
}
export const companyLineOf = (amounts: PlannedAmounts): PlannedLine => ({ ...companyLine, amounts })

export const budgetMonths = (work: ProcedureWork, month: string): BilledMonths & { month: string } => ({
  month,
  billMonth: month,
  wageMonth: addMonths(month, work.settings.parameter.wageMonthOffset)!,
  insuranceMonth: month,
})
