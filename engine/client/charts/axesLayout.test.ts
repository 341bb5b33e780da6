import { expect, test } from 'vitest'
import { axesLayoutOf } from './axesLayout.ts'
import type { ChartSeries } from './chartData.ts'

const laidOut = (series: Partial<ChartSeries>[]) =>
  axesLayoutOf({
    data: {
      categories: [{ label: '2026-03' }, { label: '2026-04' }],
      series: series.map((sery) => ({
        name: '',
        label: '',
        unit: 'money',
        line: false,
        values: [],
        texts: [],
        ...sery,
      })),
    },
    stacked: false,
    width: 600,
    language: 'en',
  })

test('only a line of another unit gets a separate axis on the right, and room for it', () => {
  const cost = { values: [120_000, 480_000] }
  const alone = laidOut([cost])
  const same = laidOut([cost, { line: true, values: [1, 2] }])
  const apart = laidOut([cost, { line: true, unit: 'people', values: [3, 97] }])
  expect([alone.ticksApart, same.ticksApart]).toEqual([[], []])
  expect(alone.right).toBe(same.right)
  expect(apart.ticksApart).toEqual([0, 25, 50, 75, 100])
  expect(apart.right).toBeGreaterThan(alone.right)
})
