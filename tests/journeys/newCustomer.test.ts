import type { FileChooser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, detail, list, open, ready, route, useDemo } from './app.ts'
import { isLong } from '../long.ts'
import { choose, fill } from './controls.ts'
import type { Entry } from './controls.ts'
import { addCustomer, fileOnDisk, newCode, newMobile, newName, wrongCode } from './customer.ts'
import { control, isInHand, problemAt, problemsAt } from './mistakes.ts'
import { button, confirm, form, row, says } from './parts.ts'

useDemo({ isShared: true })

const address = '/customer/addcustomer?type=add'
const submit = (page: Page) => button(form(page), '提交审核').click()
/** Chooses files for an upload, given as paths or as objects. */
async function offer(page: Page, label: string, files: Parameters<FileChooser['setFiles']>[0]) {
  const chooser = page.waitForEvent('filechooser')
  await button(form(page), `上传 ${label}`).click()
  await (await chooser).setFiles(files)
}
/** Uploads a picture of that many bytes, made in the page so that it need not be sent there. */
const offerLarge = (page: Page, label: string, size: number) =>
  form(page)
    .locator('[data-field]')
    .filter({ has: button(page, `上传 ${label}`) })
    .locator('input[type=file]')
    .evaluate((input: HTMLInputElement, bytes) => {
      const content = new Uint8Array(bytes)
      content.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      const files = new DataTransfer()
      files.items.add(new File([content], '大图.png', { type: 'image/png' }))
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }, size)

test.runIf(isLong)('an input shows its problem when left and clears it once corrected', async () => {
  const {
    list: [other],
  } = await list('/customer', { filters: { approvalStatus: { equals: 'approved' } }, size: 1 })
  const code = newCode()
  const mistakes: Record<string, { wrong: [string, string][]; right: string }> = {
    客户名称: {
      wrong: [
        ['', '请输入客户名称'],
        ['   ', '请输入客户名称'],
        ['一', '长度不能少于2个字符'],
        [String(other.name), `客户名称“${String(other.name)}”已存在`],
      ],
      right: newName('录入测试'),
    },
    客户账号: {
      wrong: [
        ['', '请输入客户账号'],
        ['账号一二三', '客户账号只能包含字母、数字和 _ @ . -'],
      ],
      right: newMobile(),
    },
    统一社会信用代码: {
      wrong: [
        ['', '请输入统一社会信用代码'],
        ['123', '统一社会信用代码不正确'],
        [wrongCode(code), '统一社会信用代码不正确'],
        [String(other.uscc), `统一社会信用代码“${String(other.uscc)}”已存在`],
      ],
      right: code,
    },
    税号: { wrong: [['12345', '税号应为15至20位数字或大写字母']], right: code },
    收票邮箱: {
      wrong: [['invoice@example', '邮箱格式不正确']],
      right: 'invoice@example.com',
    },
    收件人手机: {
      wrong: [
        ['', '请输入收件人手机'],
        ['12800001234', '电话格式不正确'],
      ],
      right: newMobile(),
    },
    出账日: { wrong: [['', '请输入出账日']], right: '28' },
  }
  const page = await open(address, { stays: true })
  for (const [
    label,
    {
      wrong: [[entry, message], ...others],
      right,
    },
  ] of Object.entries(mistakes)) {
    const input = control(form(page), label)
    await input.fill('')
    await input.pressSequentially(entry)
    expect(await problemAt(form(page), label), `${label} is not judged while it is being typed`).toBe('')
    await input.blur()
    await expect.poll(() => problemAt(form(page), label), { message: `${label} ${entry}` }).toBe(message)
    for (const [next, expected] of others) {
      await fill(form(page), label, next)
      await expect.poll(() => problemAt(form(page), label), { message: `${label} ${next}` }).toBe(expected)
    }
    expect(await input.getAttribute('aria-invalid'), label).toBe('true')
    await fill(form(page), label, right)
    await expect.poll(() => problemAt(form(page), label), { message: `${label} ${right}` }).toBe('')
    expect(await input.getAttribute('aria-invalid'), label).toBe(null)
  }
  await fill(form(page), '成立日期', '2999-01-01')
  await expect
    .poll(() => control(form(page), '成立日期').inputValue(), { message: 'a day that is not offered is not taken' })
    .toBe('')
})

test.runIf(isLong)('a choice shows its problem when changed, but not when merely left', async () => {
  const page = await open(address, { stays: true })
  for (const label of ['开票类型', '所在地区', '业务员', '服务类型']) {
    await control(form(page), label).focus()
    await control(form(page), label).blur()
  }
  expect(await problemsAt(form(page))).toEqual([])
  await choose(control(form(page), '服务类型'), ['劳务派遣'])
  await control(form(page), '服务类型').focus()
  await page.keyboard.press('Backspace')
  await expect.poll(() => problemAt(form(page), '服务类型')).toBe('请选择服务类型')
  expect(
    await control(form(page), '服务类型').evaluate((input) => input === document.activeElement),
    'it is not left yet',
  ).toBe(true)
  await choose(control(form(page), '服务类型'), ['招聘服务'])
  await expect.poll(() => problemAt(form(page), '服务类型')).toBe('')

  await fill(form(page), '客户类型', '个体工商户')
  await fill(form(page), '统一社会信用代码', newCode())
  await says(form(page), '统一社会信用代码的前两位与客户类型不符，请核对')
  await fill(form(page), '客户类型', '企业')
  await expect.poll(() => form(page).getByText('统一社会信用代码的前两位与客户类型不符，请核对').count()).toBe(0)
})

test.runIf(isLong)('a file that is of another type, too large, not a picture, or one too many is refused', async () => {
  const page = await open(address, { stays: true })
  const files = (label: string) => form(page).getByRole('list', { name: label, exact: true }).getByRole('listitem')
  await offer(page, '营业执照', fileOnDisk('营业执照.txt'))
  await says(page, '营业执照.txt: 仅支持.jpg .jpeg .png .gif格式的文件')
  await offerLarge(page, '营业执照', 20 * 1024 * 1024 + 1)
  await says(page, '大图.png: 文件大小不能超过20MB')
  expect(await files('营业执照').count()).toBe(0)

  // The server enforces the limit that administrators set.
  await offerLarge(page, '营业执照', 5 * 1024 * 1024 + 8)
  await files('营业执照').getByText('文件大小不能超过5MB', { exact: true }).waitFor()
  await button(form(page), '移除 大图.png').click()
  await expect.poll(() => files('营业执照').count()).toBe(0)

  await offer(page, '营业执照', fileOnDisk('假图.png'))
  await files('营业执照').getByText('上传失败', { exact: true }).waitFor()
  await submit(page)
  await expect.poll(() => problemAt(form(page), '营业执照')).toBe('文件上传失败，请重试或移除')
  await button(form(page), '移除 假图.png').click()
  await expect.poll(() => problemAt(form(page), '营业执照')).toBe('请上传营业执照')
  await offer(page, '营业执照', fileOnDisk('营业执照.png'))
  await form(page).getByRole('link', { name: '预览 营业执照.png' }).waitFor()
  await expect.poll(() => problemAt(form(page), '营业执照')).toBe('')
  await offer(page, '营业执照', fileOnDisk('营业执照2.png'))
  await says(page, '超出文件上传限制个数')
  await button(form(page), '移除 营业执照.png').click()
  await confirm(page, '确定移除该文件吗？', 'refuse')
  expect(await files('营业执照').count()).toBe(1)

  await offer(
    page,
    '图片',
    [1, 2, 3, 4, 5, 6].map((number) => fileOnDisk(`营业执照${number}.png`)),
  )
  await expect.poll(() => page.getByText('超出文件上传限制个数').count()).toBeGreaterThan(0)
  await expect
    .poll(() =>
      form(page)
        .getByRole('link', { name: /^预览 营业执照\d\.png$/ })
        .count(),
    )
    .toBe(5)
})

test.runIf(isLong)('a customer is added after every possible mistake, and found again complete', async () => {
  const page = await open('/customer', { stays: true })
  await page.getByRole('link', { name: '新增', exact: true }).click()
  await ready(page)
  const name = newName('新增测试')
  const [code, mobile] = [newCode(), newMobile()]
  const remark = control(form(page), '备注')
  const correct = async (entries: Record<string, Entry>) => {
    for (const [label, entry] of Object.entries(entries)) await fill(form(page), label, entry)
  }

  // Submits from the bottom of the form, where the first mistake is out of sight.
  await fill(form(page), '备注', '第一行\n第二行')
  await remark.focus()
  expect(
    await control(form(page), '客户名称').evaluate((input) => input.getBoundingClientRect().bottom < 0),
    'the first field is out of sight',
  ).toBe(true)
  await submit(page)
  await expect.poll(() => isInHand(control(form(page), '客户名称'))).toBe(true)
  expect(await problemsAt(form(page))).toEqual([
    '请输入客户名称',
    '请输入企业名称',
    '请输入客户账号',
    '请输入统一社会信用代码',
    '请上传营业执照',
    '请选择所在地区',
    '请输入注册地址',
    '请选择开票类型',
    '请输入收件人',
    '请输入收件人手机',
    '请输入收件地址',
    '请选择业务员',
    '请选择服务机构',
    '请选择服务类型',
    '请选择付款条件',
  ])
  await button(form(page), '15项需要修改').waitFor()

  const salesman = String((await list('/setting/user', { search: 'sale01' })).list[0].realName)
  const {
    list: [agency],
  } = await call<{ list: { name: string }[] }>('GET', '/customer/agency/options')
  await correct({
    客户名称: name,
    企业名称: `${name}电子科技有限公司`,
    统一社会信用代码: wrongCode(code),
    营业执照: fileOnDisk('营业执照.png'),
    法定代表人: '李新',
    成立日期: '2015-06-30',
    所在地区: '江苏省 / 苏州市 / 吴中区',
    注册地址: '苏州市吴中区新增路1号',
    开票类型: '数电专用发票',
    收件人: '周新',
    收件人手机: '12800001234',
    收件地址: '苏州市吴中区新增路1号2楼',
    业务员: salesman,
    服务机构: agency.name,
    服务类型: ['劳务派遣', '招聘服务'],
    付款条件: '次月固定日',
    付款户名别名: ['新增付款一', '新增付款二'],
    信用额度: '50000',
    期初余额: '-120.5',
  })
  await button(form(page), '添加一行 联系人').click()
  await button(form(page), '添加一行 联系人').click()
  await control(form(page), '第1行 姓名').focus()
  await control(form(page), '第1行 姓名').blur()
  await expect.poll(() => problemAt(form(page), '第1行 姓名')).toBe('请输入姓名')
  await fill(form(page), '第1行 手机', '123')
  await expect.poll(() => problemAt(form(page), '第1行 手机')).toBe('电话格式不正确')
  await fill(form(page), '第1行 姓名', '王新')
  await submit(page)
  await expect.poll(() => isInHand(control(form(page), '统一社会信用代码'))).toBe(true)
  expect(await problemsAt(form(page))).toEqual([
    '统一社会信用代码不正确',
    '请输入开户银行',
    '请输入银行账号',
    '请输入开票电话',
    '请输入收票邮箱',
    '请上传一般纳税人证明',
    '电话格式不正确',
    '请输入约定到款日',
    '请选择联系事项',
    '电话格式不正确',
    '请输入姓名',
    '请选择联系事项',
    '请输入手机',
  ])

  await correct({
    统一社会信用代码: code,
    开户银行: '示范银行苏州分行',
    银行账号: '9910 0000 1234 5678',
    开票电话: '000-55501234',
    收票邮箱: 'Fapiao@Xinzeng.example.com',
    一般纳税人证明: fileOnDisk('营业执照3.png'),
    收件人手机: mobile,
    约定到款日: '15',
    '第1行 联系事项': ['对账', '合同'],
    '第1行 手机': mobile,
    '第2行 姓名': '钱新',
    '第2行 联系事项': ['人事'],
    '第2行 手机': mobile,
  })
  await submit(page)
  await expect.poll(() => isInHand(control(form(page), '第1行 邮箱'))).toBe(true)
  expect(await problemsAt(form(page))).toEqual(['请输入邮箱', '与第1行重复'])
  const second = newMobile()
  await correct({ '第1行 邮箱': 'wang@xinzeng.example.com', '第2行 手机': second })
  await submit(page)
  await expect.poll(() => problemAt(form(page), '联系人')).toBe('请指定且只指定一名主联系人')
  await correct({ '第1行 主联系人': 'true', '第2行 主联系人': 'true' })
  await submit(page)
  await expect.poll(() => problemAt(form(page), '联系人')).toBe('请指定且只指定一名主联系人')
  await correct({ '第2行 主联系人': 'false' })
  await expect.poll(() => problemsAt(form(page))).toEqual([])
  expect((await list('/customer', { search: name })).total, 'nothing is saved yet').toBe(0)

  // Another user takes the same name and code first, which only the server can know.
  await addCustomer({ name, values: { uscc: code } })
  await remark.focus()
  await submit(page)
  await expect.poll(() => isInHand(control(form(page), '客户名称'))).toBe(true)
  expect(await problemsAt(form(page))).toEqual(['客户名称已存在', '统一社会信用代码已存在'])
  await button(form(page), '2项需要修改').waitFor()
  const [otherName, otherCode] = [`${name}二`, newCode()]
  await fill(form(page), '客户名称', otherName)
  await expect.poll(() => problemsAt(form(page))).toEqual(['统一社会信用代码已存在'])
  await correct({ 统一社会信用代码: otherCode, 税号: otherCode })
  await submit(page)
  await says(page, '保存成功')
  await expect.poll(() => route(page)).toBe('/customer')

  const {
    list: [found],
    total,
  } = await list('/customer', { search: otherName })
  expect(total).toBe(1)
  const record = await detail('/customer', found.id!)
  expect(record).toMatchObject({
    type: 'enterprise',
    name: otherName,
    corporateName: `${name}电子科技有限公司`,
    account: mobile,
    code: expect.stringMatching(/^C\d{6}$/),
    uscc: otherCode,
    licenseImage: [{ name: '营业执照.png', status: 'success' }],
    legalRepresentative: '李新',
    establishedDate: '2015-06-30',
    region: { name: '吴中区' },
    address: '苏州市吴中区新增路1号',
    registrationMethod: 'backOffice',
    billingType: 'eSpecial',
    invoiceTitle: `${name}电子科技有限公司`,
    taxNumber: otherCode,
    depositBank: '示范银行苏州分行',
    bankAccount: '9910000012345678',
    billingPhone: '000-55501234',
    invoiceEmail: 'fapiao@xinzeng.example.com',
    generalTaxpayerCert: [{ name: '营业执照3.png' }],
    payerNames: ['新增付款一', '新增付款二'],
    consigneeName: '周新',
    consigneeMobile: mobile,
    consigneeAddress: '苏州市吴中区新增路1号2楼',
    supportStaff: { code: 'admin' },
    salesman: { name: salesman },
    agency: { name: agency.name },
    serviceTypes: ['dispatch', 'recruitment'],
    insuranceAccountMode: 'provider',
    paymentTerms: 'fixedDay',
    paymentDay: 15,
    statementDay: 10,
    creditLimit: '50000.00',
    openingBalance: '-120.50',
    balance: '-120.50',
    approvalStatus: 'pending',
    accountStatus: 'disabled',
    approvalRounds: 1,
    submitter: { code: 'admin' },
    remark: '第一行\n第二行',
    contacts: [
      { name: '王新', kind: ['settlement', 'legal'], mobile, email: 'wang@xinzeng.example.com', primary: true },
      { name: '钱新', kind: ['hr'], mobile: second, primary: false },
    ],
  })
  await row(page, otherName).getByText('待审核', { exact: true }).waitFor()
  await page.getByRole('main').getByRole('link', { name: otherName, exact: true }).click()
  await page.getByRole('main').getByRole('tab', { name: '联系人', exact: true }).click()
  const contacts = page.getByRole('table', { name: '联系人', exact: true }).getByRole('row')
  await expect
    .poll(async () => (await contacts.allInnerTexts()).slice(1).map((text) => /[王钱]新/.exec(text)?.[0]))
    .toEqual(['王新', '钱新'])
  await page.getByRole('main').getByRole('tab', { name: '操作日志', exact: true }).click()
  await says(page, `客户名称：空 → ${otherName}`)
})
