import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { FormPlan } from '../../engine/screens/form/form.ts'
import type { ScreenPlan } from '../../engine/model/model.ts'
import { call, detail, dialog, list, open, password, ready, route, useDemo } from './app.ts'
import { catalog } from './catalog.ts'
import { option } from './controls.ts'
import { addCustomer, fileOnDisk, newCode, newMobile, newName } from './customer.ts'
import { expectFocus, hasFocus, isWithin, move, moveTo, wholeRound } from './keyboard.ts'
import { button, form, ofRow, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单', exact: true })
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const listOf = (name: string) => `/customer?q=${encodeURIComponent(name)}`

test('the keyboard signs in, and reaches a list through the menu and through the page search', async () => {
  const page = await open('/home', { user: '' })
  await expectFocus(page.getByRole('textbox', { name: '用户名' }), 'one may type at once')
  await page.keyboard.type('admin')
  await move(page)
  await page.keyboard.type(password)
  await press(page, 'Enter')
  await ready(page)

  await moveTo(page, menu(page).getByRole('button', { name: /^客户管理/ }))
  await press(page, 'Enter')
  await moveTo(page, menu(page).getByRole('link', { name: /^企业客户/ }), { limit: 3 })
  await press(page, 'Enter')
  await expect.poll(() => route(page)).toBe('/customer')
  await ready(page)

  const search = page.getByRole('combobox', { name: '搜索页面', exact: true })
  const link = menu(page).getByRole('link', { name: /^企业客户/ })
  await expectFocus(link)
  await press(page, 'Control+k')
  await expectFocus(search)
  await press(page, 'Escape')
  await search.waitFor({ state: 'hidden' })
  await expectFocus(link, 'the search gives the focus back')
  await press(page, 'Control+k')
  await expectFocus(search)
  await page.keyboard.type('qykh')
  await page.getByRole('option', { name: /^企业客户/, selected: true }).waitFor()
  await press(page, 'ArrowDown', 'ArrowUp')
  await page.getByRole('option', { name: /^企业客户/, selected: true }).waitFor()
  await press(page, 'Control+a')
  await page.keyboard.type('首页')
  await page.getByRole('option', { name: /^首页/, selected: true }).waitFor()
  await press(page, 'Enter')
  await expect.poll(() => route(page)).toBe('/home')
})

test('the first Tab stop of a page skips the menu', async () => {
  const page = await open('/customer', { fresh: true })
  await menu(page).locator('[aria-current=page]').waitFor()
  await press(page, 'Tab')
  await expectFocus(button(page, '跳到主要内容'))
  await press(page, 'Enter')
  await expectFocus(page.getByRole('main'))
})

test.runIf(isLong)('a row is edited by keyboard and gets the focus back once saved', async () => {
  const name = newName('键盘改')
  const id = await addCustomer({ name })
  const page = await open(listOf(name), { fresh: true })
  const edited = page.locator(`tr[data-record="${id}"]`)
  await edited.waitFor()
  await press(page, 'j')
  await expectFocus(edited)
  await press(page, 'e')
  await form(page).getByRole('textbox', { name: '备注', exact: true }).fill('只用键盘修改')
  await press(page, 'Control+s')
  await expect.poll(() => route(page)).toBe(listOf(name))
  await expectFocus(edited, 'back to the row')
  expect(await detail('/customer', id)).toMatchObject({ remark: '只用键盘修改' })
})

test.runIf(isLong)('a list is filtered, sorted and walked through, and a row offers its actions', async () => {
  const name = newName('键盘行')
  const id = await addCustomer({ name })
  const page = await open('/customer')
  const query = page.getByRole('search')
  await moveTo(page, query.getByRole('textbox', { name: '名称/编号/账号', exact: true }))
  await page.keyboard.type('键盘行')
  await press(page, 'Enter')
  await expect.poll(() => new URLSearchParams(route(page).split('?')[1]).get('q')).toBe('键盘行')
  await row(page, name).waitFor()
  await moveTo(page, query.getByRole('combobox', { name: '客户类型', exact: true }))
  await press(page, 'ArrowDown')
  await option(page, '分公司').waitFor()
  await page.keyboard.type('分公司')
  await expect.poll(() => option(page, '企业').count()).toBe(0)
  await press(page, 'Enter', 'Escape')
  await moveTo(page, button(query, '查询'))
  await press(page, 'Enter')
  await says(page, '没有符合条件的数据')
  await moveTo(page, button(query, '重置'), { limit: 1 })
  await press(page, 'Space')
  await expect.poll(() => route(page)).toBe('/customer')

  const tabs = page.getByRole('tablist', { name: '企业客户', exact: true })
  await moveTo(page, tabs.getByRole('tab', { name: /^全部/ }), { key: 'Shift+Tab' })
  await press(page, 'ArrowRight')
  await expectFocus(tabs.getByRole('tab', { name: /^待审核/, selected: true }))
  await expect.poll(() => route(page)).toBe('/customer?tab=pending')

  await expect
    .poll(() => page.getByRole('table', { name: '企业客户', exact: true }).getAttribute('aria-busy'))
    .toBe('false')
  const heading = page.getByRole('columnheader', { name: '客户编号', exact: true })
  await moveTo(page, button(heading, '客户编号'))
  await press(page, 'Enter')
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
  await press(page, 'Space')
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
  await expectFocus(button(heading, '客户编号'), 'sorting leaves the focus where it was')

  const grid = page.getByRole('region', { name: '企业客户', exact: true })
  const rows = grid.getByRole('row')
  await expect
    .poll(() => rows.nth(1).getByRole('link', { name }).count(), { message: 'the newest is the first' })
    .toBe(1)
  await moveTo(page, rows.nth(1).getByRole('checkbox'))
  await press(page, 'Space')
  await says(page, /^已选1项/)
  await moveTo(page, rows.nth(2).getByRole('checkbox'), { limit: 12 })
  await press(page, 'Space')
  await says(page, /^已选2项/)
  await moveTo(page, ofRow(rows.nth(1), '更多'), { key: 'Shift+Tab', limit: 1 })

  await press(page, 'ArrowDown')
  const offered = page.getByRole('menu', { name: '更多', exact: true }).getByRole('menuitem')
  await expectFocus(offered.first())
  await press(page, 'Escape')
  await offered.first().waitFor({ state: 'hidden' })
  await expectFocus(ofRow(rows.nth(1), '更多'))
  await press(page, 'Enter')
  await expectFocus(offered.first())
  await press(page, 'End')
  await expectFocus(offered.last())
  expect(await offered.last().innerText()).toBe('删除')
  await press(page, 'Enter')
  await page.getByRole('dialog').filter({ hasText: '确定删除该数据吗？' }).waitFor()
  await expect.poll(() => isWithin(dialog(page))).toBe(true)
  await press(page, 'Escape')
  await dialog(page).waitFor({ state: 'hidden' })
  await expectFocus(
    ofRow(rows.nth(1), '更多'),
    'a question that was asked from a menu gives the focus back to what opened the menu',
  )
  expect((await detail('/customer', id)).name).toBe(name)

  await moveTo(page, ofRow(rows.nth(1), '审核'), { key: 'Shift+Tab', limit: 1 })
  await press(page, 'Enter')
  await moveTo(page, button(dialog(page), '驳回'), { limit: 12 })
  await press(page, 'Enter')
  await expectFocus(dialog(page).getByRole('textbox', { name: '驳回原因', exact: true }))
  await page.keyboard.type('营业执照照片不清晰')
  await moveTo(page, button(dialog(page), '驳回'), { limit: 3 })
  await press(page, 'Enter')
  await expect.poll(async () => (await detail('/customer', id)).approvalStatus).toBe('rejected')
})

test('shortcuts move through the rows, open, edit and save them, and are listed by ?', async () => {
  const page = await open('/customer', { stays: true })
  const rows = page.locator('tr[data-record]')
  await rows.first().waitFor()
  await press(page, 'j')
  await expectFocus(rows.nth(0))
  await press(page, 'j', 'ArrowDown')
  await expectFocus(rows.nth(2))
  await press(page, 'k')
  await expectFocus(rows.nth(1))
  const id = await rows.nth(1).getAttribute('data-record')
  await press(page, 'Enter')
  await expect.poll(() => route(page)).toBe(`/customer/detail?id=${id}`)
  await page.getByRole('navigation', { name: '前后记录', exact: true }).getByRole('link', { name: '下一条' }).waitFor()
  await page.goBack()
  await expectFocus(rows.nth(1), 'whoever comes back is at the row that they left')
  await press(page, '?')
  await dialog(page).getByText('下一行、上一行', { exact: true }).waitFor()
  // A dialog reacts to Escape only once it contains the focus.
  await expect.poll(() => dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await press(page, 'Escape')
  await dialog(page).waitFor({ state: 'hidden' })
  await press(page, 'k', 'j', 'e')
  await expect.poll(() => route(page)).toContain(`id=${id}`)
  await form(page).waitFor()
  await ready(page)
  const remark = form(page).getByRole('textbox', { name: '备注', exact: true })
  await remark.fill('以键保存')
  await press(page, 'Control+s')
  await expect.poll(() => route(page)).toBe('/customer')
  expect((await detail('/customer', Number(id))).remark).toBe('以键保存')
})

test.runIf(isLong)('keys pressed faster than the address changes all take effect', async () => {
  const page = await open('/customer?tab=pending')
  const heading = page.getByRole('columnheader', { name: '客户编号', exact: true })
  await button(heading, '客户编号').focus()
  for (let round = 0; round < 5; round++) {
    // Ascending, descending, unsorted, and ascending again.
    await press(page, 'Enter', 'Space', 'Enter', 'Space')
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    await press(page, 'Enter', 'Space')
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe(null)
  }
  await expect.poll(() => route(page)).toBe('/customer?tab=pending')
})

// Tab goes through a whole form below, and a row is edited and saved above.
test.runIf(isLong)('a form is filled in the order of its fields and saved, and its tab closes', async () => {
  const name = newName('键盘表单')
  const {
    list: [agency],
  } = await call<{ list: { name: string }[] }>('GET', '/customer/agency/options')
  const salesman = String((await list('/setting/user', { search: 'sale01' })).list[0].realName)
  const page = await open('/customer')
  await moveTo(page, page.getByRole('link', { name: '新增', exact: true }))
  await press(page, 'Enter')
  await form(page).waitFor()
  await ready(page)
  await expectFocus(
    form(page).getByRole('combobox', { name: '客户类型', exact: true }),
    'a form opens at its first field',
  )
  await move(page, 'Shift+Tab')

  page.on('filechooser', (chooser) => void chooser.setFiles(fileOnDisk('营业执照.png')))
  const write = (text: string) => () => page.keyboard.type(text)
  const active = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option-active')
  const pick =
    (...texts: string[]) =>
    async () => {
      for (const text of texts) {
        await page.keyboard.type(text)
        await expect.poll(async () => (await active.count()) === 1 && active.getAttribute('title')).toBe(text)
        await press(page, 'Enter')
      }
    }
  const entries: Record<string, () => Promise<void>> = {
    客户名称: write(name),
    企业名称: write(`${name}有限公司`),
    客户账号: write(newMobile()),
    统一社会信用代码: write(newCode()),
    '上传 营业执照': async () => {
      await press(page, 'Enter')
      await form(page).getByRole('link', { name: '预览 营业执照.png' }).waitFor()
    },
    成立日期: async () => {
      await page.keyboard.type('2015-06-30')
      await press(page, 'Enter')
    },
    所在地区: async () => {
      await page.keyboard.type('吴中区')
      await option(page, '江苏省 / 苏州市 / 吴中区').waitFor()
      await press(page, 'ArrowDown', 'Enter')
    },
    注册地址: write('苏州市吴中区键盘路1号'),
    开票类型: pick('不开票'),
    收件人: write('周键'),
    收件人手机: write(newMobile()),
    收件地址: write('苏州市吴中区键盘路1号2楼'),
    同收件地址: () => press(page, 'Enter'),
    业务员: pick(salesman),
    服务机构: pick(agency.name),
    服务类型: pick('劳务派遣', '招聘服务'),
    付款条件: pick('确认后30天'),
    备注: write('全凭键盘'),
  }
  const passed: string[] = []
  const done = button(form(page), '提交审核')
  while (!(await hasFocus(done))) {
    const [, label] = /"(.*)"$/.exec(await move(page)) ?? []
    if (label === undefined) continue
    passed.push(label)
    await entries[label]?.()
    if (passed.length > 80) throw new Error(`the form never ends: ${passed.join(' → ')}`)
  }
  const { sections } = (catalog.screens['customer.form'].variants!.plans.add as ScreenPlan<FormPlan>).body
  const { fields } = catalog.entities.customer
  const expected = sections
    .flatMap((section) => section.fields)
    .filter(({ field, readOnly }) => !readOnly && !fields[field].visibleWhen)
    .map(
      ({ field, label }) =>
        ({ image: `上传 ${label.cn}`, rows: `添加一行 ${label.cn}` })[fields[field].type] ?? label.cn,
    )
  expect(
    passed.filter((label) => expected.includes(label)),
    'Tab goes as one reads',
  ).toEqual(expected)

  await press(page, 'Enter')
  await expect.poll(() => route(page)).toBe('/customer')
  const {
    list: [saved],
  } = await list('/customer', { search: name })
  expect(await detail('/customer', saved.id!)).toMatchObject({
    name,
    establishedDate: '2015-06-30',
    region: { name: '吴中区' },
    billingType: 'none',
    invoiceMailingAddress: '苏州市吴中区键盘路1号2楼',
    salesman: { name: salesman },
    agency: { name: agency.name },
    serviceTypes: ['dispatch', 'recruitment'],
    paymentTerms: 'net30',
    remark: '全凭键盘',
  })

  const visited = page.getByRole('tablist', { name: '已打开的页面', exact: true })
  const tab = (title: string) => visited.getByRole('tab', { name: title, exact: true })
  await moveTo(page, page.getByRole('main').getByRole('link', { name, exact: true }))
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '客户详情', exact: true }).waitFor()
  await ready(page)
  await moveTo(page, tab('客户详情'), { key: 'Shift+Tab' })
  await press(page, 'ArrowLeft')
  await expectFocus(tab('企业客户'))
  await expect.poll(() => route(page)).toBe('/customer')
  await press(page, 'ArrowRight')
  await expectFocus(tab('客户详情'))
  await press(page, 'Delete')
  await expect.poll(() => tab('客户详情').count()).toBe(0)
  await expect.poll(() => route(page)).toBe('/customer')
  await expectFocus(tab('企业客户'), 'the tab that is open now takes over the focus')
})

test.runIf(isLong)('input into a form is undone field by field, and redone', async () => {
  const page = await open('/customer/addcustomer?type=add')
  const [name, short] = ['企业名称', '客户名称'].map((label) =>
    form(page).getByRole('textbox', { name: label, exact: true }),
  )
  await name.click()
  await page.keyboard.type('甲公司')
  await short.click()
  await page.keyboard.type('甲')
  // The browser undoes the text being typed, then the form undoes the field entered before.
  await press(page, 'Control+z')
  await expect.poll(() => short.inputValue()).toBe('')
  await press(page, 'Control+z')
  await expect.poll(() => name.inputValue()).toBe('')
  await expectFocus(name)
  await press(page, 'Control+Shift+z')
  await expect.poll(() => name.inputValue()).toBe('甲公司')
})

test.runIf(isLong)('Escape closes a drop-down, and a tab with unsaved work asks before it closes', async () => {
  const page = await open('/customer/addcustomer?type=add', { stays: true })
  const kind = form(page).getByRole('combobox', { name: '开票类型', exact: true })
  await kind.focus()
  await press(page, 'ArrowDown')
  await expect.poll(() => kind.getAttribute('aria-expanded')).toBe('true')
  await press(page, 'Escape')
  await expect.poll(() => kind.getAttribute('aria-expanded')).toBe('false')
  await expectFocus(kind)
  const date = form(page).getByRole('textbox', { name: '成立日期', exact: true })
  await date.focus()
  await press(page, 'Enter', 'Escape')
  await move(page, 'Shift+Tab')
  await page.keyboard.type('张键')
  const tab = page.getByRole('tab', { name: /^新增企业客户/ })
  await tab.focus()
  await press(page, 'Delete')
  await says(dialog(page), '内容尚未保存，确定离开吗？')
  await expect.poll(() => isWithin(dialog(page))).toBe(true)
  await press(page, 'Escape')
  await dialog(page).waitFor({ state: 'hidden' })
  await expectFocus(tab)
  expect(await form(page).getByRole('textbox', { name: '法定代表人', exact: true }).inputValue()).toBe('张键')
})

describe('an overlay takes the focus, keeps it, closes on Escape and gives it back', () => {
  const header = (page: Page, name: string) => button(page.getByRole('banner'), name)
  const main = (page: Page, name: string) => button(page.getByRole('main'), name).first()
  const openers: [string, (page: Page) => Locator][] = [
    ['搜索页面', (page) => header(page, '搜索页面')],
    ['界面设置', (page) => header(page, '界面设置')],
    ['客户分类', (page) => main(page, '客户分类')],
    ['服务机构', (page) => main(page, '服务机构')],
    ['列设置', (page) => main(page, '列设置')],
    ['审核', (page) => main(page, '审核')],
  ]
  // The others open in the same ways, and the search of pages gives the focus back above.
  test.each(isLong ? openers : openers.filter(([name]) => ['客户分类'].includes(name)))('%s', async (_, opener) => {
    // The rounds below prove that Tab reaches each of these.
    const page = await open('/customer?tab=pending', { stays: true })
    await page.locator('tr[data-record]').first().waitFor()
    await opener(page).focus()
    await press(page, 'Enter')
    await dialog(page).waitFor()
    await expect.poll(() => isWithin(dialog(page))).toBe(true)
    for (let count = 0; count < 15; count++) {
      await move(page)
      expect(await isWithin(dialog(page)), 'nothing behind it can be reached').toBe(true)
    }
    await press(page, 'Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    await expectFocus(opener(page))
  })

  test.runIf(isLong)('a form in a drawer begins at its first field and returns the focus', async () => {
    const page = await open('/settlement/invoicing?part=applied', { stays: true })
    await moveTo(page, main(page, '申请开票'))
    await press(page, 'Enter')
    const drawer = page.getByRole('dialog', { name: '申请开票', exact: true })
    await expectFocus(drawer.getByRole('combobox', { name: '客户', exact: true }), 'one may type at once')
    await press(page, 'Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expectFocus(main(page, '申请开票'))
  })

  test.runIf(isLong)('a dialog over a drawer', async () => {
    const page = await open('/customer')
    await moveTo(page, main(page, '客户分类'))
    await press(page, 'Enter')
    const drawer = page.getByRole('dialog', { name: '客户分类', exact: true })
    await moveTo(page, button(drawer, '新增'))
    await press(page, 'Enter')
    const inner = page.getByRole('dialog', { name: '新增客户分类', exact: true })
    await expect.poll(async () => (await inner.count()) === 1 && isWithin(inner)).toBe(true)
    await press(page, 'Escape')
    await inner.waitFor({ state: 'hidden' })
    await expectFocus(button(drawer, '新增'))
    await press(page, 'Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expectFocus(main(page, '客户分类'))
  })

  test.runIf(isLong)('a dialog from the user menu', async () => {
    const page = await open('/home')
    const user = page.getByRole('banner').getByRole('button', { name: /^用户菜单/ })
    await moveTo(page, user)
    const item = page.getByRole('menuitem', { name: '修改密码', exact: true })
    await press(page, 'Enter')
    await expectFocus(page.getByRole('menuitem').first())
    await press(page, 'Escape')
    await item.waitFor({ state: 'hidden' })
    await expectFocus(user)
    await press(page, 'Enter')
    await expect.poll(async () => (await item.isVisible()) && isWithin(page.getByRole('menu'))).toBe(true)
    // The menu moves the focus on in the next frame, so a key pressed earlier would skip the item.
    const items = page.getByRole('menuitem')
    for (let at = 0; at < (await items.count()); at++) {
      await expectFocus(items.nth(at))
      if (await hasFocus(item)) break
      await press(page, 'ArrowDown')
    }
    await expectFocus(item)
    await press(page, 'Enter')
    await expect.poll(async () => (await dialog(page).count()) === 1 && isWithin(dialog(page))).toBe(true)
    await press(page, 'Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    await expectFocus(user)
  })
})

test.each(isLong ? ['/home', 'list', 'form', 'detail'] : ['form'])(
  'Tab goes through everything on %s, with the focus always visible and never trapped',
  async (screen) => {
    const name = newName('键盘巡游')
    const id = await addCustomer({ name })
    const addresses: Record<string, string> = {
      list: listOf(name),
      form: `/customer/addcustomer?type=edit&id=${id}`,
      detail: `/customer/detail?id=${id}`,
    }
    const page = await open(addresses[screen] ?? screen, { stays: true })
    const passed = await wholeRound(page)
    const reachable = await page
      .locator('a[href], button, input, select, textarea, [tabindex="0"]')
      .evaluateAll(
        (elements) =>
          elements.filter(
            (element) =>
              element.checkVisibility({ visibilityProperty: true }) &&
              (element as HTMLElement).tabIndex >= 0 &&
              !element.matches(':disabled, [aria-hidden=true]'),
          ).length,
      )
    expect(reachable).toBeGreaterThan(10)
    expect(passed.length, passed.join(' → ')).toBeGreaterThanOrEqual(reachable)
  },
)

test.runIf(isLong)('on a phone with a keyboard, the menu opens as a drawer and the filters unfold', async () => {
  const page = await open('/home', { width: 390, height: 844 })
  const toggle = page.getByRole('banner').getByRole('button', { name: /^(展开|收起)侧栏$/ })
  const drawer = page.getByRole('dialog', { name: '主菜单', exact: true })
  await moveTo(page, toggle)
  await press(page, 'Enter')
  await expect.poll(async () => (await drawer.count()) === 1 && isWithin(drawer)).toBe(true)
  await press(page, 'Escape')
  await drawer.waitFor({ state: 'hidden' })
  await expectFocus(toggle)
  await press(page, 'Enter')
  await expect.poll(async () => (await drawer.count()) === 1 && isWithin(drawer)).toBe(true)
  await moveTo(page, drawer.getByRole('button', { name: /^客户管理/ }), { limit: 8 })
  await press(page, 'Enter')
  await moveTo(page, drawer.getByRole('link', { name: /^企业客户/ }), { limit: 3 })
  await press(page, 'Enter')
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => route(page)).toBe('/customer')
  await ready(page)

  await moveTo(page, button(page.getByRole('main'), '筛选'))
  await press(page, 'Enter')
  await expect.poll(() => isWithin(page.getByRole('search')), { message: 'what was unfolded has the focus' }).toBe(true)
  await moveTo(page, button(page.getByRole('search'), '关闭'))
  await press(page, 'Enter')
  await expectFocus(button(page.getByRole('main'), '筛选'))
})
