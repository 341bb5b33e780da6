/** Adjustments that were still open when their enrolment ended. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { done, family, idOf, movingHouse, type MovingHouse } from './moving.ts'
import { messagesOf } from './handled.ts'
import { isLong } from '../long.ts'

let house = {} as MovingHouse
let first: BilledCustomer
let second: BilledCustomer
beforeAll(async () => {
  house = await movingHouse()
})
afterAll(() => house.house?.close())
beforeEach(async () => {
  house.on('2026-01-10')
  first = await billedCustomer(house.house, { heads: 0 })
  second = await billedCustomer(house.house, { heads: 0 })
  house.on('2026-03-10')
})

const adjustment = `${family}Adjustment`
const adjust = (person: number, effectiveMonth: string, newBase: string) =>
  house.create(adjustment, { person, adjustType: 'midyear', effectiveMonth, newBase })
const edit = async (id: number, values: RecordData) => {
  const { revision } = await house.detail(adjustment, id)
  return house.house.admin.post(`/welfare/${adjustment}/update`, { id, revision, values })
}

/** Insured from March on at 12,000, with an adjustment to 13,000 that the handler has sent back. */
async function adjusted(): Promise<{ person: number; ticket: number; enrolment: number }> {
  const person = await house.joins(first, '2026-03')
  await house.insure(person, '2026-03')
  const { result } = await adjust(person, '2026-03', '13000')
  done(await house.call(adjustment, 'return', result.id, { returnReason: '基数有误' }))
  const [enrolment] = await house.ticketsOf('Enrolment', person)
  return { person, ticket: result.id, enrolment: enrolment.id! }
}

test.skipIf(!isLong)('do not hold up an adjustment of the next enrolment, and stay with their own', async () => {
  const { person, ticket, enrolment } = await adjusted()
  house.on('2026-04-10')
  await house.moves(person, '2026-03-31', second, '2026-04-01')
  await house.insure(person, '2026-04')
  const next = await adjust(person, '2026-04', '15000')
  done(next)
  expect((await adjust(person, '2026-04', '16000')).errors).toMatchObject([
    {
      field: 'person',
      message: `该人员有办理中的任务${String((await house.detail(adjustment, next.result.id)).ticketNo)}`,
    },
  ])

  const shown = await house.house.admin.post(`/welfare/${adjustment}/suggest`, {
    id: ticket,
    values: { person, adjustType: 'midyear', effectiveMonth: '2026-03', newBase: '14000' },
    typed: ['newBase'],
    parameters: {},
  })
  expect(idOf(shown.result.values.customer)).toBe(first.customer)
  done(await edit(ticket, { newBase: '14000' }))
  expect(await house.detail(adjustment, ticket)).toMatchObject({
    status: 'pending',
    customer: { id: first.customer },
    enrolment: { id: enrolment },
  })
  done(await house.call(adjustment, 'succeed', ticket, { handleMonth: '2026-04' }))
  done(await house.call(adjustment, 'succeed', next.result.id, { handleMonth: '2026-04' }))
  expect((await house.ticketsOf('Enrolment', person)).map(({ declaredBase }) => declaredBase)).toEqual([
    '14000.00',
    '15000.00',
  ])
})

test.skipIf(!isLong)('can be corrected after the person has left, by hand and by import, or cancelled', async () => {
  const { person, ticket } = await adjusted()
  house.on('2026-04-10')
  await house.goes(person, '2026-03-31', '2026-04')
  expect((await edit(ticket, { effectiveMonth: '2026-04' })).errors).toMatchObject([
    { field: 'effectiveMonth', message: '该参保记录已于2026-03停缴，生效月份不能更晚；不需要调整的，请撤销任务' },
  ])
  done(await edit(ticket, { newBase: '14000' }))
  done(await house.call(adjustment, 'return', ticket, { returnReason: '基数有误' }))
  const { idNumber } = (await house.house.admin.get('/staff/person/detail', { id: person })).result
  const row = (effectiveMonth: string, newBase: string) => ({
    personName: '林晓演',
    person: idNumber,
    adjustType: '中途调基',
    effectiveMonth,
    newBase,
  })
  const refused = await house.checked(`${adjustment}Import`, [row('2026-04', '15000')])
  expect(refused.rows.flatMap(messagesOf)).toEqual([expect.stringContaining('该人员未参保')])
  const { id } = await house.checked(`${adjustment}Import`, [row('2026-03', '15000')])
  expect(await house.written(`${adjustment}Import`, id)).toMatchObject([{ rowStatus: 'updated' }])
  expect(await house.detail(adjustment, ticket)).toMatchObject({ status: 'pending', newBase: '15000.00' })
  done(await house.call(adjustment, 'cancel', ticket))
  expect((await adjust(person, '2026-03', '13000')).errors).toMatchObject([
    { field: 'person', message: '该人员未参保' },
  ])
})
