import { addMonths } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { procedure, type Stored } from '../../../engine/server/procedure.ts'
import { carriedOn } from './specialDeduction.ts'

/**
 * Carries deductions forward: everybody at work who had some in the previous month and has none in this one continues
 * with the last monthly increase. Returns how many were carried, and who was not and why. @throws Refusal invalid in
 * January, because a year begins with nothing.
 */
export const carryDeductions = procedure<'specialDeduction'>(async (work, { values }) => {
  const month = values.taxMonth!
  if (month.endsWith('-01'))
    work.refuse('specialDeduction', [{ field: 'taxMonth', code: 'january', message: notInJanuary }])
  const [before, last] = [addMonths(month, -2)!, addMonths(month, -1)!]
  const rows = await work.read('specialDeduction', {
    where: { taxMonth: [before, last, month] },
    lock: true,
  })
  const byKeyIn = (taxMonth: string) =>
    new Map(rows.filter((row) => row.taxMonth === taxMonth).map((row) => [keyOf(row), row]))
  const [grown, known, there] = [byKeyIn(before), byKeyIn(last), byKeyIn(month)]
  const people = await work.read('person', {
    where: { id: [...known.values()].map(({ person }) => person), employmentStatus: ['active', 'leaving'] },
    fields: ['name', 'customer', 'agency'],
    seen: true,
  })
  const active = new Map(people.map((person) => [person.id as number, person]))

  const made: Parameters<typeof work.insert<'specialDeduction'>>[1][number][] = []
  const failed: { id: number; name: string; message: string }[] = []
  for (const [key, row] of known) {
    const who = active.get(row.person)
    if (there.has(key) || !who) continue
    const first = grown.get(key)
    if (!first && !last.endsWith('-01')) {
      failed.push({ id: row.person, name: who.name, message: unknownGrowth[work.language] })
      continue
    }
    const { person, taxSubject, customer, agency } = row
    made.push({
      person,
      personName: who.name,
      taxSubject,
      // People who moved to another customer of the same agent declare there from now on.
      customer: taxSubject !== 'customer' && agency === who.agency ? who.customer : customer,
      agency,
      taxMonth: month,
      ...carriedOn(row, first ?? null, month),
      source: 'carry',
      status: 'valid',
    })
  }
  await work.insert('specialDeduction', made, { action: 'carry' })
  return { succeeded: made.length, failed }
})

/** Deductions are declared to one withholding agent: us by our entity, or the customer itself. */
const keyOf = ({ person, taxSubject, customer, agency }: Stored<'specialDeduction'>) =>
  [person, taxSubject, taxSubject === 'customer' ? customer : agency].join(' ')
const notInJanuary: Label = {
  cn: '跨年不能结转，请导入本年数据',
  en: 'Deductions start again each year: import those of January',
}
const unknownGrowth: Record<string, string> = {
  cn: '没有上上月的数据，无法得知上月新增额',
  en: "Last month's increment cannot be determined without the data of the month before",
}
