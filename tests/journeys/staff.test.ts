/**
 * Support staff add a person and a letter, which a manager approves: what is filled in automatically, what follows, and
 * what is printed.
 */
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { idNumber, mobile, personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { detail, list, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { act, button, confirm, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const random = new Random(73)
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
const nameOf = (value: RecordData[string]) => (value as { name: string }).name

test.runIf(isLong)('a person is added with a contract and a card, and given a letter', async () => {
  const { list: contracts } = await list(
    '/contract/contract',
    { filters: { category: { equals: 'service' }, status: { equals: 'active' } } },
    'support',
  )
  const { customer, endDate } = contracts.toSorted((a, b) => String(b.endDate).localeCompare(String(a.endDate)))[0]
  expect(String(endDate) > today()).toBe(true)
  const {
    list: [bank],
  } = await list('/bank/bank', { filters: { wageSupported: { equals: true }, status: { equals: 'enabled' } } })
  const name = `周演${random.pick([...'甲乙丙丁戊己庚辛'])}${random.pick([...'子丑寅卯辰巳午未'])}`
  const number = idNumber(random, '1994-07-16', 'female')

  const page = await open('/staff/person', { user: 'support', stays: true })
  await button(page.getByRole('main'), '新增')
    .or(page.getByRole('main').getByRole('link', { name: '新增', exact: true }))
    .click()
  const form = page.getByRole('form', { name: '新增人员', exact: true })
  await fill(form, '姓名', name)
  await fill(form, '证件号码', number)
  await expect
    .poll(() => form.getByRole('textbox', { name: '出生日期', exact: true }).inputValue(), {
      message: 'what the ID number says',
    })
    .toBe('1994-07-16')
  await fill(form, '户口性质', '外地城镇')
  await fill(form, '手机号码', mobile(random))
  await fill(form, '客户名称', nameOf(customer))
  await expect
    .poll(() => form.locator('[data-field=serviceContract]').innerText(), { message: 'the contract of the customer' })
    .toContain(nameOf(customer))
  for (const [label, value] of [
    ['岗位', '装配工'],
    ['工作城市', '北京'],
    ['用工形式', '外包用工'],
    ['入职日期', today()],
    ['月基本工资', '6800'],
    ['劳动合同期限类型', '无固定期限'],
    ['工资卡号', personalCard(random)],
    ['开户行', String(bank.branchName)],
  ]) {
    await fill(form, label, value)
  }
  await button(form, '保存').click()
  await says(page, '保存成功')
  const {
    list: [made],
  } = await list('/staff/person', { search: name })
  const person = await detail('/staff/person', made.id!)
  expect(person).toMatchObject({
    gender: 'female',
    employmentStatus: 'active',
    insuranceCity: '110100',
    taxStartMonth: today().slice(0, 7),
    wageCard: { name },
    cardAccountNo: null,
  })
  expect((await list('/contract/contract', { filters: { person: { equals: made.id } } })).list).toMatchObject([
    { stage: 'drafted', termType: 'openEnded' },
  ])

  const card = await open(`/staff/persondetail?id=${made.id}`, { user: 'support', stays: true })
  await button(card.getByRole('main'), '开具证明')
    .or(card.getByRole('main').getByRole('link', { name: '开具证明', exact: true }))
    .click()
  const draft = card.getByRole('form', { name: '开具证明', exact: true })
  await fill(draft, '证明类型', '收入证明')
  await fill(draft, '用途', '办理贷款')
  await says(draft, '收入证明')
  await expect
    .poll(() => draft.locator('[data-field=content]').innerText(), { message: 'the words of the template' })
    .toContain('陆仟捌佰元整')
  await button(draft, '保存草稿').click()
  await draft.waitFor({ state: 'hidden' })
  const {
    list: [letter],
  } = await list('/staff/proof', { filters: { person: { equals: made.id } } })
  expect((await detail('/staff/proof', letter.id!)).content).toContain(name)

  const desk = await open(`/staff/proof?q=${String(letter.proofNo)}`, {
    user: 'customerManager',
    stays: true,
  })
  await act(desk, row(desk, String(letter.proofNo)), '提交审核')
  await confirm(desk, '确定提交审核吗？')
  // The row offers other actions once it shows its new state.
  await row(desk, String(letter.proofNo)).getByText('待审核', { exact: true }).waitFor()
  await act(desk, row(desk, String(letter.proofNo)), '审核通过')
  await confirm(desk, '确定审核通过吗？')
  await row(desk, String(letter.proofNo)).getByText('待盖章', { exact: true }).waitFor()
  const downloaded = desk.waitForEvent('download')
  await act(desk, row(desk, String(letter.proofNo)), '下载')
  expect((await downloaded).suggestedFilename()).toBe(`${String(letter.proofNo)}.pdf`)
  expect((await detail('/staff/proof', letter.id!)).downloadCount).toBe(1)
})
