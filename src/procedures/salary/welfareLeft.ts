import { addMonths } from '../../../engine/expression/index.ts'
import { type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { monthKey, readOutstanding, readWageLines, type WageLine } from '../welfare/expenses/outstanding.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { familiesOf } from '../welfare/handling/family.ts'
import { agentOf, approvedStates, openStates } from './payrollData.ts'
import { type PersonWelfare, readWelfare, type WelfareItem } from './readWelfare.ts'

/** For how many months wages deduct contributions that came after the wages of their month. */
export const lateMonths = 12

/**
 * Person → the welfare that wages are to deduct: what no other wage payroll has taken of the payroll's month, approved or
 * not, and what came for earlier months after the last wages of this agent. Undefined for people without any.
 */
export async function readWelfareLeft(
  work: ProcedureWork,
  payroll: Stored<'payroll'>,
  people: readonly number[],
): Promise<(person: number) => PersonWelfare | undefined> {
  const { id, welfareMonth } = payroll
  const from = addMonths(welfareMonth, -lateMonths)!
  const lines = (await readWageLines(work, people, { from, states: [...openStates, ...approvedStates] })).filter(
    (line) => line.payroll !== id,
  )
  const byHand = await readByHand(work, people, { from, to: welfareMonth })
  const left = await leftOf(work, welfareMonth, people, lines)
  const own = (person: number) => (byHand.has(monthKey(person, welfareMonth)) ? undefined : left(person))
  const late = new Map<number, PersonWelfare[]>()
  for (const [month, whose] of await readLate(work, payroll, { from, people, lines, byHand })) {
    const ofMonth = await leftOf(work, month, whose, lines)
    for (const person of whose) {
      const welfare = ofMonth(person)
      if (welfare) late.set(person, [...(late.get(person) ?? []), welfare])
    }
  }
  return (person) => together(own(person), late.get(person) ?? [])
}

/** `open` stays undefined if the month itself has no contributions, unless an earlier month is open. */
const together = (own: PersonWelfare | undefined, late: readonly PersonWelfare[]): PersonWelfare | undefined =>
  late.length === 0
    ? own
    : {
        items: [...(own?.items ?? []), ...late.flatMap(({ items }) => items)],
        open: late.some(({ open }) => open === true) ? true : own?.open,
      }

/** The people's months whose contributions were settled by hand. */
async function readByHand(
  work: ProcedureWork,
  people: readonly number[],
  { from, to }: { from: string; to: string },
): Promise<ReadonlySet<string>> {
  const settled = await work.read('undeducted', {
    where: { person: people, feeMonth: { between: [from, to] }, settledOn: { empty: false } },
    fields: ['person', 'feeMonth', 'ofBenefits'],
  })
  return new Set(
    settled.flatMap(({ person, feeMonth, ofBenefits }) => (ofBenefits === true ? [] : monthKey(person, feeMonth))),
  )
}

/**
 * Month → people with contributions that arrived after this agent had paid wages for it; while other wages of the month
 * are open, they wait. Once part of a month has been settled by hand, the rest of it is too.
 */
async function readLate(
  work: ProcedureWork,
  { welfareMonth, ...agent }: Stored<'payroll'>,
  {
    from,
    people,
    lines,
    byHand,
  }: { from: string; people: readonly number[]; lines: readonly WageLine[]; byHand: ReadonlySet<string> },
): Promise<Map<string, number[]>> {
  const to = addMonths(welfareMonth, -1)!
  const months = groupedBy(
    lines.filter((line) => line.welfareMonth! <= to),
    (line) => monthKey(line.person, line.welfareMonth!),
  )
  const paid = [...months.values()].filter(
    (wages) =>
      wages.every(({ batchStatus }) => approvedStates.includes(batchStatus!)) &&
      wages.some(
        ({ batchTaxSubject, batchAgency, customer }) =>
          agentOf({ taxSubject: batchTaxSubject!, agency: batchAgency, customer }) === agentOf(agent),
      ),
  )
  const late = new Map<string, number[]>()
  if (paid.length === 0) return late
  const outstanding = await readOutstanding(work, people, { from, to, lines })
  for (const [{ person, welfareMonth: month }] of paid)
    if (outstanding.get(monthKey(person, month!))?.isOff && !byHand.has(monthKey(person, month!)))
      late.set(month!, [...(late.get(month!) ?? []), person])
  return late
}

/** Person → what these lines of wages have not taken of a month; undefined for a person without any. */
async function leftOf(
  work: ProcedureWork,
  month: string,
  people: readonly number[],
  lines: readonly WageLine[],
): Promise<(person: number) => PersonWelfare | undefined> {
  const lineOf = new Map(
    lines.flatMap((line): [number, WageLine][] => (line.welfareMonth! >= month ? [[line.id, line]] : [])),
  )
  const rows = (await work.read('payrollWelfare', { where: { line: [...lineOf.keys()] } })).filter(
    ({ line, feeMonth }) => (feeMonth ?? lineOf.get(line)!.welfareMonth) === month,
  )
  const taken = groupedBy(rows, ({ line }) => lineOf.get(line)!.person)
  const welfare = await readWelfare(work, people, month)
  const others = new Set(
    familiesOf(work).flatMap(({ key, items }) =>
      items.filter(({ taxClass }) => taxClass === 'other').map((item) => `${key} ${item.key}`),
    ),
  )
  return (person) => {
    const own = taken.get(person)
    return own ? without(welfare.get(person), own, { others, month }) : welfare.get(person)
  }
}

type Taken = Stored<'payrollWelfare'>

const keyOf = ({ family, part }: { family: string; part: string | null }): string => `${family} ${part}`
const nothing = { personal: '0.00', company: '0.00', statutory: '0.00', other: '0.00' }

interface Taking {
  /** The items deducted otherwise than as statutory contributions. */
  others: ReadonlySet<string>
  month: string
}

function without(welfare: PersonWelfare | undefined, rows: readonly Taken[], { others, month }: Taking): PersonWelfare {
  const items = new Map((welfare?.items ?? []).map((item) => [keyOf(item), item]))
  for (const row of rows) {
    const { family, part, item } = row
    const key = keyOf(row)
    const before: WelfareItem = items.get(key) ?? { ...nothing, month, family, part, item }
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
const less = (amount: string, taken: string): string => decimal(amount).minus(decimal(taken)).toFixed(2)
