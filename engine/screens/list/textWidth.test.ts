import { expect, test } from 'vitest'
import { headedWidth } from './textWidth.ts'

test('a column is at least as wide as its name, Chinese or English, but never for a name alone wider than so much', () => {
  expect([
    headedWidth(160, '状态'),
    headedWidth(100, '工资所属月份'),
    headedWidth(100, 'Payroll month'),
    headedWidth(400, '备注'),
  ]).toEqual([160, 118, 133, 400])
  expect(headedWidth(120, '累计'.repeat(20))).toBe(240)
})
