import type { Decimal } from '../../../engine/expression/index.ts'
import { type ProcedureWork, type Stored, textIn } from '../../../engine/server/procedure.ts'
import { decimal, money, zero } from '../money/amounts.ts'
import { deductible } from '../welfare/deductible.ts'
import { feeItemOf } from '../welfare/expenses/costs.ts'
import { inYuan, type InYuan } from '../welfare/expenses/inYuan.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { policyItems } from '../welfare/handling/amounts.ts'
import { expenseLineOf, familiesOf, type Family, type Line } from '../welfare/handling/family.ts'

/**
 * The amounts of one item of a welfare family for a person in a month, including back-payments, differences and
 * refunds.
 */
export interface WelfareItem {
  /** The month in which it is paid. */
  month: string
  /** The family's key, and the item's key in it; none for a late fee. */
  family: string
  part: string | null
  /** A value of the dictionary `feeItem`. */
  item: string
  personal: string
  company: string
  /** The part of the personal amount that tax law deducts as a statutory contribution, within its cap, … */
  statutory: string
  /** … or as another deduction. */
  other: string
}
export interface PersonWelfare {
  items: readonly WelfareItem[]
  /** Whether its amounts may still change; undefined if there are none for the month asked for. */
  open: boolean | undefined
}

/**
 * The welfare of these people that is paid in a month, from the lines of its expenses; people without any are missing.
 */
export async function readWelfare(
  work: ProcedureWork,
  people: readonly number[],
  month: string,
): Promise<ReadonlyMap<number, PersonWelfare>> {
  const found: Found = new Map()
  for (const family of familiesOf(work)) {
    const name = expenseLineOf(family)
    const where = { person: people, stage: ['open', 'locked'] as const }
    const months = await work.groups(name, { where: { ...where, feeMonth: month }, by: ['belongMonth'] })
    // Includes earlier charges for the same months, because the deduction is capped by month.
    const lines = await work.read(name, {
      where: { ...where, belongMonth: months.map(({ by }) => by.belongMonth), feeMonth: { between: [null, month] } },
      order: 'feeMonth',
    })
    const policies = await work.byId(
      'policy',
      lines.map(({ policy }) => policy),
    )
    const converted = await inYuan(work, family, lines)
    for (const own of groupedBy(lines, ({ person, belongMonth }) => `${person} ${belongMonth}`).values()) {
      const charged = new Map<string, Charged>()
      for (const line of own) {
        const items = itemsOf(family, line, { policy: policies.get(line.policy!), charged })
        if (line.feeMonth === month) take(found, line, converted, items)
      }
    }
  }
  return new Map([...found].map(([person, { items, open }]) => [person, { items: [...items.values()], open }]))
}

type Found = Map<number, { items: Map<string, WelfareItem>; open: boolean }>
/** What a person was charged for an item and month so far, and what was deducted. */
interface Charged {
  personal: Decimal
  deducted: Decimal
  declaredBase: string | null
}

function take(found: Found, line: Line, converted: InYuan, items: readonly WelfareItem[]): void {
  const own = found.get(line.person!) ?? { items: new Map<string, WelfareItem>(), open: false }
  for (const item of items) {
    const key = `${item.family} ${item.part}`
    const sums = Object.fromEntries(sides.map((side) => [side, converted(line, item[side])]))
    own.items.set(key, added(own.items.get(key), { ...item, ...sums }))
  }
  found.set(line.person!, { ...own, open: own.open || line.stage === 'open' })
}

/**
 * What an item of a line adds to the deduction of its month: the cap applies to the month, whatever lines it came in.
 */
function deductedBy(
  item: Family['items'][number],
  line: Line,
  { policy, charged, round }: Before & { round: string | null },
): string {
  const before = charged.get(item.key)
  const personal = decimal(before?.personal.toFixed(2)).plus(decimal(textIn(line, `${item.key}Personal`)))
  const averageWage = policy?.avgMonthlyWage ?? null
  const declaredBase =
    textIn(line, 'declaredBase') ??
    // A charge that does not state its base, as the bureau's of somebody unknown, is capped only by the average wage.
    (line.expenseType !== 'refund' && 'declaredBase' in line && averageWage !== null
      ? decimal(averageWage).times(3).toFixed(2)
      : (before?.declaredBase ?? null))
  const deducted = decimal(deductible(money(personal), item, { declaredBase, averageWage, round }))
  charged.set(item.key, { personal, deducted, declaredBase })
  return money(deducted.minus(before?.deducted ?? zero))
}

interface Before {
  policy: Stored<'policy'> | undefined
  charged: Map<string, Charged>
}

/** A line's amounts for each item, and for a late fee that the person bears. */
function itemsOf(family: Family, line: Line, { policy, charged }: Before): WelfareItem[] {
  const rows = policy ? policyItems(policy, family) : []
  const items = family.items.map((item): WelfareItem => {
    const [personal, company] = [
      textIn(line, `${item.key}Personal`) ?? '0.00',
      textIn(line, `${item.key}Company`) ?? '0.00',
    ]
    const round = rows.find(({ item: key }) => key === item.key)?.personalRound ?? null
    const deducted = deductedBy(item, line, { policy, charged, round })
    return {
      month: line.feeMonth,
      family: family.key,
      part: item.key,
      item: feeItemOf(item),
      personal,
      company,
      statutory: item.taxClass === 'statutory' ? deducted : '0.00',
      other: item.taxClass === 'other' ? deducted : '0.00',
    }
  })
  const late =
    textIn(line, 'lateFeeBearer') === 'person'
      ? [
          {
            month: line.feeMonth,
            family: family.key,
            part: null,
            item: 'lateFee',
            personal: textIn(line, 'lateFee') ?? '0.00',
            company: '0.00',
            statutory: '0.00',
            other: '0.00',
          },
        ]
      : []
  return [...items, ...late].filter(
    ({ personal, company }) => !decimal(personal).isZero() || !decimal(company).isZero(),
  )
}

const sides = ['personal', 'company', 'statutory', 'other'] as const
const added = (before: WelfareItem | undefined, item: WelfareItem): WelfareItem =>
  before
    ? {
        ...item,
        ...Object.fromEntries(sides.map((side) => [side, decimal(before[side]).plus(decimal(item[side])).toFixed(2)])),
      }
    : item
