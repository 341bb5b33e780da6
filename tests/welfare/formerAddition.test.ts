/** An addition that nobody has handled when its employment ends does not insure the person in the next one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockWait } from '../lockWait.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { joinByFile } from './joinerFile.ts'
import { done, family, idOf, movingHouse, type MovingHouse } from './moving.ts'

let { house, call, on, act, ticketsOf, insure, generate, ...moving } = {} as MovingHouse
let first: BilledCustomer
let second: BilledCustomer
beforeAll(async () => {
  ;({ house, call, on, act, ticketsOf, insure, generate, ...moving } = await movingHouse())
  first = await billedCustomer(house, { heads: 0 })
  second = await billedCustomer(house, { heads: 0 })
})
afterAll(() => house?.close())
beforeEach(() => void on('2026-01-10'))

/** Leaves the first customer at the end of January with the addition still open, and begins at another. */
async function movesOn(person: number, to: BilledCustomer): Promise<void> {
  on('2026-03-10')
  done(await act(person, 'leave', { leaveDate: '2026-01-31', leaveReason: 'mutual' }))
  done(await act(person, 'close'))
  const { customer, agency, contract: serviceContract } = to
  done(await act(person, 'rehire', { customer, agency, serviceContract, entryDate: '2026-03-10', baseSalary: '12000' }))
}
const additions = async (person: number) =>
  (await ticketsOf('Addition', person)).map(({ status, customer, serviceContract, startMonth }) => [
    status,
    idOf(customer),
    idOf(serviceContract),
    startMonth,
  ])
const linesOf = async (person: number) =>
  (await ticketsOf('ExpenseLine', person)).map(({ belongMonth, customer }) => [belongMonth, idOf(customer)])
const messagesAbout = async (person: number): Promise<string[]> => {
  const { rows } = await house.database.pool.query<{ text: string }>(
    `select distinct (title->>'cn') || ' ' || (content->>'cn') as text from message
    where type = 'ticketMissing' and link like $1`,
    [`%persondetail?id=${person}`],
  )
  return rows.map(({ text }) => text).filter((text) => text.includes('社会保险') && !text.startsWith('减员'))
}

test('an addition that nobody has begun is replaced by one of the new employment', async () => {
  const person = await moving.joins(first, '2026-01')
  const [{ ticketNo, personName }] = await ticketsOf('Addition', person)
  await movesOn(person, second)
  expect(await additions(person)).toEqual([
    ['cancelled', first.customer, first.contract, '2026-01'],
    ['pending', second.customer, second.contract, '2026-03'],
  ])
  expect(await messagesAbout(person)).toEqual([
    expect.stringContaining(
      `前一段任职的增员已撤销：${personName as string} 社会保险：增员${ticketNo as string}已撤销`,
    ),
  ])
  await insure(person, '2026-03')
  await generate('2026-03', second)
  expect(await linesOf(person)).toEqual([['2026-03', second.customer]])
  expect(await ticketsOf('Enrolment', person)).toHaveLength(1)
})

test("the same customer's other contract is billed, and no month without employment is paid back", async () => {
  const other = await billedCustomer(house, { heads: 0 })
  const person = await moving.joins(first, '2026-01')
  await movesOn(person, first)
  await insure(person, '2026-03')
  await generate('2026-03', first)
  expect(await linesOf(person)).toEqual([['2026-03', first.customer]])
  expect(await ticketsOf('Supplement', person)).toEqual([])
  // What begins after the last working day was not missed.
  const later = await moving.joins(other, '2026-03')
  await movesOn(later, second)
  expect((await additions(later)).map(([status]) => status)).toEqual(['cancelled', 'pending'])
  expect(await messagesAbout(later)).toEqual([])
})

test('an addition that is being handled is refused until it is returned and cancelled; the new one follows', async () => {
  const person = await moving.joins(first, '2026-01')
  const [{ id, ticketNo, personName }] = await ticketsOf('Addition', person)
  done(await call(`${family}Addition`, 'accept', id!))
  await movesOn(person, second)
  expect(await additions(person)).toEqual([['processing', first.customer, first.contract, '2026-01']])
  expect(await messagesAbout(person)).toEqual([expect.stringContaining(`增员${ticketNo as string}正在办理`)])
  expect(await call(`${family}Addition`, 'succeed', id!, { handleMonth: '2026-03' })).toMatchObject({
    code: 409,
    message: `增员${ticketNo as string}不属于${personName as string}的现任职：请撤销（办理中的先退回），随后自动生成现任职的增员`,
  })
  expect(await linesOf(person)).toEqual([])
  done(await call(`${family}Addition`, 'return', id!, { returnReason: '已换客户' }))
  done(await call(`${family}Addition`, 'cancel', id!))
  expect((await additions(person)).at(-1)).toEqual(['pending', second.customer, second.contract, '2026-03'])
  await insure(person, '2026-03')
  await generate('2026-03', second)
  expect(await linesOf(person)).toEqual([['2026-03', second.customer]])
})

test('an addition being handled for the same month, customer and contract insures the new employment', async () => {
  on('2026-03-20')
  const person = await moving.joins(first, '2026-03', '2026-03-02')
  const [{ id, ticketNo }] = await ticketsOf('Addition', person)
  done(await call(`${family}Addition`, 'accept', id!))
  done(await act(person, 'leave', { leaveDate: '2026-03-10', leaveReason: 'mutual' }))
  done(await act(person, 'close'))
  const { customer, agency, contract: serviceContract } = first
  done(await act(person, 'rehire', { customer, agency, serviceContract, entryDate: '2026-03-20', baseSalary: '12000' }))
  expect(await messagesAbout(person)).toEqual([
    expect.stringContaining(`增员${ticketNo as string}正在办理，办结后即参保`),
  ])
  done(await call(`${family}Addition`, 'succeed', id!, { handleMonth: '2026-03' }))
  await generate('2026-03', first)
  expect(await linesOf(person)).toEqual([['2026-03', first.customer]])
})

test('an addition handled at the moment of the rehire waits for it, and is refused', async () => {
  const person = await moving.joins(first, '2026-01')
  const [{ id }] = await ticketsOf('Addition', person)
  done(await call(`${family}Addition`, 'accept', id!))
  on('2026-03-10')
  done(await act(person, 'leave', { leaveDate: '2026-01-31', leaveReason: 'mutual' }))
  done(await act(person, 'close'))
  const { customer, agency, contract: serviceContract } = second
  const writes = await house.database.pool.connect()
  let rehired: ReturnType<typeof act>
  let handled: ReturnType<typeof call>
  try {
    await writes.query('begin; lock table "employmentRecord" in share mode')
    rehired = act(person, 'rehire', { customer, agency, serviceContract, entryDate: '2026-03-10', baseSalary: '12000' })
    await lockWait(house, 1)
    handled = call(`${family}Addition`, 'succeed', id!, { handleMonth: '2026-03' })
    await Promise.race([handled, lockWait(house, 2)])
  } finally {
    await writes.query('rollback')
    writes.release()
  }
  done(await rehired)
  expect(await handled).toMatchObject({ code: 409, message: expect.stringContaining('不属于') })
  expect(await linesOf(person)).toEqual([])
})

test('a hire that is postponed does not make its addition one of a former employment', async () => {
  on('2026-03-10')
  const person = await moving.joins(first, '2026-03', '2026-03-25')
  const [{ id }] = await ticketsOf('Addition', person)
  done(await call(`${family}Addition`, 'accept', id!))
  await house.database.pool.query(`update person set "entryDate" = '2026-04-01' where id = $1`, [person])
  done(await call(`${family}Addition`, 'succeed', id!, { handleMonth: '2026-03' }))
})

test('what a joiner file says of a ticket that is there already is not lost in silence', async () => {
  on('2026-03-20')
  const person = await moving.joins(first, '2026-03', '2026-03-02')
  const [{ id }] = await ticketsOf('Addition', person)
  done(await call(`${family}Addition`, 'accept', id!))
  done(await act(person, 'leave', { leaveDate: '2026-03-10', leaveReason: 'mutual' }))
  done(await act(person, 'close'))
  await joinByFile(
    house,
    { person, customer: first.customer, contract: first.contract },
    {
      householdType: '外地城镇',
      entryDate: '2026-03-20',
      baseSalary: '12000.00',
      [`${family}StartMonth`]: '2026-03',
      [`${family}DeclaredBase`]: '13000.00',
    },
  )
  expect(await messagesAbout(person)).toEqual([
    expect.stringContaining('（未采用的填写内容：社保起缴月份 2026-03、社保申报基数 见变更历史或导入明细）'),
  ])
})
