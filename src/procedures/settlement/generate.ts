import { sql } from 'kysely'
import { recompute } from '../../../engine/server/effects.ts'
import { visibleConditions, main, readStored } from '../../../engine/server/read.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { canonicalRecord } from '../../../engine/server/stored.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { Label, RecordData } from '../../../engine/schema/model.ts'
import { bill } from './bill.ts'
import {
  contractFields,
  firstDay,
  isInForce,
  isStanding,
  itemsOf,
  knownFeeItems,
  lastDay,
  readCarried,
  readCosts,
  readPeople,
  type BilledMonths,
} from './billing.ts'
import { compareBudgets } from './compareBudgets.ts'
import { dueDate, expectedConfirmation } from './dueDate.ts'
import type { PaymentTerms } from './dueDate.ts'
import { appendJournal } from './journal.ts'
import { readPartnerFees } from './partnerFee.ts'
import { column, entityOf, isAnyOf, readAll } from './stored.ts'
import type { TaxTerms } from './tax.ts'
import { billCosts, statementAmounts, writeBills } from './writeBills.ts'

/** A contract that got no statement, or a customer without one, and why. */
export interface Skipped {
  id: number
  name: string
  reason: Label
}
export interface Generated {
  statements: RecordData[]
  skipped: Skipped[]
}

/**
 * One statement for each service contract that is in force and has costs, of these customers or of all that the user
 * sees, but for those who are `barred`. Contracts are locked, so that two who generate at once do not make two for the
 * same month.
 */
export async function generate(
  context: Context,
  db: Db,
  months: BilledMonths,
  customers?: readonly number[],
  barred: ReadonlySet<number> = new Set(),
): Promise<Generated> {
  const wanted = customers ? [isAnyOf('customer', customers)] : []
  const entity = entityOf(context, 'contract')
  const found = await readStored(
    context,
    db,
    entity,
    [...visibleConditions(context, entity), isInForce(months), ...wanted],
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
        'statement',
        [
          isAnyOf(
            'contract',
            contracts.map(({ id }) => id!),
          ),
          sql`${column('billMonth')} = ${months.billMonth}`,
          isStanding,
        ],
        ['contract', 'statementNo'],
      )
    ).map(({ contract, statementNo }) => [contract, String(statementNo)]),
  )

  const isBarred = ({ customer }: RecordData) => barred.has(customer as number)
  const open = contracts.filter((contract) => !standing.has(contract.id!) && !isBarred(contract))
  const costs = await readCosts(context, db, byPrecedence(open, months), months, null)
  const billed = open.filter(({ id }) => costs.get(id!)!.length > 0)
  const statements = await write(context, db, months, billed, costs)
  const nameOf = ({ contractNo, customerName }: RecordData) => `${String(contractNo)} ${String(customerName)}`
  return {
    statements,
    skipped: [
      ...contracts.flatMap((contract): Skipped[] => {
        const number = standing.get(contract.id!)
        if (number === undefined && (costs.get(contract.id!)?.length ?? 0) > 0) return []
        const reason =
          number === undefined
            ? isBarred(contract)
              ? customerDisabled
              : nothingToBill
            : { cn: `本月已有对账单${number}`, en: `It has statement ${number} for the month already` }
        return [{ id: contract.id!, name: nameOf(contract), reason }]
      }),
      ...(await withoutContract(context, db, customers ?? [], contracts)),
    ],
  }
}

const customerDisabled: Label = {
  cn: '客户已停用，不再出账',
  en: 'The customer is disabled and gets no new statements',
}
const nothingToBill: Label = { cn: '没有待出账的费用', en: 'There are no costs to bill' }

/** Costs that name no contract go to the first that is in force in the bill month itself. */
function byPrecedence(contracts: readonly RecordData[], { billMonth }: BilledMonths): RecordData[] {
  const isCurrent = ({ startDate, lastDay: end }: RecordData) =>
    String(startDate) <= lastDay(billMonth) && String(end ?? '9999') >= firstDay(billMonth)
  return [...contracts].sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))
}

/** Of these customers, those of whom no contract is among these. */
export async function withoutContract(
  context: Context,
  db: Db,
  customers: readonly number[],
  contracts: readonly RecordData[],
): Promise<Skipped[]> {
  const without = customers.filter((id) => !contracts.some(({ customer }) => customer === id))
  if (without.length === 0) return []
  const entity = entityOf(context, 'customer')
  const named = await readStored(context, db, entity, [...visibleConditions(context, entity), isAnyOf('id', without)], {
    fields: ['name'],
  })
  return named.map(({ id, name }) => ({
    id: id!,
    name: String(name),
    reason: { cn: '本月没有生效的服务合同', en: 'No service contract is in force in the month' },
  }))
}

async function write(
  context: Context,
  db: Db,
  months: BilledMonths,
  contracts: RecordData[],
  costs: ReadonlyMap<number, RecordData[]>,
): Promise<RecordData[]> {
  if (contracts.length === 0) return []
  const people = await readPeople(
    context,
    db,
    contracts.flatMap(({ id }) => costs.get(id!)!.map(({ person }) => person as number | null)),
  )
  const carried = await readCarried(
    context,
    db,
    contracts.map(({ id }) => id!),
    months.billMonth,
    null,
  )
  const balances = new Map(
    (
      await readAll(
        context,
        db,
        'customer',
        [
          isAnyOf(
            'id',
            contracts.map(({ customer }) => customer as number),
          ),
        ],
        ['balance'],
      )
    ).map(({ id, balance }) => [id, balance]),
  )
  const feeItems = knownFeeItems(context)
  const partnerFee = await readPartnerFees(
    context,
    db,
    contracts.map(({ customer }) => customer as number),
  )
  const made = contracts.map((contract) => {
    const { id, customer, agency, taxMethod, taxRate, surchargeRate, taxBorne } = contract
    const terms = { taxMethod, taxRate, surchargeRate, taxBorne }
    const worked = bill(
      [...itemsOf(contract, costs.get(id!)!, months, people), ...carried.get(id!)!],
      terms as unknown as TaxTerms,
      feeItems,
    )
    const statement: RecordData = {
      customer,
      contract: id,
      agency,
      ...months,
      ...terms,
      ...statementAmounts(worked),
      partnerFee: partnerFee(customer as number, worked.headcount),
      priorBalance: balances.get(customer as number) ?? '0.00',
      stage: 'generated',
      dueDate: dueDate(contract as unknown as PaymentTerms, months.billMonth, expectedConfirmation(context.now)),
    }
    return { statement, bill: worked }
  })
  const statements = made.map(({ statement }) => statement)
  const entity = entityOf(context, 'statement')
  for (const statement of statements) recompute(context, entity, statement)
  await insertRecords(context, db, entity, statements)
  await writeBills(context, db, made, people, true)
  await billCosts(
    context,
    db,
    statements.map(({ id, contract }) => ({
      statement: id!,
      costs: costs.get(contract as number)!.map((cost) => cost.id!),
    })),
  )
  await compareBudgets(
    context,
    db,
    contracts.map(({ id }) => id!),
  )
  await appendJournal(
    context,
    db,
    statements.map(({ id, statementNo, customer, totalAmount }) => ({
      subject: 'statement',
      documentNo: String(statementNo),
      customer: customer as number,
      statement: id,
      action: 'generate',
      amountAfter: String(totalAmount),
      statusAfter: 'generated',
    })),
  )
  return statements
}
