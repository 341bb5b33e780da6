import type { CallPart, ProcedureWork, Stored, Where } from '../../../engine/server/procedure.ts'

/** A job part for each of these customers (or each with such a contract) that the user may see. */
export async function partOfEachCustomer(
  work: ProcedureWork,
  { chosen, where }: { chosen?: readonly number[] | null; where: Where<Stored<'contract'>> },
): Promise<{ parts: CallPart[] }> {
  const ids = chosen?.length
    ? chosen
    : (await work.read('contract', { where, fields: ['customer'], seen: true })).map(({ customer }) => customer)
  const customers = await work.read('customer', { where: { id: [...new Set(ids)] }, fields: ['name'], seen: true })
  return { parts: customers.map(({ id, name }) => ({ id, name, values: { customers: [id] } })) }
}
