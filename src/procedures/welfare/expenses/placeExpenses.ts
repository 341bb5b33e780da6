import type { Foreseen, Label } from '../../../../engine/model/model.ts'
import { procedure, type Part, type ProcedureWork } from '../../../../engine/server/procedure.ts'
import { employedThenFor } from '../handling/employedThen.ts'
import { expenseLineOf, familyOf, type Line, type LineName } from '../handling/family.ts'
import { readTicketContext } from '../handling/ticketContext.ts'
import { groupedBy } from '../groupedBy.ts'
import { refuseLockedLine, refuseMisplacedLines } from './refuseMisplacedLines.ts'
import { dropEmpty, isOpen, summariesFor } from './summaries.ts'
import { beginWhole } from './wholeMonths.ts'

/**
 * Assigns a line that only the bureau's table has to the person with its number, if there is one, as employed in its
 * month, and to its summary.
 * @throws Refusal notAllowed.
 */
export const placeExpenses = procedure<LineName>((work, { entity, records }) => place(work, entity, records))

export async function place(work: ProcedureWork, entity: LineName, records: readonly Line[]): Promise<void> {
  if (records.length === 0) return
  const family = familyOf(work, entity)
  const people = await work.read('person', {
    where: { idNumber: records.map(({ idNumber }) => idNumber) },
    fields: ['idNumber'],
  })
  const context = await readTicketContext(
    work,
    family,
    people.map(({ id }) => id),
  )
  const { employedIn } = await employedThenFor(work, context)
  const accounts = await work.byId(
    'policyAccount',
    records.map(({ account }) => account),
    { fields: ['customer', 'city', 'policy'] },
  )
  const placed = records.map((line) => {
    const person = people.find(({ idNumber }) => idNumber === line.idNumber)?.id
    const { belongMonth } = line
    const then = person === undefined ? undefined : employedIn(person, { fromMonth: belongMonth, toMonth: belongMonth })
    const employed = then?.person
    const account = accounts.get(line.account)!
    const customer = account.customer ?? ((employed && employed.customer) || null)
    const key = { feeMonth: line.feeMonth, account: line.account, customer, city: account.city }
    return { line, person, employed, isTooEarly: then?.isTooEarly === true, account, key }
  })
  await beginWhole(
    work,
    family,
    placed.map(({ key }) => key),
  )
  const summaryOf = await summariesFor(
    work,
    family,
    placed.map(({ key }) => key),
  )
  await refuseMisplacedLines(work, entity, placed)
  const locked = placed.find(({ line, key }) => {
    const summary = summaryOf(key)
    return summary.id !== line.summary && !isOpen(summary)
  })
  if (locked) await refuseLockedLine(work, locked)
  const former = placed.map(({ line }) => line.summary)
  const changes = placed.map(({ line, person, employed, account, key }) => {
    const under = employed && employed.customer === key.customer ? employed : undefined
    const values = {
      summary: summaryOf(key).id,
      customer: key.customer,
      city: key.city,
      policy: account.policy,
      person: person ?? null,
      serviceContract: under?.serviceContract ?? null,
      supportStaff: under?.supportStaff ?? null,
    }
    return { record: line, values }
  })
  await work.changeAll(entity, changes)
  await dropEmpty(work, family, former)
}

/**
 * Rows of back-payments without a matching line. A person whom the system does not know becomes a separate line; a
 * known person has no such back-payment: the existing months are reported. People whom the user may not see count as
 * unknown.
 */
export const foreseeBackPayments = procedure<LineName>(async (work, { entity, records, before }) => {
  const unanswered = records.filter((_, index) => !before[index])
  if (unanswered.length === 0) return { rows: records.map(() => ({})) }
  const numbers = unanswered.map(({ idNumber }) => idNumber)
  const people = await work.read('person', { where: { idNumber: numbers }, fields: ['idNumber'], seen: true })
  const known = new Set(people.map(({ idNumber }) => idNumber))
  const lines = await work.read(expenseLineOf(familyOf(work, entity)), {
    where: {
      account: unanswered.map(({ account }) => account),
      idNumber: numbers,
      expenseType: 'supplement',
      stage: { not: 'void' },
    },
    fields: ['account', 'idNumber', 'feeMonth', 'belongMonth', 'sourceNo'],
    seen: true,
  })
  const rows = records.map((record, index): Foreseen => {
    if (before[index] || !known.has(record.idNumber)) return {}
    const there = lines.filter(
      ({ account, idNumber, feeMonth }) =>
        account === record.account && idNumber === record.idNumber && feeMonth === record.feeMonth,
    )
    return { problems: [{ field: 'belongMonth', code: 'backPayment', message: noBackPayment(there) }] }
  })
  return { rows }
})

function noBackPayment(lines: readonly Part<LineName, 'belongMonth' | 'sourceNo'>[]): Label {
  const periods = [...groupedBy(lines, ({ sourceNo }) => sourceNo).values()].map((own) =>
    own.map(({ belongMonth }) => belongMonth).sort(),
  )
  const periodTexts = (between: string) =>
    periods.map((months) => (months.length === 1 ? months[0] : `${months[0]}${between}${months.at(-1)}`))
  return {
    cn: `未找到对应的补缴记录${periods.length > 0 ? `：该人员的补缴为${periodTexts('至').join('、')}` : ''}`,
    en: `No matching back-payment${periods.length > 0 ? `: the person's is of ${periodTexts(' to ').join(', ')}` : ''}`,
  }
}
