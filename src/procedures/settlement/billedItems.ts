import { type BilledContract, type BilledMonths, type Cost, isIn } from './billableCosts.ts'
import type { OtherCharges } from './statementCharges.ts'
import {
  bothFees,
  type ChargedElsewhere,
  feesOf,
  type FeeRule,
  type Head,
  isInForceIn,
  isThere,
  noFees,
} from './fees.ts'
import { formThen } from './formThen.ts'
import { type FeeGrounds, headsOf } from './heads.ts'
import type { StatementItem } from './StatementItem.ts'

/** The items of a statement: its costs, and the fees that the contract charges for them. */
export function itemsOf(
  contract: Pick<BilledContract, 'id' | 'customer' | 'contractNo' | 'feeRules' | 'startDate' | 'lastDay' | 'renewalOf'>,
  costs: readonly Cost[],
  grounds: FeeGrounds,
): StatementItem[] {
  const { charged, months } = grounds
  const { billMonth } = months
  const rules = allRules(contract)
  const heads = headsOf(contract, rules, costs, grounds)
  const within = new Set(heads.filter((head) => isWithinTerm(contract, head, billMonth)).map(({ person }) => person))
  // The statement that charges the month instead finds it here each time it is recomputed.
  const isLeft = (person: number) =>
    charged.isChargedLater(contract.id, billMonth, person) ||
    (charged.wasOutside(person) && charged.isCharged(person, billMonth))
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
    isFor: formThen(contract, rules, costs, grounds),
    ...chargedElsewhere(contract, rules, charged, billMonth),
  })
  return [...items, ...fees]
}

/** What a contract charges without any costs: fixed and minimum fees. */
export const feesAlone = (
  contract: Parameters<typeof itemsOf>[0],
  months: BilledMonths,
  grounds: Pick<FeeGrounds, 'feeItems' | 'charged'>,
): StatementItem[] => itemsOf(contract, [], { ...grounds, months, people: new Map() })

/**
 * Which months a contract charges as such, and what its other statements charge for them. Months that the renewed
 * contract billed after its end belong to the renewal, if that is in force in them.
 */
function chargedElsewhere(
  contract: Pick<BilledContract, 'id' | 'startDate' | 'lastDay' | 'renewalOf'>,
  rules: readonly FeeRule[],
  charged: OtherCharges,
  billMonth: string,
): Required<ChargedElsewhere> {
  const { id, renewalOf } = contract
  const billedLate = (contractId: number) =>
    charged.outsideTerm(contractId).filter((month) => month < billMonth && isIn(contract, month))
  const ofFormer = typeof renewalOf === 'number' ? billedLate(renewalOf) : []
  const isOnly = (month: string) =>
    rules.filter((rule) => rule.feeMode !== 'none' && isInForceIn(rule, month)).length === 1
  return {
    missed: [...new Set([...billedLate(id), ...ofFormer])],
    // Its last costs are billed after a contract has ended: what it charges for a month as such is not due any more.
    isWhole: (month) =>
      isIn(contract, month) && (month === billMonth || charged.hasStatement(id, month) || ofFormer.includes(month)),
    elsewhere({ serviceType = null }, month) {
      const contracts = ofFormer.includes(month) ? [id, Number(renewalOf)] : [id]
      // Fees stored by an earlier version do not say their service; those of the only rule do not need to.
      const services = serviceType !== null && isOnly(month) ? [serviceType, null] : [serviceType]
      return contracts
        .flatMap((each) => services.map((service) => charged.feesFor(each, service, month)))
        .reduce(bothFees, noFees)
    },
  }
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
  charged: OtherCharges,
): boolean =>
  !isIn(contract, month) ||
  charged.isChargedLater(contract.id, month) ||
  (charged.wasOutsideTerm && charged.isChargedElsewhere(contract.id, month))

const allRules = ({ feeRules }: Pick<BilledContract, 'feeRules'>): FeeRule[] =>
  (feeRules ?? []).map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }))

export const rulesOf = (contract: Pick<BilledContract, 'feeRules'>, month: string): FeeRule[] =>
  allRules(contract).filter((rule) => isInForceIn(rule, month))
