import { expect, test } from 'vitest'
import { listTitleOf, pluralOf, titleOf } from './titleOf.ts'

test('a list is titled in the plural, and a form in the singular', () => {
  const label = { cn: '车辆', en: 'Company vehicle' }
  expect(listTitleOf(label)).toEqual({ cn: '车辆', en: 'Company vehicles' })
  expect(titleOf(label, { cn: '新增{}', en: 'Add {}' })).toEqual({ cn: '新增车辆', en: 'Add company vehicle' })
})

test.each([
  ['Vehicle', 'Vehicles'],
  ['Policy', 'Policies'],
  ['Holiday', 'Holidays'],
  ['Tax', 'Taxes'],
  ['Branch', 'Branches'],
])('several of %s are %s', (each, several) => {
  expect(pluralOf(each)).toBe(several)
})
