import { expect } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import type { TestServer } from '../server.ts'
import { done, family } from './adjusting.ts'

/** Writes a file with which a known person joins a customer. @returns its row */
export async function joinByFile(
  house: TestServer,
  { person, customer, contract }: { person: number; customer: number; contract: number },
  cells: Record<string, string>,
): Promise<RecordData> {
  const detail = async (path: string, id: number): Promise<RecordData> =>
    (await house.admin.get(`${path}/detail`, { id })).result
  const { name, idNumber } = await detail('/staff/person', person)
  const row = {
    customer: String((await detail('/customer', customer)).name),
    serviceContract: String((await detail('/contract/contract', contract)).contractNo),
    name: String(name),
    idType: '居民身份证',
    idNumber: String(idNumber),
    mobile: '15400000026',
    workCity: '北京',
    insuranceCity: '北京',
    employmentForm: '劳务派遣',
    position: '测试工程师',
    medicalinsuranceNeeded: '否',
    accumulationfundNeeded: '否',
    [`${family}Needed`]: '是',
    ...cells,
  }
  const path = '/staff/personJoinImport'
  const file = await importFile(house, await workbook(planOf(house, 'personJoinImport'), [row]), { path })
  await worker(house).drain()
  done(await house.admin.post(`${path}/write`, { id: file }))
  await worker(house).drain()
  const [written] = await rows(house, file, house.admin, `${path}Row`)
  expect(written, JSON.stringify(written.errors)).toMatchObject({ rowStatus: 'updated' })
  return written
}
