import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { Decimal } from '../../../engine/expression/index.ts'
import { roundBy } from './rounding.ts'

/** The results of each rule for 12.345 and 122.5. */
const rules: Record<string, [string, string]> = {
  halfUp2: ['12.35', '122.5'],
  halfEven2: ['12.34', '122.5'],
  ceil2: ['12.35', '122.5'],
  floor2: ['12.34', '122.5'],
  halfUp1: ['12.3', '122.5'],
  halfEven1: ['12.3', '122.5'],
  ceil1: ['12.4', '122.5'],
  floor1: ['12.3', '122.5'],
  halfUp0: ['12', '123'],
  halfEven0: ['12', '122'],
  ceil0: ['13', '123'],
  floor0: ['12', '122'],
  halfUpTo5: ['10', '125'],
  halfEvenTo5: ['10', '120'],
  ceilTo5: ['15', '125'],
  floorTo5: ['10', '120'],
  halfUpTo10: ['10', '120'],
  halfEvenTo10: ['10', '120'],
  ceilTo10: ['20', '130'],
  floorTo10: ['10', '120'],
  halfDown2: ['12.34', '122.5'],
  halfDown1: ['12.3', '122.5'],
  halfDown0: ['12', '122'],
  halfDownTo5: ['10', '120'],
  halfDownTo10: ['10', '120'],
}

test.each(Object.entries(rules))('%s rounds as named', (rule, expected) => {
  expect(['12.345', '122.5'].map((value) => roundBy(rule, new Decimal(value)).toString())).toEqual(expected)
})

test('a policy may have exactly these rules', () => {
  const { choices } = JSON.parse(readFileSync('schemas/welfare/roundRule.dictionary.json', 'utf8')) as {
    choices: { value: string }[]
  }
  expect(choices.map(({ value }) => value).sort()).toEqual(Object.keys(rules).sort())
})

test('a whole number stays unchanged', () => {
  for (const rule of Object.keys(rules)) expect(roundBy(rule, new Decimal('120')).toString()).toBe('120')
})
