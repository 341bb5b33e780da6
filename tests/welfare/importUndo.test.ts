/** Undoing an import of people deletes what it created, unless someone has worked on it since. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { resident } from '../contract.ts'
import { batch, importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { holding } from '../salary/salary.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

let at: HandlingHouse
let own: { name: string; contractNo: string }
beforeAll(async () => {
  at = await handlingHouse()
  const { customer, service } = at.around
  const contract: RecordData = (await at.house.admin.get('/contract/contract/detail', { id: service })).result
  const named: RecordData = (await at.house.admin.get('/customer/detail', { id: customer })).result
  own = { name: String(named.name), contractNo: String(contract.contractNo) }
})
afterAll(() => at?.house.close())

async function imported(batches: string, cells: Record<string, string>[]): Promise<number> {
  const { house } = at
  const path = `/staff/${batches}`
  const id = await importFile(house, await workbook(planOf(house, batches), cells), { path, name: '名单.xlsx' })
  await worker(house).drain()
  const checked = await rows(house, id, house.admin, `${path}Row`)
  expect(checked.map(({ rowStatus, errors }) => (rowStatus === 'failed' ? errors : 'good'))).toEqual(
    cells.map(() => 'good'),
  )
  expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
  await worker(house).drain()
  expect(await batch(house, id, house.admin, path)).toMatchObject({ status: 'completed', successCount: cells.length })
  return id
}
const undo = (batches: string, id: number) => at.house.admin.post(`/staff/${batches}/undo`, { id })
const joiner = (name: string, idNumber: string) => ({
  customer: own.name,
  serviceContract: own.contractNo,
  name,
  idType: '居民身份证',
  idNumber,
  mobile: '15400000026',
  householdType: '外地城镇',
  workCity: '北京',
  insuranceCity: '北京',
  employmentForm: '外包用工',
  position: '测试工程师',
  entryDate: '2026-03-10',
  baseSalary: '12000.00',
  contractTermType: '固定期限',
  contractEndDate: '2029-03-09',
  contractProbationMonths: '0',
  ...Object.fromEntries(
    at.house.runtime.derived.catalog.families.handling.map(({ key }) => [
      `${String(key)}Needed`,
      key === 'socialsecurity' ? '是' : '否',
    ]),
  ),
})
/** The number of undeleted records that refer to these people, by table. */
async function left(idNumbers: readonly string[]): Promise<Record<string, number>> {
  const { pool } = at.house.database
  const countIn = async (table: string) => {
    const { rows: found } = await pool.query<{ count: number }>(
      `select count(*)::integer as count from "${table}" as r join person on person.id = r.person
        where person."idNumber" = any($1) and r."deletedAt" is null`,
      [idNumbers],
    )
    return [table, found[0].count] as const
  }
  const tables = ['socialsecurityAddition', 'socialsecurityEnrolment', 'employmentRecord', 'contract']
  return Object.fromEntries(await Promise.all(tables.map(countIn)))
}
const personOf = async (idNumber: string): Promise<RecordData> =>
  (await at.house.admin.get('/staff/person/list', { search: idNumber })).result.list[0]

test('tickets, enrolments, stints and drafts of an import are deleted with it', async () => {
  const idNumbers = [resident(601), resident(603)]
  const cells = idNumbers.map((idNumber, index) => joiner(`何静${'甲乙'[index]}`, idNumber))
  const id = await imported('personJoinImport', cells)
  expect(await left(idNumbers)).toEqual({
    socialsecurityAddition: 2,
    socialsecurityEnrolment: 2,
    employmentRecord: 2,
    contract: 2,
  })
  expect(await undo('personJoinImport', id)).toMatchObject({ code: 1 })
  expect(await batch(at.house, id, at.house.admin, '/staff/personJoinImport')).toMatchObject({ status: 'undone' })
  expect(Object.values(await left(idNumbers))).toEqual([0, 0, 0, 0])
  expect(await personOf(idNumbers[0])).toBeUndefined()
  await imported('personJoinImport', cells)
})

test('a ticket that has been worked on is named, and nothing is deleted', async () => {
  const idNumber = resident(605)
  const id = await imported('personJoinImport', [joiner('何静丙', idNumber)])
  const [ticket] = await at.ticketsOf('socialsecurityAddition', Number((await personOf(idNumber)).id))
  expect(await at.call('socialsecurityAddition', 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({
    code: 1,
  })
  const answer = await undo('personJoinImport', id)
  expect(answer).toMatchObject({ code: 409 })
  expect(answer.message).toMatch(/^导入产生的记录已被修改或使用，不能撤销：.*/)
  const { label } = at.house.runtime.derived.catalog.entities.socialsecurityAddition
  expect(answer.message).toContain(`第2行的${label.cn} ${ticket.ticketNo}（系统管理员办理成功）`)
  expect(await left([idNumber])).toMatchObject({ socialsecurityAddition: 1, employmentRecord: 1 })
  expect(answer.result.records).toContainEqual({ entity: 'socialsecurityAddition', id: ticket.id })

  const without = await holding(at.house, 'undoing', ['staff:personImport:*'])
  const refused = await without.post('/staff/personJoinImport/undo', { id })
  expect(refused).toMatchObject({ code: 409, result: { records: [] } })
  expect(refused.message).toBe('导入产生的记录已被修改或使用，不能撤销：第2行的后续数据')
})

test('a row whose person is used is named with what uses it', async () => {
  const idNumber = resident(607)
  const id = await imported('personJoinImport', [joiner('何静丁', resident(609)), joiner('何静戊', idNumber)])
  const { id: person } = await personOf(idNumber)
  await at.house.create('/staff/workInjury', {
    person: person!,
    accidentTime: '2026-03-11 09:00:00',
    accidentPlace: '一号车间',
    accidentType: 'onDuty',
    injuryPart: '右手食指',
    description: '搬运机床夹具时被砸伤右手食指，随即送往医院检查治疗',
    reporter: '郑班长',
    reporterPhone: '15400000031',
    applicantType: 'provider',
    inpatient: false,
    reportedAt: '2026-03-11 10:00:00',
  })
  const answer = await undo('personJoinImport', id)
  expect(answer).toMatchObject({ code: 409, result: { rows: [3] } })
  expect(answer.message).toMatch(/不能撤销：第3行（用于工伤登记 \S+）$/)

  const without = await holding(at.house, 'undoingpeople', ['staff:personImport:*', 'staff:person:view'])
  const refused = await without.post('/staff/personJoinImport/undo', { id })
  expect(refused).toMatchObject({ code: 409, result: { rows: [3] } })
  expect(refused.message).toMatch(/不能撤销：第3行（已被其他数据使用）$/)
})

test.skipIf(!isLong)('undoing a leave import restores the people as they were', async () => {
  const { person, enrolment } = await at.enrolled('socialsecurity')
  const [before, insured] = [await personOf(person.idNumber), await at.detail('socialsecurityEnrolment', enrolment)]
  const id = await imported('personLeaveImport', [
    {
      customer: own.name,
      name: String(before.name),
      idNumber: person.idNumber,
      leaveDate: '2026-03-31',
      leaveReason: '员工辞职',
    },
  ])
  expect(await at.ticketsOf('socialsecurityReduction', person.id)).toHaveLength(1)
  expect(await undo('personLeaveImport', id)).toMatchObject({ code: 1 })
  expect(await at.ticketsOf('socialsecurityReduction', person.id)).toEqual([])
  const { employmentStatus, leaveDate } = await personOf(person.idNumber)
  expect([employmentStatus, leaveDate]).toEqual([before.employmentStatus, before.leaveDate])
  const { status, endMonth } = await at.detail('socialsecurityEnrolment', enrolment)
  expect([status, endMonth]).toEqual([insured.status, insured.endMonth])
})
