import { sql } from 'kysely'
import type { RecordData, Value } from '../engine/model/model.ts'
import { customerValues, uscc } from './customer.ts'
import type { TestServer } from './server.ts'

export const contracts = '/contract/contract'

/** An own entity with a dispatch license, and a customer that is approved and enabled. */
export async function employer(
  house: TestServer,
  values: Record<string, Value> = {},
): Promise<{ customer: number; agency: number; name: string }> {
  const known = (await house.admin.get('/customer/agency/options', { search: 'J900' })).result.list[0]?.id as
    | number
    | undefined
  const agency =
    known ??
    (await house.create('/customer/agency', {
      code: 'J900',
      name: '示范派遣有限公司',
      kind: 'own',
      uscc: uscc(90_800),
      taxpayerKind: 'general',
      cities: ['320500'],
      dispatchLicenseNo: '演示派遣字第1号',
      dispatchLicenseEnd: '2030-12-31',
    }))
  const given = await customerValues(house, {
    agency,
    paymentTerms: 'prepaid',
    paymentDay: 12,
    billingType: 'none',
    ...values,
  })
  const customer = await house.create('/customer', given)
  await sql`update customer set "approvalStatus" = 'approved', "accountStatus" = 'enabled' where id = ${customer}`.execute(
    house.database.kysely,
  )
  return { customer, agency, name: String(given.name) }
}

export const serviceValues = (
  customer: number,
  agency: number,
  values: Record<string, Value> = {},
): Record<string, Value> => ({
  category: 'service',
  customer,
  agency,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  serviceTypes: ['dispatch'],
  taxMethod: 'fullGeneral',
  feeRules: [
    {
      serviceType: 'dispatch',
      feeMode: 'perHead',
      unitPrice: '120',
      chargeRule: 'fullMonth',
      effectiveFrom: '2026-01',
    },
  ],
  ...values,
})

/** A valid ID number for a birth on 7 March 1990. */
export const resident = (order: number): string => {
  const body = `99010119900307${String(order).padStart(3, '0')}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  return body + '10X98765432'[[...body].reduce((sum, digit, index) => sum + Number(digit) * weights[index], 0) % 11]
}

export async function employee(
  house: TestServer,
  {
    customer,
    agency,
    service,
    name = '林晓演',
    values = {},
  }: { customer: number; agency: number; service: number; name?: string; values?: Record<string, Value> },
): Promise<{ id: number; idNumber: string }> {
  const idNumber = resident(house.next('person') * 2)
  const id = await house.create('/staff/person', {
    name,
    idNumber,
    gender: 'female',
    birthDate: '1990-03-07',
    householdType: 'localUrban',
    mobile: '15400000001',
    customer,
    serviceContract: service,
    agency,
    supportStaff: await house.findId('/setting/user', 'admin'),
    position: '装配工',
    workCity: '320500',
    employmentForm: 'dispatch',
    entryDate: '2024-04-01',
    baseSalary: '6000',
    ...values,
  })
  return { id, idNumber }
}

export const laborValues = (
  customer: number,
  agency: number,
  person: number,
  values: Record<string, Value> = {},
): Record<string, Value> => ({
  category: 'labor',
  customer,
  agency,
  person,
  startDate: '2024-04-01',
  endDate: '2026-03-31',
  dispatchPositionKind: 'auxiliary',
  monthlyWage: '6000',
  ...values,
})

export async function sign(house: TestServer, id: number, signDate = '2026-03-10'): Promise<void> {
  const answer = await house.admin.post(`${contracts}/sign`, { id, values: { signDate } })
  if (answer.code !== 1) throw new Error(JSON.stringify(answer))
}

export const contract = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get(`${contracts}/detail`, { id })).result
