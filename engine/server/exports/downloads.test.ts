import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts, employer, serviceValues } from '../../../tests/contract.ts'
import { picture, upload } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { billedCustomer, deliver, generate, sample, statements, statementsOf } from '../../../tests/statement.ts'
import { unzipTexts } from '../sheets/zipParts.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

/** The parts of the downloaded workbook, as texts. */
async function parts(
  path: string,
  query: Record<string, unknown>,
  as: Client = house.admin,
): Promise<Map<string, string>> {
  const answer = await as.get(path, query)
  expect(answer.status, JSON.stringify(answer)).toBe(200)
  return unzipTexts((answer as unknown as { raw: Buffer }).raw)
}
const names = (workbook: string) => [...workbook.matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name)
const textsOf = (sheet: string) => [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text]) => text)

test('a workbook has a sheet for each record, with the rows that refer to it', async () => {
  const ids: number[] = []
  for (let count = 0; count < 2; count++) {
    const customer = await billedCustomer(house)
    await deliver(house, customer, sample(customer.people))
    await generate(house.admin, [customer.customer])
    ids.push((await statementsOf(house, customer.customer))[0].id!)
  }
  const [first, second] = await Promise.all(
    ids.map(async (id) => (await house.admin.get(`${statements}/detail`, { id })).result),
  )
  const book = await parts(`${statements}/exportDetail`, { ids: ids.join(','), sort: 'id' })
  expect(names(book.get('xl/workbook.xml')!)).toEqual([first.statementNo, second.statementNo])
  const { list } = (
    await house.admin.get('/settlement/statementLine/list', {
      page: 1,
      size: 20,
      filters: { statement: { equals: ids[1] } },
    })
  ).result
  const people = (list as { personName: string }[]).map(({ personName }) => personName)
  const sheet = book.get('xl/worksheets/sheet2.xml')!
  expect(textsOf(sheet)).toEqual(expect.arrayContaining(people))
  expect([...sheet.matchAll(/<row r="/g)].length).toBe(1 + list.length)
  expect(sheet).toContain('<v>8797.72</v>')
  const { rows } = await house.database.pool.query(
    "select changes->>'rows' as rows from system_history where entity = 'statement' and action = 'exportDetail'",
  )
  expect(rows).toEqual([{ rows: '2' }])
})

test('a document made by a procedure is sent but not stored: a printed statement', async () => {
  const customer = await billedCustomer(house)
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  const files = async () =>
    (await house.database.pool.query('select count(*)::integer as count from system_file')).rows[0].count
  const before = await files()
  const answer = await house.admin.get(`${statements}/print`, { ids: String(id) })
  expect(answer.status).toBe(200)
  const { raw, headers } = answer as unknown as { raw: Buffer; headers: Record<string, string> }
  expect(raw.subarray(0, 5).toString()).toBe('%PDF-')
  expect(headers['content-disposition']).toMatch(/ZD202603\d{5}\.pdf/)
  expect(await files()).toBe(before)
  expect(await house.admin.get(`${statements}/print`, { ids: '999999' })).toMatchObject({ status: 422 })
})

test('a workbook needs its permission, and covers the records in scope', async () => {
  const [clerk, own] = [await house.user('sheets', ['settlement']), await house.user('nosheets', ['support'])]
  expect(names((await parts(`${statements}/exportDetail`, {}, clerk)).get('xl/workbook.xml')!).length).toBeGreaterThan(
    1,
  )
  // A user whose customers have no statements gets a workbook without rows.
  const book = await parts(`${statements}/exportDetail`, {}, own)
  expect([...book.get('xl/worksheets/sheet1.xml')!.matchAll(/<row r="/g)].length).toBe(1)
  await house.create('/setting/role', {
    code: 'viewer',
    name: '只看对账单',
    functionPermissions: ['settlement:statement:view'],
    dataScope: 'all',
  })
  const viewer = await house.user('viewer', ['viewer'])
  expect(await viewer.get(`${statements}/exportDetail`, {})).toMatchObject({ status: 403 })
})

test('the files of a field come in one archive, with a folder for each of several records', async () => {
  const file = async (name: string) => ({
    ...((await upload(house, house.admin, name, picture)).result as object),
    status: 'success',
  })
  const made: number[] = []
  for (const name of ['甲方合同', '乙方合同']) {
    const { customer, agency } = await employer(house)
    made.push(
      await house.create(
        contracts,
        serviceValues(customer, agency, {
          name,
          attachments: [await file('扫描件.png'), await file('扫描件.png')] as never,
        }),
      ),
    )
  }
  const files = await parts(`${contracts}/download`, { ids: String(made[0]) })
  expect([...files.keys()]).toEqual(['扫描件.png', '扫描件 (2).png'])
  expect(Buffer.from(files.get('扫描件.png')!).length).toBeGreaterThan(0)
  expect([...(await parts(`${contracts}/download`, { ids: made.join(','), sort: 'id' })).keys()]).toEqual([
    '甲方合同/扫描件.png',
    '甲方合同/扫描件 (2).png',
    '乙方合同/扫描件.png',
    '乙方合同/扫描件 (2).png',
  ])
  const { customer: alone, agency: own } = await employer(house)
  const single = await house.create(
    contracts,
    serviceValues(alone, own, { attachments: [await file('扫描件.png')] as never }),
  )
  const { raw, headers } = (await house.admin.get(`${contracts}/download`, { ids: String(single) })) as unknown as {
    raw: Buffer
    headers: Record<string, string>
  }
  expect([raw, headers['content-type'], headers['content-disposition']]).toEqual([
    picture,
    'image/png',
    expect.stringContaining('.png'),
  ])
  const { customer, agency } = await employer(house)
  const bare = await house.create(contracts, serviceValues(customer, agency))
  expect(await house.admin.get(`${contracts}/download`, { ids: String(bare) })).toMatchObject({
    status: 422,
    message: '所选记录没有可下载的文件',
  })
})
