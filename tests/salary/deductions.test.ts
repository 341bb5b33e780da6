import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billed } from '../statement.ts'
import { deductions } from './salary.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const of = async (person: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`${deductions}/list`, {
      filters: { person: { equals: person } },
      sort: 'taxMonth',
      size: 100,
    })
  ).result.list
const refused = async (values: Record<string, never> | object) =>
  (await house.admin.post(`${deductions}/create`, { values })).errors?.map(({ field, message }) => [field, message])

test('one row a person and month, within what the law allows; what a month adds is told', async () => {
  const {
    people: [person],
    agency,
  } = await billed(house, { heads: 1 })
  const january = await house.create(deductions, {
    person,
    taxMonth: '2026-01',
    cumChildEducation: '2000',
    cumHousingRent: '1500',
  })
  await house.create(deductions, { person, taxMonth: '2026-02', cumChildEducation: '4000', cumHousingRent: '1500' })
  expect(await of(person)).toMatchObject([
    {
      id: january,
      cumTotal: '3500.00',
      monthTotal: '3500.00',
      monthChildEducation: '2000.00',
      taxSubject: 'provider',
      agency: { id: agency },
      withholdingAgent: '示范派遣有限公司',
      source: 'manual',
      status: 'valid',
      taxYear: '2026',
    },
    { cumTotal: '5500.00', monthTotal: '2000.00', monthHousingRent: '0.00' },
  ])
  expect(await refused({ person, taxMonth: '2026-02' })).toEqual([['taxMonth', '税款所属期已存在']])
  expect(
    await refused({
      person,
      taxMonth: '2026-03',
      cumHousingLoan: '3001',
      cumPersonalPension: '12001',
      cumElderlySupport: '9000',
    }),
  ).toEqual([
    ['cumHousingLoan', '累计住房贷款利息超过法定上限'],
    ['cumPersonalPension', '累计个人养老金超过法定上限'],
  ])
  expect(await refused({ person, taxMonth: '2026-03', cumHousingRent: '2600', cumHousingLoan: '1000' })).toEqual([
    ['cumHousingRent', expect.stringContaining('不能在同一月份同时扣除')],
  ])
  expect(await refused({ person, taxMonth: '2026-05' })).toEqual([['taxMonth', expect.any(String)]])
})

test('carried forward by what the last month has added; not into January, not twice', async () => {
  const {
    people: [person, other],
  } = await billed(house)
  for (const [taxMonth, cum] of [
    ['2026-01', '1500'],
    ['2026-02', '3000'],
  ])
    await house.create(deductions, { person, taxMonth, cumHousingRent: cum })
  await house.create(deductions, { person: other, taxMonth: '2026-02', cumElderlySupport: '3000' })
  const carry = (taxMonth: string) => house.admin.post(`${deductions}/carry`, { values: { taxMonth } })
  expect(await carry('2026-03')).toMatchObject({
    code: 1,
    result: {
      failed: expect.arrayContaining([
        { id: other, name: expect.any(String), message: expect.stringContaining('上上月') },
      ]),
    },
  })
  expect((await of(person)).at(-1)).toMatchObject({
    taxMonth: '2026-03',
    cumHousingRent: '4500.00',
    monthTotal: '1500.00',
    source: 'carry',
    status: 'valid',
  })
  expect(await of(other)).toHaveLength(1)
  await carry('2026-03')
  expect(await of(person)).toHaveLength(3)
  expect(await carry('2027-01')).toMatchObject({ code: 422 })
})

test('imported by the ID number; a row that is there is updated', async () => {
  const {
    people: [person],
  } = await billed(house, { heads: 1 })
  const { name, idNumber } = (await house.admin.get('/staff/person/detail', { id: person })).result
  const path = '/salary/specialDeductionImport'
  const row = { personName: String(name), idType: '居民身份证', person: String(idNumber), taxMonth: '2026-03' }
  const load = async (cells: Record<string, string>[]) => {
    const id = await importFile(house, await workbook(planOf(house, 'specialDeductionImport'), cells), { path })
    await worker(house).drain()
    if ((await house.admin.get(`${path}/detail`, { id })).result.status !== 'processing')
      await house.admin.post(`${path}/write`, { id })
    await worker(house).drain()
    return (await rows(house, id, house.admin, '/salary/specialDeductionImportRow')).map(({ rowStatus, errors }) => [
      rowStatus,
      ...((errors ?? []) as unknown as { message: { cn: string } }[]).map(({ message }) => message.cn),
    ])
  }
  expect(
    await load([
      { ...row, cumHousingRent: '4500', remark: '首次' },
      { ...row, personName: '别人' },
    ]),
  ).toEqual([['created'], ['failed', '姓名与系统数据不一致（系统：员工甲）', '与第2行重复', '与第2行重复']])
  expect(await load([{ ...row, cumHousingRent: '3000' }])).toEqual([['updated']])
  expect(await of(person)).toMatchObject([{ cumHousingRent: '3000.00', cumTotal: '3000.00', source: 'import' }])
  expect(
    await load([{ ...row, taxMonth: '2026-04', cumHousingRent: '2500', cumElderlySupport: '3000' }]),
    'less than the month before',
  ).toEqual([['created', '累计住房租金小于上月累计数（提示）']])
  expect(
    await load([
      { ...row, taxMonth: '2026-04', cumHousingRent: '3000', cumElderlySupport: '3000', cumInfantCare: '1500' },
    ]),
    'neither 2,000 a child and month nor half of it',
  ).toEqual([['updated', '累计3岁以下婴幼儿照护通常为1000的倍数（提示）']])
})
