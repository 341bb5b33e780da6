/** Records that no user adds by hand; the calls that lead to them go through the API. */
import type { RecordData } from '../../engine/model/model.ts'
import { call, detail, listed } from './app.ts'

/** Entity → a function that makes more of its records. */
export const madeByProcedures: Record<string, () => Promise<void>> = {
  /** Two benefits confirmed after the wages of their month, one of which has since been settled. */
  async undeducted() {
    const owed = { filters: { kind: { in: ['benefit'] }, state: { in: ['open'] } }, size: 1000 }
    const known = new Set((await listed('/salary/undeducted', owed)).map(({ person }) => idOf(person)))
    const paid = await listed('/salary/payrollLine', {
      filters: { batchStatus: { in: ['approved', 'paid'] }, incomeType: { in: ['wage'] } },
      sort: '-id',
      size: 100,
    })
    const two = paid.filter(({ person }) => !known.has(idOf(person))).slice(0, 2)
    for (const line of two) await confirmBenefit(line)
    const [, settled] = (await listed('/salary/undeducted', owed)).filter(({ person }) =>
      two.some((line) => idOf(line.person) === idOf(person)),
    )
    await call('POST', '/salary/undeducted/settle', {
      id: settled.id,
      values: { settledOn: String(settled.since), settledRemark: '银行转账收回' },
    })
  },
}

async function confirmBenefit({ person, welfareMonth }: RecordData): Promise<void> {
  const { customer, serviceContract } = await detail('/staff/person', idOf(person))
  const values = {
    feeMonth: welfareMonth,
    customer: idOf(customer),
    serviceContract: idOf(serviceContract),
    person: idOf(person),
    quantity: 1,
    benefitType: 'checkup',
    itemName: '体检',
    unitPrice: '580',
    companyAmount: '500',
  }
  const { id } = await call<{ id: number }>('POST', '/welfare/otherBenefit/create', { values })
  await call('POST', '/welfare/otherBenefit/confirm', { id })
}

const idOf = (value: RecordData[string]): number => (value as { id: number }).id
