import { expect } from 'vitest'
import { contract, contracts, employer, resident, serviceValues, sign } from '../contract.ts'
import { personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { importFile, planOf, workbook, worker } from '../importing.ts'
import type { HandlingHouse } from '../welfare/handled.ts'
import { endpointOf } from './Case.ts'

const batches = 'personJoinImport'
/** Numbers after those of the people whom other cases add. */
const firstOrder = 500

/**
 * Files of joiners of one customer: each call makes, checks and begins to write one, and returns the function that
 * finishes the writing.
 */
export async function joiners({ house }: HandlingHouse) {
  const at = await employer(house)
  const service = await house.create(
    contracts,
    serviceValues(at.customer, at.agency, { startDate: '2025-04-01', endDate: '2026-12-31' }),
  )
  await sign(house, service, '2025-04-01')
  const { contractNo } = await contract(house, service)
  await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行增员支行',
    cnapsCode: '991100000107',
    kind: 'jointStock',
    city: '320500',
    wageSupported: true,
  })
  const families = house.runtime.derived.catalog.families.handling.map(({ key }) => `${String(key)}Needed`)
  let order = firstOrder
  const random = new Random(firstOrder)
  return async (size: number) => {
    const rows = Array.from({ length: size }, () => {
      const number = order++
      return {
        customer: at.name,
        serviceContract: String(contractNo),
        name: '何静',
        idType: '居民身份证',
        idNumber: resident(number),
        mobile: `154${String(number).padStart(8, '0')}`,
        householdType: '外地城镇',
        workCity: '北京',
        insuranceCity: '北京',
        employmentForm: '外包用工',
        position: '测试工程师',
        entryDate: '2026-03-10',
        contractTermType: '固定期限',
        contractStartDate: '2026-03-10',
        contractEndDate: '2029-03-09',
        contractProbationMonths: '3',
        baseSalary: '12000.00',
        cardBank: '北辰示范银行增员支行',
        cardAccountNo: personalCard(random),
        ...Object.fromEntries(families.map((name) => [name, '是'])),
      }
    })
    const path = endpointOf(house, batches)
    const id = await importFile(house, await workbook(planOf(house, batches), rows), { path, name: '增员.xlsx' })
    await worker(house).drain()
    expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
    return async () => {
      await worker(house).drain()
      const { result } = await house.admin.get(`${path}/detail`, { id })
      expect(result).toMatchObject({ status: 'completed', successCount: size })
    }
  }
}
