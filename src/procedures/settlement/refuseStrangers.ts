import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'

type Named = Pick<Stored<'statementItem' | 'budgetLine'>, 'id' | 'person' | 'customer'>

/**
 * @throws Refusal invalid if an adjustment, or a line of a budget, that is not deleted names a person who works, and
 * has worked, for other customers only.
 */
export async function refuseStrangers(
  work: ProcedureWork,
  entity: 'statementItem' | 'budgetLine',
  records: readonly Named[],
): Promise<void> {
  const present = await work.byId(
    entity,
    records.map(({ id }) => id),
    { fields: ['person'] },
  )
  const person = records.flatMap((record) => record.person ?? [])
  const people = await work.byId('person', person, { fields: ['customer'] })
  const stints = await work.read('employmentRecord', { where: { person }, fields: ['person', 'customer'] })
  const isStranger = (record: Named) =>
    present.has(record.id) &&
    record.person !== null &&
    people.get(record.person)?.customer !== record.customer &&
    !stints.some((stint) => stint.person === record.person && stint.customer === record.customer)
  if (records.some(isStranger))
    work.refuse(entity, [
      {
        field: 'person',
        code: 'rule',
        message: { cn: '该员工不属于该客户', en: 'The employee has never worked for this customer' },
      },
    ])
}
