import { expect, test } from 'vitest'
import { baseLimits } from './baseLimits.ts'

test.each([
  ['11761.00', 'wagePercent', undefined, '7057.00', '35283.00'],
  ['12307.00', 'wagePercent', '2690.00', '7384.00', '36921.00'],
  ['11761.00', 'minWage', '2420.00', '2420.00', '35283.00'],
  ['11761.00', 'minWage', undefined, null, '35283.00'],
])('limits from %s by %s, minimum wage %s', (averageWage, floorFrom, minimumWage, baseFloor, baseCeiling) => {
  expect(baseLimits(averageWage, floorFrom, minimumWage)).toEqual({ baseFloor, baseCeiling })
})
