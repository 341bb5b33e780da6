import { procedure, type ProcedureWork } from '../../../../engine/server/procedure.ts'
import { decimal, money, total, zero } from '../../money/amounts.ts'
import { approvedStates } from '../../salary/payrollData.ts'
import { updateUndeductedAmounts } from '../../salary/updateUndeductedAmounts.ts'
import { groupedBy } from '../groupedBy.ts'
import type { Line } from '../handling/family.ts'
import { monthKey, readOutstanding, readWageLines } from './outstanding.ts'

/** Updates the list after expense lines were written or deleted. */
export async function followLines(work: ProcedureWork, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const months = lines.map(({ feeMonth }) => feeMonth).sort()
  const people = lines.map(({ person }) => person).filter((id) => id !== null)
  await followContributions(work, people, { from: months[0], to: months.at(-1)! })
}

/**
 * Updates the list of contributions that people still owe, or are owed, for months with approved wages. The agent's next
 * wages deduct them, or they are settled by hand once a person has left; until then the list shows them.
 */
export async function followContributions(
  work: ProcedureWork,
  people: readonly number[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const ids = [...new Set(people)]
  const lines = await readWageLines(work, ids, { from, states: approvedStates })
  const listed = await work.read('undeducted', { where: { person: ids, feeMonth: { between: [from, to] } } })
  const [settled, former] = [true, false].map((isSettled) =>
    listed.filter(({ ofBenefits, settledOn }) => ofBenefits !== true && (settledOn !== null) === isSettled),
  )
  if (lines.length === 0 && former.length === 0) return
  const outstanding = await readOutstanding(work, ids, { from, to, lines })
  const last = new Map(
    lines.flatMap((line) =>
      line.welfareMonth! <= to ? [[monthKey(line.person, line.welfareMonth!), line] as const] : [],
    ),
  )
  const keyOf = (row: (typeof former)[number]) => monthKey(row.person, row.feeMonth)
  const byHand = groupedBy(settled, keyOf)
  const wanted = [...last].flatMap(([key, { person, payroll, welfareMonth }]) => {
    const paid = total((byHand.get(key) ?? []).map(({ amount }) => decimal(amount)))
    const personal = (outstanding.get(key)?.personal ?? zero).minus(paid)
    return personal.isZero()
      ? []
      : [[key, { person, payroll, feeMonth: welfareMonth!, amount: money(personal) }] as const]
  })
  await updateUndeductedAmounts(work, { former, wanted: new Map(wanted), keyOf })
}

/** So many people at a time, because all wages of each are read. */
const together = 1000

/** Fills the list on a database from before it existed: everything since has followed its changes. */
export const fillUndeducted = procedure<'parameter'>(async (work) => {
  const where = { incomeType: 'wage', batchStatus: approvedStates, lineStatus: { not: 'removed' } } as const
  const paid = await work.groups('payrollLine', { where, by: ['welfareMonth'] })
  if (paid.length === 0) return
  const months = paid.map(({ by }) => by.welfareMonth!).sort()
  const people = (await work.groups('payrollLine', { where, by: ['person'] })).map(({ by }) => by.person)
  for (let at = 0; at < people.length; at += together)
    await followContributions(work, people.slice(at, at + together), { from: months[0], to: months.at(-1)! })
})
