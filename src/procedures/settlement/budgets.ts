import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { invalid, Refusal } from '../../../engine/server/errors.ts'
import { writeHistories, writeHistory } from '../../../engine/server/history.ts'
import { main, readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import { canonicalRecord, changedFields } from '../../../engine/server/stored.ts'
import { insertRecords, softDelete, updateRecords } from '../../../engine/server/write.ts'
import type { Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { contractFields, isInForce } from './billing.ts'
import {
  budgetMonths,
  companyLineOf,
  plannedOf,
  readEmployed,
  readLast,
  taxTermsOf,
  workOut,
  type LastLines,
  type PlannedLine,
} from './budgeting.ts'
import { compareBudgets } from './compareBudgets.ts'
import { withoutContract, type Skipped } from './generate.ts'
import { appendJournal } from './journal.ts'
import { expectLast, expectRoster, recurring, type Employed, type Known } from './roster.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from './stored.ts'

export interface BudgetWish {
  month: string
  basis: string
  customers?: readonly number[]
  reserveRate?: Value
}

/**
 * Answers how many budgets were made or rebuilt, and which contracts got none.
 * @throws Refusal invalid: the month is over.
 */
export const generateBudgets: Procedure = async ({ context, db, values }) => {
  const wish = values as unknown as BudgetWish
  if (wish.month < addMonths(context.now.slice(0, 7), -1)!)
    throw invalid([{ field: 'month', code: 'past', message: monthPast }])
  const { budgets, skipped } = await makeBudgets(context, db, wish)
  return {
    succeeded: budgets.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[context.language] })),
  }
}

const monthPast: Label = { cn: '预算月份不能早于上月', en: 'The budget month cannot be before last month' }

/**
 * One budget for each service contract that is in force in the month; drafts are made anew, what is confirmed stays.
 */
export async function makeBudgets(
  context: Context,
  db: Db,
  wish: BudgetWish,
): Promise<{ budgets: RecordData[]; skipped: Skipped[] }> {
  const { month, basis, customers } = wish
  const entity = entityOf(context, 'contract')
  const wanted = customers ? [isAnyOf('customer', customers)] : []
  const found = await readStored(
    context,
    db,
    entity,
    [
      ...visibleConditions(context, entity),
      isInForce({ billMonth: month, wageMonth: month, insuranceMonth: month }),
      ...wanted,
    ],
    {
      fields: contractFields,
      order: sql.ref(`${main}.id`),
      lock: true,
    },
  )
  const contracts = found.map((contract) => canonicalRecord(context, entity, contract))
  const standing = new Map(
    (
      await readAll(
        context,
        db,
        'budget',
        [
          isAnyOf(
            'contract',
            contracts.map(({ id }) => id!),
          ),
          sql`${column('month')} = ${month}`,
        ],
        undefined,
        true,
      )
    ).map((one) => [one.contract as number, one]),
  )
  const owners = [...new Set(contracts.map(({ customer }) => customer as number))]
  const last = await readLast(context, db, owners, month)
  const people = await readEmployed(context, db, owners)
  const byId = new Map(people.map((one) => [one.person, one]))
  const staffOf = (contract: RecordData) => people.filter(({ record }) => contractOf(record, contracts) === contract.id)

  const skipped: Skipped[] = []
  const drafts: Draft[] = []
  for (const contract of contracts) {
    const old = standing.get(contract.id!)
    const lines = expected(context, basis, contract, staffOf(contract), last, month)
    const reason =
      old?.stage === 'confirmed'
        ? { cn: `预算${String(old.budgetNo)}已确认`, en: `Budget ${String(old.budgetNo)} is confirmed` }
        : lines.length === 0 && basis !== 'manual'
          ? noBasis[basis]
          : undefined
    if (reason) {
      skipped.push({
        id: contract.id!,
        name: `${String(contract.contractNo)} ${String(contract.customerName)}`,
        reason,
      })
      continue
    }
    const terms = taxTermsOf(contract)
    const { worked, records } = workOut(contract, terms, month, lines, byId, last)
    const values: RecordData = {
      customer: contract.customer,
      contract: contract.id,
      month,
      basis,
      reserveRate: wish.reserveRate ?? '0',
      ...terms,
      headcount: worked.headcount,
      ...worked.amounts,
      stage: 'drafted',
    }
    drafts.push({ old, values, lines: records })
  }
  const budgets = await writeDrafts(context, db, drafts)
  return { budgets, skipped: [...skipped, ...(await withoutContract(context, db, customers ?? [], contracts))] }
}

const noBasis: Record<string, Label> = {
  roster: { cn: '没有在册人员', en: 'Nobody is on the roster' },
  lastStatement: { cn: '没有上月账单', en: 'There is no last statement' },
}

/**
 * People are budgeted where they are billed; whose own contract is not in force, in the first of their customer that
 * is.
 */
const contractOf = ({ customer, serviceContract }: RecordData, contracts: readonly RecordData[]): number | undefined =>
  (contracts.find(({ id }) => id === serviceContract) ?? contracts.find((one) => one.customer === customer))?.id

function expected(
  context: Context,
  basis: string,
  contract: RecordData,
  staff: readonly (Employed & { record: RecordData })[],
  last: LastLines,
  month: string,
): PlannedLine[] {
  if (basis === 'manual') return []
  const known = last.ofPerson as ReadonlyMap<number, unknown> as ReadonlyMap<number, Known>
  const cities = new Map(staff.map(({ person, record }) => [person, record.insuranceCity as string | null]))
  const lines = (basis === 'roster' ? expectRoster : expectLast)(staff, known, budgetMonths(context, month)).map(
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
  return ofCompany ? [...lines, companyLineOf(recurring(ofCompany as unknown as Known))] : lines
}

export interface Draft {
  old?: RecordData
  values: RecordData
  lines: RecordData[]
}

/** Writes budgets with their lines; those of a draft that was there are replaced. */
export async function writeDrafts(context: Context, db: Db, drafts: readonly Draft[]): Promise<RecordData[]> {
  const [entity, lineEntity] = [entityOf(context, 'budget'), entityOf(context, 'budgetLine')]
  const made = drafts.map(({ old, values, lines }) => ({ old, lines, record: { ...old, ...values } as RecordData }))
  for (const { record } of made) recompute(context, entity, record)
  await insertRecords(
    context,
    db,
    entity,
    made.filter(({ old }) => !old).map(({ record }) => record),
  )
  await updateRecords(
    context,
    db,
    entity,
    made.flatMap(({ old, record }) => (old ? [{ old, record }] : [])),
  )
  const former = await readAll(
    context,
    db,
    'budgetLine',
    [
      isAnyOf(
        'budget',
        made.flatMap(({ old }) => old?.id ?? []),
      ),
    ],
    ['budget'],
  )
  await softDelete(
    context,
    db,
    lineEntity,
    former.map(({ id }) => id!),
  )
  await insertRecords(
    context,
    db,
    lineEntity,
    made.flatMap(({ record, lines }) => lines.map((line) => ({ ...line, budget: record.id }))),
  )
  await writeHistories(
    context,
    db,
    entity,
    made.map(({ record, old }) => ({ action: 'generate', record, old: old ?? null })),
  )
  await appendJournal(
    context,
    db,
    made.map(({ record, old }) => ({
      ...journalOf(record),
      action: 'generate',
      amountBefore: old ? String(old.totalAmount) : null,
      statusBefore: old ? 'drafted' : null,
      statusAfter: 'drafted',
    })),
  )
  await compareBudgets(
    context,
    db,
    made.map(({ record }) => record.contract as number),
  )
  return made.map(({ record }) => record)
}

export const journalOf = ({ id, budgetNo, customer, totalAmount }: RecordData) => ({
  subject: 'budget' as const,
  documentNo: String(budgetNo),
  customer: customer as number,
  budget: id,
  amountAfter: String(totalAmount),
})

/**
 * After a line was added, changed or deleted: fees, tax and totals of its budget anew.
 * @throws Refusal notAllowed: it is not a draft any more.
 */
export const adjustBudget: Procedure = async ({ context, db, records }) => {
  for (const id of new Set(records.map(({ budget }) => budget as number))) {
    const budget = await lockRecord(asWhole(context), db, entityOf(context, 'budget'), id)
    if (budget.stage !== 'drafted') throw new Refusal('notAllowed')
    const old = { ...budget }
    await addUp(context, db, budget)
    await appendJournal(context, db, [
      {
        ...journalOf(budget),
        action: 'adjust',
        amountBefore: String(old.totalAmount),
        statusBefore: 'drafted',
        statusAfter: 'drafted',
      },
    ])
    await writeHistory(context, db, entityOf(context, 'budget'), 'adjust', budget, old)
    await compareBudgets(context, db, [budget.contract as number])
  }
  const written = new Map(
    (
      await readAll(context, db, 'budgetLine', [
        isAnyOf(
          'id',
          records.map((record) => record.id!),
        ),
      ])
    ).map((line) => [line.id, line]),
  )
  for (const record of records) Object.assign(record, written.get(record.id))
}

async function addUp(context: Context, db: Db, budget: RecordData): Promise<void> {
  const entity = entityOf(context, 'budgetLine')
  const month = String(budget.month)
  const [contract] = await readAll(
    context,
    db,
    'contract',
    [isAnyOf('id', [budget.contract as number])],
    contractFields,
  )
  const kept = await readAll(context, db, 'budgetLine', [isAnyOf('budget', [budget.id!])])
  const employed = new Map(
    (await readEmployed(context, db, [budget.customer as number])).map((one) => [one.person, one]),
  )
  const last = await readLast(context, db, [budget.customer as number], month)
  const lines = kept.map(
    ({ id, lineType, person, label, workCity, ...amounts }) =>
      ({ id, lineType, person, label, workCity, amounts: plannedOf(amounts) }) as PlannedLine,
  )
  const { worked, records } = workOut(contract, budget, month, lines, employed, last)
  await updateRecords(
    context,
    db,
    entity,
    records.flatMap((values, index) => {
      const record = { ...kept[index], ...values }
      return kept[index] && changedFields(entity, kept[index], record).length > 0 ? [{ record, old: kept[index] }] : []
    }),
  )
  await insertRecords(
    context,
    db,
    entity,
    records.slice(kept.length).map((record) => ({ ...record, budget: budget.id })),
  )
  await changeRecord(context, db, entityOf(context, 'budget'), budget, {
    headcount: worked.headcount,
    ...worked.amounts,
  })
}
