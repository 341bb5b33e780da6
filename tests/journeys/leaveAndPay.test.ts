/**
 * A leaver is removed from each family and paid for the last time; a failed payment is made again with another card; a
 * work injury goes from its report to its close.
 */
import { expect, test } from 'vitest'
import { addDays, addMonths } from '../../engine/expression/index.ts'
import type { ImportPlan, RecordData } from '../../engine/model/model.ts'
import { blankPage } from '../../src/demo/pictures/blankPage.ts'
import { personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { workbook } from '../importing.ts'
import { call, detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import type { Page } from 'playwright-core'
import { catalog } from './catalog.ts'
import { fill } from './controls.ts'
import { fileOf } from './importFiles.ts'
import { act, agree, agreeing, button, confirm, ofRow, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const random = new Random(71)
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
const month = () => today().slice(0, 7)
const idOf = (value: unknown) => (value as { id: number }).id
const nameOf = (value: unknown) => (value as { name: string }).name
const money = (value: unknown) => `￥${Number(value).toLocaleString('en', { minimumFractionDigits: 2 })}`
const at = (user: string) => ({ user, stays: true })
const planOf = (screen: string) => (catalog.screens[screen].body as { import: ImportPlan }).import
const families = [
  ['socialsecurity', 'socialsecurityexpenses'],
  ['medicalinsurance', 'medicalinsuranceexpense'],
  ['accumulationfund', 'accumulationfundexpense'],
] as const

/** Uploads a file in the open list of batches, waits for the check, and writes it. */
async function importFile(
  page: Page,
  plan: ImportPlan,
  name: string,
  cells: Record<string, string | number>[],
  question: string,
): Promise<void> {
  await button(page.getByRole('main'), '导入').first().click()
  await fill(dialog(page), '导入文件', fileOf(name, await workbook(plan, cells)))
  await dialog(page).getByRole('link', { name, exact: true }).first().waitFor()
  await button(dialog(page), '开始导入').click()
  await dialog(page).waitFor({ state: 'hidden' })
  await row(page, name).getByText('待确认', { exact: true }).waitFor()
  await ofRow(row(page, name), '明细').click()
  await ready(page)
  await button(page.getByRole('main'), '确认写入').click()
  await confirm(page, question)
}

/** Uses the screens of the first family only, since all families have their screens from the same template. */
async function handle(key: string, { id, ticketNo }: RecordData, handleMonth: string): Promise<void> {
  if (key !== families[0][0]) {
    await call('POST', `/welfare/${key}Reduction/succeed`, { id, values: { handleMonth } }, { user: 'welfareClerk' })
    return
  }
  const desk = await open(`/welfare/${key}/personnelreduction?q=${String(ticketNo)}`, at('welfareClerk'))
  await act(desk, row(desk, String(ticketNo)), '办理成功')
  await fill(dialog(desk), '办理月份', handleMonth)
  await agreeing(dialog(desk)).click()
}
async function makeExpenses(key: string, route: string, { customer }: RecordData, feeMonth: string): Promise<void> {
  if (key !== families[0][0]) {
    const values = { feeMonth, customer: idOf(customer) }
    await call('POST', `/welfare/${key}ExpenseSummary/generate`, { values }, { user: 'welfareClerk' })
    return
  }
  const summary = await open(`/welfare/${route}/summary`, at('welfareClerk'))
  await button(summary.getByRole('main'), '生成费用').click()
  await fill(dialog(summary), '费用月份', feeMonth)
  await fill(dialog(summary), '客户名称', nameOf(customer))
  await agreeing(dialog(summary)).click()
  await agree(summary)
}

/** A person enrolled in all families who is in a draft payroll of this month, together with colleagues. */
async function leaver(): Promise<{ person: RecordData; payroll: RecordData }> {
  const { list: payrolls } = await list('/salary/payroll', {
    filters: { payrollMonth: { equals: month() }, incomeType: { equals: 'wage' }, status: { equals: 'draft' } },
  })
  for (const payroll of payrolls.filter(({ headcount }) => Number(headcount) > 2)) {
    const { list: lines } = await list('/salary/payrollLine', { filters: { payroll: { equals: payroll.id } } })
    for (const line of lines) {
      const person = await detail('/staff/person', idOf(line.person))
      if (
        person.employmentStatus === 'active' &&
        person.idType === 'idcard' &&
        families.every(([key]) => (person[`${key}Enrolment`] ?? null) !== null)
      ) {
        const enrolled = await Promise.all(
          families.map(
            async ([key]) => (await detail(`/welfare/${key}Enrolment`, idOf(person[`${key}Enrolment`]))).status,
          ),
        )
        if (enrolled.every((status) => status === 'enrolled')) return { person, payroll }
      }
    }
  }
  throw new Error('the demo has nobody to leave')
}

test.runIf(isLong)(
  'a leaver is removed from every family, paid for the last time, and has no line in the next month',
  async () => {
    const { person, payroll } = await leaver()
    const name = String(person.name)
    const page = await open('/staff/person', at('support'))
    await page.getByRole('main').getByRole('link', { name: '批量增减员', exact: true }).click()
    await ready(page)
    await page.getByRole('tab', { name: '减员导入', exact: true }).click()
    await ready(page)
    await importFile(
      page,
      planOf('personLeave.imports'),
      '减员.xlsx',
      [
        {
          customer: nameOf(person.customer),
          name,
          idNumber: String(person.idNumber),
          leaveDate: today(),
          leaveReason: '员工辞职',
        },
      ],
      '将新增0条、更新1条',
    )
    await expect
      .poll(async () => (await detail('/staff/person', person.id!)).employmentStatus, { timeout: 60_000 })
      .toBe('leaving')

    for (const [key, expenses] of families) {
      const {
        list: [ticket],
      } = await list(`/welfare/${key}Reduction`, {
        filters: { person: { equals: person.id }, status: { equals: 'pending' } },
      })
      expect(ticket, key).toMatchObject({ lastMonth: month(), leaveDate: today(), source: 'person' })
      // The statement of this month may be confirmed by now, so the ticket is handled in the next month.
      await handle(key, ticket, addMonths(month(), 1)!)
      await expect
        .poll(async () => (await detail(`/welfare/${key}Enrolment`, idOf(person[`${key}Enrolment`]))).endMonth, {
          message: key,
        })
        .toBe(month())
      await makeExpenses(key, expenses, person, addMonths(month(), 1)!)
      const linesIn = async (feeMonth: string) =>
        (
          await list(`/welfare/${key}ExpenseLine`, {
            filters: {
              customer: { equals: idOf(person.customer) },
              feeMonth: { equals: feeMonth },
              expenseType: { equals: 'normal' },
            },
          })
        ).list.map((line) => idOf(line.person))
      await expect
        .poll(async () => (await linesIn(addMonths(month(), 1)!)).length, { message: `${key}: colleagues` })
        .toBeGreaterThan(0)
      expect(await linesIn(month()), `${key}: this month`).toContain(person.id)
      expect(await linesIn(addMonths(month(), 1)!), `${key}: next month`).not.toContain(person.id)
    }

    const wages = await open(`/salary/payrolldetail?id=${payroll.id}`, at('payrollClerk'))
    await button(wages.getByRole('main'), '计算').click()
    const lineOf = async () =>
      (
        await list('/salary/payrollLine', {
          filters: { payroll: { equals: payroll.id }, person: { equals: person.id } },
        })
      ).list[0]
    await expect
      .poll(async () => (await detail('/salary/payroll', payroll.id!)).status, { message: 'the last payroll' })
      .toBe('calculated')
    expect(Number((await lineOf()).welfarePersonalTotal)).toBeGreaterThan(0)
    await row(wages, name)
      .getByText(money((await lineOf()).netPay), { exact: true })
      .first()
      .waitFor()
    const { id: following } = await call<{ id: number }>('POST', '/salary/payroll/create', {
      values: {
        customer: idOf(payroll.customer),
        serviceContract: idOf(payroll.serviceContract),
        agency: idOf(payroll.agency),
        name: '下月工资',
        payrollMonth: addMonths(month(), 1)!,
        welfareMonth: addMonths(month(), 1)!,
        taxMonth: addMonths(month(), 2)!,
        planPayDate: `${addMonths(month(), 2)!}-15`,
      },
    })
    const paid = (await list('/salary/payrollLine', { filters: { payroll: { equals: following } } })).list.map((line) =>
      idOf(line.person),
    )
    expect(paid.length).toBeGreaterThan(0)
    expect(paid).not.toContain(person.id)
  },
)

/** A payroll waiting for approval, of a customer who need not pay first. */
async function submitted(): Promise<RecordData> {
  const { list: waiting } = await list('/salary/payroll', {
    filters: { status: { equals: 'submitted' }, incomeType: { equals: 'wage' } },
  })
  for (const payroll of waiting.filter(({ headcount }) => Number(headcount) > 1)) {
    const { list: lines } = await list('/salary/payrollLine', { filters: { payroll: { equals: payroll.id } } })
    const contract = await detail('/contract/contract', idOf(payroll.serviceContract))
    if (
      contract.paymentTerms !== 'prepaid' &&
      lines.every(
        ({ netPay, wageCard, lineStatus }) => Number(netPay) > 0 && wageCard !== null && lineStatus === 'normal',
      )
    )
      return payroll
  }
  throw new Error('the demo has no payroll to pay')
}

test.runIf(isLong)('a payment that the bank refuses is repeated in its own batch, with another card', async () => {
  const payroll = await submitted()
  const manager = await open(`/salary/payrolldetail?id=${payroll.id}`, at('financeManager'))
  await button(manager.getByRole('main'), '审核通过').click()
  await confirm(manager, '审核')
  await expect.poll(async () => (await detail('/salary/payroll', payroll.id!)).status).toBe('approved')
  const page = await open(`/salary/payrolldetail?id=${payroll.id}`, at('payrollClerk'))
  await button(page.getByRole('main'), '生成代发').click()
  const form = page.getByRole('form', { name: '新建代发批次', exact: true })
  await says(form, String(payroll.batchNo))
  await button(form, '保存').click()
  await says(page, '保存成功')
  const {
    list: [batch],
  } = await list('/salary/payBatch', { sort: '-id', size: 1 })
  const stateOf = async (id = batch.id!) => (await detail('/salary/payBatch', id)).status
  let bank = page
  for (const [user, action, question, status] of [
    ['payrollClerk', '提交审核', '确定提交吗？', 'submitted'],
    ['financeManager', '审核通过', '确定审核通过吗？', 'approved'],
    ['cashier', '提交银行', '提交后不可修改，确定吗？', 'sent'],
  ] as const) {
    bank = await open(`/salary/paydetail?id=${batch.id}`, at(user))
    await button(bank.getByRole('main'), action).click()
    await confirm(bank, question)
    await expect.poll(() => stateOf(), { message: action }).toBe(status)
  }
  expect((await detail('/salary/payBatch', batch.id!)).bankFile).toMatchObject([
    { name: expect.stringContaining(String(batch.batchNo)) },
  ])

  const lines = (await list('/salary/payLine', { filters: { payBatch: { equals: batch.id } }, sort: 'lineNo' })).list
  await bank.getByRole('main').getByRole('link', { name: '导入银行回盘', exact: true }).click()
  await expect.poll(() => route(bank)).toBe('/salary/payresultimport')
  await ready(bank)
  await importFile(
    bank,
    planOf('payLine.imports'),
    '回盘.xlsx',
    lines.map((line, index) => ({
      payBatch: String(batch.batchNo),
      lineNo: Number(line.lineNo),
      accountName: String(line.accountName),
      accountNo: String(line.accountNo),
      amount: String(line.amount),
      ...(index === 0 ? { result: '失败', failReason: '户名与账号不符' } : { result: '成功' }),
    })),
    `更新${lines.length}条`,
  )
  await expect.poll(() => stateOf()).toBe('partial')
  const [failed] = lines
  expect(await detail('/salary/payBatch', batch.id!)).toMatchObject({
    successCount: lines.length - 1,
    failCount: 1,
    failAmount: failed.amount,
  })

  const payee = nameOf(failed.person)
  const desk = await open(`/salary/paydetail?id=${batch.id}`, { user: 'payrollClerk' })
  const card = personalCard(random)
  await act(desk, row(desk, payee), '更换工资卡')
  await fill(dialog(desk), '户名', payee)
  await fill(dialog(desk), '账号', card)
  await fill(dialog(desk), '开户行', nameOf(failed.bank))
  await agreeing(dialog(desk)).click()
  await expect.poll(async () => (await detail('/salary/payLine', failed.id!)).accountNo).toBe(card)
  await row(desk, payee).getByRole('checkbox').check()
  await button(desk.getByRole('main'), '重新代发（1）').click()
  await confirm(desk, '将为1笔生成新代发批次')
  await expect.poll(() => stateOf(), { message: 'nothing of the first batch is open' }).toBe('finished')
  const {
    list: [again],
  } = await list('/salary/payBatch', { sort: '-id', size: 1 })
  expect(again).toMatchObject({ totalCount: 1, totalAmount: failed.amount })
  expect(
    (await list('/salary/payLine', { filters: { payBatch: { equals: again.id } } })).list,
    'the new card',
  ).toMatchObject([{ accountNo: card, status: 'pending' }])
  for (const [user, action, status] of [
    ['payrollClerk', 'submit', 'submitted'],
    ['financeManager', 'approve', 'approved'],
    ['cashier', 'send', 'sent'],
  ] as const) {
    await call('POST', `/salary/payBatch/${action}`, { id: again.id }, { user })
    await expect.poll(() => stateOf(again.id!), { message: action }).toBe(status)
  }
  const cashier = await open(`/salary/paydetail?id=${again.id}`, { user: 'cashier' })
  await act(cashier, row(cashier, payee), '标记结果')
  await fill(dialog(cashier), '结果', '成功')
  await agreeing(dialog(cashier)).click()
  await expect.poll(() => stateOf(again.id!)).toBe('finished')
  expect(await detail('/salary/payroll', payroll.id!)).toMatchObject({ status: 'paid', paidAt: expect.any(String) })

  await act(cashier, row(cashier, payee), '登记退票')
  await dialog(cashier).getByText('请先在银行流水中核实退回的款项').waitFor()
  await fill(dialog(cashier), '失败原因', '账户已销户')
  await agreeing(dialog(cashier)).click()
  await expect.poll(() => stateOf(again.id!)).toBe('partial')
  expect(await detail('/salary/payroll', payroll.id!)).toMatchObject({ status: 'paying', paidAt: null })
})

test.runIf(isLong)('a work injury is reported, identified, appraised, paid for and closed', async () => {
  const {
    list: [person],
  } = await list(
    '/staff/person',
    {
      filters: {
        employmentStatus: { equals: 'active' },
        entryDate: { between: [null, addMonths(`${month()}-01`, -14)] },
      },
      size: 1,
    },
    'support',
  )
  const day = addMonths(`${month()}-01`, -2)!
  const page = await open('/staff/workinjury', at('support'))
  await button(page.getByRole('main'), '新增')
    .or(page.getByRole('main').getByRole('link', { name: '新增', exact: true }))
    .click()
  const form = page.getByRole('form', { name: '登记工伤', exact: true })
  for (const [label, value] of [
    ['受伤人员', String(person.name)],
    ['事故时间', `${day} 10:20:00`],
    ['事故类别', '工作时间工作场所'],
    ['事故地点', '演示路仓库'],
    ['受伤部位', '左手'],
    ['事故经过', '搬运货物时货架倾倒，左手被压伤，班组长立即停工并送往医院治疗。'],
    ['报案人', '林演示'],
    ['报案人电话', '13900000000'],
  ])
    await fill(form, label, value)
  await button(form, '保存').click()
  await says(page, '保存成功')
  const {
    list: [injury],
  } = await list('/staff/workInjury', { filters: { person: { equals: person.id } }, sort: '-id' })
  const read = () => detail('/staff/workInjury', injury.id!)
  expect(await read()).toMatchObject({ status: 'registered', supportStaff: expect.anything() })

  const desk = await open(`/staff/workinjurydetail?id=${injury.id}`, at('support'))
  const step = async (action: string, status: string, entries: [string, string][]) => {
    await button(desk.getByRole('main'), action).click()
    for (const [label, value] of entries) await fill(dialog(desk), label, value)
    if (entries.some(([label]) => label === '附件'))
      await dialog(desk).getByRole('link', { name: '诊断证明.pdf', exact: true }).first().waitFor()
    await agreeing(dialog(desk)).click()
    await expect.poll(async () => (await read()).status, { message: action }).toBe(status)
    await dialog(desk).waitFor({ state: 'hidden' })
  }
  const on = (days: number) => addDays(day, days)!
  await step('备案', 'reported', [['快报备案日期', on(1)]])
  await step('申请认定', 'applied', [
    ['申请认定日期', on(5)],
    ['诊断结论', '左手第三掌骨骨折'],
    ['就诊医院', '演示区人民医院'],
    ['附件', fileOf('诊断证明.pdf', blankPage)],
  ])
  await step('登记结论', 'identified', [
    ['受理日期', on(8)],
    ['认定结论', '认定工伤'],
    ['认定书编号', '演示工认字001号'],
    ['认定日期', on(20)],
  ])
  await step('登记鉴定', 'appraised', [
    ['鉴定日期', on(30)],
    ['伤残等级', '八级'],
    ['前12个月月均缴费工资', '8650'],
    ['地区月平均工资', '9000'],
  ])
  expect(await read()).toMatchObject({ allowanceMonths: 11, disabilityAllowance: '95150.00' })

  const enter = async (tab: string, title: string, entries: [string, string][]) => {
    await desk.getByRole('tab', { name: tab, exact: true }).click()
    await button(desk.getByRole('main'), '新增').click()
    const drawer = desk.getByRole('form', { name: title, exact: true })
    for (const [label, value] of entries) await fill(drawer, label, value)
    await button(drawer, '保存').click()
    await drawer.waitFor({ state: 'hidden' })
  }
  await enter('费用与待遇', '新增工伤费用', [
    ['费用类型', '一次性伤残补助金'],
    ['发生金额', '95150'],
    ['基金支付', '95150'],
    ['收款方', '本人'],
  ])
  await enter('进度', '新增进度', [
    ['阶段', '已鉴定'],
    ['进展说明', '鉴定结论已送达本人'],
  ])
  await step('申领待遇', 'claiming', [])
  await button(desk.getByRole('main'), '结案').click()
  await agreeing(dialog(desk)).click()
  await says(desk, '还有基金支付的费用未到账')
  await desk.getByRole('tab', { name: '费用与待遇', exact: true }).click()
  await act(desk, row(desk, '一次性伤残补助金'), '编辑')
  const fee = desk.getByRole('form', { name: '编辑工伤费用', exact: true })
  await fill(fee, '到账日期', today())
  await button(fee, '保存').click()
  await fee.waitFor({ state: 'hidden' })
  await step('结案', 'closed', [])
  expect(await read()).toMatchObject({ fundTotal: '95150.00', openFees: 0 })
  const { list: progress } = await list('/staff/workInjuryProgress', {
    filters: { workInjury: { equals: injury.id } },
    sort: 'id',
  })
  expect(progress.map(({ stage }) => stage)).toEqual([
    'registered',
    'reported',
    'applied',
    'identified',
    'appraised',
    'appraised',
    'claiming',
    'closed',
  ])
  expect(progress.map(({ content }) => content)).toContain('鉴定结论已送达本人')
  await expect.poll(() => button(desk.getByRole('main'), '编辑').count(), { message: 'a closed case stays' }).toBe(0)
})
