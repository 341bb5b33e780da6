import type { HistoryName, ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { computeStatement } from './computeStatement.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { contractFields, costFields, costsOf, inOrderOfPersons, knownFeeItems, readPeople } from './billableCosts.ts'
import { isOutsideTerm, itemsOf } from './billedItems.ts'
import { carriedInto, readCarriedOver, takenUp } from './carriedOver.ts'
import { otherCharges, readCharges, withCharges, withoutCharges } from './statementCharges.ts'
import { feeMonths } from './heads.ts'
import { lockBilling, monthClosed } from './lockBilling.ts'
import { leftToOwn } from './ownContract.ts'
import { readPartnerFees } from './partnerFee.ts'
import { sharedCosts } from './sharedCosts.ts'
import { billCosts, statementAmounts, writeStatements } from './writeStatements.ts'
import type { StatementItem } from './StatementItem.ts'

type Statement = Stored<'statement'>
/** The action name in history; absent if another change records it. */
interface ChangeOptions {
  action?: HistoryName
}

/**
 * Statements in id order, locked until the transaction ends.
 * @throws Refusal notAllowed if one of them or its month is no longer open, unknownRecord.
 */
export async function lockOpen(work: ProcedureWork, ids: readonly number[]): Promise<Statement[]> {
  const statements = [...(await work.lockAll('statement', ids)).values()]
  const { closedMonth } = work.settings.parameter
  for (const { stage, billMonth } of statements) {
    if (stage !== 'generated') work.refuseCall()
    if (closedMonth && billMonth <= closedMonth) work.refuseCall(monthClosed)
  }
  return statements
}

/**
 * After their adjustments have changed: recomputes lines and totals from the items as they are. Writes the statements
 * too.
 */
export async function addUp(
  work: ProcedureWork,
  statements: readonly Statement[],
  options: ChangeOptions = {},
): Promise<void> {
  const where = { statement: statements.map(({ id }) => id) }
  const lines = await work.read('statementLine', { where: { ...where, outsideTerm: true }, fields: [] })
  const outside = new Set(lines.map(({ id }) => id as number))
  const items = groupedBy(await work.read('statementItem', { where }), ({ statement }) => statement as number)
  await rewrite(
    work,
    statements.map((statement) => ({
      statement,
      items: (items.get(statement.id) ?? []).map((item) => ({
        ...itemOf(item),
        outsideTerm: outside.has(item.line as number),
      })),
      terms: {},
    })),
    options,
  )
}

/**
 * Recomputes statements from current costs and contracts; adjustments stay, carried-over amounts are looked up again.
 * The earliest comes first, so that the next may take what it releases.
 */
export async function recomputeStatements(
  work: ProcedureWork,
  statements: readonly Statement[],
  options: ChangeOptions = {},
): Promise<void> {
  const ordered = statements.toSorted((a, b) => a.billMonth.localeCompare(b.billMonth) || a.id - b.id)
  const ids = ordered.map(({ id }) => id)
  const customers = ordered.map(({ customer }) => customer)
  await lockBilling(work, customers)
  const contracts = await work.byId(
    'contract',
    ordered.map(({ contract }) => contract),
    { fields: contractFields },
  )
  const open = await work.read('costLine', {
    where: { anyOf: [{ statement: ids }, { allOf: [{ statement: null }, costsOf([...contracts.values()])] }] },
    fields: [...costFields, 'statement'],
  })
  const { costs, moved } = sharedCosts(inOrderOfPersons(open), ordered)
  const people = await readPeople(
    work,
    open.map(({ person }) => person),
  )
  const adjustments = groupedBy(
    await work.read('statementItem', { where: { statement: ids, sourceType: 'manual' } }),
    ({ statement }) => statement as number,
  )
  let carriedOver = await readCarriedOver(work, customers)
  const feesFor = new Set(ordered.flatMap((statement) => [...feeMonths(costs.get(statement.id)!, statement)]))
  const charges = await readCharges(work, [...contracts.values()], { months: feesFor, people })
  for (const [customer, all] of charges) charges.set(customer, withoutCharges(all, ids))
  const feeItems = knownFeeItems(work)
  const left = leftToOwn(
    ordered.map((statement) => ({
      contract: contracts.get(statement.contract)!,
      months: statement,
      costs: costs.get(statement.id)!,
      charged: () => otherCharges(charges.get(statement.customer) ?? [], statement.id),
    })),
    { people, feeItems },
  )
  const rewritten = ordered.map((statement, index): Rewritten => {
    const { id } = statement
    const contract = contracts.get(statement.contract)!
    const others = charges.get(statement.customer) ?? []
    const carried = carriedInto(carriedOver, { ...statement, agency: contract.agency }, id)
    const charged = otherCharges(others, id)
    const outsideTerm = isOutsideTerm(contract, statement.billMonth, charged)
    const billed = itemsOf(contract, costs.get(id)!, {
      months: statement,
      people,
      feeItems,
      charged,
      elsewhere: left[index],
    })
    const items = [...billed, ...(adjustments.get(id) ?? []).map(itemOf), ...carried]
    // A statement begun by hand may be empty; one that had costs is voided instead.
    if (items.length === 0 && !decimal(statement.totalAmount).isZero())
      work.refuseCall({ cn: '没有待出账的费用', en: 'There are no costs to bill' })
    carriedOver = takenUp(carriedOver, statement, carried)
    charges.set(statement.customer, withCharges(others, { ...statement, outsideTerm }, billed))
    const { agency, taxMethod, taxRate, surchargeRate, taxBorne } = contract
    return { statement, items, terms: { agency, taxMethod, taxRate, surchargeRate, taxBorne, outsideTerm } }
  })
  await rewrite(work, rewritten, options)
  await billCosts(work, moved)
}

/** An item that stays, billed again. */
const itemOf = ({
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
  serviceType,
  passThrough,
  carriedFrom,
  reason,
}: Stored<'statementItem'>): StatementItem => ({
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
  serviceType,
  passThrough: sourceType === 'carryOver' ? passThrough : null,
  carriedFrom,
  reason,
})

interface Rewritten {
  statement: Statement
  items: readonly StatementItem[]
  /** The contract's current terms; absent ones stay unchanged. */
  terms: Pick<Values<'statement'>, 'agency' | 'taxMethod' | 'taxRate' | 'surchargeRate' | 'taxBorne' | 'outsideTerm'>
}

async function rewrite(work: ProcedureWork, rewritten: readonly Rewritten[], options: ChangeOptions): Promise<void> {
  const feeItems = knownFeeItems(work)
  const results = rewritten.map(({ statement, items, terms }) => ({
    statement,
    terms,
    computed: computeStatement(items, taxTermsOf({ ...statement, ...terms }), feeItems),
  }))
  const people = await readPeople(
    work,
    rewritten.flatMap(({ items }) => items.map(({ person }) => person)),
  )
  await writeStatements(work, results, people)
  const partnerFee = await readPartnerFees(
    work,
    rewritten.map(({ statement }) => statement.customer),
  )
  await work.changeAll(
    'statement',
    results.map(({ statement, terms, computed }) => ({
      record: statement,
      values: {
        ...terms,
        ...statementAmounts(computed),
        partnerFee: partnerFee(statement.customer, computed.headcount),
      },
    })),
    options,
  )
}

/** The tax terms of a statement, all from its contract. */
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
