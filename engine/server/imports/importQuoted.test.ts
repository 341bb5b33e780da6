/** Problems are worded for who has a row checked; readers who may not see what they quote read what kind they are. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import {
  check,
  customerImport,
  customerRow,
  customerRows,
  importFile,
  planOf,
  rows,
  workbook,
  worker,
} from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { billedCustomer } from '../../../tests/statement.ts'
import type { ImportPlan, RecordData } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import { inWork } from '../records/Work.ts'
import { openSheet, type SheetRow } from '../sheets/readSheet.ts'
import { lockJob } from './importBatches.ts'
import { failRow } from './importWrite.ts'

let house: TestServer
let department: number
let uploader: Client
let colleague: Client
const permissions = ['customer:import:*', 'customer:customer:view', 'customer:customer:viewSensitive']
const role = (code: string, dataScope: string, functionPermissions = permissions) =>
  house.create('/setting/role', { code, name: code, dataScope, functionPermissions })
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  const parent = await house.findId('/setting/department', '总部')
  department = await house.create('/setting/department', { name: '提示部', parent })
  await role('quoteall', 'all')
  await role('quotedepartment', 'department')
  await role('quoteblind', 'all', ['customer:import:*'])
  uploader = await house.user('quotes', ['quoteall'], department)
  colleague = await house.user('reads', ['quotedepartment'], department)
})
afterAll(() => house?.close())

const quoted = (number: number) => `该客户现名“旧名客户${number}”，不能修改`
const neutral = '统一社会信用代码：状态不允许修改，涉及您无权查看的数据'

/** The file of a row about a customer of another department, refused with its name. */
async function refused(number: number): Promise<number> {
  await house.create('/customer', await customerValues(house, { name: `旧名客户${number}`, uscc: uscc(number) }))
  const plans = house.runtime.derived.imports as Map<string, ImportPlan>
  const former = planOf(house)
  const updateMessage = { cn: '该客户现名“{name}”，不能修改', en: 'The customer is {name} and cannot be changed' }
  plans.set(former.batches, { ...former, existing: 'update', updateWhen: 'false', updateMessage })
  try {
    return await check(house, [customerRow(number, { name: '新名' }), customerRow(number + 1, { name: null })], {
      as: uploader,
    })
  } finally {
    plans.set(former.batches, former)
  }
}

type Problems = { message: { cn: string } }[]
const errorsOf = ({ errors }: RecordData) => (errors as unknown as Problems).map(({ message }) => message.cn)
async function textOf({ raw }: { raw: Buffer }): Promise<string> {
  const sheet = await openSheet(Readable.from([raw]))
  const found: SheetRow[] = []
  for await (const row of sheet.rows()) found.push(row)
  await sheet.close()
  return JSON.stringify(found)
}

/** The reasons of the file's rows, wherever they are shown. */
async function readings(id: number, as: Client) {
  const file = async (path: string, query: Record<string, unknown>) =>
    textOf((await as.get(path, query)) as unknown as { raw: Buffer })
  const [row, other] = await rows(house, id, as)
  const { result: groups } = await as.get(`${customerImport}/problems`, { id })
  return {
    list: errorsOf(row),
    detail: errorsOf((await as.get(`${customerRows}/detail`, { id: row.id })).result),
    others: errorsOf(other),
    groups: groups.list.map(({ message }: { message: { cn: string } }) => message.cn),
    files: [
      await file(`${customerImport}/failures`, { id }),
      await file(`${customerRows}/export`, { fields: '["errors"]', filters: { batch: { equals: id } } }),
    ],
    stored: JSON.stringify([row.errors, groups]),
  }
}

async function expectReads(id: number, as: Client, [shown, hidden]: [string, string]): Promise<void> {
  const { list, detail, others, groups, files, stored } = await readings(id, as)
  expect({ list, detail, others }).toEqual({ list: [shown], detail: [shown], others: ['客户名称不能为空'] })
  expect(groups).toEqual(expect.arrayContaining([shown, '客户名称不能为空']))
  for (const text of [...files, stored]) {
    expect(text).toContain(shown)
    expect(text).not.toContain(hidden)
  }
  expect(stored).not.toContain('"quoted"')
}

test('a reader who may not see the record reads neither its values nor its ids', async () => {
  const id = await refused(601)
  await expectReads(id, uploader, [quoted(601), neutral])
  await expectReads(id, house.admin, [quoted(601), neutral])
  await expectReads(id, colleague, [neutral, '旧名客户'])
  await expectReads(id, await house.user('quotesblind', ['quoteblind']), [neutral, '旧名客户'])
})

test('nor does its uploader once the record is beyond their scope', async () => {
  const id = await refused(611)
  await expectReads(id, uploader, [quoted(611), neutral])
  const role = await house.findId('/setting/role', 'quoteall')
  const { revision } = (await house.admin.get('/setting/role/detail', { id: role })).result
  const narrowed = { id: role, revision, values: { dataScope: 'self' } }
  expect(await house.admin.post('/setting/role/update', narrowed)).toMatchObject({ code: 1 })
  await expectReads(id, uploader, [neutral, '旧名客户'])
})

test('a row refused while it is written is read as what it is by who may not see the records that it names', async () => {
  const { people } = await billedCustomer(house, { heads: 1 })
  const { name, idNumber } = (await house.admin.get('/staff/person/detail', { id: people[0] })).result
  const plan = planOf(house, 'specialDeductionImport')
  const row = { personName: name, idType: '居民身份证', person: idNumber, taxMonth: '2026-03', cumHousingRent: '1500' }
  const path = '/salary/specialDeductionImport'
  const id = await importFile(house, await workbook(plan, [row]), { path, givenTaxMonth: '2026-03' })
  await worker(house).drain()
  expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
  const refusal = new Refusal('system')
  await inWork(house.context(), { cause: `import:${plan.batches}/${id}` }, async ({ context, db }) =>
    failRow(context, db, (await lockJob(context, db, plan, id))!, refusal),
  )
  const { rows: stored } = await house.database.pool.query(
    'select "rowStatus", errors from "specialDeductionImportRow"',
  )
  const quoted = [{ entity: 'person', id: people[0] }]
  expect(stored).toMatchObject([{ rowStatus: 'failed', errors: [{ message: refusal.text, quoted }] }])
  expect(stored[0].errors[0].neutral.cn).toContain('涉及您无权查看的数据')
})
