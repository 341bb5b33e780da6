import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, type Enrolment, type Family } from '../handling/family.ts'

/**
 * Lines that only the bureau's table had, and that were accepted before their person was enrolled, are the charges of
 * their months: they become the enrolment's, so that no other line charges for the same, and later changes count them.
 */
export async function adoptLines(work: ProcedureWork, family: Family, enrolments: readonly Enrolment[]): Promise<void> {
  const enrolled = enrolments.filter(({ status }) => status !== 'opening')
  if (enrolled.length === 0) return
  const name = expenseLineOf(family)
  const lines = await work.read(name, {
    where: {
      person: enrolled.map(({ person }) => person),
      enrolment: { empty: true },
      // Those of tickets belong to their own enrolments.
      sourceNo: { empty: true },
      stage: ['open', 'locked'],
    },
    lock: true,
  })
  const own = groupedBy(enrolled, ({ person }) => person)
  await work.changeAll(
    name,
    lines.flatMap((record) => {
      const { account, belongMonth } = record
      const enrolment = (own.get(record.person) ?? []).find(
        (each) =>
          each.account === account &&
          String(each.startMonth) <= belongMonth &&
          belongMonth <= (each.endMonth ?? '9999-12'),
      )
      return enrolment ? [{ record, values: { enrolment: enrolment.id } }] : []
    }),
  )
}

/** Lines that stay although their enrolment does not: somebody has decided them by hand. */
export async function releaseLines(work: ProcedureWork, family: Family, enrolments: readonly number[]): Promise<void> {
  const name = expenseLineOf(family)
  const lines = await work.read(name, { where: { enrolment: enrolments, stage: 'open' }, lock: true })
  await work.changeAll(
    name,
    lines.map((record) => ({ record, values: { enrolment: null } })),
  )
}
