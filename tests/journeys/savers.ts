/** Several users who save without pause until the server is gone, and what the server acknowledged to them. */
import { expect } from 'vitest'
import type { HistoryEntry, RecordData, SaveResult, Value } from '../../engine/model/model.ts'
import { call, detail, list } from './app.ts'
import { addCustomer, newMobile, newName } from './customer.ts'

/**
 * A customer of one saver. Each save writes its number into several fields and rows, so that half a save would show.
 */
interface Customer {
  name: string
  /** The number of the last acknowledged save, or -1 for none; then the number of the last save sent. */
  acknowledged: number
  sent: number
}

const valuesOf = (number: number): Record<string, Value> => ({
  remark: `第${number}次`,
  consigneeName: `收件${number}`,
  contacts: ['甲', '乙'].map((which, index) => ({
    name: `联系${number}${which}`,
    kind: ['general'],
    mobile: newMobile(),
    primary: index === 0,
  })),
})

/** Resolves to undefined if the end of the server cut the call off, and throws any other error. */
async function unlessCut<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Saves with `hands` users at once and calls `onSaved` for every acknowledged save; resolves when all have been cut
 * off.
 */
export async function saveUntilCut(hands: number, onSaved: () => void): Promise<Customer[]> {
  const customers: Customer[] = []
  const keepSaving = async (): Promise<void> => {
    for (;;) {
      const customer: Customer = { name: newName('不断保存'), acknowledged: -1, sent: 0 }
      customers.push(customer)
      const id = await unlessCut(addCustomer({ name: customer.name, values: valuesOf(0) }))
      if (id === undefined) return
      customer.acknowledged = 0
      onSaved()
      for (let revision = 1; customer.sent < 6;) {
        customer.sent++
        const saved = await unlessCut(
          call<SaveResult>('POST', '/customer/update', { id, revision, values: valuesOf(customer.sent) }),
        )
        if (!saved) return
        ;({ revision } = saved)
        customer.acknowledged = customer.sent
        onSaved()
      }
    }
  }
  await Promise.all(Array.from({ length: hands }, keepSaving))
  return customers
}

/** Expects each acknowledged save, and any other either whole or not at all, including the traces that saves leave. */
export async function expectKept(customers: Customer[]): Promise<void> {
  for (const { name, acknowledged, sent } of customers) {
    const { list: found } = await list('/customer', { search: name })
    if (acknowledged < 0 && found.length === 0) continue
    expect(found.length, `${name} is there once`).toBe(1)
    await expectWhole(await detail('/customer', found[0].id!), acknowledged, sent)
  }
}

async function expectWhole(record: RecordData, acknowledged: number, sent: number): Promise<void> {
  const number = Number(/^第(\d+)次$/.exec(String(record.remark))?.[1])
  expect([Math.max(acknowledged, 0), sent], `the last save of ${String(record.name)} that is there`).toContain(number)
  expect(record).toMatchObject({
    revision: number + 1,
    code: expect.stringMatching(/^C\d{6}$/),
    approvalStatus: 'pending',
    approvalRounds: 1,
    licenseImage: [{ status: 'success' }],
    consigneeName: `收件${number}`,
    contacts: [
      { name: `联系${number}甲`, primary: true },
      { name: `联系${number}乙`, primary: false },
    ],
  })
  expect(record.contacts).toHaveLength(2)
  const history = await call<{ list: HistoryEntry[]; total: number }>('GET', '/customer/history', {
    id: record.id!,
    page: 1,
    size: 100,
  })
  expect(history.list.map(({ action }) => action)).toEqual([
    ...Array.from({ length: number }, () => 'update'),
    'create',
  ])
  expect(history.list.map(({ changes }) => changes.find(({ field }) => field === 'remark')?.new)).toEqual(
    Array.from({ length: number + 1 }, (_, index) => `第${number - index}次`),
  )
  const { list: rounds } = await list('/customer/customerApproval', { filters: { customer: { equals: record.id } } })
  expect(rounds).toMatchObject([{ round: 1, action: 'submit' }])
}
