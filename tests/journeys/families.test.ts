/**
 * Two new families, unlike each other and unlike those of the product, are added to a running server as files and
 * removed again.
 */
import { ofRow } from './parts.ts'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { Catalog, RecordData, Value } from '../../engine/model/model.ts'
import type { ImportsPlan } from '../../engine/screens/imports/imports.ts'
import { lists } from '../../src/lists.ts'
import { isLong } from '../long.ts'
import { call, detail, list, open } from './app.ts'
import { serveCopiedSchemas } from './copiedSchemas.ts'
import { imported } from './importFiles.ts'
import { wide } from './grid.ts'

const word = (cn: string, en: string) => ({ cn, en })
const words = (cn: string, en: string) => ({
  addCn: `${cn}增员`,
  addEn: `${en} additions`,
  reduceCn: `${cn}减员`,
  reduceEn: `${en} reductions`,
})
const account = (name: string, en: string) => ({
  orgCn: `${name}单位号`,
  orgEn: `${en} unit no.`,
  personalCn: `${name}个人号`,
  personalEn: `Personal ${en} no.`,
  personalPattern: '^[0-9]{8,20}$',
  personalRequired: 'no',
})
const pages = {
  additionalstaff: ['importrecords', 'importhandle', 'detailList', 'handledetailList'],
  personnelreduction: ['importrecords', 'detailList'],
}
const common = {
  additionTypes: [{ value: 'new', ...word('新参加', 'New') }],
  reductionReasons: [{ value: 'left', ...word('离职', 'Left'), leaveReasons: ['resignation'] }],
  pages,
  badge: { additionalstaff: true, personnelreduction: true, summary: true },
}

/** No base: a fixed yearly amount, by tier. */
const heating = {
  template: 'handling',
  parameters: {
    key: 'heating',
    ...word('采暖补贴', 'Heating'),
    short: '采暖',
    shortEn: 'HT',
    prefix: 'HT',
    order: 70,
    icon: 'fire',
    policyKind: 'extra',
    words: words('采暖', 'Heating'),
    account: account('采暖', 'heating'),
    base: { mode: 'none' },
    ...common,
    expense: {
      route: 'heatingexpense',
      ...word('采暖费用', 'Heating expenses'),
      masks: [1],
      personCode: false,
      tolerance: '0.10',
    },
    importDiff: [
      {
        kinds: ['heatingBigTable'],
        drop: ['采暖个人号'],
        add: [
          {
            header: '房屋类型',
            headerEn: 'Kind of home',
            after: '证件号码',
            field: '-',
            required: 'Y',
            sample: '自有',
            check: 'in 自有, 租赁',
          },
        ],
      },
      {
        kinds: ['heatingAdditionHandle'],
        add: [
          { header: '面积', after: '办理结果', field: '-', type: 'integer', check: 'range 10–500' },
          { header: '卡号', after: '面积', field: '-', check: 'pattern ^[0-9]{4}$' },
        ],
      },
    ],
    items: [
      {
        key: 'warmth',
        ...word('采暖费', 'Warmth'),
        mandatory: true,
        amountModes: ['fixed'],
        rateModes: ['tier'],
        payCycles: ['year'],
        payMonth: 11,
        annualRule: 'full',
        annualRefund: 'none',
        taxClass: 'none',
        feeItem: { value: 'warmth', ...word('采暖费', 'Warmth') },
        tiers: [
          { tierCode: 'a', ...word('甲档', 'Tier A'), companyFixed: '2000.00', personalFixed: '0.00', isDefault: true },
          { tierCode: 'b', ...word('乙档', 'Tier B'), companyFixed: '1200.00', personalFixed: '300.00' },
        ],
      },
    ],
  },
}
/** Rates chosen within ranges, separately for each side, and no back-payment. */
const annuity = {
  template: 'handling',
  parameters: {
    key: 'annuity',
    ...word('企业年金', 'Annuity'),
    short: '年金',
    shortEn: 'AN',
    prefix: 'AN',
    order: 80,
    icon: 'bank',
    policyKind: 'extra',
    words: words('年金', 'Annuity'),
    account: account('年金', 'annuity'),
    base: { mode: 'shared', ...word('年金基数', 'Annuity base') },
    ...common,
    expense: {
      route: 'annuityexpense',
      ...word('年金费用', 'Annuity expenses'),
      masks: [1],
      personCode: false,
      tolerance: '0.10',
    },
    importDiff: [
      {
        kinds: ['annuityBigTable', 'annuityAdditionHandle'],
        add: [
          {
            header: '计划比例(%)',
            after: '姓名',
            field: '-',
            type: 'percent',
            check: 'equals enrolment.pensionPlanCompanyRate else W07',
          },
        ],
      },
    ],
    items: [
      {
        key: 'pensionPlan',
        ...word('年金', 'Annuity'),
        mandatory: true,
        amountModes: ['rate'],
        rateModes: ['range'],
        range: { companyMin: '1', companyMax: '8', personalMin: '1', personalMax: '4', step: '0.5' },
        companyRate: '5',
        personalRate: '2',
        taxClass: 'other',
        feeItem: { value: 'annuity', ...word('企业年金', 'Annuity') },
      },
    ],
  },
}
const extra = {
  template: 'policy',
  parameters: {
    key: 'extra',
    ...word('补充福利政策', 'Extra policy'),
    formRoute: 'addextra',
    historyRoute: 'extrahistory',
    tab: 9,
  },
}
const files = { 'extra.family.json': extra, 'heating.family.json': heating, 'annuity.family.json': annuity }

const { schemas } = serveCopiedSchemas()

const reload = () => call('POST', '/schemas/reload')

/** A policy in force for both families, with one account each. */
async function policy(catalog: Catalog, city: string, agency: number): Promise<void> {
  const rows = (family: string) => catalog.entities.policy.fields[`${family}Items`].default as RecordData[]
  const accounts = (name: string): Value =>
    [{ name, accountNo: `9900${name.length}777`, ownerType: 'provider', agency, status: 'enabled' }] as Value
  const tiers = heating.parameters.items[0].tiers.map(({ tierCode, cn, companyFixed, personalFixed, ...more }) => ({
    tierCode,
    tierName: cn,
    companyFixed,
    personalFixed,
    isDefault: 'isDefault' in more,
  }))
  const { id } = await call<{ id: number }>('POST', '/welfare/policy/create', {
    values: {
      kind: 'extra',
      name: '补充福利',
      city,
      effectiveFrom: '2025-01',
      avgMonthlyWage: '10000',
      cutoffDay: 28,
      payDay: 28,
      baseAdjustMonth: 7,
      supplementAllowed: false,
      lateFeeDailyRate: '0',
      heatingItems: rows('heating').map((row) => ({
        ...row,
        payMonth: 11,
        annualRule: 'full',
        annualRefund: 'none',
        tiers,
      })),
      heatingAccounts: accounts('采暖大户'),
      annuityItems: rows('annuity').map((row) => ({ ...row, baseFloor: '3000', baseCeiling: '30000' })),
      annuityAccounts: accounts('年金大户一'),
    },
  })
  await call('POST', '/welfare/policy/enable', { id })
}

const uploaded = ({ screens }: Catalog, family: string, rows: Record<string, string>[]): Promise<RecordData> =>
  imported('welfare', (screens[`${family}Addition.imports`].body as ImportsPlan).import, '增员.xlsx', rows)

test.runIf(isLong)(
  'two families added as files open their screens, handle additions, make expenses, and are removed',
  async () => {
    for (const [name, data] of Object.entries(files))
      writeFileSync(path.join(schemas, 'welfare', name), JSON.stringify(data))
    const catalog = compile(readSchemas(schemas), lists).catalog!
    await reload()
    const [person] = (
      await list('/staff/person', {
        filters: {
          employmentStatus: { equals: 'active' },
          workerKind: { equals: 'regular' },
          insuranceCity: { equals: '110100' },
        },
        size: 1,
      })
    ).list
    const who = await detail('/staff/person', person.id!)
    await policy(catalog, '110100', (who.agency as unknown as { id: number }).id)
    const cells = {
      personCustomer: String((who.customer as unknown as { name: string }).name),
      personName: String(who.name),
      person: String(who.idNumber),
      city: '北京',
      additionType: '新参加',
      startMonth:
        String(who.entryDate).slice(0, 7) > '2026-01'
          ? String(who.entryDate).slice(0, 7)
          : new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7),
    }
    expect(await uploaded(catalog, 'heating', [{ ...cells, warmthTier: '乙档' }])).toMatchObject({ successCount: 1 })
    expect(
      await uploaded(catalog, 'annuity', [
        { ...cells, declaredBase: '10000', pensionPlanCompanyRate: '5.5', pensionPlanPersonalRate: '2' },
      ]),
    ).toMatchObject({ successCount: 1 })
    expect((await list('/welfare/heatingAddition')).list).toMatchObject([
      { warmthCompany: '1200.00', warmthPersonal: '300.00', total: '1500.00', status: 'pending' },
    ])
    const [ticket] = (await list('/welfare/annuityAddition')).list
    expect(ticket).toMatchObject({
      base: '10000.00',
      pensionPlanCompany: '550.00',
      pensionPlanPersonal: '200.00',
      total: '750.00',
    })
    await call('POST', '/welfare/annuityAddition/succeed', { id: ticket.id, values: { handleMonth: cells.startMonth } })

    const page = await open('/welfare/heating/additionalstaff', { stays: true })
    await page.getByRole('heading', { level: 1, name: '采暖补贴采暖增员', exact: true }).waitFor()
    await page.getByRole('tabpanel').getByText(String(who.name), { exact: true }).first().waitFor()
    expect(await page.getByRole('columnheader', { name: '申报基数' }).count(), 'what has no base asks for none').toBe(0)
    await page
      .getByRole('navigation', { name: '主菜单' })
      .getByRole('button', { name: /^企业年金/ })
      .click()
    await page
      .getByRole('navigation', { name: '主菜单' })
      .getByRole('link', { name: '参保台账', exact: true })
      .last()
      .click()
    await page.getByRole('heading', { level: 1, name: '企业年金参保台账', exact: true }).waitFor()
    await page.getByRole('tabpanel').getByText(String(who.name), { exact: true }).first().waitFor()
    const [other] = (await list('/welfare/heatingAddition')).list
    await call('POST', '/welfare/heatingAddition/succeed', { id: other.id, values: { handleMonth: cells.startMonth } })
    for (const [family, route, amount] of [
      ['heating', 'heatingexpense', '￥1,500.00'],
      ['annuity', 'annuityexpense', '￥750.00'],
    ] as const) {
      await call('POST', `/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: cells.startMonth } })
      const expenses = await open(`/welfare/${route}/summary`, { ...wide, stays: true })
      const summary = expenses
        .getByRole('row')
        .filter({ has: expenses.getByRole('link', { name: cells.personCustomer, exact: true }) })
      await ofRow(summary, '账单明细')
        .or(ofRow(expenses.getByRole('main'), '账单明细'))
        .first()
        .click()
      await expenses
        .getByRole('row')
        .filter({ hasText: cells.personName })
        .getByText(amount, { exact: true })
        .first()
        .waitFor()
      expect(
        (await list('/settlement/costLine', { filters: { sourceType: { equals: `${family}Expense` } } })).total,
      ).toBe(2)
    }
    for (const route of [
      '/welfare/heating',
      '/welfare/annuity/personnelreduction/importrecords',
      '/welfare/policy/addextra?status=add',
    ]) {
      const opened = await open(route, { stays: true })
      expect(await opened.getByRole('main').getByRole('alert').count(), route).toBe(0)
    }
    // Joiners enter what they take part in, by form and by file; costs and statements include the items.
    const joining = await open('/staff/addperson?type=add', { stays: true })
    await joining.getByRole('heading', { level: 2, name: '参保方案：采暖补贴', exact: true }).waitFor()
    await joining.getByRole('heading', { level: 2, name: '参保方案：企业年金', exact: true }).waitFor()
    const columns = (screen: string) =>
      (catalog.screens[screen].body as ImportsPlan).import.columns.map(({ field }) => field)
    const shown = (screen: string) =>
      (catalog.screens[screen].body as { columns: { field: string }[] }).columns.map(({ field }) => field)
    expect(columns('personJoin.imports')).toEqual(
      expect.arrayContaining([
        'heatingNeeded',
        'heatingWarmthTier',
        'annuityDeclaredBase',
        'annuityPensionPlanPersonalRate',
      ]),
    )
    expect(columns('personJoin.imports')).not.toContain('heatingDeclaredBase')
    const headings = (screen: string) =>
      (catalog.screens[screen].body as ImportsPlan).import.columns.map(({ label }) => label.cn)
    expect(headings('heatingBigTable.imports').slice(0, 6)).toEqual([
      '费用月份',
      '采暖单位号',
      '姓名',
      '证件号码',
      '房屋类型',
      '缴费类型',
    ])
    expect(headings('heatingAdditionHandle.imports').slice(3, 6)).toEqual(['办理结果', '面积', '卡号'])
    expect(headings('annuityBigTable.imports').slice(2, 4)).toEqual(['姓名', '计划比例(%)'])
    const [first] = await list('/welfare/annuityExpenseLine').then(({ list: lines }) => lines)
    const { import: table } = catalog.screens['annuityBigTable.imports'].body as ImportsPlan
    const compared = await imported(
      'welfare',
      table,
      '年金大表.xlsx',
      [
        {
          feeMonth: cells.startMonth,
          account: '99005777',
          personName: cells.personName,
          idNumber: cells.person,
          checked1: '6',
          expenseType: '正常缴费',
          belongMonth: cells.startMonth,
          actualBase: '10000',
          pensionPlanActualCompany: '550',
          pensionPlanActualPersonal: '200',
          actualTotal: '750',
        },
      ],
      { givenFeeMonth: cells.startMonth, givenAccount: (ticket.account as unknown as { id: number }).id },
    )
    expect(compared).toMatchObject({ successCount: 1 })
    const details = await open(table.details!.replace('{id}', String(compared.id)), { stays: true })
    await details.getByRole('tab', { name: /^有提示/ }).click()
    await expect
      .poll(
        () =>
          details.locator('td[data-hint]').evaluateAll((marked) => marked.map((cell) => cell.getAttribute('title'))),
        { message: 'written, and reported' },
      )
      .toEqual([expect.stringMatching(/^计划比例\(%\)与系统不一致.*（提示）$/)])
    await details
      .getByRole('region', { name: '错误与提示汇总', exact: true })
      .getByText('提示（不阻止）', { exact: true })
      .waitFor()
    expect(await detail('/welfare/annuityExpenseLine', Number(first.id))).toMatchObject({ reconcileStatus: 'matched' })
    expect(columns('personLeave.imports')).toEqual(
      expect.arrayContaining(['heatingLastMonth', 'annuityReductionReason']),
    )
    // Wages show the deduction for each item and the cost of each family.
    expect(shown('payrollLine.list')).toEqual(
      expect.arrayContaining(['heatingWarmthPersonal', 'annuityPensionPlanPersonal', 'socialsecurityPensionPersonal']),
    )
    expect(
      (catalog.screens['wages.report'].body as { tabs: { columns: { measure: string }[] }[] }).tabs.flatMap(
        ({ columns: tabColumns }) => tabColumns.map(({ measure }) => measure),
      ),
    ).toEqual(expect.arrayContaining(['annuityPensionPlanPersonal', 'annuityCompany', 'heatingCompany']))
    expect(catalog.dictionaries.feeItem.choices.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['warmth', 'annuity']),
    )
    expect(catalog.dictionaries.sourceType.choices.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['heatingExpense', 'annuityExpense']),
    )

    for (const name of Object.keys(files)) rmSync(path.join(schemas, 'welfare', name))
    await reload()
    const gone = await open('/welfare/heating')
    await gone.getByRole('main').getByText('404', { exact: false }).first().waitFor()
    const others = await open('/welfare/socialsecurity', { stays: true })
    await others.getByRole('heading', { level: 1, name: '社会保险参保台账', exact: true }).waitFor()
  },
  300_000,
)
