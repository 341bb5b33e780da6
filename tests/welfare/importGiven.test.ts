/**
 * Values given once at the upload of a file: rows without the value take it, and rows with another value are refused.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { employer } from '../contract.ts'
import { batch, importFile, planOf, workbook } from '../importing.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
})
afterAll(() => house?.house.close())

const accountOf = async (entity: string, id: number) =>
  (await house.detail(entity, id)).account as unknown as { id: number; code: string }

test('a table of the bureau is for one month and one account', async () => {
  const { person, enrolment } = await house.enrolled('accumulationfund')
  expect(
    await house.house.admin.post('/welfare/accumulationfundExpenseSummary/generate', {
      values: { feeMonth: '2026-03' },
    }),
  ).toMatchObject({ code: 1 })
  const account = await accountOf('accumulationfundEnrolment', enrolment)
  const batches = 'accumulationfundBigTableImport'
  const row = (cells: Record<string, string> = {}) => ({
    personName: '测试',
    idNumber: person.idNumber,
    checked1: '7',
    fundActualCompany: '350',
    fundActualPersonal: '350',
    actualTotal: '700',
    ...cells,
  })
  const given = { givenFeeMonth: '2026-03', givenAccount: account.id }
  const { id, rows } = await house.checked(batches, [row(), row({ feeMonth: '2026-02' })], given)
  expect(rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
    ['toUpdate'],
    ['failed', 'given 费用月份与导入参数不一致'],
  ])
  expect(await batch(house.house, id, house.house.admin, `/welfare/${batches}`)).toMatchObject({
    givenFeeMonth: '2026-03',
    givenAccount: { id: account.id },
  })
  expect((await house.written(batches, id))[0]).toMatchObject({ rowStatus: 'updated' })
  const content = await workbook(planOf(house.house, batches), [row()])
  await expect(importFile(house.house, content, { path: `/welfare/${batches}` })).rejects.toThrow(
    /givenFeeMonth[^]*givenAccount/,
  )
})

test.skipIf(!isLong)('a number shared by two accounts means the chosen account', async () => {
  const { person, enrolment } = await house.enrolled('accumulationfund')
  const { id, code } = await accountOf('accumulationfundEnrolment', enrolment)
  const { pool } = house.house.database
  const {
    rows: [{ columns }],
  } = await pool.query(
    "select string_agg(quote_ident(column_name), ',') as columns from information_schema.columns where table_name = 'policyAccount' and column_name not in ('id')",
  )
  await pool.query(`insert into "policyAccount" (${columns}) select ${columns} from "policyAccount" where id = $1`, [
    id,
  ])
  const row = {
    account: code,
    personName: '测试',
    idNumber: person.idNumber,
    checked1: '7',
    fundActualCompany: '350',
    fundActualPersonal: '350',
    actualTotal: '700',
  }
  const checked = async (account: number) =>
    (
      await house.checked('accumulationfundBigTableImport', [row], { givenFeeMonth: '2026-03', givenAccount: account })
    ).rows.flatMap(messagesOf)
  expect(await checked(id)).not.toContainEqual(expect.stringMatching(/ambiguous|given/))
  await pool.query('delete from "policyAccount" where id <> $1 and "accountNo" = $2', [id, code])
})

test.skipIf(!isLong)('a corrected row is checked against the given values, too', async () => {
  const { person, enrolment } = await house.enrolled('accumulationfund')
  const account = await accountOf('accumulationfundEnrolment', enrolment)
  const {
    rows: [row],
  } = await house.checked(
    'accumulationfundBigTableImport',
    [
      {
        feeMonth: '2026-02',
        personName: '测试',
        idNumber: person.idNumber,
        checked1: '7',
        fundActualCompany: '350',
        fundActualPersonal: '350',
        actualTotal: '700',
      },
    ],
    { givenFeeMonth: '2026-03', givenAccount: account.id },
  )
  const fix = (month: string) =>
    house.house.admin.post('/welfare/accumulationfundBigTableImportRow/fix', {
      id: row.id,
      values: { cellFeeMonth: month },
    })
  expect(await fix('2026-01')).toMatchObject({ code: 422, errors: [{ field: 'cellFeeMonth', code: 'given' }] })
  expect(await fix('2026-03')).toMatchObject({ code: 1 })
})

test('a file of results is for one account, which has no column', async () => {
  const who = await house.person()
  const { result } = await house.add('socialsecurity', { person: who.id })
  const own = await accountOf('socialsecurityAddition', result.id)
  const [other] = (
    await house.house.database.pool.query<{ id: number }>(
      'select id from "policyAccount" where family = \'socialsecurity\' and id <> $1',
      [own.id],
    )
  ).rows
  const checked = async (account: number) =>
    (
      await house.checked(
        'socialsecurityAdditionHandleImport',
        [{ personName: '林晓演', person: who.idNumber, result: '办理成功' }],
        { givenAccount: account, givenHandleMonth: '2026-03' },
      )
    ).rows
  expect((await checked(other.id)).map(messagesOf)).toEqual([['given 社保单位编号与导入参数不一致']])
  const again = await house.checked(
    'socialsecurityAdditionHandleImport',
    [{ personName: '林晓演', person: who.idNumber, result: '办理成功' }],
    { givenAccount: own.id, givenHandleMonth: '2026-03' },
  )
  expect(again.rows.map(messagesOf)).toEqual([[]])
  await house.written('socialsecurityAdditionHandleImport', again.id)
  expect(await house.detail('socialsecurityAddition', result.id)).toMatchObject({
    status: 'success',
    handleMonth: '2026-03',
  })
})

test('people of customers other than the chosen one are refused', async () => {
  const who = await house.person()
  const row: Record<string, string> = {
    personCustomer: house.around.name,
    personName: '林晓演',
    person: who.idNumber,
    city: '北京',
    additionType: '新参保',
    startMonth: '2026-03',
    declaredBase: '5000',
    workForm: '劳动合同',
  }
  const other = await employer(house.house)
  expect(
    (await house.checked('socialsecurityAdditionImport', [row], { givenPersonCustomer: other.customer })).rows.flatMap(
      messagesOf,
    ),
  ).toContain('given 客户名称与导入参数不一致')
  const givens: Record<string, Value>[] = [{ givenPersonCustomer: house.around.customer }, {}]
  for (const given of givens) {
    expect(
      (await house.checked('socialsecurityAdditionImport', [row], given)).rows.map((each: RecordData) => [
        each.rowStatus,
        ...messagesOf(each),
      ]),
    ).toEqual([['toCreate', expect.stringContaining('申报基数')]])
  }
})
