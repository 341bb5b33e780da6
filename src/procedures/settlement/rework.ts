import type { Label } from '../../../engine/model/model.ts'
import type { HistoryName, ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { bill } from './bill.ts'
import { contractFields, itemsOf, knownFeeItems, readCarried, readCharged, readCosts, readPeople } from './billing.ts'
import { readPartnerFees } from './partnerFee.ts'
import { billCosts, statementAmounts, writeBills } from './writeBills.ts'
import type { BillItem } from './BillItem.ts'

type Statement = Stored<'statement'>
export const monthClosed: Label = { cn: '该月已关账', en: 'The month is closed' }
/** The action in the history; absent if another change records it. */
interface Told {
  action?: HistoryName
}

/**
 * The statement, locked until the transaction ends.
 * @throws Refusal notAllowed where it or its month is not open any more, unknownRecord.
 */
export async function lockOpen(work: ProcedureWork, id: number): Promise<Statement> {
  const statement = await work.lock('statement', id)
  if (statement.stage !== 'generated') work.refuseCall()
  const { closedMonth } = work.settings.parameter
  if (closedMonth && statement.billMonth <= closedMonth) work.refuseCall(monthClosed)
  return statement
}

/** After its adjustments have changed: lines and totals anew, of the items as they are. Writes the statement too. */
export async function addUp(work: ProcedureWork, statement: Statement, told: Told = {}): Promise<void> {
  const items = await work.read('statementItem', { where: { statement: statement.id } })
  await rewrite(work, { statement, items: items.map(billItem), terms: {} }, told)
}

/** From the costs and the contract as they are now; adjustments stay, what is to be carried over is looked for anew. */
export async function workOutAnew(work: ProcedureWork, statement: Statement, told: Told = {}): Promise<void> {
  const { id } = statement
  const contracts = await work.read('contract', { where: { id: statement.contract }, fields: contractFields })
  const [contract] = contracts
  const costs = (await readCosts(work, contracts, statement, id)).get(contract.id)!
  const before = await work.read('costLine', { where: { statement: id }, fields: ['statement'] })
  const people = await readPeople(
    work,
    costs.map(({ person }) => person),
  )
  const adjustments = await work.read('statementItem', { where: { statement: id, sourceType: 'manual' } })
  const carried = (await readCarried(work, [contract.id], statement.billMonth, id)).get(contract.id)!
  const charged = await readCharged(work, [contract.id], statement, id)
  const { agency, taxMethod, taxRate, surchargeRate, taxBorne } = contract
  const items = [
    ...itemsOf(contract, costs, { months: statement, people, feeItems: knownFeeItems(work), charged }),
    ...adjustments.map(billItem),
    ...carried,
  ]
  // One that was begun by hand may be empty; one that had costs is voided instead.
  if (items.length === 0 && !decimal(statement.totalAmount).isZero())
    work.refuseCall({ cn: '没有待出账的费用', en: 'There are no costs to bill' })
  await rewrite(
    work,
    {
      statement,
      items,
      terms: { agency, taxMethod, taxRate, surchargeRate, taxBorne },
    },
    told,
  )
  const now = new Set(costs.map((cost) => cost.id))
  await billCosts(work, [
    { statement: null, costs: before.filter((cost) => !now.has(cost.id)) },
    { statement: id, costs },
  ])
}

/** An item that stays, billed anew. */
const billItem = ({
  id,
  person,
  feeItem,
  party,
  costMonth,
  policy,
  base,
  rate,
  fixedAmount,
  amount,
  sourceType,
  sourceId,
  reason,
}: Stored<'statementItem'>): BillItem => ({
  id,
  person,
  feeItem,
  party,
  costMonth,
  policy,
  base,
  rate,
  fixedAmount,
  amount,
  sourceType: sourceType ?? 'manual',
  sourceId,
  reason,
})

interface Rewritten {
  statement: Statement
  items: readonly BillItem[]
  terms: Pick<Values<'statement'>, 'agency' | 'taxMethod' | 'taxRate' | 'surchargeRate' | 'taxBorne'>
}

async function rewrite(work: ProcedureWork, { statement, items, terms }: Rewritten, told: Told): Promise<void> {
  const worked = bill(items, taxTermsOf({ ...statement, ...terms }), knownFeeItems(work))
  const people = await readPeople(
    work,
    items.map(({ person }) => person),
  )
  await writeBills(work, [{ statement, bill: worked }], people)
  const partnerFee = await readPartnerFees(work, [statement.customer])
  await work.change(
    'statement',
    statement,
    { ...terms, ...statementAmounts(worked), partnerFee: partnerFee(statement.customer, worked.headcount) },
    told,
  )
}

/** How a statement is taxed, all from its contract. */
export const taxTermsOf = ({
  taxMethod,
  taxRate = null,
  surchargeRate = null,
  taxBorne,
}: Pick<Values<'statement'>, 'taxMethod' | 'taxRate' | 'surchargeRate' | 'taxBorne'>) => ({
  taxMethod: taxMethod!,
  taxRate,
  surchargeRate,
  taxBorne: taxBorne!,
})
