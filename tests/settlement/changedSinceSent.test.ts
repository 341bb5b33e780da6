import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import { clockOn } from '../clock.ts'
import { createTestServer, type TestServer } from '../server.ts'
import {
  adjustments,
  billedCustomer,
  deliver,
  delivery,
  generate,
  journal,
  read,
  sample,
  statements,
  statementsOf,
} from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  // The daily rules of a new database start on the next day.
  await runDaily(house.runtime)
})
afterAll(() => house?.close())

/** Moves on to that day and runs its daily rules; days between are skipped. */
async function until(day: string): Promise<void> {
  house.runtime.clock = clockOn(day)
  await runDaily(house.runtime)
}
async function sent(): Promise<number> {
  const customer = await billedCustomer(house)
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  expect(await house.admin.post(`${statements}/send`, { id, values: delivery })).toMatchObject({ code: 1 })
  return id!
}

test('an undisputed sent statement is confirmed unchanged after the days in the settings', async () => {
  const [plain, changed, disputed] = [await sent(), await sent(), await sent()]
  expect(await read(house, plain)).toMatchObject({ sentAmount: '19596.44', changedSinceSent: false })
  await house.admin.post(`${adjustments}/create`, {
    values: { statement: changed, feeItem: 'grossWage', costMonth: '2026-03', reason: '补发上月绩效', amount: '10' },
  })
  expect(await read(house, changed)).toMatchObject({ changedSinceSent: true })
  await house.admin.post(`${statements}/dispute`, { id: disputed, values: { disputeRemark: '工资人数不符' } })
  expect(await house.admin.post(`${statements}/confirmByTime`, { id: plain }), 'nobody does it before').toMatchObject({
    code: 409,
  })

  await until('2026-03-17')
  expect((await read(house, plain)).status).toBe('generated')
  await until('2026-03-18')
  expect(await read(house, plain)).toMatchObject({
    status: 'confirmed',
    confirmMode: 'auto',
    confirmedAt: expect.stringMatching(/^2026-03-18/),
  })
  expect((await journal(house, plain)).at(-1)).toMatchObject({
    action: 'confirm',
    operator: null,
    statusAfter: 'confirmed',
  })
  expect([(await read(house, changed)).status, (await read(house, disputed)).status]).toEqual([
    'generated',
    'generated',
  ])

  // The customer must be sent the new amount first.
  await house.admin.post(`${statements}/send`, { id: changed, values: delivery })
  await house.admin.post(`${statements}/resolveDispute`, { id: disputed })
  const settings = (await house.admin.get('/setting/otherSettings/detail')).result
  const put = (autoConfirmOrder: number, revision: number) =>
    house.admin.post('/setting/otherSettings/update', { id: settings.id, revision, values: { autoConfirmOrder } })
  expect(await put(0, settings.revision)).toMatchObject({ code: 1 })
  await until('2026-03-25')
  expect((await read(house, changed)).status, 'switched off').toBe('generated')
  expect(await put(3, settings.revision + 1)).toMatchObject({ code: 1 })
  await until('2026-03-26')
  expect([await read(house, changed), await read(house, disputed)]).toMatchObject([
    { status: 'confirmed' },
    { status: 'confirmed' },
  ])
})
