import { type Part, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { familiesOf } from '../welfare/handling/family.ts'
import { approvedStates, openStates } from './payrollData.ts'
import { type PersonWelfare, readWelfare, type WelfareItem } from './readWelfare.ts'

/**
 * Person → the welfare of the payroll's month that no other wage payroll has taken, approved or not: all of it, what
 * has been added since, or nothing. Undefined for people without any.
 */
export async function readWelfareLeft(
  work: ProcedureWork,
  { id, welfareMonth }: Stored<'payroll'>,
  people: readonly number[],
): Promise<(person: number) => PersonWelfare | undefined> {
  const payrolls = await work.read('payroll', {
    where: { welfareMonth, incomeType: 'wage', id: { not: id }, status: [...openStates, ...approvedStates] },
    fields: ['welfareMonth'],
  })
  const lines = await work.read('payrollLine', {
    where: { payroll: payrolls.map((one) => one.id), person: people, lineStatus: { not: 'removed' } },
    fields: ['person'],
  })
  const rows = await work.read('payrollWelfare', { where: { line: lines.map((line) => line.id) }, fields: takenFields })
  const personOf = new Map(lines.map((line) => [line.id, line.person]))
  const taken = groupedBy(rows, ({ line }) => personOf.get(line)!)
  const welfare = await readWelfare(work, people, welfareMonth)
  const others = new Set(
    familiesOf(work).flatMap(({ key, items }) =>
      items.filter(({ taxClass }) => taxClass === 'other').map((item) => `${key} ${item.key}`),
    ),
  )
  return (person) => {
    const own = taken.get(person)
    return own ? without(welfare.get(person), own, others) : welfare.get(person)
  }
}

const takenFields = ['line', 'family', 'part', 'item', 'personal', 'company', 'statutory'] as const
type Taken = Part<'payrollWelfare', (typeof takenFields)[number]>

const keyOf = ({ family, part }: { family: string; part: string | null }): string => `${family} ${part}`
const nothing = { personal: '0.00', company: '0.00', statutory: '0.00', other: '0.00' }

/** @param others the items deducted otherwise than as statutory contributions */
function without(
  welfare: PersonWelfare | undefined,
  rows: readonly Taken[],
  others: ReadonlySet<string>,
): PersonWelfare {
  const items = new Map((welfare?.items ?? []).map((item) => [keyOf(item), item]))
  for (const row of rows) {
    const { family, part, item } = row
    const key = keyOf(row)
    const before: WelfareItem = items.get(key) ?? { ...nothing, family, part, item }
    const side = others.has(key) ? 'other' : 'statutory'
    items.set(key, {
      ...before,
      personal: less(before.personal, row.personal),
      company: less(before.company, row.company),
      [side]: less(before[side], row.statutory),
    })
  }
  const left = [...items.values()].filter((item) => sides.some((side) => !decimal(item[side]).isZero()))
  return { items: left, open: left.length > 0 && welfare?.open === true }
}

const sides = ['personal', 'company', 'statutory', 'other'] as const
const less = (one: string, other: string): string => decimal(one).minus(decimal(other)).toFixed(2)
