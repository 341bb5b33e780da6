import { describe, expect, test } from 'vitest'
import { unitsOf } from './units.ts'

const units: Record<string, string> = { due: 'HKD', fee: 'HKD', wage: 'CNY', bonus: 'CNY' }
const unitsIn = (text: string) => unitsOf(text, ([name]) => units[name])
const yields = (text: string) => unitsIn(text).yields
const mixed = (text: string) => unitsIn(text).mixed.map(({ start, end }) => text.slice(start, end))

describe('the unit of a formula', () => {
  test.each([
    ['due', 'HKD'],
    ['due + fee * 2', 'HKD'],
    ['coalesce(due, 0) - fee / 12', 'HKD'],
    ['round(max(due, 0) * 0.05, 2)', 'HKD'],
    ['months > 3 ? due : 0', 'HKD'],
    // A product with another field may be a conversion by it.
    ['due * rate', undefined],
    ['due / wage', undefined],
    ['due == null', undefined],
    ['[]', undefined],
    ['-due', 'HKD'],
    ['rate + 1', undefined],
  ])('%s', (text, unit) => {
    expect(yields(text)).toBe(unit)
    expect(mixed(text)).toEqual([])
  })

  test.each([
    ['due + wage', ['due + wage']],
    ['wage > coalesce(due, 0)', ['wage > coalesce(due, 0)']],
    ['rate == 1 ? due : wage', ['rate == 1 ? due : wage']],
    ['min(due, bonus)', ['min(due, bonus)']],
    ['due * rate + wage', []],
    ['[due, wage].exists(a, a > 5)', []],
  ])('reports mixed units in %s', (text, parts) => expect(mixed(text)).toEqual(parts))
})
