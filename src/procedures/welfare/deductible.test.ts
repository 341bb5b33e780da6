import { expect, test } from 'vitest'
import { deductible } from './deductible.ts'

const fund = { taxClass: 'statutory', taxCapRate: '12', taxCapFixed: null }

test('a fund is deductible up to its rate of three average wages', () => {
  expect(deductible('4744.00', fund, { declaredBase: '45000.00', averageWage: '8311.00', round: 'halfUp0' })).toBe(
    '2992.00',
  )
  expect(deductible('840.00', fund, { declaredBase: '12000.00', averageWage: '11761.00', round: 'halfUp0' })).toBe(
    '840.00',
  )
})

test('other items are deductible in full, up to an amount, or not at all', () => {
  const about = { declaredBase: '12000.00', averageWage: '11761.00', round: null }
  expect(deductible('960.00', { taxClass: 'statutory', taxCapRate: null, taxCapFixed: null }, about)).toBe('960.00')
  expect(deductible('300.00', { taxClass: 'other', taxCapRate: null, taxCapFixed: '200.00' }, about)).toBe('200.00')
  expect(deductible('300.00', { taxClass: 'none', taxCapRate: null, taxCapFixed: null }, about)).toBe('0.00')
  expect(deductible('-120.00', fund, about)).toBe('-120.00')
})
