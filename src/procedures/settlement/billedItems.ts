import { type BilledContract, type Cost, isIn } from './billableCosts.ts'
import { feesOf, type FeeRule, isInForceIn } from './fees.ts'
import { type FeeGrounds, headsOf } from './heads.ts'
import type { StatementItem } from './StatementItem.ts'

/** The items of a statement: its costs, and the fees that the contract charges for them. */
export function itemsOf(
  contract: Pick<BilledContract, 'id' | 'customer' | 'contractNo' | 'feeRules' | 'startDate' | 'lastDay'>,
  costs: readonly Cost[],
  grounds: FeeGrounds,
): StatementItem[] {
  const { billMonth } = grounds.months
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
    }),
  )
  const rules = isIn(contract, billMonth) ? allRules(contract) : allRules(contract).flatMap(afterEnd)
  const fees = feesOf(rules, {
    billMonth,
    contractNo: contract.contractNo,
    costs: items,
    heads: headsOf(contract, rules, costs, grounds),
  })
  return [...items, ...fees]
}

/** Its last costs are billed after a contract has ended: what it charges for a month as such is not due any more. */
const afterEnd = (rule: FeeRule): FeeRule[] => (rule.feeMode === 'fixed' ? [] : [{ ...rule, minAmount: null }])

const allRules = ({ feeRules }: Pick<BilledContract, 'feeRules'>): FeeRule[] =>
  (feeRules ?? []).map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }))

export const rulesOf = (contract: Pick<BilledContract, 'feeRules'>, month: string): FeeRule[] =>
  allRules(contract).filter((rule) => isInForceIn(rule, month))
