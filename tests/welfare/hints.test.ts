/** A base outside the policy's limits is reported before the file is written, with the base that is used. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'

let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
})
afterAll(() => house?.house.close())

const limited = (declared: string, taken: string, name = '申报基数') =>
  `hint ${name}￥${declared}将按￥${taken}缴纳，低于下限或高于上限（提示）`
const named = async (id: number) => String((await house.house.admin.get('/staff/person/detail', { id })).result.name)

/** Checks a file of additions for these people, with these bases. */
async function additions(
  family: string,
  people: { id: number; idNumber: string }[],
  bases: string[],
  more: Record<string, string> = {},
) {
  return house.checked(
    `${family}AdditionImport`,
    await Promise.all(
      people.map(async ({ id, idNumber }, index) => ({
        personCustomer: house.around.name,
        personName: await named(id),
        person: idNumber,
        city: '北京',
        additionType: family === 'accumulationfund' ? '新开户' : '新参保',
        startMonth: '2026-03',
        declaredBase: bases[index],
        ...more,
      })),
    ),
  )
}

test('an addition outside the limits gets one hint, however many items share them, and is written', async () => {
  const people = await Promise.all([1, 2, 3].map(() => house.person()))
  const { id, rows } = await additions('socialsecurity', people, ['5000', '8000', '50000'], { workForm: '劳动合同' })
  expect(rows.map((row) => [row.rowStatus, ...messagesOf(row)])).toEqual([
    ['toCreate', limited('5,000.00', '6,821.00')],
    ['toCreate'],
    ['toCreate', limited('50,000.00', '35,283.00')],
  ])
  const written = await house.written('socialsecurityAdditionImport', id)
  expect(written.map((row) => [row.rowStatus, ...messagesOf(row)])).toEqual([
    ['created', limited('5,000.00', '6,821.00')],
    ['created'],
    ['created', limited('50,000.00', '35,283.00')],
  ])
  expect(await house.ticketsOf('socialsecurityAddition', people[0].id)).toMatchObject([
    { declaredBase: '5000.00', pensionBase: '6821.00', status: 'pending' },
  ])
  expect(await house.house.admin.get('/welfare/socialsecurityAdditionImport/detail', { id })).toMatchObject({
    result: { status: 'completed', successCount: 3, failCount: 0 },
  })
  const shared = await additions('accumulationfund', [people[0]], ['2000'])
  expect(shared.rows.map(messagesOf)).toEqual([[limited('2,000.00', '2,420.00')]])
})

test('errors by the policy are reported before writing, and a failed row has no hints', async () => {
  const [partTime, other] = [await house.person({ workerKind: 'partTime' }), await house.person()]
  const { rows } = await additions('socialsecurity', [partTime, other], ['5000', '5000'], { workForm: '劳动合同' })
  expect(rows.map((row) => [row.rowStatus, ...messagesOf(row)])).toEqual([
    ['failed', expect.stringContaining('不符合参加条件')],
    ['toCreate', limited('5,000.00', '6,821.00')],
  ])
  const outside = await additions('accumulationfund', [other], ['5000'], { fundCompanyRate: '13' })
  expect(outside.rows.map(messagesOf)).toEqual([[expect.stringContaining('比例或档次不在政策范围内')]])
})

test('an adjustment and a yearly base get hints for the new base, by the policy of their month', async () => {
  const { person } = await house.enrolled('socialsecurity', { declaredBase: '8000' })
  const row = { personName: await named(person.id), person: person.idNumber }
  const adjusted = await house.checked('socialsecurityAdjustmentImport', [
    { ...row, adjustType: '年度调基', effectiveMonth: '2026-04', newBase: '40000' },
  ])
  expect(adjusted.rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
    ['toCreate', limited('40,000.00', '35,283.00', '新申报基数')],
  ])
  expect(
    (
      await house.checked('socialsecurityAdjustmentImport', [
        { ...row, adjustType: '年度调基', effectiveMonth: '2026-04', newBase: '9000' },
      ])
    ).rows.map(messagesOf),
  ).toEqual([[]])
  expect(
    (
      await house.checked('socialsecurityAdjustmentImport', [
        { ...row, adjustType: '年度调基', effectiveMonth: '2025-01', newBase: '9000' },
      ])
    ).rows.map((each) => [each.rowStatus, ...messagesOf(each)]),
  ).toEqual([['failed', expect.stringContaining('生效月份早于起缴月份')]])
  const yearly = await house.checked('socialsecurityBaseChangeImport', [{ ...row, year: '2026', averageWage: '6000' }])
  expect(
    yearly.rows.map((each) => [each.rowStatus, ...messagesOf(each)]),
    'the average wage where no base is declared',
  ).toEqual([['toCreate', limited('6,000.00', '6,821.00', '新申报基数')]])
})

test('a ticket of any kind shows what its policy asks for', async () => {
  const family = 'socialsecurity'
  const { person, addition } = await house.enrolled(family, { declaredBase: '8000' })
  const made = async (kind: string, values: Record<string, Value>): Promise<[string, number]> => {
    const { result } = await house.create(`${family}${kind}`, { person: person.id, ...values })
    return [kind, result.id]
  }
  const months = { fromMonth: '2026-01', toMonth: '2026-02' }
  const tickets: [string, number][] = [
    ['Addition', addition],
    await made('Adjustment', { adjustType: 'annual', effectiveMonth: '2026-03', newBase: '9000' }),
    await made('Supplement', { supplementType: 'missed', base: '8000', reason: '漏缴', ...months }),
    await made('Reduction', { reductionReason: 'resign', lastMonth: '2026-03' }),
  ]
  for (const [kind, id] of tickets)
    expect(await house.detail(`${family}${kind}`, id), kind).toMatchObject({
      handleRule: '<p>25日前提交</p>',
      requiredDocs: '身份证复印件',
    })
})
