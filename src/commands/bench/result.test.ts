import { describe, expect, it } from 'vitest'
import { isReached, median, percentile, ratioOf, resultLine } from './result.ts'

const yardstick = { name: 'antd', value: 200 }

describe('a result of the benchmark', () => {
  it('is measured against its yardstick', () => {
    const result = { name: 'List', unit: 'ms', ours: 100, yardstick, aim: { ratio: 0.5 } }
    expect(ratioOf(result)).toBe(0.5)
    expect(isReached(result)).toBe(true)
    expect(resultLine(result)).toMatch(/List .*100 ms .*antd 200 ms .*× 0\.50 .*aim × 0\.5 +reached$/)
  })

  it('reports that it misses its aim', () => {
    expect(resultLine({ name: 'List', unit: 'ms', ours: 101, yardstick, aim: { ratio: 0.5 } })).toMatch(/MISSED$/)
    expect(resultLine({ name: 'Key', unit: 'ms', ours: 16.5, aim: { value: 16 } })).toMatch(/aim 16 ms +MISSED$/)
  })

  it('promises nothing without an aim', () => {
    expect(isReached({ name: 'Compile', unit: 'ms', ours: 1 })).toBeUndefined()
  })
})

it('computes the median and a percentile', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(percentile([...Array(100).keys()], 0.95)).toBe(95)
})
