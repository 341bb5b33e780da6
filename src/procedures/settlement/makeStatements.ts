import type { Label } from '../../../engine/model/model.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { computeStatement, type ComputedStatement } from './computeStatement.ts'
import {
  type BilledContract,
  type BilledMonths,
  contractFields,
  type Cost,
  isIn,
  isInForce,
  knownFeeItems,
  type People,
  readCosts,
  readOwing,
  readPeople,
} from './billableCosts.ts'
import { feesAlone, isOutsideTerm, itemsOf } from './billedItems.ts'
import { carriedIntoEach, readCarriedOver } from './carriedOver.ts'
import { otherCharges, readCharges, withCharges } from './statementCharges.ts'
import { feeMonths } from './heads.ts'
import { compareBudgets } from './compareBudgets.ts'
import { dueDate, expectedConfirmation } from './dueDate.ts'
import { isStanding } from './isStanding.ts'
import { appendJournal } from './journal.ts'
import { lockOpenMonths } from './lockBilling.ts'
import { readPartnerFees } from './partnerFee.ts'
import { readMissedFees } from './missedFees.ts'
import { leftToOwn } from './ownContract.ts'
import { taxTermsOf } from './recomputeStatements.ts'
import { billCosts, statementAmounts, writeStatements } from './writeStatements.ts'

/** A contract that got no statement, or a customer without a contract, and why. */
export interface Skipped {
  id: number
  name: string
  reason: Label
}
export interface Generated {
  statements: Stored<'statement'>[]
  skipped: Skipped[]
}

interface Wish {
  months: BilledMonths
  /** If absent, all that the user sees. */
  customers?: readonly number[]
  /** Customers that get none. */
  barred?: ReadonlySet<number>
  /** Contracts without any charges get one too, to be filled in by hand. */
  begun?: boolean
}

/**
 * One statement for each service contract in force that has costs or charges but no statement yet, for these customers
 * or all that the user sees, except those `barred`.
 */
export async function makeStatements(
  work: ProcedureWork,
  { months, customers, barred = new Set(), begun = false }: Wish,
): Promise<Generated> {
  await lockOpenMonths(work, [months.billMonth], customers)
  const missed = await readMissedFees(work, months, customers)
  const contracts = await work.read('contract', {
    where: {
      ...isInForce(months, [...(await readOwing(work, months, customers)), ...missed]),
      ...(customers && { customer: customers }),
    },
    fields: contractFields,
    seen: true,
  })
  const standing = new Map(
    (
      await work.read('statement', {
        where: { contract: contracts.map(({ id }) => id), billMonth: months.billMonth, ...isStanding },
        fields: ['contract', 'statementNo'],
      })
    ).map(({ contract, statementNo }) => [contract as number, statementNo]),
  )

  const isBarred = ({ customer }: BilledContract) => barred.has(customer)
  const open = contracts.filter((contract) => !standing.has(contract.id) && !isBarred(contract))
  const costs = await readCosts(work, byPrecedence(open, months), months)
  const feeItems = knownFeeItems(work)
  const charges = (contract: BilledContract) =>
    missed.has(contract.id) ||
    (isCurrent(contract, months) && feesAlone(contract, months, { feeItems, charged: otherCharges([]) }).length > 0)
  const billed = open.filter((contract) => begun || costs.get(contract.id)!.length > 0 || charges(contract))
  const billedIds = new Set(billed.map(({ id }) => id))
  const statements = await write(work, months, billed, costs)
  return {
    statements,
    skipped: [
      ...contracts.flatMap((contract): Skipped[] => {
        const number = standing.get(contract.id)
        if (billedIds.has(contract.id)) return []
        const reason =
          number === undefined
            ? isBarred(contract)
              ? customerDisabled
              : nothingToBill
            : { cn: `本月已有对账单${number}`, en: `Statement ${number} already exists for the month` }
        return [{ id: contract.id, name: `${contract.contractNo} ${contract.customerName}`, reason }]
      }),
      ...(await withoutContract(work, customers ?? [], contracts)),
    ],
  }
}

const customerDisabled: Label = {
  cn: '客户已停用，不再出账',
  en: 'The customer is disabled and gets no new statements',
}
const nothingToBill: Label = { cn: '没有待出账的费用', en: 'There are no costs to bill' }

/** Whether it is in force in the bill month itself. */
const isCurrent = (contract: BilledContract, { billMonth }: BilledMonths): boolean => isIn(contract, billMonth)

/** Costs that name no contract go to the first current one. */
const byPrecedence = (contracts: readonly BilledContract[], months: BilledMonths): BilledContract[] =>
  [...contracts].sort((a, b) => Number(isCurrent(b, months)) - Number(isCurrent(a, months)))

/** Those of these customers that have none of these contracts. */
export async function withoutContract(
  work: ProcedureWork,
  customers: readonly number[],
  contracts: readonly Pick<BilledContract, 'customer'>[],
): Promise<Skipped[]> {
  const without = customers.filter((id) => !contracts.some(({ customer }) => customer === id))
  const named = await work.read('customer', { where: { id: without }, fields: ['name'], seen: true })
  return named.map(({ id, name }) => ({
    id,
    name,
    reason: { cn: '本月没有生效的服务合同', en: 'No service contract is in force in the month' },
  }))
}

async function write(
  work: ProcedureWork,
  months: BilledMonths,
  contracts: readonly BilledContract[],
  costs: ReadonlyMap<number, readonly Cost[]>,
): Promise<Stored<'statement'>[]> {
  if (contracts.length === 0) return []
  const ids = contracts.map(({ id }) => id)
  const customers = contracts.map(({ customer }) => customer)
  const people = await readPeople(
    work,
    ids.flatMap((id) => costs.get(id)!.map(({ person }) => person)),
  )
  const computed = await computeEach(work, { months, contracts, costs, people })
  const balances = await work.byId('customer', customers, { fields: ['balance'] })
  const partnerFee = await readPartnerFees(work, customers)
  const { billMonth, wageMonth, insuranceMonth } = months
  const statements = await work.insert(
    'statement',
    contracts.map(({ id, customer, agency, taxMethod, taxRate, surchargeRate, taxBorne, ...contract }, index) => ({
      customer,
      contract: id,
      agency,
      billMonth,
      wageMonth,
      insuranceMonth,
      taxMethod,
      taxRate,
      surchargeRate,
      taxBorne,
      outsideTerm: computed[index].outsideTerm,
      ...statementAmounts(computed[index]),
      partnerFee: partnerFee(customer, computed[index].headcount),
      priorBalance: balances.get(customer)?.balance ?? '0.00',
      stage: 'generated',
      dueDate: dueDate(
        { paymentTerms: contract.paymentTerms!, paymentDay: contract.paymentDay },
        billMonth,
        expectedConfirmation(work.now),
      ),
    })),
    { action: 'generate' },
  )
  await writeStatements(
    work,
    statements.map((statement, index) => ({ statement, computed: computed[index] })),
    people,
    { areNew: true },
  )
  await billCosts(
    work,
    statements.map(({ id, contract }) => ({ statement: id, costs: costs.get(contract)! })),
  )
  await compareBudgets(work, ids)
  await appendJournal(
    work,
    statements.map(({ id, statementNo, customer, totalAmount }) => ({
      subject: 'statement',
      documentNo: statementNo,
      customer,
      statement: id,
      action: 'generate',
      amountAfter: totalAmount,
      statusAfter: 'generated',
    })),
  )
  return statements
}

interface Grounds {
  months: BilledMonths
  contracts: readonly BilledContract[]
  /** By contract. */
  costs: ReadonlyMap<number, readonly Cost[]>
  people: People
}

/** What the statement of each contract bills: its costs and fees, and the amounts that earlier ones carry over. */
async function computeEach(
  work: ProcedureWork,
  { months, contracts, costs, people }: Grounds,
): Promise<(ComputedStatement & { outsideTerm: boolean })[]> {
  const feeItems = knownFeeItems(work)
  const all = contracts.flatMap(({ id }) => costs.get(id)!)
  const charges = await readCharges(work, contracts, { months: feeMonths(all, months), people })
  const left = leftToOwn(
    contracts.map((contract) => ({
      contract,
      months,
      costs: costs.get(contract.id)!,
      charged: () => otherCharges(charges.get(contract.customer) ?? []),
    })),
    { people, feeItems },
  )
  const carriedOver = await readCarriedOver(
    work,
    contracts.map(({ customer }) => customer),
  )
  const carried = carriedIntoEach(carriedOver, contracts, months.billMonth)
  return contracts.map((contract, index) => {
    const { id, customer } = contract
    const others = charges.get(customer) ?? []
    const charged = otherCharges(others)
    const items = itemsOf(contract, costs.get(id)!, { months, people, feeItems, charged, elsewhere: left[index] })
    const outsideTerm = isOutsideTerm(contract, months.billMonth, charged)
    // It has no id yet, and is the only new one of its contract.
    const made = { id: -Number(id), customer, contract: id, billMonth: months.billMonth, outsideTerm }
    charges.set(customer, withCharges(others, made, items))
    return { ...computeStatement([...items, ...carried.get(id)!], taxTermsOf(contract), feeItems), outsideTerm }
  })
}
