/** What was handled is revoked in reverse order, and only while no locked month is based on it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { adjustingHouse, type AdjustingHouse, done, family } from './adjusting.ts'
import { isLong } from '../long.ts'

let { house, call, create, detail, person, add, on, list, adjust, generate, summaries } = {} as AdjustingHouse
beforeAll(async () => {
  ;({ house, call, create, detail, person, add, on, list, adjust, generate, summaries } = await adjustingHouse())
})
afterAll(() => house?.close())

/** A person who is enrolled from that month on, with a base of 8,000. */
async function enrolled(month: string, values: Record<string, Value> = {}): Promise<{ id: number; addition: number }> {
  const { id } = await person(values)
  const { result } = done(await add(family, { person: id, startMonth: month, declaredBase: '8000' }))
  done(await call(`${family}Addition`, 'succeed', result.id, { handleMonth: month }))
  return { id, addition: result.id }
}
const ticketNo = async (entity: string, id: number): Promise<string> =>
  String((await detail(`${family}${entity}`, id)).ticketNo)
const base = async (person: number): Promise<unknown> => (await list(`${family}Enrolment`, person)).at(-1)?.declaredBase
const charged = async (person: number): Promise<unknown[]> =>
  (await list(`${family}ExpenseLine`, person)).map(({ belongMonth, feeMonth, expenseType, companyTotal }) => [
    belongMonth,
    feeMonth,
    expenseType,
    companyTotal,
  ])

test.skipIf(!isLong)('of two adjustments of the same month, the first is not revoked before the second', async () => {
  on('2026-03-10')
  const { id } = await enrolled('2026-03')
  await generate('2026-03')
  const first = await adjust(id, '2026-03', '9000', '2026-03')
  const second = await adjust(id, '2026-03', '10000', '2026-03')
  expect(await call(`${family}Adjustment`, 'revoke', first)).toMatchObject({
    code: 409,
    message: `之后办结的${await ticketNo('Adjustment', second)}仍然有效，请先撤回`,
  })
  expect(await base(id)).toBe('10000.00')
  done(await call(`${family}Adjustment`, 'revoke', second))
  done(await call(`${family}Adjustment`, 'return', second, { returnReason: '资料不全' }))
  done(await call(`${family}Adjustment`, 'cancel', second))
  done(await call(`${family}Adjustment`, 'revoke', first))
  expect(await base(id)).toBe('8000.00')
})

test('an adjustment is not revoked while a month that was locked at its base is locked', async () => {
  on('2026-06-10')
  const { id } = await enrolled('2026-05')
  await generate('2026-05')
  await summaries('2026-05', 'confirm')
  const ticket = await adjust(id, '2026-05', '9000', '2026-06')
  await generate('2026-06')
  await summaries('2026-06', 'confirm')
  on('2026-07-10')
  expect(await call(`${family}Adjustment`, 'revoke', ticket)).toMatchObject({ code: 409 })
  await summaries('2026-06', 'unconfirm')
  // The month of May was locked before, and its difference goes with the ticket.
  done(await call(`${family}Adjustment`, 'revoke', ticket))
  expect(await charged(id)).toEqual([
    ['2026-05', '2026-05', 'normal', '1352.00'],
    ['2026-06', '2026-06', 'normal', '1352.00'],
  ])
})

test.skipIf(!isLong)('it names the month if nothing else that the adjustment made is locked', async () => {
  on('2026-08-10')
  const { id } = await enrolled('2026-08')
  const ticket = await adjust(id, '2026-08', '9000', '2026-08')
  await generate('2026-08')
  await summaries('2026-08', 'confirm')
  on('2026-09-10')
  expect(await call(`${family}Adjustment`, 'revoke', ticket)).toMatchObject({
    code: 409,
    message: '2026-08的费用已按该调整锁定，请先取消确认，或另行调整',
  })
  expect(await base(id)).toBe('9000.00')
})

test('an addition is not revoked before what was done on its enrolment', async () => {
  on('2026-10-10')
  const { id, addition } = await enrolled('2026-10', { entryDate: '2026-08-03' })
  const months = { fromMonth: '2026-08', toMonth: '2026-09' }
  const given = { person: id, supplementType: 'missed', base: '8000', reason: '漏缴', ...months }
  const { result: backPayment } = done(await create(`${family}Supplement`, given))
  const refused = async (text: string) =>
    expect(await call(`${family}Addition`, 'revoke', addition)).toMatchObject({ code: 409, message: text })
  const open = '请先撤销'
  await refused(`该参保记录有补缴任务${await ticketNo('Supplement', backPayment.id)}，${open}`)
  done(await call(`${family}Supplement`, 'succeed', backPayment.id, { handleMonth: '2026-10', lateFee: '0' }))
  await refused(`该参保记录有补缴任务${await ticketNo('Supplement', backPayment.id)}，请先撤回并撤销`)
  for (const [action, values] of [['revoke'], ['return', { returnReason: '资料不全' }], ['cancel']] as const)
    done(await call(`${family}Supplement`, action, backPayment.id, values))

  const adjustment = await adjust(id, '2026-10', '9000', '2026-10')
  await refused(`该参保记录有调整任务${await ticketNo('Adjustment', adjustment)}，请先撤回并撤销`)
  for (const [action, values] of [['revoke'], ['return', { returnReason: '资料不全' }], ['cancel']] as const)
    done(await call(`${family}Adjustment`, action, adjustment, values))
  done(await call(`${family}Addition`, 'revoke', addition))
  expect(await base(id)).toBe('8000.00')
})
