import { expect, test } from 'vitest'
import { unroundedQuotients } from './quotients.ts'

test.each([
  ['price / 3', ['price / 3']],
  ['total - price / 3 * 2', ['price / 3']],
  ['kind == null ? price / 3 : round(price / 3, 2)', ['price / 3']],
  ['coalesce(price / 3, 0)', ['price / 3']],
  ['round(price / 3, 2) * 2', []],
  ['price / 3 > 2 ? 1 : 2', []],
  ['2 * ((price - fee) / (3 + fee))', ['(price - fee) / (3 + fee)']],
  ['price * 3', []],
  ['price /', []],
])('%s', (formula, quotients) => {
  expect(unroundedQuotients(formula).map(({ text }) => text)).toEqual(quotients)
})
