import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { differencesOf } from '../expenses/differences.ts'
import type { LineDraft } from '../expenses/ticketLines.ts'
import { monthRange } from '../monthRange.ts'
import { expenseSummaryOf, type Enrolment } from './family.ts'
import type { TicketContext } from './ticketContext.ts'

/** The policy has changed locked months, also those locked ahead: the differences are paid in the first open month. */
export async function lateDifferences(
  work: ProcedureWork,
  { family, month }: TicketContext,
  {
    policy,
    from,
    enrolments,
    formerly,
  }: {
    policy: Stored<'policy'>
    /** Its first month for them. */ from: string
    enrolments: readonly Enrolment[]
    /** Their state in a month before it, which the lines are based on. */
    formerly: (id: number, month: string) => Enrolment
  },
): Promise<LineDraft[]> {
  // Months before another household type are paid through the account of then.
  const months = [...monthRange(from, addMonths(month, -1)!), month]
  const accountsOf = ({ id }: Enrolment) => months.map((each) => formerly(id, each).account)
  const locked = await work.groups(expenseSummaryOf(family), {
    where: {
      account: [...new Set(enrolments.flatMap(accountsOf))],
      feeMonth: { between: [month, null] },
      status: { not: ['open', 'reconciling'] },
    },
    by: ['account'],
    max: ['feeMonth'],
  })
  const lastOf = new Map(locked.map(({ by, max }) => [by.account, max.feeMonth]))
  const closed = addMonths(month, -1)!
  const openFor = (enrolment: Enrolment) => {
    const last = accountsOf(enrolment).map((account) => lastOf.get(account) ?? closed)
    return addMonths(last.sort().at(-1)!, 1)!
  }
  return differencesOf(
    work,
    family,
    enrolments.map((enrolment) => ({
      person: enrolment.person!,
      enrolment: enrolment.id,
      effectiveMonth: from,
      handleMonth: openFor(enrolment),
      ticketNo: `${policy.policyNo}-${String(policy.version)}`,
      formerly: (then: string) => formerly(enrolment.id, then),
    })),
  )
}
