import { expect, test } from 'vitest'
import { pluralOf, titleOf } from './titleOf.ts'

test('a list is called after several records, and a form after one', () => {
  const label = { cn: '车辆', en: 'Company vehicle' }
  expect(titleOf(label, { cn: '{}', en: '{s}' })).toEqual({ cn: '车辆', en: 'Company vehicles' })
  expect(titleOf(label, { cn: '新增{}', en: 'Add {}' })).toEqual({ cn: '新增车辆', en: 'Add company vehicle' })
})

test.each([
  ['Vehicle', 'Vehicles'],
  ['Policy', 'Policies'],
  ['Holiday', 'Holidays'],
  ['Tax', 'Taxes'],
  ['Branch', 'Branches'],
])('several of %s are %s', (one, several) => {
  expect(pluralOf(one)).toBe(several)
})
