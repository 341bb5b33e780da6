import { addMonths } from '../../../../engine/expression/index.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { isAnyOf } from '../../settlement/stored.ts'
import type { Contribution } from '../contribution.ts'
import { contributionFields, policyItems } from '../handling/amounts.ts'
import type { Family } from '../handling/family.ts'
import { readWhole } from '../readWhole.ts'
import { refund } from '../reconciliation.ts'
import { refundAfter, type PayCycle } from '../yearly.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/** What a line says of each item. */
export const contributionsIn = ({ items }: Family, line: RecordData): Record<string, Contribution> =>
  Object.fromEntries(
    items.map(({ key }) => [
      key,
      {
        base: (line[`${key}Base`] ?? null) as Amount,
        company: String(line[`${key}Company`] ?? '0.00'),
        personal: String(line[`${key}Personal`] ?? '0.00'),
      },
    ]),
  )

/**
 * A line that a ticket makes in the month in which it was handled, for whom another line is and for the month to which
 * that belongs.
 */
export const draftOf = (
  family: Family,
  ticket: RecordData,
  line: RecordData,
  { amounts, expenseType }: { amounts: Record<string, Contribution>; expenseType: LineDraft['expenseType'] },
): LineDraft =>
  ({
    ...Object.fromEntries(
      [
        'person',
        'customer',
        'serviceContract',
        'supportStaff',
        'city',
        'policy',
        'account',
        'personalAccountNo',
        'belongMonth',
        'enrolment',
      ].map((name) => [name, line[name] ?? null]),
    ),
    ...contributionFields(family, amounts),
    feeMonth: String(ticket.handleMonth),
    expenseType,
    sourceNo: String(ticket.ticketNo),
  }) as LineDraft

export const isNothing = (amounts: Readonly<Record<string, Contribution>>): boolean =>
  Object.values(amounts).every(({ company, personal }) => decimal(company).isZero() && decimal(personal).isZero())

/**
 * What comes back of a reduction: every locked month after the last paid one, and of items that are paid once a year
 * what they pay back of the rest.
 */
export async function refundsOf(context: Context, db: Db, family: Family, ticket: RecordData): Promise<LineDraft[]> {
  const lastMonth = String(ticket.lastMonth)
  const paid = (
    await linesFrom(context, db, family, { persons: [ticket.person as number], from: addMonths(lastMonth, -11)! })
  ).filter(({ enrolment, expenseType }) => enrolment === ticket.enrolment && expenseType === 'normal')
  const beyond = paid.filter(({ belongMonth, stage }) => String(belongMonth) > lastMonth && stage === 'locked')
  const [policy] = await readWhole(context, db, 'policy', [isAnyOf('id', [ticket.policy as number])])
  const yearly = policy
    ? yearlyRefund(
        family,
        policy,
        paid.filter(({ belongMonth }) => String(belongMonth) <= lastMonth),
        lastMonth,
      )
    : {}
  const last = paid.filter(({ belongMonth }) => String(belongMonth) <= lastMonth).at(-1)
  return [
    ...beyond.map((line) =>
      draftOf(family, ticket, line, { amounts: refund(contributionsIn(family, line)), expenseType: 'refund' }),
    ),
    ...(last && !isNothing(yearly)
      ? [draftOf(family, ticket, { ...last, belongMonth: lastMonth }, { amounts: yearly, expenseType: 'refund' })]
      : []),
  ]
}

/** Of what was paid for the item year in which it ends. */
function yearlyRefund(
  family: Family,
  policy: RecordData,
  paid: readonly RecordData[],
  lastMonth: string,
): Record<string, Contribution> {
  const rows = policyItems(policy, family) as unknown as PayCycle[]
  const charged = Object.fromEntries(
    rows
      .filter(({ payCycle }) => payCycle === 'year')
      .flatMap(({ item, payMonth }): [string, Contribution][] => {
        const begin = addMonths(lastMonth, -((Number(lastMonth.slice(5)) - Number(payMonth) + 12) % 12))!
        const line = paid.find(
          (one) => String(one.belongMonth) >= begin && !isNothing({ [item]: contributionsIn(family, one)[item] }),
        )
        return line ? [[item, contributionsIn(family, line)[item]]] : []
      }),
  )
  return refundAfter(lastMonth, charged, rows)
}
