import { expect, test } from 'vitest'
import { fillText, namesIn } from './fillText.ts'

const filled = (text: string, values: Record<string, string>) => fillText(text, (name) => values[name])

test('fills in names, including parts of a reference, and keeps names without a value', () => {
  expect(filled('{code}：{customer.name}，{other}', { code: 'C1', 'customer.name': '启澜' })).toBe('C1：启澜，{other}')
})

test('one of two words is for exactly one', () => {
  const text = 'Hold the pay of {n} {n|person|people}?'
  expect([filled(text, { n: '1' }), filled(text, { n: '0' }), filled(text, { n: '12' })]).toEqual([
    'Hold the pay of 1 person?',
    'Hold the pay of 0 people?',
    'Hold the pay of 12 people?',
  ])
  expect(filled('{n} month{n||s}', { n: '1' })).toBe('1 month')
  expect(filled('{m|line|lines}', { n: '1' })).toBe('{m|line|lines}')
})

test('each language has its plural forms, with the first word for exactly one by default', () => {
  const filledTexts = (text: string, language: string) =>
    [0, 1, 2, 5, 22].map((n) => fillText(text, () => String(n), language))
  expect(filledTexts('{n|plik|pliki|plików}', 'pl')).toEqual(['plików', 'plik', 'pliki', 'plików', 'pliki'])
  expect(filledTexts('{n|jour|jours}', 'fr')).toEqual(['jour', 'jour', 'jours', 'jours', 'jours'])
  expect(filledTexts('{n|line|lines}', 'en')).toEqual(['lines', 'line', 'lines', 'lines', 'lines'])
  // Polish with too few words.
  expect(filledTexts('{n|line|lines}', 'pl')).toEqual(['lines', 'line', 'lines', 'lines', 'lines'])
  expect(filledTexts('{n|a|b}', 'cn')).toEqual(['b', 'a', 'b', 'b', 'b'])
})

test('lists the names in a text', () => {
  expect(namesIn('{n} {n|line|lines} of {customer.name}')).toEqual(['n', 'n', 'customer.name'])
})
