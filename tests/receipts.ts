/** Set-up for tests of receipts: an account, customers, and statements as the system makes them. */
import { insertMany } from '../engine/server/records/insertMany.ts'
import { insertRecords } from '../engine/server/records/write.ts'
import type { RecordData, Value } from '../engine/model/model.ts'
import { customerValues, uscc } from './customer.ts'
import type { Client, TestServer } from './server.ts'

// oxlint-disable-next-line max-lines-per-function -- helpers around one server
export async function receiptHouse(house: TestServer) {
  const agency = await house.create('/customer/agency', {
    code: 'J001',
    name: '自营机构',
    kind: 'own',
    uscc: uscc(90_000),
    taxpayerKind: 'general',
    cities: ['310100'],
  })
  const bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '990100000018',
    kind: 'stateOwned',
    city: '310100',
  })
  const account = await house.create('/bank/companyAccount', {
    agency,
    accountName: '自营机构',
    accountNo: '9900880000000012',
    bank,
    accountKind: 'basic',
    purpose: ['receipt'],
  })
  const wages = await house.create('/bank/companyAccount', {
    agency,
    accountName: '工资户',
    accountNo: '9900880000000013',
    bank,
    accountKind: 'general',
    purpose: ['wage'],
    payFormat: await firstFormat(house),
  })
  const { entities } = house.runtime.derived.catalog
  // Statements need a contract to refer to; nothing reads its fields.
  const contract: RecordData = { category: 'service', name: '服务合同', agency }
  await insertRecords(house.context(), house.database.kysely, entities.contract, [contract])
  let serial = 0
  const read = async (path: string, id: number, as: Client = house.admin): Promise<RecordData> =>
    (await as.get(path, { id })).result

  return {
    agency,
    account,
    wages,
    /** Approved, so that it can be chosen. */
    async customer(values: Record<string, Value> = {}): Promise<{ id: number; code: string; corporateName: string }> {
      const id = await house.create('/customer', await customerValues(house, { agency, ...values }))
      await house.database.pool.query(
        `update customer set "approvalStatus" = 'approved', "accountStatus" = 'enabled' where id = $1`,
        [id],
      )
      const { code, corporateName } = await read('/customer/detail', id)
      return { id, code: String(code), corporateName: String(corporateName) }
    },
    /** A statement as the system makes and confirms it. */
    async statement(customer: number, totalAmount: string, dueDate: string, values: RecordData = {}): Promise<number> {
      const { kysely } = house.database
      const number = ++serial
      const [id] = await insertMany(house.context(), kysely, entities.statement, [
        {
          statementNo: `ZDTEST${number}`,
          customer,
          contract: contract.id,
          agency,
          billMonth: '2026-02',
          wageMonth: '2026-01',
          insuranceMonth: '2026-02',
          totalAmount,
          dueDate,
          stage: 'confirmed',
          confirmedAt: '2026-03-01 10:00:00',
          ...values,
        },
      ])
      return id
    },
    values: (values: Record<string, Value> = {}): Record<string, Value> => ({
      receivedDate: '2026-03-10',
      amount: '1000.00',
      method: 'bankTransfer',
      companyAccount: account,
      payerName: '陌生付款人',
      bankSerialNo: `DEMO${1000 + ++serial}`,
      ...values,
    }),
    async receipt(values: Record<string, Value> = {}, as?: Client): Promise<number> {
      return house.create('/settlement/receipt', this.values(values), as)
    },
    of: (id: number, as?: Client) => read('/settlement/receipt/detail', id, as),
    statementOf: (id: number) => read('/settlement/statement/detail', id),
    customerOf: (id: number) => read('/customer/detail', id),
    match: (
      id: number,
      lines: { statement: number; amount: string; writeOffAmount?: string; receipt?: number }[],
      as: Client = house.admin,
    ) => as.post('/settlement/receipt/match', { id, values: { matches: lines } }),
    async matchesOf(receipt: number): Promise<RecordData[]> {
      return (
        await house.admin.get('/settlement/receiptMatch/list', {
          filters: { receipt: { equals: receipt } },
          sort: 'id',
          size: 100,
        })
      ).result.list
    },
    async journal(filters: object): Promise<RecordData[]> {
      return (await house.admin.get('/settlement/settlementJournal/list', { filters, sort: 'id', size: 100 })).result
        .list
    },
  }
}
export type ReceiptHouse = Awaited<ReturnType<typeof receiptHouse>>

const firstFormat = async ({ runtime }: TestServer): Promise<string> =>
  runtime.derived.catalog.dictionaries.payFormat.choices[0].value
