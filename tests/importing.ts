import { writeXlsx } from 'hucre/xlsx'
import { createImportWorker } from '../engine/server/imports/importWorker.ts'
import type { ImportPlan, RecordData, Value } from '../engine/model/model.ts'
import { upload, uscc } from './customer.ts'
import type { Client, TestServer } from './server.ts'

type Cell = string | number | boolean | Date | null

export const customerImport = '/customer/customerImport'
export const customerRows = '/customer/customerImportRow'

export const planOf = (house: TestServer, batches = 'customerImport'): ImportPlan =>
  house.runtime.derived.imports.get(batches)!

/** A workbook in the form of the template: headers, then rows by field. */
export function workbook(
  plan: ImportPlan,
  rows: Record<string, Cell>[],
  language = 'cn',
  order?: string[],
): Promise<Uint8Array> {
  const columns = order?.map((name) => plan.columns.find(({ field }) => field === name)!) ?? plan.columns
  return writeXlsx({
    sheets: [
      {
        name: 'Data',
        rows: [
          columns.map(({ label }) => label[language]),
          ...rows.map((row) => columns.map(({ field }) => row[field] ?? null)),
        ],
      },
    ],
  })
}

/** A valid row of the customer import, for a different customer with each number. */
export function customerRow(number: number, cells: Record<string, Cell> = {}): Record<string, Cell> {
  return {
    name: `进口客户${number}`,
    corporateName: `进口客户（演示）有限公司${number}`,
    type: '企业',
    uscc: uscc(number),
    account: `imported${number}`,
    region: '北京市/东城区',
    address: '演示路100号',
    billingType: '不开票',
    consigneeName: '王晓',
    consigneeMobile: '15412345678',
    consigneeAddress: '演示路100号3楼',
    supportStaff: 'admin',
    salesman: 'admin',
    agency: 'J001',
    serviceTypes: '劳务派遣',
    paymentTerms: '当月结清',
    statementDay: 10,
    ...cells,
  }
}

/**
 * The values that the form requires for the whole file, from its first row. An account that the row does not name is
 * that of the person's record.
 */
export async function givenFor(
  house: TestServer,
  batches: string,
  [row]: Record<string, Cell>[],
): Promise<Record<string, Value>> {
  const plan = planOf(house, batches)
  const idFor = async (text: string, value: unknown) =>
    (await house.database.pool.query<{ id: number }>(text, [value])).rows[0]?.id ?? null
  const given = await Promise.all(
    plan.given
      .filter(({ kept }) => house.runtime.derived.catalog.entities[batches].fields[kept].required)
      .map(async ({ field, kept }) => {
        if (field !== 'account') return [kept, row[field]]
        if (row.account)
          return [
            kept,
            await idFor(
              'select id from "policyAccount" where "accountNo" = $1 or name = $1 order by id desc',
              row.account,
            ),
          ]
        return [
          kept,
          await idFor(
            `select record.account as id from "${plan.into}" as record join person on person.id = record.person where person."idNumber" = $1 and record."deletedAt" is null order by record.id desc`,
            row.person,
          ),
        ]
      }),
  )
  return Object.fromEntries(given) as Record<string, Value>
}

/** Uploads a file and makes a batch of it, as the form does. @returns the batch's id */
export async function importFile(
  house: TestServer,
  content: Uint8Array,
  {
    as = house.admin,
    name = '客户.xlsx',
    path = customerImport,
    ...values
  }: { as?: Client; name?: string; path?: string } & Record<string, unknown> = {},
): Promise<number> {
  const { result } = await upload(house, as, name, Buffer.from(content))
  const made = await as.post(`${path}/create`, { values: { file: [{ ...result, status: 'success' }], ...values } })
  if (made.code !== 1) throw new Error(JSON.stringify(made))
  return made.result.id
}

export const worker = (house: TestServer, chunk?: number) =>
  createImportWorker(house.runtime, {
    chunk,
    log: (error) => {
      throw error
    },
  })

export async function batch(
  house: TestServer,
  id: number,
  as: Client = house.admin,
  path = customerImport,
): Promise<RecordData> {
  return (await as.get(`${path}/detail`, { id })).result
}

export async function rows(
  house: TestServer,
  id: number,
  as: Client = house.admin,
  path = customerRows,
): Promise<RecordData[]> {
  return (await as.get(`${path}/list`, { filters: { batch: { equals: id } }, sort: 'rowNo', size: 1000 })).result.list
}

/** Uploads these rows and has them checked. @returns the batch's id */
export async function check(
  house: TestServer,
  cells: Record<string, Cell>[],
  { order, ...options }: Parameters<typeof importFile>[2] & { order?: string[] } = {},
): Promise<number> {
  const id = await importFile(house, await workbook(planOf(house), cells, 'cn', order), options)
  await worker(house).drain()
  return id
}

/** Requests the writing of the good rows, and runs it. */
export async function write(house: TestServer, id: number, as: Client = house.admin): Promise<void> {
  const answer = await as.post(`${customerImport}/write`, { id })
  if (answer.code !== 1) throw new Error(JSON.stringify(answer))
  await worker(house).drain()
}
