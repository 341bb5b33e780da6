// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { isLogin, loginPath, safeRedirect } from './session.ts'

test.each([
  '/customer',
  '/customer?tab=pending&page=2',
  '/customer/detail?id=7',
  '/login-records',
  '/a?to=https://x.com//y',
])('%s is opened after sign-in', (wanted) => expect(safeRedirect(wanted)).toBe(wanted))

test.each([
  null,
  '',
  '//evil.com',
  '///evil.com',
  'https://evil.com',
  'http:evil.com',
  'javascript:alert(1)',
  ' /customer',
  'customer',
  '/\\evil.com',
  '\\\\evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  '/\u0000',
  'data:text/html,x',
  '/login',
  '/login?redirectUrl=%2F%2Fevil.com',
])('%j leads to the home screen instead', (wanted) => expect(safeRedirect(wanted)).toBe('/'))

test('the sign-in address carries the requested address', () => {
  expect(loginPath('/')).toBe('/login?redirectUrl=%2F')
  expect(loginPath('/customer?tab=a&page=2')).toBe('/login?redirectUrl=%2Fcustomer%3Ftab%3Da%26page%3D2')
  expect([isLogin('/login'), isLogin('/login?a=1'), isLogin('/login-records'), isLogin('/')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
