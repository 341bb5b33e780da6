import { expect, test } from 'vitest'
import { uscc as usccWidget } from '../../engine/widgets/uscc/uscc.ts'
import { organisationCheck, uscc, usccCheck } from './identifiers.ts'
import { Random } from './random.ts'

test("computes the check characters of the specification's samples", () => {
  for (const sample of ['91990101MADE1A2B93', '91990102MADE3C4D4D', '92990103MADE5E6FXH', '12990104MADE7G8H59']) {
    expect(usccCheck(sample.slice(0, 17))).toBe(sample[17])
    expect(organisationCheck(sample.slice(8, 16))).toBe(sample[16])
  }
})

test('a thousand generated codes pass the widget that users type into', () => {
  const random = new Random(7)
  const context = {
    label: { cn: '代码', en: 'Code' },
    now: () => '2026-01-01 00:00:00',
    dictionary: () => {
      throw new Error('none')
    },
  }
  for (let index = 0; index < 1000; index++)
    expect(usccWidget.check(uscc(random, 'enterprise'), {}, context)).toBeUndefined()
})

test('the same seed gives the same sequence', () => {
  const sequence = (seed: number) => {
    const random = new Random(seed)
    return Array.from({ length: 5 }, () => random.next())
  }
  expect(sequence(3)).toEqual(sequence(3))
  expect(sequence(3)).not.toEqual(sequence(4))
})
