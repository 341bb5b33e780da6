import { procedure } from '../../../../engine/server/procedure.ts'
import { expenseLineOf, familyOf, type EnrolmentName } from '../handling/family.ts'

/** Copies a corrected personal number to the lines that are still open. */
export const spreadAccountNo = procedure<EnrolmentName>(async (work, { entity, records }) => {
  const name = expenseLineOf(familyOf(work, entity))
  const numbers = new Map(records.map(({ id, personalAccountNo }) => [id, personalAccountNo]))
  const lines = await work.read(name, { where: { enrolment: [...numbers.keys()], stage: 'open' }, lock: true })
  await work.changeAll(
    name,
    lines.map((record) => ({ record, values: { personalAccountNo: numbers.get(record.enrolment!) ?? null } })),
  )
})
