import { addDays, addMonths, Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, round2, total, type Amount } from '../money/amounts.ts'
import { isPassThrough } from './feeItems.ts'
import type { StatementItem } from './StatementItem.ts'

/** What a service contract charges for one of its service types. */
export interface FeeRule {
  /** Only people with this service are charged; everybody if absent. */
  serviceType?: string
  feeMode: string
  chargeRule: string
  unitPrice: Amount
  ratePercent: Amount
  percentBase: string | null
  fixedAmount: Amount
  tiers: readonly { from: number; to: number | null; price: string }[]
  minAmount: Amount
  maxAmount: Amount
}

/** A person whose costs are billed, and how much of the month they were employed. */
export interface Head {
  person: number
  joinedOn: string | null
  leftOn: string | null
  workedDays: number | null
  /** The month charged for them, if it is not that of the statement. */
  month?: string
  /** Their services; all if absent. */
  services?: ReadonlySet<string>
}

interface Charged {
  billMonth: string
  contractNo: string
  costs: readonly StatementItem[]
  heads: readonly Head[]
}

/**
 * The service fee of each rule, as items: per-person charges at the persons, everything else, and the difference to a
 * minimum or maximum, at the company. Percentages apply to the costs as delivered, so that an adjustment changes no
 * fee. For a service, people and costs are those of the people with it.
 */
export function feesOf(rules: readonly FeeRule[], charged: Charged): StatementItem[] {
  return rules
    .filter(({ feeMode }) => feeMode !== 'none')
    .flatMap((rule) => {
      const heads = charged.heads.filter((head) => has(head, rule))
      const others = new Set(
        charged.heads.filter((head) => !has(head, rule)).map(({ person }) => person as number | null),
      )
      const costs = charged.costs.filter(({ person }) => !others.has(person))
      const byHead = perHead(rule, { ...charged, heads })
      const atPersons = total(byHead.map(({ amount }) => amount))
      const plain = rule.feeMode === 'perHead' || rule.feeMode === 'tiered' ? atPersons : companyFee(rule, costs)
      const due = within(plain, rule)
      return [...byHead, { person: null, amount: due.minus(atPersons), month: charged.billMonth }]
        .filter(({ amount }) => !amount.isZero())
        .map(({ person, amount, month }): StatementItem => ({
          person,
          feeItem: 'serviceFee',
          party: 'company',
          costMonth: month,
          amount: money(amount),
          sourceType: 'contractFee',
          sourceId: charged.contractNo,
        }))
    })
}

/** People × price, rounded to two places as a whole: the last person gets the rounding difference. */
function perHead(
  rule: FeeRule,
  { heads: all, billMonth }: Charged,
): { person: number; amount: Decimal; month: string }[] {
  const heads = all
    .map((head) => ({ ...head, share: headShare(rule.chargeRule, head.month ?? billMonth, head) }))
    .filter(({ share }) => !share.isZero())
  const price = priceOf(rule, heads.length)
  if (price === undefined) return []
  const exact = heads.map(({ share }) => price.times(share))
  const amounts = exact.map(round2)
  const last = amounts.findLastIndex((amount) => !amount.isZero())
  if (last >= 0) amounts[last] = amounts[last].plus(round2(total(exact)).minus(total(amounts)))
  return heads.map(({ person, month = billMonth }, index) => ({ person, month, amount: amounts[index] }))
}

const has = ({ services }: Head, { serviceType }: FeeRule): boolean =>
  services === undefined || serviceType === undefined || services.has(serviceType)

function priceOf({ feeMode, unitPrice, tiers }: FeeRule, headcount: number): Decimal | undefined {
  if (feeMode === 'perHead') return decimal(unitPrice)
  if (feeMode !== 'tiered') return undefined
  const tier = tiers.find(({ from, to }) => from <= headcount && headcount <= (to ?? Infinity))
  return tier && decimal(tier.price)
}

/** How much of a full month a person counts for: nothing if they are not employed in it at all. */
export function headShare(
  chargeRule: string,
  month: string,
  { joinedOn, leftOn, workedDays }: Omit<Head, 'person'>,
): Decimal {
  const [first, middle, last] = [`${month}-01`, `${month}-15`, addDays(addMonths(`${month}-01`, 1)!, -1)!]
  if (!isThere({ joinedOn, leftOn }, month)) return new Decimal(0)
  if (chargeRule === 'halfMonth') {
    return new Decimal((joinedOn !== null && joinedOn > middle) || (leftOn !== null && leftOn <= middle) ? 0.5 : 1)
  }
  if (chargeRule !== 'byDay') return new Decimal(1)
  const days = Number(last.slice(8))
  const from = joinedOn !== null && joinedOn > first ? joinedOn : first
  const to = leftOn !== null && leftOn < last ? leftOn : last
  const there = workedDays ?? Number(to.slice(8)) - Number(from.slice(8)) + 1
  return new Decimal(Math.min(there, days)).dividedBy(days)
}

/** Whether they are employed on some day of the month, as far as is known. */
export const isThere = ({ joinedOn, leftOn }: Pick<Head, 'joinedOn' | 'leftOn'>, month: string): boolean =>
  (joinedOn === null || joinedOn.slice(0, 7) <= month) && (leftOn === null || leftOn.slice(0, 7) >= month)

function companyFee(
  { feeMode, fixedAmount, ratePercent, percentBase }: FeeRule,
  costs: readonly StatementItem[],
): Decimal {
  if (feeMode === 'fixed') return decimal(fixedAmount)
  const isBillable = billableAmong(costs)
  const counts: Record<string, (item: StatementItem) => boolean> = {
    wage: ({ feeItem }) => feeItem === 'grossWage',
    passThrough: (item) => isPassThrough(item.feeItem) && isBillable(item),
    total: isBillable,
  }
  const base = total(costs.filter(counts[percentBase ?? 'total']).map(({ amount }) => decimal(amount)))
  return round2(base.times(decimal(ratePercent)).dividedBy(100))
}

function within(amount: Decimal, { minAmount, maxAmount }: FeeRule): Decimal {
  const least = minAmount === null ? amount : Decimal.max(amount, decimal(minAmount))
  return maxAmount === null ? least : Decimal.min(least, decimal(maxAmount))
}

/**
 * Always what the company bears; what the person bears, and income tax, only if it is not already part of a gross wage.
 */
export function billableAmong(costs: readonly StatementItem[]): (item: StatementItem) => boolean {
  const paid = new Set(costs.filter(({ feeItem }) => feeItem === 'grossWage').map(({ person }) => person))
  return ({ party, person, feeItem }) => (party === 'company' && feeItem !== 'incomeTax') || !paid.has(person)
}
