import { expect, test } from 'vitest'
import { api, call, detail, dialog, list, open, password, ready, route, useDemo } from './app.ts'
import { choose, fill, option } from './controls.ts'
import { addCustomer, newCode, newName } from './customer.ts'
import { isOpen, visit } from './frame.ts'
import { act, agreeing, button, confirm, form, row, says } from './parts.ts'
import { readSheet } from './sheet.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

test('a user who is not signed in reaches the wanted page through the sign-in page', async () => {
  const page = await open('/customer?tab=pending', { user: '' })
  await expect.poll(() => route(page)).toBe(`/login?redirectUrl=${encodeURIComponent('/customer?tab=pending')}`)
  await button(page, '登录').click()
  await says(page, '请输入用户名')
  await says(page, '请输入密码')
  await button(page, 'English').click()
  await says(page, 'Please enter your username')
  await says(page, 'Please enter your password')
  await button(page, '中文').click()
  await page.getByRole('textbox', { name: '用户名' }).fill(' admin ')
  await page.getByLabel('密码', { exact: true }).fill('Wrong-2026')
  await button(page, '登录').click()
  await says(page, '用户名或密码错误')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await ready(page)
  expect(route(page)).toBe('/customer?tab=pending')
  await expect.poll(() => page.getByRole('tab', { name: /^待审核/ }).getAttribute('aria-selected')).toBe('true')
})

test.runIf(isLong)('fields fill, show and require one another', async () => {
  const page = await open('/customer/addcustomer?type=add', { stays: true })
  const label = (name: string) => form(page).getByText(name, { exact: true })
  const value = (name: string) => form(page).getByRole('textbox', { name, exact: true }).inputValue()
  const isRequired = (name: string) =>
    form(page).getByRole('textbox', { name, exact: true }).getAttribute('aria-required')

  await fill(form(page), '企业名称', '联动测试有限公司')
  await expect.poll(() => value('发票抬头')).toBe('联动测试有限公司')
  const code = newCode()
  await fill(form(page), '统一社会信用代码', code)
  await expect.poll(() => value('税号')).toBe(code)
  await fill(form(page), '收件人手机', '19900001111')
  await expect.poll(() => value('客户账号')).toBe('19900001111')

  await fill(form(page), '开票类型', '数电专用发票')
  for (const name of ['开户银行', '银行账号', '开票电话', '收票邮箱'])
    await expect.poll(() => isRequired(name), { message: name }).toBe('true')
  await label('一般纳税人证明').waitFor()
  await fill(form(page), '开票类型', '纸质普通发票')
  await expect.poll(() => label('一般纳税人证明').count()).toBe(0)
  await expect.poll(() => isRequired('开户银行')).toBe(null)
  await expect.poll(() => isRequired('发票邮寄地址')).toBe('true')
  await fill(form(page), '收件地址', '苏州市吴中区联动路1号')
  await button(form(page), '同收件地址').click()
  await expect.poll(() => value('发票邮寄地址')).toBe('苏州市吴中区联动路1号')
  await fill(form(page), '开票类型', '不开票')
  for (const name of ['发票抬头', '税号', '开户银行', '银行账号', '开票电话', '收票邮箱'])
    await expect.poll(() => label(name).count(), { message: name }).toBe(0)
  await label('付款户名别名').waitFor()

  expect(await label('约定到款日').count()).toBe(0)
  await fill(form(page), '付款条件', '先款后付')
  await expect.poll(() => isRequired('约定到款日')).toBe('true')
  await fill(form(page), '付款条件', '当月结清')
  await expect.poll(() => label('约定到款日').count()).toBe(0)

  expect(await isRequired('统一社会信用代码')).toBe('true')
  await fill(form(page), '客户类型', '境外机构代表处')
  await expect.poll(() => isRequired('统一社会信用代码')).toBe(null)
  await button(form(page), '提交审核').click()
  await says(form(page), '请上传图片')
})

test.runIf(isLong)(
  'a customer is rejected with reasons, corrected, approved, changed, disabled and enabled',
  async () => {
    const name = newName('流程测试')
    const id = await addCustomer({ name, user: 'support', salesman: 'sales' })
    const field = async (key: string) => (await detail('/customer', id))[key]

    const manager = await open('/customer?tab=pending', { user: 'customerManager', stays: true })
    await act(manager, row(manager, name), '审核')
    await button(dialog(manager), '驳回').click()
    await button(dialog(manager), '驳回').click()
    await says(dialog(manager), '请输入驳回原因')
    await fill(dialog(manager), '驳回原因', '不行')
    await button(dialog(manager), '驳回').click()
    await says(dialog(manager), '长度不能少于5个字符')
    await fill(dialog(manager), '驳回原因', '营业执照照片不清晰，请重新上传')
    await button(dialog(manager), '驳回').click()
    await expect.poll(() => field('approvalStatus')).toBe('rejected')
    await expect.poll(() => row(manager, name).count(), { message: 'it has left the pending ones' }).toBe(0)

    const edit = `/customer/addcustomer?type=edit&id=${id}`
    const keyOfEdit = `/customer/addcustomer?id=${id}&type=edit`
    const support = await open(edit, { user: 'support', stays: true })
    const bar = support.getByRole('status').filter({ hasText: '该客户已被驳回，请按原因修改后重新提交' })
    expect(await bar.innerText()).toContain('营业执照照片不清晰，请重新上传')
    await fill(form(support), '企业名称', `${name}（更正）有限公司`)
    await button(form(support), '保存').click()
    await isOpen(support, '/customer')
    expect(await detail('/customer', id)).toMatchObject({
      approvalStatus: 'pending',
      rejectReason: null,
      corporateName: `${name}（更正）有限公司`,
    })

    await button(manager.getByRole('main'), '刷新').click()
    await act(manager, row(manager, name), '审核')
    const changes = dialog(manager)
      .getByRole('row')
      .filter({ has: manager.getByRole('rowheader', { name: '企业名称', exact: true }) })
    await expect
      .poll(() => changes.getByRole('cell').allInnerTexts())
      .toEqual([`${name}（测试）有限公司`, `${name}（更正）有限公司`])
    await button(dialog(manager), '通过').click()
    await confirm(manager, '确定审核通过该客户吗？')
    await expect.poll(() => field('approvalStatus')).toBe('approved')
    expect(await detail('/customer', id)).toMatchObject({
      accountStatus: 'enabled',
      approver: { code: 'customerManager' },
      submitter: { code: 'support' },
    })

    await visit(support, edit, keyOfEdit)
    await fill(form(support), '备注', '只改备注')
    await fill(form(support), '企业名称', `${name}（再改）有限公司`)
    await button(form(support), '保存').click()
    await confirm(support, '修改关键信息后需重新审核，确定保存吗？', 'refuse')
    expect(await field('corporateName')).toBe(`${name}（更正）有限公司`)
    await button(form(support), '保存').click()
    await confirm(support, '修改关键信息后需重新审核，确定保存吗？')
    await isOpen(support, '/customer')
    expect(await detail('/customer', id)).toMatchObject({
      approvalStatus: 'pending',
      accountStatus: 'enabled',
      remark: '只改备注',
    })
    await call('POST', '/customer/agree', { id }, { user: 'customerManager' })

    const { revision } = await detail('/customer', id)
    const values = { remark: '不需重新审核' }
    await call('POST', '/customer/update', { id, revision, values }, { user: 'support' })
    expect(await detail('/customer', id)).toMatchObject({ approvalStatus: 'approved', remark: '不需重新审核' })

    await visit(support, `/customer/detail?id=${id}`)
    await button(support.getByRole('main'), '停用').click()
    await confirm(support, '停用后该客户无法登录且不能新增业务，确定停用吗？')
    await expect.poll(() => field('accountStatus')).toBe('disabled')
    await button(support.getByRole('main'), '启用').click()
    await confirm(support, '确定启用该账号吗？')
    await expect.poll(() => field('accountStatus')).toBe('enabled')

    await support.getByRole('tab', { name: '审核记录', exact: true }).click()
    await expect.poll(() => support.getByRole('table', { name: '审核记录' }).getByRole('row').count()).toBe(1 + 6)
    await support.getByRole('tab', { name: '操作日志', exact: true }).click()
    await says(support, `企业名称：${name}（更正）有限公司 → ${name}（再改）有限公司`)
    await says(support, '备注：只改备注 → 不需重新审核')
  },
)

test.runIf(isLong)('no user approves a customer of their own', async () => {
  const name = newName('自审测试')
  const id = await addCustomer({ name })
  const page = await open('/customer?tab=pending', { stays: true })
  await act(page, row(page, name), '审核')
  await button(dialog(page), '通过').click()
  await confirm(page, '确定审核通过该客户吗？')
  await says(page, '不能审核本人提交的客户')
  expect((await detail('/customer', id)).approvalStatus).toBe('pending')
})

test.runIf(isLong)('two customers get another owner at once, and the filtered list is exported', async () => {
  const name = newName('分配测试')
  const [first, second] = [`${name}甲`, `${name}乙`]
  await Promise.all([first, second].map((each) => addCustomer({ name: each })))
  const page = await open('/customer', { stays: true })
  await fill(page.getByRole('search'), '名称/编号/账号', name)
  await button(page.getByRole('search'), '查询').click()
  await says(page, '共2条')
  await row(page, first).getByRole('checkbox').check()
  await row(page, second).getByRole('checkbox').check()
  await says(page, /^已选2项/)
  await button(page.getByRole('main'), '分配（2）').click()
  await says(dialog(page), '确定变更所选2个客户的负责人吗？')
  const before = await list('/customer', { search: name })
  const { list: all } = await call<{ list: { id: number; name: string }[] }>('GET', '/setting/user/options', {
    size: 1000,
  })
  // A user with a unique name, because the user is chosen by name.
  const other = all.find(
    (item) =>
      all.filter(({ name: called }) => called === item.name).length === 1 &&
      before.list.every(({ salesman }) => (salesman as unknown as { id: number }).id !== item.id),
  )!
  await choose(dialog(page).getByRole('combobox', { name: '业务员', exact: true }), [other.name])
  await agreeing(dialog(page)).click()
  await expect
    .poll(async () => (await list('/customer', { search: name })).list.map((record) => record.salesman))
    .toMatchObject([{ id: other.id }, { id: other.id }])
  expect((await list('/customer', { search: name })).list.map(({ supportStaff }) => supportStaff)).toEqual(
    before.list.map(({ supportStaff }) => supportStaff),
  )

  const download = page.waitForEvent('download')
  await button(page.getByRole('main'), '导出').click()
  const rows = await readSheet(await download)
  expect(rows.slice(1).map((cells) => cells[1])).toEqual(
    (await list('/customer', { search: name, sort: '-submissionTime' })).list.map(({ name }) => name),
  )
})

test.runIf(isLong)('unsaved input is not lost without a question', async () => {
  const page = await open('/customer')
  await page.getByRole('link', { name: '新增', exact: true }).click()
  await ready(page)
  await fill(form(page), '客户名称', '未保存测试')
  await button(form(page), '取消').click()
  await confirm(page, '内容尚未保存，确定离开吗？', 'refuse')
  expect(await form(page).getByRole('textbox', { name: '客户名称', exact: true }).inputValue()).toBe('未保存测试')

  const tab = page.getByRole('tab', { name: /^新增企业客户/ })
  await tab.focus()
  await page.keyboard.press('Delete')
  await confirm(page, '内容尚未保存，确定离开吗？', 'refuse')
  await page.getByRole('tab', { name: '企业客户', exact: true }).click()
  await expect.poll(() => route(page)).toBe('/customer')
  await tab.click()
  expect(
    await form(page).getByRole('textbox', { name: '客户名称', exact: true }).inputValue(),
    'another tab was only looked at',
  ).toBe('未保存测试')

  const unloadPrompt = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const unload = await unloadPrompt
  expect(unload.type()).toBe('beforeunload')
  await unload.dismiss()
  await closing
  await button(form(page), '取消').click()
  await confirm(page, '内容尚未保存，确定离开吗？')
  await expect.poll(() => route(page)).toBe('/customer')
  expect((await list('/customer', { search: '未保存测试' })).total).toBe(0)
})

test.runIf(isLong)('a drawer is hidden while another screen is shown', async () => {
  const page = await open('/customer', { stays: true })
  await button(page.getByRole('main'), '客户分类').first().click()
  const drawer = page.getByRole('dialog', { name: '客户分类', exact: true })
  await drawer.waitFor()
  await visit(page, '/home')
  await drawer.waitFor({ state: 'hidden' })
  await page.goBack()
  await drawer.waitFor()
})

test.runIf(isLong)(
  'a session that ends keeps unsaved input, also of a drawer, for the user who signs in again',
  async () => {
    const page = await open('/customer', { fresh: true })
    await button(page.getByRole('main'), '客户分类').first().click()
    await button(dialog(page), '新增').click()
    const inner = page.getByRole('dialog', { name: '新增客户分类', exact: true })
    await fill(inner, '分类名称', '未保存的分类')
    await page.evaluate(() => localStorage.setItem('token', 'ended'))
    await button(inner, '保存').click()
    const secret = page.getByLabel('密码', { exact: true })
    await secret.waitFor()
    await says(page, /^登录已过期。未保存的内容仍在本页保留/)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    await page.getByRole('textbox', { name: '用户名' }).fill('admin')
    await secret.fill(password)
    await page.keyboard.press('Enter')
    await ready(page)
    expect(route(page)).toBe('/customer')
    await expect.poll(() => inner.getByRole('textbox', { name: '分类名称' }).inputValue()).toBe('未保存的分类')
  },
)

test.runIf(isLong)('a category is added, used and found with those below it', async () => {
  const name = newName('测试分类')
  const page = await open('/customer', { stays: true })
  await button(page.getByRole('main'), '客户分类').first().click()
  await button(dialog(page), '新增').click()
  const inner = page.getByRole('dialog', { name: '新增客户分类', exact: true })
  await button(inner, '保存').click()
  await says(inner, '请输入分类名称')
  await fill(inner, '分类名称', name)
  await fill(inner, '上级分类', '重点客户')
  await button(inner, '保存').click()
  await inner.waitFor({ state: 'hidden' })
  const drawer = page.getByRole('dialog', { name: '客户分类', exact: true })
  await drawer.getByRole('row').filter({ hasText: name }).waitFor()
  const {
    list: [added],
  } = await list('/customer/customerClassification', { search: name })
  expect(added).toMatchObject({ name, status: 'enabled', parent: { name: '重点客户' } })
  const again = await api('POST', '/customer/customerClassification/create', {
    values: { name, parent: (added.parent as { id: number }).id },
  })
  expect(again).toMatchObject({ code: 422, errors: [{ field: 'name' }] })

  await button(drawer, '关闭').click()
  await drawer.waitFor({ state: 'hidden' })
  await visit(page, '/customer/addcustomer?type=add')
  await form(page).getByRole('combobox', { name: '客户分类', exact: true }).click()
  await page.keyboard.type(name)
  await option(page, `重点客户 / ${name}`).waitFor()
})
