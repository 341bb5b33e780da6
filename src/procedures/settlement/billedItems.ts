import { type BilledContract, type Cost, isIn } from './billableCosts.ts'
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
  const rules = isIn(contract, billMonth) ? allRules(contract) : allRules(contract).flatMap(afterEnd)
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
  })
  return [...items, ...fees]
}

/** Whether the contract is in force in a month, and the person there on some day of it. */
const isWithinTerm = (contract: Pick<BilledContract, 'startDate' | 'lastDay'>, head: Head, month: string): boolean =>
  isIn(contract, month) && [head, ...(head.former ?? [])].some((stint) => isThere(stint, month))

/** Its last costs are billed after a contract has ended: what it charges for a month as such is not due any more. */
const afterEnd = (rule: FeeRule): FeeRule[] => (rule.feeMode === 'fixed' ? [] : [{ ...rule, minAmount: null }])

const allRules = ({ feeRules }: Pick<BilledContract, 'feeRules'>): FeeRule[] =>
  (feeRules ?? []).map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }))

export const rulesOf = (contract: Pick<BilledContract, 'feeRules'>, month: string): FeeRule[] =>
  allRules(contract).filter((rule) => isInForceIn(rule, month))
