/** People who leave and come back: whose enrolment pays which months, and that nobody stays insured by mistake. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { done, family, idOf, movingHouse, type MovingHouse } from './moving.ts'
import { messagesOf } from './handled.ts'
import { isLong } from '../long.ts'

let { house, around, call, create, on, joins, act, ticketsOf, goes, moves, insure, generate, costs, ...handling } =
  {} as MovingHouse
let first: BilledCustomer
let second: BilledCustomer
beforeAll(async () => {
  ;({ house, around, call, create, on, joins, act, ticketsOf, goes, moves, insure, generate, costs, ...handling } =
    await movingHouse())
})
afterAll(() => house?.close())
beforeEach(async () => {
  on('2026-01-10')
  first = await billedCustomer(house, { heads: 0 })
  second = await billedCustomer(house, { heads: 0 })
})

const linesOf = async (person: number) =>
  (await ticketsOf('ExpenseLine', person))
    .map((line) => [line.belongMonth, line.expenseType, idOf(line.customer), idOf(line.enrolment)])
    .toSorted((a, b) => String(a).localeCompare(String(b)))
const summariesOf = async ({ customer }: BilledCustomer): Promise<RecordData[]> =>
  (
    await house.admin.get(`/welfare/${family}ExpenseSummary/list`, {
      filters: { customer: { in: [customer] } },
      size: 50,
    })
  ).result.list

test('months missed by an addition are borne by the customer of its enrolment, wherever the person is', async () => {
  on('2026-03-10')
  const [moved, gone] = [await joins(first, '2026-01'), await joins(first, '2026-01')]
  await insure(moved, '2026-03')
  await insure(gone, '2026-03')
  await moves(moved, '2026-03-08', second, '2026-03-09')
  await goes(gone, '2026-03-08', '2026-03')
  on('2026-04-10')
  await insure(moved, '2026-04')
  for (const person of [moved, gone]) {
    const [{ id }] = await ticketsOf('Supplement', person)
    done(await call(`${family}Supplement`, 'succeed', id!, { handleMonth: '2026-04', lateFee: '0' }))
    const [enrolment] = await ticketsOf('Enrolment', person)
    expect(await ticketsOf('Supplement', person)).toMatchObject([
      { customer: { id: first.customer }, enrolment: { id: enrolment.id } },
    ])
    expect((await linesOf(person)).filter(([, type]) => type === 'supplement')).toEqual(
      ['2026-01', '2026-02'].map((month) => [month, 'supplement', first.customer, enrolment.id]),
    )
    const borne = (await costs(person)).filter(([, , , , feeItem]) => feeItem === 'backPayment')
    expect(borne.map(([customer, contract]) => [customer, contract])).toEqual(
      Array(4).fill([first.customer, first.contract]),
    )
  }
})

test.skipIf(!isLong)('months missed by an addition are not paid back beyond the last paid month', async () => {
  on('2026-03-10')
  const person = await joins(first, '2026-01')
  await insure(person, '2026-03')
  await goes(person, '2026-01-31', '2026-03')
  const [{ id, revision }] = await ticketsOf('Supplement', person)
  const handled = { handleMonth: '2026-03', lateFee: '0' }
  expect((await call(`${family}Supplement`, 'succeed', id!, handled)).errors).toMatchObject([
    { field: 'toMonth', message: '该参保已于2026-01停缴，请缩短补缴月份或撤销补缴' },
  ])
  done(await house.admin.post(`/welfare/${family}Supplement/update`, { id, revision, values: { toMonth: '2026-01' } }))
  done(await call(`${family}Supplement`, 'succeed', id!, handled))
})

test.skipIf(!isLong)(
  'an addition does not begin in a month that a former enrolment paid, by hand or by import',
  async () => {
    on('2026-03-10')
    const { person } = await handling.enrolled(family, { declaredBase: '8000' })
    const { idNumber } = person
    const [{ id: enrolment }] = await ticketsOf('Enrolment', person.id)
    const reduction = await create(`${family}Reduction`, {
      person: person.id,
      reductionReason: 'resign',
      lastMonth: '2026-03',
    })
    done(await call(`${family}Reduction`, 'succeed', reduction.result.id, { handleMonth: '2026-03' }))
    const refused = '起缴月份2026-03不可办理，最早为2026-04：之前的月份已由上一段参保缴纳'
    expect((await handling.add(family, { person: person.id })).errors).toMatchObject([
      { field: 'startMonth', message: refused },
    ])
    const row = {
      personCustomer: around.name,
      personName: '林晓演',
      person: idNumber,
      city: '北京',
      additionType: '新参保',
      startMonth: '2026-03',
      declaredBase: '8000',
      workForm: '劳动合同',
    }
    const { rows } = await handling.checked(`${family}AdditionImport`, [row])
    expect(rows.map(messagesOf)).toEqual([[expect.stringContaining(refused)]])
    expect(await handling.suggested(`${family}Addition`, { person: person.id })).toMatchObject({
      startMonth: '2026-04',
    })
    done(await handling.add(family, { person: person.id, startMonth: '2026-04' }))
    expect((await ticketsOf('Enrolment', person.id)).map(({ id, status }) => [id, status])).toEqual([
      [enrolment, 'stopped'],
      [expect.anything(), 'opening'],
    ])
  },
)

test('months that were locked without a person whose reduction is given up, or ends later, are paid back', async () => {
  on('2026-03-10')
  const people = [await joins(first, '2026-03'), await joins(first, '2026-03'), await joins(first, '2026-03')]
  for (const person of people) await insure(person, '2026-03')
  await generate('2026-03', first)
  const [stays, later] = people
  const ticketOf = new Map<number, number>()
  for (const person of [stays, later]) {
    const { result } = await create(`${family}Reduction`, { person, reductionReason: 'resign', lastMonth: '2026-03' })
    ticketOf.set(person, result.id)
    done(await call(`${family}Reduction`, 'succeed', result.id, { handleMonth: '2026-03' }))
  }
  on('2026-06-10')
  for (const month of ['2026-04', '2026-05', '2026-06']) await generate(month, first)
  for (const { id, feeMonth } of await summariesOf(first))
    if (feeMonth === '2026-04' || feeMonth === '2026-05') done(await call(`${family}ExpenseSummary`, 'confirm', id!))
  for (const [, id] of ticketOf) {
    done(await call(`${family}Reduction`, 'revoke', id))
    done(await call(`${family}Reduction`, 'return', id, { returnReason: '客户取消' }))
  }
  done(await call(`${family}Reduction`, 'cancel', ticketOf.get(stays)!))
  const { revision } = await handling.detail(`${family}Reduction`, ticketOf.get(later)!)
  const corrected = { id: ticketOf.get(later), revision, values: { lastMonth: '2026-04' } }
  done(await house.admin.post(`/welfare/${family}Reduction/update`, corrected))
  done(await call(`${family}Reduction`, 'succeed', ticketOf.get(later)!, { handleMonth: '2026-06' }))
  for (const [person, toMonth] of [
    [stays, '2026-05'],
    [later, '2026-04'],
  ] as const) {
    const backPayments = await ticketsOf('Supplement', person)
    expect(backPayments).toMatchObject([
      { fromMonth: '2026-04', toMonth, status: 'pending', customer: { id: first.customer } },
    ])
    done(await call(`${family}Supplement`, 'succeed', backPayments[0].id!, { handleMonth: '2026-06', lateFee: '0' }))
  }
  const charged = async (person: number) => (await linesOf(person)).map(([month, type]) => [month, type])
  expect(await charged(stays)).toEqual([
    ['2026-03', 'normal'],
    ['2026-04', 'supplement'],
    ['2026-05', 'supplement'],
    ['2026-06', 'normal'],
  ])
  expect(await charged(later)).toEqual([
    ['2026-03', 'normal'],
    ['2026-04', 'supplement'],
  ])
})

test('nobody stays insured after leaving', async () => {
  on('2026-03-10')
  const person = await joins(first, '2026-03')
  await insure(person, '2026-03')
  done(await act(person, 'leave', { leaveDate: '2026-03-08', leaveReason: 'mutual' }))
  const [{ id, ticketNo, personName }] = await ticketsOf('Reduction', person)
  const kept = `${personName as string}离职后仍会参加社会保险：请修改减员${ticketNo as string}后办结`
  expect(await call(`${family}Reduction`, 'cancel', id!)).toMatchObject({ code: 409, message: `${kept}，或撤销离职` })
  // Undoing the offboarding does cancel it; offboarding again creates another.
  done(await act(person, 'cancelLeave'))
  done(await act(person, 'leave', { leaveDate: '2026-03-08', leaveReason: 'mutual' }))
  const again = (await ticketsOf('Reduction', person)).at(-1)!
  done(await call(`${family}Reduction`, 'succeed', again.id!, { handleMonth: '2026-03' }))
  done(await act(person, 'close'))
  done(await call(`${family}Reduction`, 'revoke', again.id!))
  done(await call(`${family}Reduction`, 'return', again.id!, { returnReason: '月份有误' }))
  const refusal = await call(`${family}Reduction`, 'cancel', again.id!)
  expect(refusal.message).toBe(kept.replace(String(ticketNo), String(again.ticketNo)))
  const { revision } = await handling.detail(`${family}Reduction`, again.id!)
  const corrected = { id: again.id, revision, values: { lastMonth: '2026-04' } }
  done(await house.admin.post(`/welfare/${family}Reduction/update`, corrected))
  done(await call(`${family}Reduction`, 'succeed', again.id!, { handleMonth: '2026-03' }))
})

test.skipIf(!isLong)('a leave is not completed while the person is insured without a reduction', async () => {
  on('2026-03-10')
  const person = await joins(first, '2026-03')
  await insure(person, '2026-03')
  done(await act(person, 'leave', { leaveDate: '2026-03-08', leaveReason: 'mutual' }))
  const [{ id, personName }] = await ticketsOf('Reduction', person)
  // As it was possible before: the reduction is cancelled, and the enrolment goes on.
  const { pool } = house.database
  await pool.query(`update "${family}Reduction" set status = 'cancelled' where id = $1`, [id])
  await pool.query(`update "${family}Enrolment" set status = 'enrolled' where person = $1`, [person])
  expect(await act(person, 'close')).toMatchObject({
    code: 409,
    message: `${personName as string}仍参加社会保险，请先办理减员`,
  })
  const made = await create(`${family}Reduction`, { person, reductionReason: 'resign', lastMonth: '2026-03' })
  done(await call(`${family}Reduction`, 'succeed', made.result.id, { handleMonth: '2026-03' }))
  done(await act(person, 'close'))
})

test.skipIf(!isLong)(
  'an addition of somebody who has left can be undone, with the reduction that followed it',
  async () => {
    on('2026-03-10')
    const person = await joins(first, '2026-03')
    done(await act(person, 'leave', { leaveDate: '2026-03-08', leaveReason: 'mutual' }))
    done(await act(person, 'close'))
    await insure(person, '2026-03')
    const [addition] = await ticketsOf('Addition', person)
    done(await call(`${family}Addition`, 'revoke', addition.id!))
    expect(await ticketsOf('Reduction', person)).toMatchObject([{ status: 'cancelled' }])
    expect(await ticketsOf('Enrolment', person)).toMatchObject([{ status: 'opening' }])
    done(await call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: '2026-03' }))
    expect(await ticketsOf('Reduction', person)).toMatchObject([{ status: 'cancelled' }, { status: 'pending' }])
  },
)

test.skipIf(!isLong)(
  'a reduction made before the leave follows it, and if the bureau has it, the difference is reported',
  async () => {
    on('2026-03-10')
    const people = [await joins(first, '2026-03'), await joins(first, '2026-03')]
    for (const person of people) await insure(person, '2026-03')
    const [idle, begun] = people
    for (const person of people) {
      const values = { person, reductionReason: 'terminated', lastMonth: '2026-03', leaveDate: '2026-03-31' }
      const { result } = await create(`${family}Reduction`, values)
      if (person === begun) done(await call(`${family}Reduction`, 'accept', result.id))
    }
    const leave = { leaveDate: '2026-04-20', leaveReason: 'mutual', [`${family}LastMonth`]: '2026-04' }
    for (const person of people) done(await act(person, 'leave', leave))
    expect(await ticketsOf('Reduction', idle)).toMatchObject([
      { status: 'pending', lastMonth: '2026-04', leaveDate: '2026-04-20', reductionReason: 'resign' },
    ])
    const [ticket] = await ticketsOf('Reduction', begun)
    expect(ticket).toMatchObject({ status: 'processing', lastMonth: '2026-03' })
    const { rows } = await house.database.pool.query<{ content: string }>(
      "select content->>'cn' as content from message where type = 'ticketMissing' and link like $1",
      [`%persondetail?id=${begun}`],
    )
    expect(rows.map(({ content }) => content)).toEqual([
      expect.stringContaining(`减员${ticket.ticketNo as string}正在办理，停缴月份为2026-03：需修改的，请先退回`),
    ])
  },
)

test('what the bureau charges late is borne by the customer that employed the person in its month', async () => {
  on('2026-03-10')
  const person = await joins(first, '2026-03')
  await insure(person, '2026-03')
  on('2026-04-10')
  await moves(person, '2026-03-31', second, '2026-04-01')
  const [{ account }] = await ticketsOf('Enrolment', person)
  const { idNumber, name } = (await house.admin.get('/staff/person/detail', { id: person })).result
  const given = { account: idOf(account), personName: name, idNumber, feeMonth: '2026-04', expenseType: 'normal' }
  for (const belongMonth of ['2026-03', '2026-04'])
    done(await create(`${family}ExpenseLine`, { ...given, belongMonth }))
  const late = (await ticketsOf('ExpenseLine', person)).filter(({ enrolment }) => enrolment === null)
  expect(late.map((line) => [line.belongMonth, idOf(line.customer), idOf(line.serviceContract)])).toEqual([
    ['2026-03', first.customer, first.contract],
    ['2026-04', second.customer, second.contract],
  ])
})
