import { describe, expect, it } from 'vitest'
import { overlap, policyInForce, type PolicyScope } from './policyInForce.ts'

const policy = (rest: Partial<PolicyScope> = {}): PolicyScope => ({
  kind: 'social',
  city: '110100',
  householdTypes: [],
  effectiveFrom: '2026-01',
  effectiveTo: null,
  ...rest,
})
const query = { kind: 'social', city: '110100', householdType: 'localUrban', month: '2026-03' }

describe('the policy in force', () => {
  const nationwide = policy({ city: null })
  const general = policy()
  const rural = policy({ householdTypes: ['localRural', 'otherRural'] })
  const before = policy({ effectiveFrom: '2025-01', effectiveTo: '2025-12' })
  const all = [nationwide, general, rural, before, policy({ kind: 'fund' })]

  it.each([
    ['the city before a nationwide one', query, general],
    ['one that names the household before a general one', { ...query, householdType: 'otherRural' }, rural],
    ['that of the month', { ...query, month: '2025-12' }, before],
    ['a nationwide one where the city has none', { ...query, city: '310100' }, nationwide],
    ['none before the first', { ...query, month: '2024-12' }, undefined],
  ])('is %s', (_, about, expected) => {
    expect(policyInForce(all, about)).toBe(expected)
  })
})

describe('two policies', () => {
  it.each([
    ['of the same months', {}, true],
    ['one after the other', { effectiveFrom: '2025-01', effectiveTo: '2025-12' }, false],
    ['that share a month', { effectiveFrom: '2025-01', effectiveTo: '2026-01' }, true],
    ['of different cities', { city: '310100' }, false],
    ['of different kinds', { kind: 'fund' }, false],
    ['a general one and one for a household type', { householdTypes: ['localRural'] }, false],
  ])('%s: %s', (_, rest, expected) => {
    expect(overlap(policy(), policy(rest))).toBe(expected)
    expect(overlap(policy(rest), policy())).toBe(expected)
  })

  it('overlap in a household type that both name', () => {
    expect(overlap(policy({ householdTypes: ['localRural', 'hmt'] }), policy({ householdTypes: ['hmt'] }))).toBe(true)
  })
})
