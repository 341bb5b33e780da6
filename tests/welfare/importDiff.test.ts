/** Additional columns of a bureau's own table are checked but not stored. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { planOf } from '../importing.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

let house: HandlingHouse
beforeAll(async () => {
  house = await handlingHouse()
})
afterAll(() => house?.house.close())

const headings = (kind: string) => planOf(house.house, `${kind}Import`).columns.map(({ label }) => label.cn)

test("the columns are at the family's positions, in every import that it names", () => {
  const behind = (kind: string, heading: string) => headings(kind)[headings(kind).indexOf(heading) - 1]
  expect(behind('socialsecurityBigTable', '单位差别费率(%)')).toBe('所属月份')
  expect(behind('medicalinsuranceBigTable', '参保人员类别')).toBe('证件号码')
  for (const kind of ['accumulationfundBigTable', 'accumulationfundBigTableSupplement'])
    expect(behind(kind, '缴存比例(%)'), kind).toBe('缴存基数')
  expect(behind('accumulationfundReductionHandle', '账户状态')).toBe('办理月份')
  expect(headings('accumulationfundAdditionHandle')).not.toContain('账户状态')
})

test("a rate of the bureau that differs from the system's is reported and not written", async () => {
  const { person, enrolment } = await house.enrolled('accumulationfund', { fundCompanyRate: '7' })
  expect(
    await house.house.admin.post('/welfare/accumulationfundExpenseSummary/generate', {
      values: { feeMonth: '2026-03' },
    }),
  ).toMatchObject({ code: 1 })
  const { account } = await house.detail('accumulationfundEnrolment', enrolment)
  const row = {
    feeMonth: '2026-03',
    account: String((account as unknown as { code: string }).code),
    personName: '测试',
    idNumber: person.idNumber,
    actualBase: '5000',
    fundActualCompany: '350',
    fundActualPersonal: '350',
    actualTotal: '700',
  }
  expect(
    (await house.checked('accumulationfundBigTableImport', [row])).rows.map(messagesOf),
    'the column has to be filled in',
  ).toEqual([[expect.stringContaining('required')]])
  expect(
    (await house.checked('accumulationfundBigTableImport', [{ ...row, checked1: '7' }])).rows.map(messagesOf),
  ).toEqual([[]])
  const { id, rows } = await house.checked('accumulationfundBigTableImport', [{ ...row, checked1: '5%' }])
  expect(rows).toMatchObject([{ rowStatus: 'toUpdate' }])
  expect(rows.map(messagesOf)).toEqual([['hint 缴存比例(%)与系统不一致，系统为7%（提示）']])
  expect(await house.written('accumulationfundBigTableImport', id)).toMatchObject([
    { rowStatus: 'updated', cellChecked1: '5%' },
  ])
  const [line] = await house.ticketsOf('accumulationfundExpenseLine', person.id)
  expect(line).toMatchObject({ reconcileStatus: 'matched', actualTotal: '700.00' })
  expect(line.checked1 ?? null).toBeNull()
})

test.skipIf(!isLong)('a rate set per account is compared only if the account has its own', async () => {
  const { person, enrolment } = await house.enrolled('socialsecurity')
  expect(
    await house.house.admin.post('/welfare/socialsecurityExpenseSummary/generate', { values: { feeMonth: '2026-03' } }),
  ).toMatchObject({ code: 1 })
  const { account } = (await house.detail('socialsecurityEnrolment', enrolment)) as unknown as {
    account: { id: number; code: string }
  }
  const checked = async (rate: string) =>
    (
      await house.checked('socialsecurityBigTableImport', [
        {
          feeMonth: '2026-03',
          account: account.code,
          personName: '测试',
          idNumber: person.idNumber,
          expenseType: '正常缴费',
          belongMonth: '2026-03',
          checked1: rate,
          pensionActualCompany: '100',
          actualTotal: '100',
        },
      ])
    ).rows.map(messagesOf)
  expect(await checked('0.4'), 'an account without a rate of its own').toEqual([[]])
  await house.house.database.pool.query(
    'insert into "policyAccountRate" (account, item, "companyRate", "createdAt", "updatedAt") values ($1, \'workInjury\', 0.26, now(), now())',
    [account.id],
  )
  expect(await checked('0.4')).toEqual([['hint 单位差别费率(%)与系统不一致，系统为0.26%（提示）']])
  expect(await checked('0.26')).toEqual([[]])
})

test("words other than the bureau's are refused", async () => {
  const { person, enrolment } = await house.enrolled('medicalinsurance')
  const { account } = (await house.detail('medicalinsuranceEnrolment', enrolment)) as unknown as {
    account: { code: string }
  }
  const checked = async (word: string) =>
    (
      await house.checked('medicalinsuranceBigTableImport', [
        {
          feeMonth: '2026-03',
          account: account.code,
          personName: '测试',
          idNumber: person.idNumber,
          checked1: word,
          expenseType: '正常缴费',
          belongMonth: '2026-03',
          medicalActualCompany: '100',
          actualTotal: '100',
        },
      ])
    ).rows.map(messagesOf)
  expect(await checked('学生')).toEqual([[expect.stringContaining('参保人员类别应为在职、退休之一')]])
  expect(await checked('退休')).toEqual([[expect.stringContaining('系统无此人费用')]])

  const fund = await house.enrolled('accumulationfund')
  const { result } = await house.create('accumulationfundReduction', {
    person: fund.person.id,
    reductionReason: 'seal',
    lastMonth: '2026-03',
  })
  const handled = (state: string) =>
    house.checked('accumulationfundReductionHandleImport', [
      { personName: '测试', person: fund.person.idNumber, result: '办理成功', handleMonth: '2026-03', checked2: state },
    ])
  const { personName } = await house.detail('accumulationfundReduction', result.id)
  expect((await handled('冻结')).rows.flatMap(messagesOf).join()).toContain('账户状态应为封存、转移、销户之一')
  const { id, rows } = await house.checked('accumulationfundReductionHandleImport', [
    {
      personName: String(personName),
      person: fund.person.idNumber,
      result: '办理成功',
      handleMonth: '2026-03',
      checked2: '销户',
    },
  ])
  expect(rows.map(messagesOf)).toEqual([[]])
  expect(await house.written('accumulationfundReductionHandleImport', id)).toMatchObject([{ rowStatus: 'updated' }])
})

test.skipIf(!isLong)('a row is compared with the normal line, not with a difference of the same month', async () => {
  const { person, enrolment } = await house.enrolled('accumulationfund', { fundCompanyRate: '7' })
  expect(
    await house.house.admin.post('/welfare/accumulationfundExpenseSummary/generate', {
      values: { feeMonth: '2026-03' },
    }),
  ).toMatchObject({ code: 1 })
  const table = 'accumulationfundExpenseLine'
  const { kysely } = house.house.database
  const ofPerson = sql`from ${sql.table(table)} where person = ${person.id}`
  const { id: _, ...line } = (await sql<RecordData>`select * ${ofPerson}`.execute(kysely)).rows[0]
  const difference = { ...line, expenseType: 'difference', belongMonth: '2026-02', sourceNo: 'GD1' }
  const names = Object.keys(difference)
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(difference))})`.execute(kysely)
  const { account } = await house.detail('accumulationfundEnrolment', enrolment)
  const row = {
    feeMonth: '2026-03',
    account: String((account as unknown as { code: string }).code),
    personName: '测试',
    idNumber: person.idNumber,
    checked1: '7',
    actualBase: '5000',
    fundActualCompany: '350',
    fundActualPersonal: '350',
    actualTotal: '700',
  }
  const { id, rows } = await house.checked('accumulationfundBigTableImport', [row])
  expect(rows.map(messagesOf)).toEqual([[]])
  await house.written('accumulationfundBigTableImport', id)
  const lines = await house.ticketsOf(table, person.id)
  expect(new Map(lines.map(({ expenseType, reconcileStatus }) => [expenseType, reconcileStatus]))).toEqual(
    new Map([
      ['normal', 'matched'],
      ['difference', 'missing'],
    ]),
  )
  await sql`update ${sql.table(table)} set "expenseType" = 'refund' where person = ${person.id} and "expenseType" = 'normal'`.execute(
    kysely,
  )
  const again = await house.checked('accumulationfundBigTableImport', [row])
  expect(again.rows.map(messagesOf)).toEqual([[expect.stringContaining('匹配到多条记录，模板中没有可以区分的列')]])
})
