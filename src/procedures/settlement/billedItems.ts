import { type BilledContract, type Cost, isIn } from './billableCosts.ts'
import type { Charged } from './charged.ts'
import { feesOf, type FeeRule, type Head, isInForceIn, isThere } from './fees.ts'
import { type FeeGrounds, headsOf } from './heads.ts'
import type { StatementItem } from './StatementItem.ts'

/** The items of a statement: its costs, and the fees that the contract charges for them. */
export function itemsOf(
  contract: Pick<BilledContract, 'id' | 'contractNo' | 'feeRules' | 'startDate' | 'lastDay'>,
  costs: readonly Cost[],
  grounds: FeeGrounds,
): StatementItem[] {
  const { charged, months } = grounds
  const { billMonth } = months
  const { id } = contract
  const rules = allRules(contract)
  const heads = headsOf(contract, rules, costs, grounds)
  const within = new Set(heads.filter((head) => isWithinTerm(contract, head, billMonth)).map(({ person }) => person))
  // The statement that charges the month instead finds it here each time it is recomputed.
  const isLeft = (person: number) => charged.wasOutside(person) && charged.isCharged(person, billMonth)
  const items = costs.map(
    ({
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
    }): StatementItem => ({
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
      ...(person !== null && (!within.has(person) || isLeft(person)) && { outsideTerm: true }),
    }),
  )
  const fees = feesOf(rules, {
    billMonth,
    contractNo: contract.contractNo,
    costs: items,
    heads,
    missed: charged.outsideTerm(id).filter((month) => month < billMonth && isIn(contract, month)),
    // Its last costs are billed after a contract has ended: what it charges for a month as such is not due any more.
    isWhole: (month) => isIn(contract, month) && (month === billMonth || charged.hasStatement(id, month)),
    elsewhere: ({ serviceType = null }, month) => charged.feesFor(id, serviceType, month),
  })
  return [...items, ...fees]
}

/** Whether the contract is in force in a month, and the person there on some day of it. */
const isWithinTerm = (contract: Pick<BilledContract, 'startDate' | 'lastDay'>, head: Head, month: string): boolean =>
  isIn(contract, month) && [head, ...(head.former ?? [])].some((stint) => isThere(stint, month))

/**
 * Whether a statement of this month is outside the contract's term, so that the month is charged later if it turns out
 * to be within it. The statement that charges it then finds it here each time it is recomputed.
 */
export const isOutsideTerm = (
  contract: Pick<BilledContract, 'id' | 'startDate' | 'lastDay'>,
  month: string,
  charged: Charged,
): boolean => !isIn(contract, month) || (charged.wasOutsideTerm && charged.isChargedElsewhere(contract.id, month))

const allRules = ({ feeRules }: Pick<BilledContract, 'feeRules'>): FeeRule[] =>
  (feeRules ?? []).map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }))

export const rulesOf = (contract: Pick<BilledContract, 'feeRules'>, month: string): FeeRule[] =>
  allRules(contract).filter((rule) => isInForceIn(rule, month))
