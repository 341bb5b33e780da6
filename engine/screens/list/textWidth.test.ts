import { expect, test } from 'vitest'
import { cutMiddle, headedWidth, numberWidth, widthOf } from './textWidth.ts'

test('a column is at least as wide as its label, Chinese or English, up to a maximum', () => {
  expect([
    headedWidth(160, '状态'),
    headedWidth(100, '工资所属月份'),
    headedWidth(100, 'Payroll month'),
    headedWidth(400, '备注'),
  ]).toEqual([160, 118, 130, 400])
  expect(headedWidth(120, '累计'.repeat(20))).toBe(240)
})

test('wide letters count as wide', () => {
  // As a browser measures these at 14 px in Arial.
  for (const [text, pixels] of [
    ['Compare', 57.6],
    ['View', 30.1],
    ['Issue red invoice', 105.1],
    ['Download files', 91.1],
    ['Confirm and lock', 105.1],
  ] as const) {
    expect(widthOf(text)).toBeGreaterThanOrEqual(pixels)
    expect(widthOf(text)).toBeLessThan(pixels * 1.2)
  }
})

test('a code keeps its end, and a short one stays whole', () => {
  expect(cutMiddle('SSA202611230001', 120)).toBe('SSA20…30001')
  expect(cutMiddle('SSA202611230001', 60)).toBe('S…01')
  expect([cutMiddle('C000123', 100), cutMiddle('SSA202611230001', 160)]).toEqual(['C000123', 'SSA202611230001'])
})

test('a number has room for its digits and its sign', () => {
  expect(numberWidth('￥1,250.00')).toBeGreaterThan(80)
  expect(numberWidth('￥1,250.00')).toBeLessThan(105)
  expect(numberWidth('￥128,345,678.90')).toBeGreaterThan(120)
})
