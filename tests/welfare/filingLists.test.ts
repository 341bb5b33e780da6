/** The list for the bureau is also the file in which its results come back; tickets are handled singly or together. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'
import { importFile, rows, worker } from '../importing.ts'

let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
})
afterAll(() => house?.house.close())

const entity = 'socialsecurityReduction'
async function reduction(): Promise<{ id: number; idNumber: string; ticketNo: string; account: number }> {
  const { person } = await house.enrolled('socialsecurity')
  const { result } = await house.create(entity, { person: person.id, reductionReason: 'resign', lastMonth: '2026-03' })
  const { ticketNo, account } = (await house.detail(entity, result.id)) as unknown as {
    ticketNo: string
    account: { id: number }
  }
  return { id: result.id, idNumber: person.idNumber, ticketNo, account: account.id }
}
const exported = async (query: Record<string, unknown>) => {
  const answer = await house.house.admin.get(`/welfare/${entity}/exportBureau`, query)
  return {
    answer,
    book: answer.status === 200 ? await readXlsx((answer as unknown as { raw: Uint8Array }).raw) : undefined,
  }
}

test('the list holds tickets pending or in process; imported as a file of results, it lacks only the results', async () => {
  const [first, second, done] = [await reduction(), await reduction(), await reduction()]
  expect(await house.call(entity, 'accept', second.id)).toMatchObject({ code: 1 })
  expect(await house.call(entity, 'succeed', done.id, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
  const { book } = await exported({ ids: [first, second, done].map(({ id }) => id).join(','), sort: 'id' })
  const [header, ...lines] = book!.sheets[0].rows
  expect(header).toEqual(['任务编号', '姓名 *', '证件号码 *', '办理结果 *', '办理月份', '失败原因', '备注'])
  const told3 = lines.map((row) => row.slice(0, 4).map((cell) => cell || null))
  expect(told3).toEqual([
    [first.ticketNo, '林晓演', first.idNumber, null],
    [second.ticketNo, '林晓演', second.idNumber, null],
  ])
  const {
    rows: [trace],
  } = await house.house.database.pool.query(
    `select changes->>'rows' as rows from system_history where entity = '${entity}' and action = 'exportBureau'`,
  )
  expect(trace).toEqual({ rows: '2' })

  const raw = (await exported({ ids: String(first.id) })).answer as unknown as { raw: Uint8Array }
  const file = await importFile(house.house, raw.raw, {
    path: `/welfare/${entity}HandleImport`,
    name: '申报表.xlsx',
    givenAccount: first.account,
    givenHandleMonth: '2026-03',
  })
  await worker(house.house).drain()
  expect(
    (await rows(house.house, file, house.house.admin, `/welfare/${entity}HandleImportRow`)).map(messagesOf),
  ).toEqual([[expect.stringContaining('办理结果不能为空')]])
})

test('without waiting tickets there is no list', async () => {
  const cancelled = await reduction()
  expect(await house.call(entity, 'cancel', cancelled.id)).toMatchObject({ code: 1 })
  expect((await exported({ ids: String(cancelled.id) })).answer).toMatchObject({
    code: 422,
    message: '没有可列入文件的数据',
  })
})

test('several tickets are handled at once, and one in another state is refused alone', async () => {
  const [first, second, third] = [await reduction(), await reduction(), await reduction()]
  expect(await house.call(entity, 'cancel', third.id)).toMatchObject({ code: 1 })
  const all = (name: string, values = {}) =>
    house.house.admin.post(`/welfare/${entity}/${name}`, { ids: [first.id, second.id, third.id], values })
  expect((await all('accept')).result).toMatchObject({ succeeded: 2, failed: [{ id: third.id }] })
  expect((await all('succeed', { handleMonth: '2026-03' })).result).toMatchObject({ succeeded: 2 })
  for (const { id } of [first, second])
    expect(await house.detail(entity, id)).toMatchObject({ status: 'success', handleMonth: '2026-03' })
})

test('personal numbers are not prompted for when several tickets are handled at once', () => {
  const { screens } = house.house.runtime.derived.catalog
  const forms = (family: string) =>
    (
      screens[`${family}Addition.list`].body as unknown as {
        actions: { name: string; on: string; do: { form?: { field: string }[] } }[]
      }
    ).actions
      .filter(({ name }) => name === 'succeed')
      .map(({ on, do: { form } }) => [on, form!.map(({ field }) => field)])
  expect(forms('socialsecurity')).toEqual([
    ['batch', ['handleMonth']],
    ['row', ['handleMonth', 'personalAccountNo', 'actualBase']],
  ])
  expect(forms('accumulationfund'), 'the bureau gives each a number').toEqual([
    ['row', ['handleMonth', 'personalAccountNo', 'actualBase']],
  ])
})
