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
 * What one item of a welfare family comes to for a person in a month: back-payments, differences and refunds included.
 */
export interface WelfareItem {
  /** The family's key, and the item's in it; a late fee is of none. */
  family: string
  part: string | null
  /** A value of the dictionary `feeItem`. */
  item: string
  personal: string
  company: string
  /** Of the personal amount, what tax law deducts as a statutory contribution, within its cap, … */
  statutory: string
  /** … or as another deduction. */
  other: string
}
export interface PersonWelfare {
  items: readonly WelfareItem[]
  /** May its amounts still change? */
  open: boolean
}

/** The welfare of these people that is paid in a month, by the lines of its expenses; whoever has none is not there. */
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
    // What was charged before for the same months is needed too: of each month only so much may be deducted.
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
/** What a person was charged of an item for a month so far, and what was deducted of it. */
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

/** What an item of a line adds to what is deducted of its month: the cap is of the month, whatever lines it came in. */
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
    // A difference that does not say its base is held by the average wage alone.
    (line.expenseType === 'difference' && averageWage !== null
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

/** What a line says of each item, and of a late fee that the person bears. */
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
