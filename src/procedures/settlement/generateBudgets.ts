import { addMonths } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { contractFields, isInForce, type BilledContract } from './billableCosts.ts'
import {
  budgetMonths,
  companyLineOf,
  readEmployed,
  readLast,
  computeBudgetLines,
  type LastLines,
  type PlannedLine,
  type Staff,
} from './budgetInputs.ts'
import { compareBudgets } from './compareBudgets.ts'
import { withoutContract, type Skipped } from './makeStatements.ts'
import { insuredIn } from './insured.ts'
import { appendJournal, type JournalEntry } from './journal.ts'
import { partOfEachCustomer } from './partOfEachCustomer.ts'
import { monthClosed } from './lockBilling.ts'
import { taxTermsOf } from './recomputeStatements.ts'
import { expectLast, expectRoster, recurring, type Insured } from './roster.ts'

export type StoredBudget = Stored<'budget'>
type Basis = StoredBudget['basis']

export interface BudgetWish {
  month: string
  basis: Basis
  customers?: readonly number[]
  reserveRate?: string | null
}

/**
 * Returns how many budgets were created or rebuilt, and which contracts got none.
 * @throws Refusal invalid if the month is over.
 */
export const generateBudgets = procedure<'budget'>(async (work, { values }) => {
  const { month, basis, customers, reserveRate } = values
  refuseMonth(work, month!)
  const { budgets, skipped } = await makeBudgets(work, {
    month: month!,
    basis: basis!,
    customers: customers ?? undefined,
    reserveRate,
  })
  return {
    succeeded: budgets.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[work.language] })),
  }
})

/** Each customer separately: the chosen ones, or all with a contract in force. @throws Refusal as above. */
export const divideBudgets = procedure<'budget'>((work, { values: { month, customers } }) => {
  refuseMonth(work, month!)
  const months = { billMonth: month!, wageMonth: month!, insuranceMonth: month! }
  return partOfEachCustomer(work, { chosen: customers, where: isInForce(months) })
})

function refuseMonth(work: ProcedureWork, month: string): void {
  if (month < addMonths(work.now.slice(0, 7), -1)!)
    work.refuse('budget', [{ field: 'month', code: 'past', message: monthPast }])
  const { closedMonth } = work.settings.parameter
  if (closedMonth && month <= closedMonth)
    work.refuse('budget', [{ field: 'month', code: 'closed', message: monthClosed }])
}

const monthPast: Label = { cn: '预算月份不能早于上月', en: 'The budget month cannot be before last month' }

/** One budget for each service contract in force in the month; drafts are rebuilt, confirmed ones stay. */
export async function makeBudgets(
  work: ProcedureWork,
  wish: BudgetWish,
): Promise<{ budgets: StoredBudget[]; skipped: Skipped[] }> {
  const { month, basis, customers } = wish
  const contracts = await work.read('contract', {
    where: {
      ...isInForce({ billMonth: month, wageMonth: month, insuranceMonth: month }),
      ...(customers && { customer: customers }),
    },
    fields: contractFields,
    lock: true,
    seen: true,
  })
  const standing = new Map(
    (await work.read('budget', { where: { contract: contracts.map(({ id }) => id), month }, lock: true })).map(
      (each) => [each.contract as number, each],
    ),
  )
  const owners = [...new Set(contracts.map(({ customer }) => customer))]
  const last = await readLast(work, owners, month)
  const months = budgetMonths(work, month)
  const people = await readEmployed(work, owners, months.wageMonth)
  const ids = [...new Set(people.map(({ person }) => person))]
  const insured = basis === 'roster' ? await insuredIn(work, ids, month) : undefined

  const skipped: Skipped[] = []
  const drafts: Draft[] = []
  for (const contract of contracts) {
    const old = standing.get(contract.id)
    const staff = people.filter(({ record }) => contractOf(record, contracts) === contract.id)
    const lines = expected({
      basis,
      contract,
      staff,
      last,
      months: { ...months, insured: insured?.get(contract.customer) },
    })
    const reason =
      old?.stage === 'confirmed'
        ? { cn: `预算${old.budgetNo}已确认`, en: `Budget ${old.budgetNo} is confirmed` }
        : lines.length === 0 && basis !== 'manual'
          ? noBasis[basis]
          : undefined
    if (reason) {
      skipped.push({ id: contract.id, name: contractTitle(contract), reason })
      continue
    }
    const { worked, records } = computeBudgetLines({
      contract,
      terms: contract,
      month,
      lines,
      people: byPerson(staff),
      last,
    })
    drafts.push({
      old,
      values: {
        customer: contract.customer,
        contract: contract.id,
        month,
        basis,
        reserveRate: wish.reserveRate ?? '0',
        ...taxTermsOf(contract),
        headcount: worked.headcount,
        ...worked.amounts,
        stage: 'drafted',
      },
      lines: records,
    })
  }
  const budgets = await writeDrafts(work, drafts)
  return { budgets, skipped: [...skipped, ...(await withoutContract(work, customers ?? [], contracts))] }
}

/** How a contract that gets no budget is named. */
export const contractTitle = ({ contractNo, customerName }: Pick<BilledContract, 'contractNo' | 'customerName'>) =>
  `${contractNo} ${customerName}`

/** As they are now, or were when they left. */
export const byPerson = (staff: readonly Staff[]) => new Map(staff.map((each) => [each.person, each]))

const noBasis: Record<Exclude<Basis, 'manual'>, Label> = {
  roster: { cn: '没有在册人员', en: 'Nobody is on the roster' },
  lastStatement: { cn: '没有上月账单', en: 'There is no last statement' },
}

/**
 * People are budgeted where they are billed; if their own contract is not in force, in the first of their customer that
 * is.
 */
const contractOf = (
  { customer, serviceContract }: Staff['record'],
  contracts: readonly BilledContract[],
): number | undefined =>
  (contracts.find(({ id }) => id === serviceContract) ?? contracts.find((contract) => contract.customer === customer))
    ?.id

interface Expected {
  basis: Basis
  contract: BilledContract
  staff: readonly Staff[]
  last: LastLines
  months: ReturnType<typeof budgetMonths> & { insured?: Insured }
}

function expected({ basis, contract, staff, last, months }: Expected): PlannedLine[] {
  if (basis === 'manual') return []
  const cities = new Map(staff.map(({ person, record }) => [person, record.insuranceCity]))
  const lines = (basis === 'roster' ? expectRoster : expectLast)(staff, last.ofPersons(contract.customer), months).map(
    ({ person, amounts }): PlannedLine => ({
      lineType: 'person',
      person,
      label: null,
      workCity: cities.get(person) ?? null,
      amounts,
    }),
  )
  const ofCompany =
    basis === 'lastStatement' && lines.length > 0
      ? last.ofContract(contract).find(({ lineType }) => lineType === 'company')
      : undefined
  return ofCompany ? [...lines, companyLineOf(recurring(ofCompany))] : lines
}

export interface Draft {
  old?: StoredBudget
  values: Values<'budget'>
  lines: Values<'budgetLine'>[]
}

/** Writes budgets with their lines; those of an existing draft are replaced. */
export async function writeDrafts(work: ProcedureWork, drafts: readonly Draft[]): Promise<StoredBudget[]> {
  const before = drafts.map(({ old }) => (old ? { ...old } : null))
  const added = await work.insert(
    'budget',
    drafts.flatMap(({ old, values }) => (old ? [] : [values])),
    { action: 'generate' },
  )
  const changes = drafts.flatMap(({ old, values }) => (old ? [{ record: old, values }] : []))
  await work.changeAll('budget', changes, { action: 'generate' })
  const next = added.values()
  const budgets = drafts.map(({ old }) => old ?? next.next().value!)
  const former = await work.read('budgetLine', {
    where: { budget: changes.map(({ record }) => record.id) },
    fields: ['budget'],
  })
  await work.delete('budgetLine', former)
  await work.insert(
    'budgetLine',
    drafts.flatMap(({ lines }, index) => lines.map((line) => ({ ...line, budget: budgets[index].id }))),
  )
  await appendJournal(
    work,
    budgets.map((budget, index) => ({
      ...journalOf(budget),
      action: 'generate',
      amountBefore: before[index]?.totalAmount ?? null,
      statusBefore: before[index] ? 'drafted' : null,
      statusAfter: 'drafted',
    })),
  )
  await compareBudgets(
    work,
    budgets.map(({ contract }) => contract),
  )
  return budgets
}

export const journalOf = ({
  id,
  budgetNo,
  customer,
  totalAmount,
}: Pick<StoredBudget, 'id' | 'budgetNo' | 'customer' | 'totalAmount'>): Omit<JournalEntry, 'action'> => ({
  subject: 'budget',
  documentNo: budgetNo,
  customer,
  budget: id,
  amountAfter: totalAmount,
})
