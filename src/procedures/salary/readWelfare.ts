import { type ProcedureWork, type Stored, textIn } from '../../../engine/server/procedure.ts'
import { decimal } from '../settlement/amounts.ts'
import { deductible } from '../welfare/deductible.ts'
import { feeItemOf } from '../welfare/expenses/costs.ts'
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
  const found = new Map<number, { items: Map<string, WelfareItem>; open: boolean }>()
  for (const family of familiesOf(work)) {
    const lines = await work.read(expenseLineOf(family), {
      where: { person: people, feeMonth: month, stage: ['open', 'locked'] },
    })
    const policies = await work.byId(
      'policy',
      lines.map(({ policy }) => policy),
    )
    for (const line of lines) {
      const own = found.get(line.person!) ?? { items: new Map<string, WelfareItem>(), open: false }
      for (const item of itemsOf(family, line, policies.get(line.policy!))) {
        const key = `${item.family} ${item.part}`
        own.items.set(key, added(own.items.get(key), item))
      }
      found.set(line.person!, { ...own, open: own.open || line.stage === 'open' })
    }
  }
  return new Map([...found].map(([person, { items, open }]) => [person, { items: [...items.values()], open }]))
}

/** What a line says of each item, and of a late fee that the person bears. */
function itemsOf(family: Family, line: Line, policy: Stored<'policy'> | undefined): WelfareItem[] {
  const rows = policy ? policyItems(policy, family) : []
  const items = family.items.map((item): WelfareItem => {
    const [personal, company] = [
      textIn(line, `${item.key}Personal`) ?? '0.00',
      textIn(line, `${item.key}Company`) ?? '0.00',
    ]
    const deducted = deductible(personal, item, {
      declaredBase: textIn(line, 'declaredBase'),
      averageWage: policy?.avgMonthlyWage ?? null,
      round: rows.find(({ item: key }) => key === item.key)?.personalRound ?? null,
    })
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
