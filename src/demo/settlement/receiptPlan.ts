import { addDays, Decimal } from '../../../engine/expression/index.ts'
import type { Random } from '../random.ts'

export interface Owed {
  statement: number
  no: string
  customer: number
  amount: Decimal
  dueDate: string
  confirmed: string
  payer: string
  alias?: string
  limit: Decimal
  account: number
}
export interface PlannedMatch {
  statement: number
  amount: Decimal
  writeOff: Decimal
}
export interface PlannedReceipt {
  no?: string
  customer: number | null
  date: string
  amount: Decimal
  payer: string
  account: number
  method: string
  summary: string
  matches: PlannedMatch[]
  refund?: { amount: Decimal; date: string; no?: string }
  voidReason?: string
}

const nothing = new Decimal(0)
const cents = (random: Random, low: number, high: number) => new Decimal(random.integer(low, high)).dividedBy(100)
const daysFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** Days overdue, from and to, and how many statements of that age stay open. */
const ages = [
  [-60, 0, 12],
  [1, 30, 4],
  [31, 60, 2],
  [61, 90, 2],
  [91, 180, 2],
  [181, 400, 2],
] as const

/** Plans who pays what when: a pure function, so that the same statements give the same receipts. */
export function planReceipts(random: Random, owed: readonly Owed[], today: string): PlannedReceipt[] {
  const open = new Set(
    ages.flatMap(([from, to, count]) =>
      owed
        .filter(({ dueDate }) => {
          const days = daysFrom(dueDate, today)
          return days >= from && days <= to
        })
        .toSorted((a, b) => Number(isAbove(b)) - Number(isAbove(a)))
        .slice(0, count),
    ),
  )
  const plan: PlannedReceipt[] = []
  let first = true
  for (const group of together(
    random,
    owed.filter((each) => !open.has(each)),
  )) {
    const date = payday(random, group, today)
    if (date === undefined) continue
    const share =
      group.length === 1 && random.chance(0.22) ? new Decimal(random.integer(3, 7)).dividedBy(10) : undefined
    const whole = {
      ...receiptOf(group[0], date),
      amount: sum(group.map(({ amount }) => amount)),
      matches: group.map(({ statement, amount }) => ({ statement, amount, writeOff: nothing })),
    }
    if (share) plan.push(...inParts(group[0], whole, share, today))
    else if (first) {
      // The first full payment is a few cents short, which are written off.
      first = false
      const [{ statement, amount }, ...others] = whole.matches
      const writeOff = new Decimal('0.37')
      plan.push({
        ...whole,
        amount: whole.amount.minus(writeOff),
        matches: [{ statement, amount: amount.minus(writeOff), writeOff }, ...others],
      })
    } else plan.push(whole)
  }
  return [
    ...withRefunds(random, plan, today),
    ...unmatched(random, [...open], today),
    ...unclaimed(random, owed, [...open], today),
    ...voided(random, owed, today),
  ]
}

const isAbove = ({ amount, limit }: Owed) => limit.gt(0) && amount.gt(limit)
const sum = (amounts: Decimal[]) => amounts.reduce((total, amount) => total.plus(amount), nothing)

const receiptOf = (
  { customer, payer, alias, account, no, statement }: Owed,
  date: string,
): Omit<PlannedReceipt, 'amount' | 'matches'> => ({
  // A parent company pays for some.
  customer,
  date,
  payer: alias !== undefined && statement % 3 === 0 ? alias : payer,
  account,
  method: 'bankTransfer',
  summary: `人事费用 ${no}`,
})

/** One receipt for one statement or, in one of ten cases, for two consecutive ones of a customer. */
function together(random: Random, owed: readonly Owed[]): Owed[][] {
  const groups: Owed[][] = []
  const left = owed.toSorted((a, b) => a.customer - b.customer || (a.dueDate < b.dueDate ? -1 : 1))
  while (left.length > 0) {
    const size =
      left.length > 1 &&
      left[0].customer === left[1].customer &&
      left[0].account === left[1].account &&
      random.chance(0.1)
        ? 2
        : 1
    groups.push(left.splice(0, size))
  }
  return groups
}

/** From five days before the due date to forty after; undefined: not yet. */
function payday(random: Random, group: readonly Owed[], today: string): string | undefined {
  const last = group.at(-1)!
  const date = addDays(
    last.dueDate,
    random.weighted([
      [random.integer(-5, 0), 55],
      [random.integer(1, 15), 35],
      [random.integer(16, 40), 10],
    ] as const),
  )!
  const earliest = group.reduce((latest, { confirmed }) => (confirmed > latest ? confirmed : latest), '')
  const paid = date < earliest ? earliest : date
  return paid <= today ? paid : undefined
}

/** Two receipts; the second may not have arrived yet. */
function inParts(owed: Owed, whole: PlannedReceipt, share: Decimal, today: string): PlannedReceipt[] {
  const amount = whole.amount.times(share).toDecimalPlaces(2)
  const part = (date: string, paid: Decimal): PlannedReceipt => ({
    ...whole,
    date,
    amount: paid,
    matches: [{ statement: owed.statement, amount: paid, writeOff: nothing }],
  })
  const later = addDays(whole.date, 12)!
  return [part(whole.date, amount), ...(later <= today ? [part(later, whole.amount.minus(amount))] : [])]
}

/** Three have overpaid and get a refund. */
function withRefunds(random: Random, plan: PlannedReceipt[], today: string): PlannedReceipt[] {
  const last = plan
    .filter(({ date, matches }) => matches.length === 1 && addDays(date, 3)! <= today)
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
  for (const receipt of last.slice(0, 3)) {
    const amount = cents(random, 10_000, 200_000)
    receipt.amount = receipt.amount.plus(amount)
    receipt.refund = { amount, date: addDays(receipt.date, 3)! }
  }
  return plan
}

/** Receipts of the last days still to be matched: some in full, some in part. */
function unmatched(random: Random, open: readonly Owed[], today: string): PlannedReceipt[] {
  const customers = [...new Map(open.map((owed) => [owed.customer, owed])).values()]
  return customers.slice(0, 12).map((owed, index) => {
    const amount =
      index % 2 === 0 ? owed.amount.times('0.4').toDecimalPlaces(2) : owed.amount.times('0.5').toDecimalPlaces(2)
    const paid =
      index % 3 === 2
        ? [{ statement: owed.statement, amount: amount.dividedBy(2).toDecimalPlaces(2), writeOff: nothing }]
        : []
    return { ...receiptOf(owed, addDays(today, -random.integer(0, 4))!), amount, matches: paid }
  })
}

const strangers = [
  '启澜投资（演示）有限公司',
  '云屿控股（演示）有限公司',
  '拓岚财务咨询（演示）有限公司',
  '周思演',
  '霁川供应链（演示）有限公司',
  '驰野代付（演示）有限公司',
]

/** Receipts with an unknown payer; the amount identifies some of them. */
const unclaimed = (random: Random, owed: readonly Owed[], open: readonly Owed[], today: string): PlannedReceipt[] =>
  Array.from({ length: owed.length === 0 ? 0 : 12 }, (_, index) => ({
    customer: null,
    date: addDays(today, -random.integer(0, 12))!,
    payer: strangers[index % strangers.length],
    account: owed[index % owed.length].account,
    amount: index < 3 && open[index] ? open[index].amount : cents(random, 80_000, 9_000_000),
    method: random.weighted([
      ['bankTransfer', 80],
      ['onlineWallet', 15],
      ['draft', 5],
    ] as const),
    summary: random.pick(['往来款', '服务费', '代付人事费用', '社保款']),
    matches: [],
  }))

const voided = (random: Random, owed: readonly Owed[], today: string): PlannedReceipt[] =>
  owed.slice(0, 2).map((each, index) => ({
    ...receiptOf(each, addDays(today, -random.integer(5, 30))!),
    amount: each.amount,
    matches: [],
    voidReason: ['重复登记，以银行流水为准', '付款方撤回，银行已退票'][index],
  }))
