import { sql } from 'kysely'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { decimal, type Amount } from '../settlement/amounts.ts'
import { column, isAnyOf, readAll } from '../settlement/stored.ts'
import { deductible } from '../welfare/deductible.ts'
import { feeItemOf } from '../welfare/expenses/costs.ts'
import { policyItems } from '../welfare/handling/amounts.ts'
import { expenseLineOf, familiesOf, type Family } from '../welfare/handling/family.ts'
import { readWhole } from '../welfare/readWhole.ts'

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
  context: Context,
  db: Db,
  people: readonly number[],
  month: string,
): Promise<ReadonlyMap<number, PersonWelfare>> {
  const found = new Map<number, { items: Map<string, WelfareItem>; open: boolean }>()
  for (const family of familiesOf(context)) {
    const lines = await readAll(context, db, expenseLineOf(family), [
      isAnyOf('person', people),
      sql<boolean>`(${column('feeMonth')} = ${month} and ${column('stage')} in ('open', 'locked'))`,
    ])
    if (lines.length === 0) continue
    const policies = new Map(
      (
        await readWhole(context, db, 'policy', [
          isAnyOf('id', [...new Set(lines.map(({ policy }) => policy as number | null))]),
        ])
      ).map((policy) => [policy.id, policy]),
    )
    for (const line of lines) {
      const own = found.get(line.person as number) ?? { items: new Map<string, WelfareItem>(), open: false }
      for (const item of itemsOf(family, line, policies.get(line.policy as number))) {
        const key = `${item.family} ${item.part}`
        own.items.set(key, added(own.items.get(key), item))
      }
      found.set(line.person as number, { ...own, open: own.open || line.stage === 'open' })
    }
  }
  return new Map([...found].map(([person, { items, open }]) => [person, { items: [...items.values()], open }]))
}

/** What a line says of each item, and of a late fee that the person bears. */
function itemsOf(family: Family, line: RecordData, policy: RecordData | undefined): WelfareItem[] {
  const rows = policy ? policyItems(policy, family) : []
  const items = family.items.map((item): WelfareItem => {
    const [personal, company] = [
      String(line[`${item.key}Personal`] ?? '0.00'),
      String(line[`${item.key}Company`] ?? '0.00'),
    ]
    const deducted = deductible(personal, item, {
      declaredBase: (line.declaredBase ?? null) as Amount,
      averageWage: (policy?.avgMonthlyWage ?? null) as Amount,
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
    line.lateFeeBearer === 'person'
      ? [
          {
            family: family.key,
            part: null,
            item: 'lateFee',
            personal: String(line.lateFee),
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
