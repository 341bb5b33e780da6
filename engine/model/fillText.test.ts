import { expect, test } from 'vitest'
import { fillText, namesIn } from './fillText.ts'

const filled = (text: string, values: Record<string, string>) => fillText(text, (name) => values[name])

test('names are filled in, parts of a reference too; what has no value stays', () => {
  expect(filled('{code}：{customer.name}，{other}', { code: 'C1', 'customer.name': '启澜' })).toBe('C1：启澜，{other}')
})

test('of two words the one goes with exactly one', () => {
  const text = 'Hold the pay of {n} {n|person|people}?'
  expect([filled(text, { n: '1' }), filled(text, { n: '0' }), filled(text, { n: '12' })]).toEqual([
    'Hold the pay of 1 person?',
    'Hold the pay of 0 people?',
    'Hold the pay of 12 people?',
  ])
  expect(filled('{n} month{n||s}', { n: '1' })).toBe('1 month')
  expect(filled('{m|line|lines}', { n: '1' })).toBe('{m|line|lines}')
})

test('the names of a text', () => {
  expect(namesIn('{n} {n|line|lines} of {customer.name}')).toEqual(['n', 'n', 'customer.name'])
})
