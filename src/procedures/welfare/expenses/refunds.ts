import { addMonths } from '../../../../engine/expression/index.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { isAnyOf } from '../../settlement/stored.ts'
import type { Contribution } from '../contribution.ts'
import { contributionFields, monthly, policyItems } from '../handling/amounts.ts'
import type { Family } from '../handling/family.ts'
import { readWhole } from '../readWhole.ts'
import { refund } from '../reconciliation.ts'
import { refundAfter, type Charged, type PayCycle } from '../yearly.ts'
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
  const lines = (
    await linesFrom(context, db, family, { persons: [ticket.person as number], from: addMonths(lastMonth, -11)! })
  ).filter(({ enrolment }) => enrolment === ticket.enrolment)
  const isNormal = ({ expenseType }: RecordData) => expenseType === 'normal'
  const beyond = lines.filter(
    (line) => isNormal(line) && String(line.belongMonth) > lastMonth && line.stage === 'locked',
  )
  const paid = lines.filter(({ belongMonth }) => String(belongMonth) <= lastMonth)
  const yearly = await yearlyRefund(
    { context, db, family, ticket },
    // Who was reported late has paid the year by a back-payment.
    paid.filter((line) => isNormal(line) || line.expenseType === 'supplement'),
    lastMonth,
  )
  const last = paid.filter(isNormal).at(-1) ?? paid.at(-1)
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
async function yearlyRefund(
  { context, db, family, ticket }: { context: Context; db: Db; family: Family; ticket: RecordData },
  paid: readonly RecordData[],
  lastMonth: string,
): Promise<Record<string, Contribution>> {
  const policies = await readWhole(context, db, 'policy', [
    isAnyOf('id', [...new Set([ticket.policy, ...paid.map(({ policy }) => policy ?? null)])] as (number | null)[]),
  ])
  const own = policies.find(({ id }) => id === ticket.policy)
  if (!own) return {}
  const rows = policyItems(own, family) as unknown as PayCycle[]
  const charged = Object.fromEntries(
    rows
      .filter(({ payCycle }) => payCycle === 'year')
      .flatMap(({ item, payMonth }): [string, Charged][] => {
        const begin = addMonths(lastMonth, -((Number(lastMonth.slice(5)) - Number(payMonth) + 12) % 12))!
        const line = paid.find(
          (one) => String(one.belongMonth) >= begin && !isNothing({ [item]: contributionsIn(family, one)[item] }),
        )
        if (!line) return []
        const policy = policies.find(({ id }) => id === line.policy) ?? own
        const accounts = (policy[`${family.key}Accounts`] ?? []) as RecordData[]
        const account = accounts.find(({ id, revisionOf }) => [id, revisionOf].includes(line.account)) ?? {}
        return [
          [
            item,
            {
              month: String(line.belongMonth),
              amounts: contributionsIn(family, line)[item],
              wholeYear: monthly(family, policy, account, line)[item],
            },
          ],
        ]
      }),
  )
  return refundAfter(lastMonth, charged, rows)
}
