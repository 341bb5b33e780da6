import { expect, test } from 'vitest'
import { safetyOf, trustedProxies, usualSafety } from './safety.ts'

test('applies the settings of the operator, and refuses a wrong number by the name of its setting', () => {
  expect(safetyOf({})).toEqual(usualSafety)
  expect(safetyOf({ SESSION_HOURS: '8', FIRST_PASSWORD_HOURS: '' })).toEqual({ ...usualSafety, sessionHours: 8 })
  for (const text of ['0', '-1', '1.5', 'day', '9999999'])
    expect(() => safetyOf({ SESSION_HOURS: text }), text).toThrow(`SESSION_HOURS is "${text}"`)
})

test('accepts proxies by count or address, and never trusts all of them', () => {
  expect(['', undefined, '0', 'false'].map(trustedProxies)).toEqual([false, false, false, false])
  expect(['1', '10.0.0.5', 'loopback, 10.0.0.0/8', '::1'].map(trustedProxies)).toEqual([
    1,
    '10.0.0.5',
    'loopback, 10.0.0.0/8',
    '::1',
  ])
  for (const text of ['true', '*', 'proxy.example']) expect(() => trustedProxies(text), text).toThrow('TRUST_PROXY')
})
