import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordData, Value } from '../engine/model/model.ts'
import { contract, contracts, employer, serviceValues, sign } from './contract.ts'
import { importFile, planOf, rows, workbook, worker } from './importing.ts'
import { createTestServer, type TestServer } from './server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const rule = (serviceType: string, price: string, effectiveFrom: string, effectiveTo: string | null = null) => ({
  serviceType,
  feeMode: 'perHead',
  unitPrice: price,
  chargeRule: 'fullMonth',
  effectiveFrom,
  effectiveTo,
})
const feesOf = (made: RecordData) =>
  (made.feeRules as RecordData[]).map(({ serviceType, unitPrice, effectiveFrom, effectiveTo }) => [
    serviceType,
    unitPrice,
    effectiveFrom,
    effectiveTo,
  ])

/** A signed contract from April 2025 to March 2026 with these fee rules. */
async function signed(feeRules: object[]) {
  const { customer, agency, name } = await employer(house)
  const id = await house.create(
    contracts,
    serviceValues(customer, agency, {
      startDate: '2025-04-01',
      endDate: '2026-03-31',
      serviceTypes: ['dispatch', 'recruitment'],
      feeRules: feeRules as unknown as Value,
    }),
  )
  await sign(house, id)
  return { id, name, contractNo: String((await contract(house, id)).contractNo) }
}

describe('a renewal of a contract whose fee rules have ended', () => {
  const ended = [
    rule('dispatch', '100', '2025-04', '2025-09'),
    rule('dispatch', '120', '2025-10', '2026-03'),
    rule('recruitment', '80', '2025-04'),
  ]
  const goingOn = [
    ['dispatch', '120.00', '2025-10', null],
    ['recruitment', '80.00', '2025-04', null],
  ]

  test('goes on with the last rule of each service, and can be signed as it is', async () => {
    const old = await signed(ended)
    const renewal = await house.create(contracts, { renewalOf: old.id })
    expect(feesOf(await contract(house, renewal))).toEqual(goingOn)
    await sign(house, renewal)
    expect(feesOf(await contract(house, old.id))).toHaveLength(3)
  })

  test('is signed by an import, at the new price', async () => {
    const old = await signed(ended)
    const cells = {
      renewalOf: old.contractNo,
      customer: old.name,
      startDate: '2026-04-01',
      endDate: '2027-03-31',
      unitPrice: '128',
      signDate: '2026-03-12',
    }
    const path = '/contract/serviceRenewalImport'
    const batch = await importFile(house, await workbook(planOf(house, 'serviceRenewalImport'), [cells]), { path })
    await worker(house).drain()
    expect(await house.admin.post(`${path}/write`, { id: batch })).toMatchObject({ code: 1 })
    await worker(house).drain()
    const [row] = await rows(house, batch, house.admin, '/contract/serviceRenewalImportRow')
    expect(row).toMatchObject({ rowStatus: 'created' })
    const { renewedBy } = await contract(house, old.id)
    const renewal = await contract(house, (renewedBy as RecordData).id as number)
    expect(renewal).toMatchObject({ stage: 'signed' })
    expect(feesOf(renewal)).toEqual(goingOn.map(([type, , from, to]) => [type, '128.00', from, to]))
  })
})

test('a renewal keeps fee rules that apply within its term as they are', async () => {
  const old = await signed([
    rule('dispatch', '100', '2025-04', '2026-06'),
    rule('dispatch', '120', '2026-07', '2026-12'),
    rule('recruitment', '80', '2025-04', '2025-12'),
    rule('recruitment', '90', '2026-01'),
  ])
  const renewal = await house.create(contracts, { renewalOf: old.id })
  expect(feesOf(await contract(house, renewal))).toEqual([
    ['dispatch', '100.00', '2025-04', '2026-06'],
    ['dispatch', '120.00', '2026-07', '2026-12'],
    ['recruitment', '90.00', '2026-01', null],
  ])
})
