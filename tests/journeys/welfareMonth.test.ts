/**
 * The month of a joiner: from the file of joiners through the tickets and expenses of each family to net pay and the
 * customer's statement.
 */
import { expect, test } from 'vitest'
import type { ImportsPlan } from '../../engine/screens/imports/imports.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { idNumber, mobile, personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { call, detail, dialog, list, open, useDemo } from './app.ts'
import { catalog } from './catalog.ts'
import { fill } from './controls.ts'
import { imported } from './importFiles.ts'
import { wide } from './grid.ts'
import { act, agree, agreeing, button, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const random = new Random(72)
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
const month = () => today().slice(0, 7)
const idOf = (value: unknown) => (value as { id: number }).id
const families = [
  ['socialsecurity', 'socialsecurityexpenses'],
  ['medicalinsurance', 'medicalinsuranceexpense'],
  ['accumulationfund', 'accumulationfundexpense'],
] as const
const money = (value: unknown) => `￥${Number(value).toLocaleString('en', { minimumFractionDigits: 2 })}`
const at = (user: string) => ({ user, stays: true })

/** A customer whose payroll and statement of the month are still open. */
async function customer(): Promise<{ payroll: RecordData; statement: RecordData; contract: RecordData }> {
  const { list: payrolls } = await list('/salary/payroll', {
    filters: {
      payrollMonth: { equals: month() },
      incomeType: { equals: 'wage' },
      status: { in: ['draft', 'calculated'] },
    },
  })
  const { list: statements } = await list('/settlement/statement', {
    filters: { billMonth: { equals: month() }, stage: { equals: 'generated' } },
  })
  const payroll = payrolls.find((each) =>
    statements.some(({ contract }) => idOf(contract) === idOf(each.serviceContract)),
  )!
  const statement = statements.find(({ contract }) => idOf(contract) === idOf(payroll.serviceContract))!
  return {
    payroll: await detail('/salary/payroll', payroll.id!),
    statement,
    contract: await detail('/contract/contract', idOf(payroll.serviceContract)),
  }
}

test('a joiner is enrolled in all families, and their cost reaches expenses, net pay and statement', async () => {
  const { payroll, statement, contract } = await customer()
  const {
    list: [bank],
  } = await list('/bank/bank', { filters: { wageSupported: { equals: true }, status: { equals: 'enabled' } } })
  const name = `林演${random.pick([...'甲乙丙丁戊己庚辛'])}${random.pick([...'子丑寅卯辰巳午未'])}`
  const employer = contract.customer as { name: string; code: string }
  const { import: plan } = catalog.screens['personJoin.imports'].body as ImportsPlan
  expect(
    await imported('staff', plan, '增员.xlsx', [
      {
        customer: employer.code,
        serviceContract: String(contract.contractNo),
        name,
        idType: '居民身份证',
        idNumber: idNumber(random, '1993-05-12', 'male'),
        mobile: mobile(random),
        householdType: '外地城镇',
        workCity: '北京',
        insuranceCity: '北京',
        employmentForm: '外包用工',
        position: '装配工',
        entryDate: `${month()}-01`,
        contractTermType: '无固定期限',
        contractStartDate: `${month()}-01`,
        baseSalary: '12000',
        cardBank: String(bank.branchName),
        cardAccountNo: personalCard(random),
        ...Object.fromEntries(
          families.flatMap(([key]) => [
            [`${key}Needed`, '是'],
            [`${key}StartMonth`, month()],
            [`${key}DeclaredBase`, '12000'],
          ]),
        ),
      },
    ]),
  ).toMatchObject({ successCount: 1 })
  const {
    list: [person],
  } = await list('/staff/person', { search: name })

  const due: Record<string, RecordData> = {}
  for (const [key, route] of families) {
    // All families have their screens from one template, so only the family with the most fields is done by hand.
    const isByHand = key === 'accumulationfund'
    const account = `9${random.integer(10_000_000_000, 99_999_999_999)}`
    if (isByHand) {
      const desk = await open(`/welfare/${key}/additionalstaff`, at('welfareClerk'))
      await act(desk, row(desk, name), '办理成功')
      await fill(dialog(desk), '办理月份', month())
      await fill(dialog(desk), '个人公积金账号', account)
      await agreeing(dialog(desk)).click()
    } else {
      const [ticket] = (await list(`/welfare/${key}Addition`, { filters: { person: { equals: person.id } } })).list
      const values = { handleMonth: month() }
      await call('POST', `/welfare/${key}Addition/succeed`, { id: ticket.id, values }, { user: 'welfareClerk' })
    }
    await expect
      .poll(
        async () =>
          (await list(`/welfare/${key}Enrolment`, { filters: { person: { equals: person.id } } })).list.map(
            ({ status }) => status,
          ),
        { message: key },
      )
      .toEqual(['enrolled'])

    if (isByHand) {
      const summary = await open(`/welfare/${route}/summary`, at('welfareClerk'))
      await button(summary.getByRole('main'), '生成费用').click()
      await fill(dialog(summary), '费用月份', month())
      await fill(dialog(summary), '客户名称', employer.name)
      await agreeing(dialog(summary)).click()
      await agree(summary)
    } else {
      const values = { feeMonth: month(), customer: idOf(contract.customer) }
      await call('POST', `/welfare/${key}ExpenseSummary/generate`, { values }, { user: 'welfareClerk' })
    }
    const lines = async () =>
      (await list(`/welfare/${key}ExpenseLine`, { filters: { person: { equals: person.id } } })).list
    await expect.poll(async () => (await lines()).length, { message: key }).toBe(1)
    const [line] = await lines()
    expect(line).toMatchObject({
      feeMonth: month(),
      expenseType: 'normal',
      lineStatus: 'open',
      declaredBase: '12000.00',
    })
    due[key] = line
    if (!isByHand || !isLong) continue
    const details = await open(`/welfare/${route}/summary/billdetails?id=${idOf(line.summary)}`, {
      ...wide,
      ...at('welfareClerk'),
    })
    await row(details, name).getByText(money(line.total), { exact: true }).first().waitFor()
  }
  const personal = families.reduce((sum, [key]) => sum + Number(due[key].personalTotal), 0)
  expect(personal).toBeGreaterThan(1000)

  await call('POST', '/salary/payrollLine/create', {
    values: { payroll: payroll.id, person: person.id, baseSalary: '12000' },
  })
  const wages = await open(`/salary/payrolldetail?id=${payroll.id}`, at('payrollClerk'))
  await button(wages.getByRole('main'), '计算').click()
  const lineOf = async () =>
    (await list('/salary/payrollLine', { filters: { payroll: { equals: payroll.id }, person: { equals: person.id } } }))
      .list[0]
  await expect.poll(async () => Number((await lineOf()).welfarePersonalTotal)).toBeCloseTo(personal, 2)
  const paid = await lineOf()
  expect(Number(paid.netPay)).toBeCloseTo(12_000 - personal - Number(paid.currentTax), 2)
  await row(wages, name).getByText(money(paid.netPay), { exact: true }).first().waitFor()

  const billed = await open(`/settlement/accountstatementdetail?id=${statement.id}`, at('settlementClerk'))
  await button(billed.getByRole('main'), '重新生成').click()
  await agreeing(dialog(billed)).click()
  await row(billed, name).first().waitFor()
  const items = (
    await list('/settlement/statementItem', {
      filters: { statement: { equals: statement.id }, person: { equals: person.id } },
      size: 100,
    })
  ).list
  const company = (names: readonly string[]) =>
    items
      .filter(({ feeItem, party }) => party === 'company' && names.includes(String(feeItem)))
      .reduce((sum, { amount }) => sum + Number(amount), 0)
  expect(company(['pension', 'unemployment', 'injury', 'maternity'])).toBeCloseTo(
    Number(due.socialsecurity.companyTotal),
    2,
  )
  expect(company(['housingFund', 'housingFundExtra'])).toBeCloseTo(Number(due.accumulationfund.companyTotal), 2)
  await says(billed, name)
})
