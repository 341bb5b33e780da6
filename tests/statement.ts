import { insertMany } from '../engine/server/records/insertMany.ts'
import type { RecordData, Value } from '../engine/model/model.ts'
import { employee, employer, serviceValues, sign, contracts } from './contract.ts'
import type { Answer, Client, TestServer } from './server.ts'

export const statements = '/settlement/statement'
export const adjustments = '/settlement/statementItem'

export interface BilledCustomer {
  customer: number
  agency: number
  contract: number
  people: number[]
  name: string
}

/** A customer with a signed service contract and this number of people. */
export async function billedCustomer(
  house: TestServer,
  {
    heads = 2,
    terms = {},
    values = {},
  }: { heads?: number; terms?: Record<string, Value>; values?: Record<string, Value> } = {},
): Promise<BilledCustomer> {
  const { customer, agency, name } = await employer(house, {
    contacts: [
      { name: '赵文', kind: ['settlement'], mobile: '15400000009', email: 'zhaowen@qilan.example.com', primary: true },
    ],
    ...values,
  })
  const contract = await house.create(
    contracts,
    serviceValues(customer, agency, {
      taxMethod: 'diffSimple',
      surchargeRate: '12',
      diffInvoiceMode: 'single',
      ...terms,
    }),
  )
  await sign(house, contract, '2026-01-05')
  const people: number[] = []
  for (let index = 0; index < heads; index++)
    people.push((await employee(house, { customer, agency, service: contract, name: `员工${'甲乙丙丁'[index]}` })).id)
  return { customer, agency, contract, people, name }
}

/** Delivers costs as payroll and welfare do: by default wages of February and insurance of March. */
export async function deliver(
  house: TestServer,
  { customer, contract }: BilledCustomer,
  costs: readonly RecordData[],
): Promise<number[]> {
  const context = house.context()
  const entity = context.derived.catalog.entities.costLine
  return house.database.kysely.transaction().execute((db) =>
    insertMany(
      context,
      db,
      entity,
      costs.map((cost) => {
        const isWage = ['grossWage', 'incomeTax', 'severance'].includes(String(cost.feeItem))
        return {
          customer,
          contract,
          party: 'company',
          costMonth: isWage ? '2026-02' : '2026-03',
          sourceType: isWage ? 'payroll' : 'socialExpense',
          createdBy: null,
          createdAt: context.now,
          updatedBy: null,
          updatedAt: context.now,
          ...cost,
        }
      }),
    ),
  )
}

/** How the user records that the customer has the statement. */
export const delivery: Record<string, Value> = { sentBy: 'email', deliveryRemark: '客户已回复收到' }

/** The sample: wages, insurance and a fund of two people. */
export const sample = ([first, second]: number[]): RecordData[] => [
  { person: first, feeItem: 'grossWage', amount: '8000.00' },
  { person: first, feeItem: 'pension', amount: '1352.00', base: '8450.00', rate: '16' },
  { person: first, feeItem: 'medicalBasic', amount: '760.00' },
  { person: first, feeItem: 'housingFund', amount: '560.00' },
  { person: second, feeItem: 'grossWage', amount: '6500.00' },
  { person: second, feeItem: 'pension', amount: '1098.50' },
  { person: second, feeItem: 'medicalBasic', amount: '617.50' },
  { person: second, feeItem: 'housingFund', amount: '455.00' },
]

export const generate = (
  as: Client,
  customers: number[],
  billMonth = '2026-03',
  values: Record<string, Value> = {},
): Promise<Answer> =>
  as.post(`${statements}/generate`, {
    values: { billMonth, wageMonth: '2026-02', insuranceMonth: billMonth, customers, ...values },
  })

export const statementsOf = async (house: TestServer, customer: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`${statements}/list`, {
      filters: { customer: { equals: customer } },
      sort: 'billMonth',
      size: 100,
    })
  ).result.list
export const read = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get(`${statements}/detail`, { id })).result
const below = async (house: TestServer, entity: string, statement: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`/settlement/${entity}/list`, {
      filters: { statement: { equals: statement } },
      sort: entity === 'settlementJournal' ? 'occurredAt' : 'place',
      size: 100,
    })
  ).result.list
export const lines = (house: TestServer, statement: number) => below(house, 'statementLine', statement)
export const items = (house: TestServer, statement: number) => below(house, 'statementItem', statement)
export const journal = (house: TestServer, statement: number) => below(house, 'settlementJournal', statement)
