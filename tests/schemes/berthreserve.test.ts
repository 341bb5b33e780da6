/** Two made-up families together: checks on the catalog alone. */
import { expect, test } from 'vitest'
import { selectPlan } from '../../engine/client/selectPlan.ts'
import { categoryOf, feeItemsOf, type BilledFamily } from '../../src/procedures/settlement/feeItems.ts'
import { schemeCatalog } from './schemeHouse.ts'

const catalog = schemeCatalog()
const screen = (route: string) => catalog.screens[catalog.routes[route]]

test.each(['summary/importrecords', 'summary/detailList'])(
  '%s of a family with one table accepts mask 1 only',
  (page) => {
    const opened = screen(`/welfare/guildcareexpenses/${page}`)
    const query: Record<string, string> = page.endsWith('detailList') ? { batchId: '1' } : {}
    expect(selectPlan(opened, { ...query, mask: '2' })).toEqual({ problem: 'parameterUnknown', value: '2' })
    expect(selectPlan(opened, { ...query, mask: '1' })).toHaveProperty('plan')
    expect(selectPlan(opened, query)).toHaveProperty('plan')
    const two = screen(`/welfare/berthreserveexpenses/${page}`)
    for (const mask of ['1', '2']) expect(selectPlan(two, { ...query, mask })).toHaveProperty('plan')
    expect(selectPlan(two, { ...query, mask: '3' })).toEqual({ problem: 'parameterUnknown', value: '3' })
  },
)

test('families share fee items, each counting in its own column', () => {
  const items = feeItemsOf(catalog.families.handling as unknown as BilledFamily[])
  expect(categoryOf({ feeItem: 'pension', sourceType: 'guildcareExpense' }, items)).toBe('otherBenefit')
  expect(categoryOf({ feeItem: 'pension', sourceType: 'socialExpense' }, items)).toBe('social')
  expect(categoryOf({ feeItem: 'commercialInsurance', sourceType: 'guildcareExpense' }, items)).toBe('otherBenefit')
  const values = catalog.dictionaries.feeItem.choices.map(({ value }) => value)
  expect(values.filter((value) => value === 'berthSaving')).toHaveLength(1)
})

test("a policy starts with the tiers of its kind's families", () => {
  const rows = catalog.entities.policy.fields.berthreserveItems.default as { item: string; tiers: object[] }[]
  expect(rows.find(({ item }) => item === 'berthPilot')!.tiers).toMatchObject([
    { tierCode: 'p1', companyRate: '3', isDefault: false },
    { tierCode: 'p2', personalRate: '0.5', isDefault: true },
  ])
})

test('an absent operation has no entity, and a family without a sample shows none', () => {
  expect(catalog.entities.guildcareAdjustment).toBeUndefined()
  expect(catalog.entities.berthreserveAdjustment).toBeDefined()
  const column = (name: string) =>
    (JSON.stringify(catalog.screens[`${name}PersonCode.imports`]).match(/"sample":"[^"]*"/g) ?? []).join()
  expect(column('berthreserve')).not.toContain('990000001')
  expect(column('accumulationfund')).toContain('900012345678')
})
