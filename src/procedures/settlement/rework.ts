import { sql } from 'kysely'
import { Refusal } from '../../../engine/server/errors.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { bill, type BillItem } from './bill.ts'
import {
  contractFields,
  itemsOf,
  knownFeeItems,
  readCarried,
  readCosts,
  readPeople,
  type BilledMonths,
} from './billing.ts'
import { readPartnerFees } from './partnerFee.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from './stored.ts'
import type { TaxTerms } from './tax.ts'
import { billCosts, statementAmounts, writeBills } from './writeBills.ts'

/**
 * The statement, locked until the transaction ends.
 * @throws Refusal notAllowed where it is not open any more, unknownRecord.
 */
export async function lockOpen(context: Context, db: Db, id: number): Promise<RecordData> {
  const statement = await lockRecord(asWhole(context), db, entityOf(context, 'statement'), id)
  if (statement.stage !== 'generated') throw new Refusal('notAllowed')
  return statement
}

/** After its adjustments have changed: lines and totals anew, of the items as they are. Writes the statement too. */
export async function addUp(context: Context, db: Db, statement: RecordData): Promise<void> {
  const items = await readAll(context, db, 'statementItem', [isAnyOf('statement', [statement.id!])])
  await rewrite(context, db, statement, items as unknown as BillItem[], {})
}

/** From the costs and the contract as they are now; adjustments stay, what is to be carried over is looked for anew. */
export async function workOutAnew(context: Context, db: Db, statement: RecordData): Promise<void> {
  const id = statement.id!
  const months = statement as unknown as BilledMonths
  const contracts = await readAll(
    context,
    db,
    'contract',
    [isAnyOf('id', [statement.contract as number])],
    contractFields,
  )
  const [contract] = contracts
  const costs = (await readCosts(context, db, contracts, months, id)).get(contract.id!)!
  if (costs.length === 0)
    throw new Refusal('notAllowed', { text: { cn: '没有待出账的费用', en: 'There are no costs to bill' } })
  const before = await readAll(context, db, 'costLine', [sql<boolean>`${column('statement')} = ${id}`], ['statement'])
  const people = await readPeople(
    context,
    db,
    costs.map(({ person }) => person as number | null),
  )
  const adjustments = await readAll(context, db, 'statementItem', [
    isAnyOf('statement', [id]),
    sql<boolean>`${column('sourceType')} = 'manual'`,
  ])
  const carried = (await readCarried(context, db, [contract.id!], months.billMonth, id)).get(contract.id!)!
  const { agency, taxMethod, taxRate, surchargeRate, taxBorne } = contract
  await rewrite(
    context,
    db,
    statement,
    [...itemsOf(contract, costs, months, people), ...(adjustments as unknown as BillItem[]), ...carried],
    {
      agency,
      taxMethod,
      taxRate,
      surchargeRate,
      taxBorne,
    },
  )
  const now = new Set(costs.map((cost) => cost.id))
  await billCosts(context, db, [
    { statement: null, costs: before.flatMap((cost) => (now.has(cost.id) ? [] : cost.id!)) },
    { statement: id, costs: costs.map((cost) => cost.id!) },
  ])
}

async function rewrite(
  context: Context,
  db: Db,
  statement: RecordData,
  items: readonly BillItem[],
  terms: RecordData,
): Promise<void> {
  const worked = bill(items, { ...statement, ...terms } as unknown as TaxTerms, knownFeeItems(context))
  const people = await readPeople(
    context,
    db,
    items.map(({ person }) => person),
  )
  await writeBills(context, db, [{ statement, bill: worked }], people, false)
  const partnerFee = (await readPartnerFees(context, db, [statement.customer as number]))(
    statement.customer as number,
    worked.headcount,
  )
  await changeRecord(context, db, entityOf(context, 'statement'), statement, {
    ...terms,
    ...statementAmounts(worked),
    partnerFee,
  })
}
