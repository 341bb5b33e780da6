import { expect } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { uscc } from '../customer.ts'
import type { Client, TestServer } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'

/** The users who prepare wages and approve them. */
export const wageUsers = async (house: TestServer): Promise<[clerk: Client, manager: Client]> => [
  await house.user('paying', ['payrollClerk']),
  await house.user('deciding', ['financeManager']),
]

export const payrolls = '/salary/payroll'
export const payrollLines = '/salary/payrollLine'
export const deductions = '/salary/specialDeduction'

/** A customer with people, and their payroll of February, paid in March. */
export async function paid(
  house: TestServer,
  values: Record<string, Value> = {},
  options: Parameters<typeof billedCustomer>[1] = {},
): Promise<BilledCustomer & { payroll: number }> {
  const customer = await billedCustomer(house, options)
  return { ...customer, payroll: await payrollFor(house, customer, values) }
}

export const payrollFor = (
  house: TestServer,
  { customer, contract, agency }: BilledCustomer,
  values: Record<string, Value> = {},
): Promise<number> =>
  house.create(payrolls, {
    customer,
    serviceContract: contract,
    agency,
    payrollMonth: '2026-02',
    planPayDate: '2026-03-16',
    taxMonth: '2026-03',
    welfareMonth: '2026-02',
    name: '二月工资',
    ...values,
  })

export const payroll = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get(`${payrolls}/detail`, { id })).result
export const linesOf = async (house: TestServer, id: number): Promise<RecordData[]> =>
  (await house.admin.get(`${payrollLines}/list`, { filters: { payroll: { equals: id } }, size: 100 })).result.list.sort(
    (a: RecordData, b: RecordData) => a.id! - b.id!,
  )
export const act = (
  house: TestServer,
  id: number,
  action: string,
  values?: Record<string, Value>,
  as: Client = house.admin,
) => as.post(`${payrolls}/${action}`, { id, ...(values && { values }) })

/** Approves a payroll with the two users who take part. */
export async function approve(
  house: TestServer,
  id: number,
  { clerk, manager }: { clerk: Client; manager: Client },
): Promise<void> {
  for (const [action, as] of [
    ['calculate', clerk],
    ['submit', clerk],
    ['approve', manager],
  ] as const)
    expect(await act(house, id, action, undefined, as)).toMatchObject({ code: 1 })
}

/** Changes fields of a line as its form saves them. */
export async function edit(house: TestServer, line: RecordData, values: Record<string, Value>) {
  const { revision } = (await house.admin.get(`${payrollLines}/detail`, { id: line.id })).result
  return house.admin.post(`${payrollLines}/update`, { id: line.id, revision, values })
}

/** A user with exactly these permissions. */
export async function holding(house: TestServer, code: string, functionPermissions: string[]): Promise<Client> {
  await house.create('/setting/role', { code, name: code, dataScope: 'all', functionPermissions })
  return house.user(`${code}user`, [code])
}

/** A second entity of ours, which withholds for its own people. */
export const createOutsourcer = (house: TestServer): Promise<number> =>
  house.create('/customer/agency', {
    code: 'J902',
    name: '示范外包有限公司',
    kind: 'own',
    uscc: uscc(90_902),
    taxpayerKind: 'general',
    cities: ['320500'],
    dispatchLicenseNo: '演示派遣字第2号',
    dispatchLicenseEnd: '2030-12-31',
  })
