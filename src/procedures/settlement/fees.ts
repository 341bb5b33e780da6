import { addDays, addMonths, Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, round2, total, zero, type Amount } from '../money/amounts.ts'
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
  /** The months in which it is in force; all if absent. */
  effectiveFrom?: string
  effectiveTo?: string | null
}

/** A person whose costs are billed, and how much of the month they were employed. */
export interface Head {
  person: number
  joinedOn: string | null
  leftOn: string | null
  workedDays: number | null
  /** Earlier times at the same contract. */
  former?: readonly Pick<Head, 'joinedOn' | 'leftOn'>[]
  /** The month charged for them, if it is not that of the statement. */
  month?: string
  /** Their services; all if absent. */
  services?: ReadonlySet<string>
  /** Another statement charges the month already: only services of costs that came late are left. */
  isCharged?: boolean
  /** Those charged here, and not by another statement or after the end of the contract; all if absent. */
  charges?: ReadonlySet<string>
}

/** A rule's fees for a month: per person, and the rest. */
export interface Fees {
  heads: Decimal
  company: Decimal
}
export const noFees: Fees = { heads: zero, company: zero }
export const bothFees = (fees: Fees, other: Fees): Fees => ({
  heads: fees.heads.plus(other.heads),
  company: fees.company.plus(other.company),
})

/** What other statements charge, and therefore this one does or does not. */
export interface ChargedElsewhere {
  /** Earlier months for which fixed or minimum fees are charged here, besides per-person fees. */
  missed?: readonly string[]
  /** Whether the contract charges a month as such; always if absent. */
  isWhole?: (month: string) => boolean
  /** What other statements charge by a rule for a month; nothing if absent. */
  elsewhere?: (rule: FeeRule, month: string) => Fees
}

interface Charged extends ChargedElsewhere {
  billMonth: string
  /** Whether a cost is for a rule's service; undefined where the present services of its person decide. */
  isFor?: (rule: FeeRule, cost: StatementItem) => boolean | undefined
  contractNo: string
  costs: readonly StatementItem[]
  heads: readonly Head[]
}

/**
 * The service fee of each rule, as items: per-person charges at the persons, everything else, and the difference to a
 * minimum or maximum of each month, at the company. Percentages apply to the costs as delivered, so that an adjustment
 * changes no fee. For a service, people and costs are those of the people with it.
 */
export function feesOf(rules: readonly FeeRule[], charged: Charged): StatementItem[] {
  const { billMonth, missed = [] } = charged
  return rules
    .filter(({ feeMode }) => feeMode !== 'none')
    .flatMap((rule) => {
      const heads = charged.heads.filter((head) => has(head, rule) && isInForceIn(rule, head.month ?? billMonth))
      const byHead = perHead(rule, { ...charged, heads })
      const months = new Set([...missed, ...byHead.map(({ month }) => month), billMonth])
      const rest = [...months].toSorted().map((month) => {
        const atPersons = total(byHead.filter((each) => each.month === month).map(({ amount }) => amount))
        return { person: null, month, amount: atCompany(rule, month, charged, atPersons) }
      })
      return [...byHead, ...rest]
        .filter(({ amount }) => !amount.isZero())
        .map(({ person, amount, month }): StatementItem => ({
          person,
          feeItem: 'serviceFee',
          party: 'company',
          costMonth: month,
          amount: money(amount),
          sourceType: 'contractFee',
          sourceId: charged.contractNo,
          serviceType: rule.serviceType ?? null,
        }))
    })
}

/** The rest of a rule's fee for a month, after these per-person fees and what other statements charge. */
function atCompany(rule: FeeRule, month: string, charged: Charged, atPersons: Decimal): Decimal {
  const { isWhole = () => true, elsewhere = () => noFees, billMonth } = charged
  const whole = isInForceIn(rule, month) && isWhole(month)
  // A maximum also applies to late heads of a month without a statement.
  const isLate = isByHead(rule) && month < billMonth && isInForceIn(rule, month)
  const other = whole || isLate ? elsewhere(rule, month) : noFees
  const fee = () => {
    if (isByHead(rule)) return atPersons.plus(other.heads)
    if (rule.feeMode === 'fixed') return whole ? decimal(rule.fixedAmount) : zero
    if (month !== billMonth) return other.company
    return isInForceIn(rule, month) ? percentageOf(rule, costsWith(rule, charged)) : zero
  }
  const due = within(fee(), whole ? rule : { ...rule, minAmount: null })
  return due.minus(atPersons).minus(other.heads).minus(other.company)
}

/** Whether a rule charges people rather than the company. */
const isByHead = ({ feeMode }: FeeRule): boolean => feeMode === 'perHead' || feeMode === 'tiered'

/** People × price, rounded to two places as a whole: the last person gets the rounding difference. */
function perHead(
  rule: FeeRule,
  { heads: all, billMonth }: Charged,
): { person: number; amount: Decimal; month: string }[] {
  const heads = all
    .filter(({ charges }) => charges === undefined || charges.has(rule.serviceType!))
    .map((head) => ({ ...head, share: headShare(rule.chargeRule, head.month ?? billMonth, head) }))
    .filter(({ share }) => !share.isZero())
  // A person charged for two months counts as one head.
  const price = priceOf(rule, new Set(heads.map(({ person }) => person)).size)
  if (price === undefined) return []
  const exact = heads.map(({ share }) => price.times(share))
  const amounts = exact.map(round2)
  const last = amounts.findLastIndex((amount) => !amount.isZero())
  if (last >= 0) amounts[last] = amounts[last].plus(round2(total(exact)).minus(total(amounts)))
  return heads.map(({ person, month = billMonth }, index) => ({ person, month, amount: amounts[index] }))
}

/** The costs that are for its service: those of people who have it, unless what they had then says otherwise. */
function costsWith(rule: FeeRule, { heads, costs, billMonth, isFor = () => undefined }: Charged): StatementItem[] {
  const isLeft = (head: Head) => head.isCharged === true && (head.month ?? billMonth) < billMonth
  const having = new Set(heads.filter((head) => has(head, rule) && !isLeft(head)).map(({ person }) => person))
  const others = new Set<number | null>(heads.map(({ person }) => person).filter((person) => !having.has(person)))
  return costs.filter((cost) => isFor(rule, cost) ?? !others.has(cost.person))
}

/** Whether a rule is in force in a month. */
export const isInForceIn = ({ effectiveFrom, effectiveTo }: FeeRule, month: string): boolean =>
  (effectiveFrom ?? '') <= month && month <= (effectiveTo ?? '9999-12')

const has = ({ services }: Head, { serviceType }: FeeRule): boolean =>
  services === undefined || serviceType === undefined || services.has(serviceType)

function priceOf({ feeMode, unitPrice, tiers }: FeeRule, headcount: number): Decimal | undefined {
  if (feeMode === 'perHead') return decimal(unitPrice)
  if (feeMode !== 'tiered') return undefined
  const tier = tiers.find(({ from, to }) => from <= headcount && headcount <= (to ?? Infinity))
  return tier && decimal(tier.price)
}

/**
 * How much of a full month a person counts for: nothing if they are not employed in it at all; who returns within it,
 * for both times.
 */
export function headShare(
  chargeRule: string,
  month: string,
  { joinedOn, leftOn, workedDays, former = [] }: Omit<Head, 'person'>,
): Decimal {
  const shares = former.map((stint) => shareOf(chargeRule, month, { ...stint, workedDays: null }))
  return Decimal.min(1, total([...shares, shareOf(chargeRule, month, { joinedOn, leftOn, workedDays })]))
}

function shareOf(
  chargeRule: string,
  month: string,
  { joinedOn, leftOn, workedDays }: Pick<Head, 'joinedOn' | 'leftOn' | 'workedDays'>,
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

function percentageOf({ ratePercent, percentBase }: FeeRule, costs: readonly StatementItem[]): Decimal {
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
 * Severance pay includes its tax, but no contributions.
 */
export function billableAmong(costs: readonly StatementItem[]): (item: StatementItem) => boolean {
  const paidWith = (...pay: string[]) =>
    new Set(costs.filter(({ feeItem }) => pay.includes(feeItem)).map(({ person }) => person))
  const [waged, taxed] = [paidWith('grossWage'), paidWith('grossWage', 'severance')]
  return ({ party, person, feeItem }) =>
    feeItem === 'incomeTax' ? !taxed.has(person) : party === 'company' || !waged.has(person)
}
