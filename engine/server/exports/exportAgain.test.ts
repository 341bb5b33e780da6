import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerRow, importFile, planOf, rows, worker, write } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { RecordData } from '../../model/model.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  const classification = await house.create('/customer/customerClassification', { name: '重点客户（全国）' })
  await house.create(
    '/customer',
    await customerValues(house, {
      name: 'Ａ座一号（演示）',
      classification,
      remark: '第一行\n=1+1 _x0041_',
      payerNames: ['甲', '乙；'],
    }),
  )
  const invoiced = {
    billingType: '数电专用发票',
    depositBank: '北辰示范银行',
    bankAccount: '9900100100000018',
    billingPhone: '000-55501018',
    invoiceEmail: 'a@b.example.com',
  }
  const file = await check(house, [
    customerRow(11),
    customerRow(12, invoiced),
    customerRow(13, { paymentTerms: '先款后付', paymentDay: 12, serviceTypes: '劳务派遣、薪酬代发' }),
  ])
  expect((await rows(house, file)).map(({ errors }) => errors)).toEqual([null, null, null])
  await write(house, file)
  const states = await ids()
  await sql`update customer set "approvalStatus" = 'approved' where id = ${states[1]}`.execute(house.database.kysely)
  await sql`update customer set "approvalStatus" = 'rejected' where id = ${states[2]}`.execute(house.database.kysely)
})
afterAll(() => house?.close())

const all = async (): Promise<RecordData[]> => {
  const { result } = await house.admin.get('/customer/list', { sort: 'id', size: 1000 })
  return Promise.all(
    (result.list as RecordData[]).map(
      async ({ id }) => (await house.admin.get('/customer/detail', { id })).result as RecordData,
    ),
  )
}
const ids = async () => (await all()).map(({ id }) => id!)
const exported = async (language: string, as = house.admin): Promise<Uint8Array> => {
  const fields = planOf(house).columns.map(({ field }) => field)
  const answer = await as.get('/customer/export', { screen: 'customer.list', fields, sort: 'id' }, { language })
  expect(answer.status).toBe(200)
  return (answer as unknown as { raw: Uint8Array }).raw
}
const again = async (content: Uint8Array): Promise<number> => {
  const id = await importFile(house, content, { updateExisting: true })
  await worker(house).drain()
  return id
}
const statuses = async (id: number) =>
  (await rows(house, id)).map(({ rowStatus, errors }) => [
    rowStatus,
    ...((errors as unknown as { code: string; cell?: string; message: object }[] | null) ?? []).map(({ code }) => code),
  ])

describe('an export imported again', () => {
  it.each(['zh-CN', 'en-US'])('changes nothing, in %s', async (language) => {
    const before = await all()
    expect(before.length).toBe(4)
    const id = await again(await exported(language))
    expect(await statuses(id)).toEqual(before.map(() => ['skipped', 'unchanged']))
    expect(await batch(house, id)).toMatchObject({
      status: 'completed',
      notes: null,
      totalCount: 4,
      skipCount: 4,
      updateCount: 0,
      failCount: 0,
    })
    expect(await all()).toEqual(before)
  })

  it('changes nothing when a name has since become ambiguous or disabled', async () => {
    const before = await all()
    const file = await exported('zh-CN')
    await house.create('/customer/customerClassification', { name: '上级' })
    const parent = await house.findId('/customer/customerClassification', '上级')
    await house.create('/customer/customerClassification', { name: '重点客户（全国）', parent })
    const agency = await house.findId('/customer/agency', 'J001')
    await sql`update agency set status = 'disabled' where id = ${agency}`.execute(house.database.kysely)
    try {
      expect(await statuses(await again(file))).toEqual(before.map(() => ['skipped', 'unchanged']))
      expect(await all()).toEqual(before)
      // For a new customer, the same cells are still wrong.
      const [row] = await statuses(await check(house, [customerRow(19, { agency: '自营机构' })]))
      expect(row).toEqual(['failed', 'reference'])
    } finally {
      await sql`update agency set status = 'enabled' where id = ${agency}`.execute(house.database.kysely)
    }
  })

  it('is refused by state where it changes a record, and updates records that allow it', async () => {
    const [first, second] = await all()
    const id = await check(
      house,
      [first, second].map(({ uscc }) => ({
        ...Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null])),
        uscc: String(uscc),
        remark: '别的',
      })),
      { updateExisting: true },
    )
    expect(await statuses(id)).toEqual([['toUpdate'], ['failed', 'state']])
  })
})
