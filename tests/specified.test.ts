/** The schema files have the addresses and fields that the specification names. Journeys open all screens. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { selectPlan } from '../engine/client/selectPlan.ts'
import type { ScreenPlan } from '../engine/model/model.ts'
import { productCatalog } from './compiledOnce.ts'

interface Route {
  path: string
  area: string
  query?: string[]
  noCache?: boolean
}
// Addresses of the frame are opened by src/shell/routes.test.tsx.
const routes = (JSON.parse(readFileSync('tests/routes.json', 'utf8')) as Route[]).filter(
  ({ area, path }) => area !== 'base' || path === '/home',
)
const { entities, screens, routes: known } = productCatalog()

/** Parameters such as `type=edit&id=<id>`, with those that the screen requires. */
const given = (query: string, { parameters }: ScreenPlan) => ({
  ...Object.fromEntries(parameters.filter(({ required }) => required).map(({ name }) => [name, '1'])),
  ...Object.fromEntries(new URLSearchParams(query.replace('<id>', '1'))),
})

describe('every address that the specification names', () => {
  test.each(routes.map((route) => [route.path, route] as const))('%s', (path, { query = [], noCache = false }) => {
    const plan = screens[known[path]]
    expect(plan, path).toBeDefined()
    if (noCache) expect(plan.noCache).toBe(true)
    const titles = query.map((item) => {
      const selected = selectPlan(plan, given(item, plan))
      expect(selected, item).toHaveProperty('plan')
      const variant = (selected as { plan: ScreenPlan }).plan
      for (const [name] of new URLSearchParams(item))
        expect(variant.parameters.map((each) => each.name)).toContain(name)
      return variant.title.cn
    })
    expect(new Set(titles).size, 'each variant has its own title').toBe(query.length)
  })
})

/** Checks that the entity has these fields, by name or by English label. */
function has(entity: string, wanted: string) {
  const known = Object.values(entities[entity].fields).flatMap(({ name, label }) => [name, label.en.toLowerCase()])
  expect(
    wanted.split(', ').filter((each) => !known.includes(each)),
    entity,
  ).toEqual([])
}

describe('a customer', () => {
  test('has an account, type, names, codes and a license, and the terms of billing and delivery', () => {
    has('customer', 'customer account, customer type, customer name, corporate name, customer code')
    has('customer', 'unified social credit code, business license image')
    has('customer', 'billing type, tax number, bank of deposit, bank account, phone, general taxpayer certificate')
    has('customer', 'consignee name, consignee mobile, consignee address, invoice mailing address')
  })
  test('has its staff, terms and balance, and the times of submission, approval and last purchase', () => {
    has('customer', 'support staff, salesman, agency, payment terms, balance, account status')
    has('customer', 'submission time, approval time, last purchase time')
  })
  test('has a classification, a registration method and up to five pictures', () => {
    has('customer', 'customer classification, registration method, pictures')
    has('customerClassification', 'category name, superior classification')
    expect(entities.customer.fields.pictures.options).toMatchObject({ max: 5 })
  })
})

test('departments, users and roles have the specified fields', () => {
  has('department', 'department name, parent department, sort order')
  has('user', 'login name, real name, mobile, email, department, role, last login time, last login address, status')
  has('role', 'role name, function permissions, message authorization, remark')
})

test('announcements and banners have the specified fields, and a banner exactly one image', () => {
  has('notice', 'title, category, cover image, content, creator, created at, status, release')
  has('banner', 'image, usage period start, usage period end, type')
  expect(entities.banner.fields.image).toMatchObject({ required: true, options: { max: 1 } })
})

test('app versions and the settings of self-pickup and offline transfer have the specified fields', () => {
  has('appVersion', 'version name, version number, app file, update content, forced update')
  for (const setting of ['selfPickupSetting', 'offlineTransferSetting'])
    has(setting, 'contact person, contact, working time, prompt, address, return address')
})

test('the other settings have the specified fields', () =>
  has('otherSettings', 'autoCancelOrder, autoConfirmOrder, afterSalesApplication'))

test('the payment parameters have two channels with their keys, and offline payment', () => {
  for (const channel of ['wallet', 'chat'])
    for (const part of ['AppId', 'PrivateKey', 'PublicKey', 'MerchantNo', 'MerchantSecret'])
      expect(entities.paymentParameters.fields).toHaveProperty(channel + part)
  expect(entities.paymentParameters.fields).toHaveProperty('offlineEnabled')
})
