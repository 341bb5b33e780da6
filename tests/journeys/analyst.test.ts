/**
 * What an analyst does in the first days with the files and the commands alone, while the product runs, as an operator
 * sees it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import type { ImportsPlan } from '../../engine/screens/imports/imports.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { command as check } from '../../src/commands/schemas/check.ts'
import { parse, type Command } from '../../src/commands/schemas/command.ts'
import { command as create } from '../../src/commands/schemas/new.ts'
import { lists } from '../../src/lists.ts'
import { isLong } from '../long.ts'
import { api, call, detail, list, open } from './app.ts'
import { fill } from './controls.ts'
import { serveCopiedSchemas } from './copiedSchemas.ts'
import { visit } from './frame.ts'
import { imported } from './importFiles.ts'
import { button, form, row } from './parts.ts'

const { schemas } = serveCopiedSchemas()

function edit(file: string, from: string, to: string) {
  const place = path.join(schemas, file)
  const text = readFileSync(place, 'utf8')
  expect(text.split(from).length, `${from} in ${file}`).toBe(2)
  writeFileSync(place, text.replace(from, to))
}
/**
 * Runs the command behind `npm run schemas -- …`, whose start has tests of its own.
 * @returns its output
 */
async function outputOf({ run, options }: Command, ...given: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    const { parameters, values } = parse(given, options)
    const status = await run(parameters, values)
    const lines = log.mock.calls.flat().join('\n')
    expect(status, lines).toBe(0)
    return lines
  } finally {
    log.mockRestore()
  }
}
const reload = () => call('POST', '/schemas/reload')
const column = (page: Page, name: string) => page.getByRole('tabpanel').getByRole('columnheader', { name })

test.runIf(isLong)('a field is renamed everywhere and keeps its values', async () => {
  const {
    list: [customer],
  } = await list('/customer', { size: 1 })
  await call('POST', '/customer/update', {
    id: customer.id,
    revision: customer.revision,
    values: { remark: '常年客户，月底对账' },
  })
  edit('customer/customer.entity.json', '"remark": { ', '"note": { "was": "remark", ')
  expect(await outputOf(check, schemas, '--fix')).toContain('"remark" → "note"')
  await reload()
  expect((await detail('/customer', customer.id!)).note).toBe('常年客户，月底对账')
  const page = await open(`/customer/detail?id=${customer.id}`, { stays: true })
  await page.getByRole('main').getByText('常年客户，月底对账', { exact: true }).first().waitFor()
})

test.runIf(isLong)(
  'a new field follows its own rule and another field, and shows as a column and a filter',
  async () => {
    const page = await open('/staff/certificate', { stays: true })
    edit(
      'staff/certificate.entity.json',
      '"content": { "type": "rich-text"',
      `"validMonths": {
      "type": "integer", "min": 1, "max": 24, "visibleWhen": "needApproval", "requiredWhen": "needApproval", "label": { "cn": "有效月数", "en": "Valid months" }
    },
    "content": { "type": "rich-text"`,
    )
    edit('staff/certificate.form.json', '"needApproval"] }', '"needApproval", "validMonths"] }')
    edit('staff/certificate.list.json', '"needApproval", "version"', '"needApproval", "validMonths", "version"')
    edit('staff/certificate.list.json', '"filters": [', '"filters": ["validMonths", ')
    await reload()
    await button(page.getByRole('search'), '查询').click()
    await column(page, '有效月数').waitFor()
    await page.getByRole('search').getByText('有效月数', { exact: true }).waitFor()

    await visit(page, '/staff/addcertificate?type=add')
    const months = form(page)
      .getByRole('spinbutton', { name: '有效月数', exact: true })
      .or(form(page).getByRole('textbox', { name: '有效月数', exact: true }))
    await months.waitFor()
    await form(page).getByRole('switch', { name: '需要审核' }).click()
    await months.waitFor({ state: 'hidden' })
    await form(page).getByRole('switch', { name: '需要审核' }).click()
    await months.fill('99')
    await months.blur()
    await form(page).getByRole('alert').filter({ hasText: '24' }).waitFor()

    const template = {
      name: '居住证明（试用）',
      proofType: 'onJob',
      language: 'zh',
      paper: 'a4',
      sealType: 'hr',
      needApproval: true,
      content: '<p>兹证明</p>',
    }
    expect(await api('POST', '/staff/certificate/create', { values: { ...template, validMonths: 99 } })).toMatchObject({
      code: 422,
      errors: [{ field: 'validMonths' }],
    })
    expect(await api('POST', '/staff/certificate/create', { values: template })).toMatchObject({
      code: 422,
      errors: [{ field: 'validMonths' }],
    })
    await call('POST', '/staff/certificate/create', { values: { ...template, validMonths: 6 } })
    const found = await list('/staff/certificate', { filters: { validMonths: { between: [6, 6] } } })
    expect(found.list).toMatchObject([{ name: template.name, validMonths: 6 }])
  },
)

test.runIf(isLong)('a new entity has a list in the menu, a form, and an import', async () => {
  const made = (what: string, answers: Record<string, string>) =>
    outputOf(
      create,
      what,
      '--schemas',
      schemas,
      ...Object.entries(answers).flatMap(([name, value]) => [`--${name}`, value]),
    )
  await made('entity', {
    name: 'car',
    area: 'staff',
    cn: '车辆',
    en: 'Car',
    field: 'plate',
    'field-cn': '车牌号',
    'field-en': 'Plate',
  })
  const common = { entity: 'car', area: 'staff' }
  await made('screen', {
    ...common,
    kind: 'form',
    name: 'car',
    route: '/staff/addcar',
    cn: '新增车辆',
    en: 'Add car',
  })
  await made('screen', {
    ...common,
    kind: 'list',
    name: 'car',
    route: '/staff/car',
    menu: '90',
    cn: '车辆',
    en: 'Cars',
  })
  await made('screen', {
    ...common,
    kind: 'imports',
    name: 'car',
    route: '/staff/carimport',
    menu: '',
    cn: '导入车辆',
    en: 'Car import',
  })
  edit('staff/car.list.json', '"columns": ["plate"]', '"columns": ["plate", "createdAt"]')
  expect(await outputOf(check, schemas)).toContain('no issue')
  await reload()

  const navigation = (page: Page) => page.getByRole('navigation', { name: '主菜单', exact: true })
  const page = await open('/setting/notice')
  await navigation(page)
    .getByRole('button', { name: /^人员管理/ })
    .click()
  await navigation(page).getByRole('link', { name: '车辆', exact: true }).click()
  await button(page.getByRole('main'), '新增')
    .or(page.getByRole('main').getByRole('link', { name: '新增', exact: true }))
    .first()
    .click()
  await fill(form(page), '车牌号', '京A12345')
  await button(page.getByRole('main'), '保存').first().click()
  await expect.poll(async () => (await list('/staff/car')).list.map(({ plate }) => plate)).toEqual(['京A12345'])

  const { catalog } = compile(readSchemas(schemas), lists)
  expect(
    await imported('staff', (catalog!.screens['car.imports'].body as ImportsPlan).import, '车辆.xlsx', [
      { plate: '京B00001' },
    ]),
  ).toMatchObject({ successCount: 1 })
  await button(page.getByRole('main'), '刷新').click()
  await row(page, '京B00001').waitFor()
})
