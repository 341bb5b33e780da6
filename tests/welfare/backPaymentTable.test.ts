/** The bureau's table of back-payments has one row for all months of a person, compared with the ticket as a whole. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
})
afterAll(() => house?.house.close())

const family = 'accumulationfund'
const batches = `${family}BigTableSupplementImport`

/** A person with a handled back-payment of three months, and the matching row. */
async function paidBack(): Promise<{ id: number; row: Record<string, string> }> {
  const who = await house.person()
  const { result } = await house.create(`${family}Supplement`, {
    person: who.id,
    supplementType: 'missed',
    fromMonth: '2025-12',
    toMonth: '2026-02',
    reason: '漏报',
    base: '8765',
    fundCompanyRate: '12',
  })
  expect(await house.call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03' })).toMatchObject({
    code: 1,
  })
  const { account } = (await house.detail(`${family}Supplement`, result.id)) as unknown as { account: { code: string } }
  return {
    id: who.id,
    row: {
      feeMonth: '2026-03',
      account: account.code,
      personName: '测试',
      idNumber: who.idNumber,
      belongMonth: '2025-12',
      toMonth: '2026-02',
      actualBase: '8765',
      checked1: '12',
      fundActualCompany: '3156',
      fundActualPersonal: '3156',
      actualTotal: '6312',
    },
  }
}
const lines = async (id: number): Promise<RecordData[]> =>
  (
    await house.house.admin.get(`/welfare/${family}ExpenseLine/list`, {
      filters: { person: { equals: id } },
      sort: 'belongMonth',
    })
  ).result.list
const states = async (id: number) =>
  (await lines(id)).map(({ belongMonth, total, actualTotal, diff, reconcileStatus }) => [
    belongMonth,
    total,
    actualTotal,
    diff,
    reconcileStatus,
  ])

test.skipIf(!isLong)(
  'equal amounts match in each month, a difference is on the first month, and undo clears both',
  async () => {
    const [same, other] = [await paidBack(), await paidBack()]
    const { id, rows } = await house.checked(batches, [
      same.row,
      { ...other.row, fundActualCompany: '3160', actualTotal: '6316' },
    ])
    expect(rows.map((row) => [row.rowStatus, ...messagesOf(row)])).toEqual([['toUpdate'], ['toUpdate']])
    expect((await house.written(batches, id)).map((row) => [row.rowStatus, ...messagesOf(row)])).toEqual([
      ['updated'],
      ['updated'],
    ])
    expect(await states(same.id)).toEqual([
      ['2025-12', '2104.00', '2104.00', '0.00', 'matched'],
      ['2026-01', '2104.00', '2104.00', '0.00', 'matched'],
      ['2026-02', '2104.00', '2104.00', '0.00', 'matched'],
    ])
    expect(await states(other.id)).toEqual([
      ['2025-12', '2104.00', '2108.00', '4.00', 'different'],
      ['2026-01', '2104.00', '2104.00', '0.00', 'matched'],
      ['2026-02', '2104.00', '2104.00', '0.00', 'matched'],
    ])
    expect((await lines(other.id))[0]).toMatchObject({
      fundActualCompany: '1056.00',
      fundActualPersonal: '1052.00',
      toMonth: '2026-02',
    })
    expect(await house.house.admin.post(`/welfare/${batches}/undo`, { id })).toMatchObject({ code: 1 })
    for (const each of [same, other])
      expect((await states(each.id)).map(([, , actual, , status]) => [actual, status])).toEqual([
        [null, 'unchecked'],
        [null, 'unchecked'],
        [null, 'unchecked'],
      ])

    // Once the difference is accepted, the lines add up to the bureau's row.
    await house.written(
      batches,
      (await house.checked(batches, [{ ...other.row, fundActualCompany: '3160', actualTotal: '6316' }])).id,
    )
    const [first] = await lines(other.id)
    expect(await house.call(`${family}ExpenseLine`, 'accept', first.id!)).toMatchObject({ code: 1 })
    expect((await lines(other.id)).reduce((sum, { total }) => sum + Number(total), 0)).toBe(6316)
    // A person missing in the table is missing in every month.
    expect((await states(same.id)).map(([, , , , status]) => status)).toEqual(['missing', 'missing', 'missing'])
  },
)

test.skipIf(!isLong)('months other than those of the back-payment are refused', async () => {
  const { row } = await paidBack()
  expect((await house.checked(batches, [{ ...row, toMonth: '2026-01' }])).rows.flatMap(messagesOf)).toEqual([
    expect.stringContaining('未找到对应的补缴记录：该人员的补缴为2025-12至2026-02'),
  ])
  expect((await house.checked(batches, [{ ...row, belongMonth: '2026-01' }])).rows.flatMap(messagesOf)).toEqual([
    expect.stringContaining('未找到对应的补缴记录'),
  ])
  expect(
    (await house.checked(batches, [{ ...row, belongMonth: '2025-11' }])).rows.map((each) => [
      each.rowStatus,
      ...messagesOf(each),
    ]),
    'a month before the first',
  ).toEqual([['failed', expect.stringContaining('未找到对应的补缴记录：该人员的补缴为2025-12至2026-02')]])
})

test.skipIf(!isLong)('a known person without a back-payment is refused, and a stranger becomes a line', async () => {
  const [{ row }, other] = [await paidBack(), await house.person()]
  const { id, rows } = await house.checked(batches, [
    { ...row, idNumber: other.idNumber },
    { ...row, personName: '外人', idNumber: '990101199003074518' },
  ])
  expect(rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
    ['failed', 'backPayment 补缴开始月：未找到对应的补缴记录'],
    ['toCreate', 'hint 证件号码：系统无此人费用，已生成“系统无此人”记录（提示）'],
  ])
  expect((await house.written(batches, id)).map(({ rowStatus }) => rowStatus)).toEqual(['failed', 'created'])
  expect(await lines(other.id)).toEqual([])
})

test.skipIf(!isLong)('an invisible or masked person is treated as a stranger until the file is written', async () => {
  const every = house.house.runtime.derived.catalog.permissions.map(({ value }) => value)
  const permissions = every.filter((each) => each !== 'staff:person:viewSensitive')
  const userWith = async (code: string, values: Record<string, Value>) => {
    await house.house.create('/setting/role', { code, name: code, functionPermissions: permissions, ...values })
    return house.house.user(`${code}user`, [code])
  }
  const masked = await userWith('masked', { dataScope: 'all' })
  const narrow = await userWith('narrow', { dataScope: 'self', functionPermissions: every })
  const [{ row }, other] = [await paidBack(), await house.person()]
  const table = [row.idNumber, other.idNumber, '990101199003074518'].map((idNumber) => ({
    ...row,
    personName: '外人',
    idNumber,
    belongMonth: '2025-11',
  }))
  const stranger = ['toCreate', 'hint 证件号码：系统无此人费用，已生成“系统无此人”记录（提示）']
  for (const as of [masked, narrow]) {
    const { rows } = await house.checked(batches, table, {}, as)
    expect(rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([stranger, stranger, stranger])
  }
  const { id, rows } = await house.checked(batches, [{ ...row, personName: '外人' }], {}, narrow)
  expect(rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([stranger])
  expect((await house.written(batches, id, narrow)).map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
    ['failed', 'scope 无权操作该数据'],
  ])
})
