/**
 * Actions with `"foresee": true` are tried before they are confirmed: what their dialogs report, and that nothing
 * remains.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog, Outlook, Value } from '../engine/model/model.ts'
import { type Client, createTestServer, type TestServer } from './server.ts'
import { type BilledCustomer, billedCustomer } from './statement.ts'

const benefits = '/welfare/otherBenefit'
let house: TestServer
let customers: BilledCustomer[]
let ownScope: Client & { id: number }
let masked: Client
beforeAll(async () => {
  house = await createTestServer({ change })
  customers = [await billedCustomer(house), await billedCustomer(house)]
  const functionPermissions = ['welfare:otherBenefit:view', 'welfare:otherBenefit:add']
  for (const dataScope of ['self', 'all'])
    await house.create('/setting/role', { code: `copy${dataScope}`, name: dataScope, dataScope, functionPermissions })
  ownScope = await house.user('copyself', ['copyself'])
  masked = await house.user('copyall', ['copyall'])
  await house.database.pool.query('update customer set "supportStaff" = $1 where id = $2', [
    ownScope.id,
    customers[0].customer,
  ])
  for (const [index, { customer, contract, people }] of customers.entries())
    for (const person of people)
      await house.create(benefits, {
        feeMonth: '2026-05',
        customer,
        serviceContract: contract,
        person,
        benefitType: 'heating',
        itemName: `采暖${index}`,
        quantity: 1,
        unitPrice: '580',
        companyAmount: '500',
      })
})
afterAll(() => house?.close())

/** A benefit reports its personal amount, which not every user may see, and several can be given another price. */
function change(catalog: Catalog): Catalog {
  const { otherBenefit } = catalog.entities
  otherBenefit.facts!.push('personalAmount')
  otherBenefit.fields.personalAmount.sensitive = true
  otherBenefit.actions.reprice = {
    ...otherBenefit.actions.copyMonth,
    name: 'reprice',
    label: { cn: '调价', en: 'Reprice' },
    when: "status == 'draft'",
    form: [],
    update: ['unitPrice', 'remark'],
    run: undefined,
    job: undefined,
  }
  return catalog
}

const values = { feeMonth: '2026-06' }
async function foreseen(path: string, request: object, as: Client = house.admin): Promise<Outlook> {
  const { result, ...answer } = await as.post(`${path}/foresee`, request)
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
  return result
}
const factTexts = ({ facts }: Outlook, language = 'cn') =>
  facts.map(({ label, value }) => `${label[language]} ${value[language]}`)

/** How many rows each table has, and how far each sequence of numbers is; without the log of what was shown. */
async function everything(): Promise<Record<string, Value>> {
  const { pool } = house.database
  const { rows: tables } = await pool.query("select tablename as name from pg_tables where schemaname = 'public'")
  const counted = tables.map(({ name }) => `select '${name}' as name, count(*)::integer as n from "${name}"`)
  const { rows: shown } = await pool.query("select 1 from system_history where action = 'viewSensitive'")
  const { rows } = await pool.query(
    `${counted.join(' union all ')} union all select concat_ws(' ', name, period), value from system_sequence`,
  )
  const numbers = Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]))
  return { ...numbers, system_history: numbers.system_history - shown.length }
}

test('says how many records of how many customers would be made, and how much, and leaves nothing', async () => {
  const before = await everything()
  const outlook = await foreseen(`${benefits}/copyMonth`, { values })
  expect(factTexts(outlook)).toEqual([
    '新增其他福利 4（客户名称2个、人员4个）',
    '新增其他福利：金额 ￥2,320.00',
    '新增其他福利：个人承担 ￥320.00',
  ])
  expect(factTexts(outlook, 'en')[0]).toBe('Other benefit: new 4 (Customer: 2, Person: 4)')
  expect(outlook.lists[0]).toMatchObject({ more: 0, items: expect.toSatisfy((items: unknown[]) => items.length === 4) })
  expect(await everything()).toEqual(before)
})

test('reveals to nobody records outside their scope, nor sums of what they only see masked', async () => {
  expect(factTexts(await foreseen(`${benefits}/copyMonth`, { values }, ownScope))).toEqual([
    '新增其他福利 2（人员2个）',
    '新增其他福利：金额 ￥1,160.00',
  ])
  const outlook = await foreseen(`${benefits}/copyMonth`, { values }, masked)
  expect(factTexts(outlook)).toEqual(['新增其他福利 4（客户名称2个、人员4个）', '新增其他福利：金额 ￥2,320.00'])
  expect(JSON.stringify(outlook)).not.toMatch(/[^5]80[.]00|[*]/)
})

test('refuses what the action itself refuses', async () => {
  expect(await house.admin.post(`${benefits}/copyMonth/foresee`, { values: {} })).toMatchObject({
    code: 422,
    errors: [{ field: 'feeMonth' }],
  })
  const publisher = await house.user('copypublisher', ['publisher'])
  expect(await publisher.post(`${benefits}/copyMonth/foresee`, { values })).toMatchObject({ code: 403 })
})

test('says why there is nothing to do', async () => {
  const outlook = await foreseen(`${benefits}/copyMonth`, { values: { feeMonth: '2030-01' } })
  expect(outlook).toMatchObject({ facts: [], note: { cn: '没有需要办理的数据', en: 'Nothing would change' } })
})

test('shows amounts of changed records before and after, and which are refused', async () => {
  const { list } = (await house.admin.get(`${benefits}/list`, { sort: 'id', size: 100 })).result
  const ids = (list as { id: number }[]).map(({ id }) => id)
  await house.admin.post(`${benefits}/confirm`, { id: ids[0] })
  const before = await everything()
  const outlook = await foreseen(`${benefits}/reprice`, { ids, values: { unitPrice: '600' } })
  expect(factTexts(outlook)).toEqual([
    '变更其他福利 3（客户名称2个、人员3个）',
    '变更其他福利：金额 ￥1,740.00 → ￥1,800.00（+￥60.00）',
    '变更其他福利：个人承担 ￥240.00 → ￥300.00（+￥60.00）',
    '未能办理 1',
  ])
  expect(outlook.lists.at(-1)!.items).toEqual([
    { name: '采暖0', about: { cn: '当前状态不允许此操作', en: '当前状态不允许此操作' } },
  ])
  const noted = await foreseen(`${benefits}/reprice`, { ids: ids.slice(1), values: { remark: '已核对' } })
  expect(factTexts(noted)).toContain('变更其他福利：金额 ￥1,740.00（不变）')
  expect(await everything()).toEqual(before)
})

test('the call itself says how many were copied', async () => {
  const { result } = await house.admin.post(`${benefits}/copyMonth`, { values: { feeMonth: '2026-06' } })
  expect(result).toMatchObject({ succeeded: 4 })
  const again = await house.admin.post(`${benefits}/copyMonth`, { values: { feeMonth: '2026-06' } })
  expect(again).toMatchObject({ result: { succeeded: 0 } })
})
